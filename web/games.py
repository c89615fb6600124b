"""The list of games, and the search."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from cartulary.notation import NotationError
from cartulary.notation.cgn.controls import isolate, isolate_people
from cartulary.notation.roster import every_game
from cartulary.records import api
from cartulary.records.commands.result import who_won
from cartulary.records.faults import Unfit
from cartulary.records.library.search import VERDICTS, hit_fields
from cartulary.web.inquiry import Inquiry, RequestFault, check_viewer, number, page_of, query_of
from cartulary.web.pages import game_link, link, minus

FILTERS = ("game", "player", "event", "date", "result", "verdict", "finding", "ruling")
"""The filters of a list, named as on the command line."""
PAGING = ("limit", "offset")
SEARCH_PARAMETERS = ("text", "position", "at")
"""The parameters of a search besides those of a list."""
SEAT_FILTERS = ("game", "player", "event", "date")
"""The filters that a seat may use. The others could tell it about cards that it has not seen."""
MOST_EVENTS = 200
"""Events in a menu; of others the name can be sent all the same."""
LABELS = {
    "game": "Game",
    "player": "Player",
    "event": "Event",
    "date": "Date",
    "result": "Result",
    "verdict": "Verdict",
    "finding": "Rule broken or open",
    "ruling": "Ruling",
    "text": "Words of a comment",
    "position": "Position of a game",
    "at": "After ply",
}
HINTS = {
    "date": "2025..2026.06",
    "result": "1-0, *",
    "finding": "a rule's key",
    "ruling": "void or a rule's key",
    "text": 'king, "a pin", sac*',
    "position": "id or file name",
}

SearchResult = tuple[tuple["api.Hit", ...], bool]


def list_page(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page that lists the games; filters that make no sense are explained on it."""
    try:
        result, error = _list(inquiry), ""
    except Unfit as because:
        result, error = ((), False), str(because)
    return _page_values(inquiry, result, "/games", FILTERS, error)


def list_fields(inquiry: Inquiry) -> object:
    """Return one page of games as `list --json` gives them, and as ``more`` whether others follow.

    Raises Unfit for filters that make no sense.
    """
    hits, more = _list(inquiry)
    return {"games": [hit_fields(hit, placed=False) for hit in hits], "more": more}


def _list(inquiry: Inquiry) -> SearchResult:
    """Return a pair: the games of one page that match the filters of the address, and whether others follow.

    Raises Unfit for filters that make no sense.
    """
    limit, offset = page_of(inquiry)
    return api.search(inquiry.store, query_of(inquiry), limit=limit, offset=offset, viewer=inquiry.viewer)


# --- searching ---


def search_page(inquiry: Inquiry, store: "api.Log") -> dict[str, Any]:
    """Return the values of the page of a search.

    Without a filter nothing is listed; filters that make no sense are explained on the page.

    Args:
        inquiry: The request.
        store: A log whose positions may be indexed.
    """
    try:
        result, error = _search(inquiry, store) if _has_filter(inquiry) else ((), False), ""
    except Unfit as because:
        result, error = ((), False), str(because)
    return _page_values(
        inquiry,
        result,
        "/search",
        (*SEARCH_PARAMETERS, "player", *(name for name in FILTERS if name != "player")),
        error,
    )


def search_fields(inquiry: Inquiry, store: "api.Log") -> object:
    """Return a page of games as `search --json` gives them, and as ``more`` whether others follow.

    Args:
        inquiry: The request.
        store: A log whose positions may be indexed.

    Raises:
        RequestFault: The address says nothing to look for.
    """
    if not _has_filter(inquiry):
        raise RequestFault("Say what to look for: text=…, position=ID, player=… or the like.")
    hits, more = _search(inquiry, store)
    placed = bool(inquiry.value("position"))
    for_seat = inquiry.viewer.seat is not None and placed
    return {"games": [hit_fields(hit, placed, for_seat) for hit in hits], "more": more}


def _has_filter(inquiry: Inquiry) -> bool:
    """Say whether the address has any parameter of a search; ``limit`` and ``offset`` do not count."""
    return any(inquiry.values(name) for name in (*SEARCH_PARAMETERS, *FILTERS))


def _search(inquiry: Inquiry, store: "api.Log") -> SearchResult:
    """Return a pair: the games of one page that match the address, and whether others follow.

    With ``position=evening&at=4`` they are the games that reached the position of the game ``evening`` after ply 4.
    Raises RequestFault for ``at`` without ``position``, and Unfit for filters that make no sense.
    """
    limit, offset = page_of(inquiry)
    query, id, at = query_of(inquiry), inquiry.value("position").strip(), inquiry.value("at").strip()
    if not id:
        if at:
            raise RequestFault("`at` picks a position of a game; name the game with `position`.")
        return api.search(inquiry.store, query, limit=limit, offset=offset, viewer=inquiry.viewer)
    id = next((each for each, file in inquiry.files.items() if file == id), id)
    record = api.record_of(inquiry.store, check_viewer(inquiry, id))
    ply = number(at, "at") if at else None
    return api.find_position(store, record, ply, viewer=inquiry.viewer, query=query, limit=limit, offset=offset)


# --- the page ---


def _page_values(inquiry: Inquiry, result: SearchResult, path: str, names: Sequence[str], error: str) -> dict[str, Any]:
    """Return the values of a page with a list of games and the form of its filters.

    Args:
        inquiry: The request.
        result: The games to list, and whether others follow.
        path: The address of the page, without parameters.
        names: The fields of the form, in their order; a seat gets only those it may use.
        error: Why nothing could be looked for, empty if nothing was wrong.
    """
    hits, more = result
    limit, offset = page_of(inquiry)
    scores = api.final_scores(inquiry.store, [hit.game.id for hit in hits])
    words = [(name, value) for name, value in inquiry.parameters if name not in PAGING]
    sized = [*words, *((("limit", limit),) if inquiry.value("limit") else ())]
    return {
        "here": path,
        "fault": error,
        "status": HTTPStatus.BAD_REQUEST if error else HTTPStatus.OK,
        "rows": [
            _row(hit, inquiry.files.get(hit.game.id, ""), scores.get(hit.game.id, ()) if hit.game.verdict else ())
            for hit in hits
        ],
        "fields": [
            field(inquiry, name)
            for name in names
            if inquiry.viewer.seat is None or name in (*SEAT_FILTERS, "position", "at")
        ],
        "asked": bool(words),
        "offset": offset,
        "back": link(path, [*sized, ("offset", max(0, offset - limit) or "")]) if offset else "",
        "on": link(path, [*sized, ("offset", offset + limit)]) if more else "",
        "twin": link(f"{path}.json", inquiry.parameters),
        "screen": link("/tables", [word for word in words if word[0] in SEAT_FILTERS]) if path == "/games" else "",
    }


def field(inquiry: Inquiry, name: str) -> dict[str, Any]:
    """Return the values of a field of a form: name, label, hint, what was typed in it, and the choices if it is a menu.

    A choice that was typed by its label, such as the title of a game, is given by its value.
    """
    values = inquiry.values(name)
    value, choices = values[0] if values else "", _choices(inquiry, name)
    keys = {label.casefold(): key for key, label in choices}
    return {
        "name": name,
        "label": LABELS[name],
        "hint": HINTS.get(name, ""),
        "value": keys.get(value.casefold(), value),
        "choices": choices,
    }


def menu(inquiry: Inquiry, name: str, label: str, choices: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return a menu of a form, in which what was sent is chosen; it is added if it is none of the choices.

    What was sent may be the value or the text of a choice, in capitals or not.

    Args:
        inquiry: The request.
        name: The query parameter.
        label: What stands above the menu.
        choices: Value and text of each choice.
    """
    sent = inquiry.values(name)
    spelt = {text.casefold(): key for key, choice in choices for text in (choice, key)}
    value = spelt.get(sent[0].casefold(), sent[0]) if sent else ""
    more = [] if any(value == key for key, _ in choices) else [(value, value)]
    return {"name": name, "label": label, "hint": "", "value": value, "choices": [*choices, *more]}


def _choices(inquiry: Inquiry, name: str) -> list[tuple[str, str]]:
    """Return value and label of each choice in a menu, such as ``("", "any")``; none for a field that is typed in."""
    if name == "game":
        installed = [(key, game.about.title) for key, game in every_game().items()]
        return [
            ("", "every game"),
            *installed,
            *((title, title) for title in api.recorded_titles(inquiry.store) if title),
        ]
    return [("", "any"), *((verdict, verdict) for verdict in VERDICTS)] if name == "verdict" else []


def _row(hit: "api.Hit", file: str, scores: "Sequence[api.SeatScore]") -> dict[str, Any]:
    """Return a row of the list of games.

    With points, a row says who won in place of the result, and neither that there are no plies nor that nobody judges.
    Of a game with hidden cards a seat is shown only players, date and event: ``game.verdict`` is empty, and so are
    result, plies and verdict.

    Args:
        hit: The game that was found.
        file: The file that the game was read from, empty for none.
        scores: The points of the seats, empty if they are not shown.
    """
    game = hit.game
    result = "" if not game.verdict else game.result if game.closed or game.result != "*" else "open"
    if len(scores) != len(game.result.split("-")):
        scores = ()
    if scores:
        result = who_won([isolate(seat.name) for seat in scores], game.result)
    return {
        "called": file or game.id,
        "link": game_link(game.id, "plies", hit.ply) if hit.ply > 0 else game_link(game.id),
        "table": game_link(game.id, "table"),
        "title": title_of(game.game),
        "players": isolate_people(game.players) or "–",
        "date": game.date,
        "event": game.event,
        "scores": [(isolate(seat.name), minus(seat.points), seat.won) for seat in scores],
        "result": result,
        "plies": game.plies if game.verdict and (game.plies or not scores) else "",
        "verdict": "" if scores and game.verdict == "unjudged" else game.verdict,
        "ply": hit.ply,
        "passage": hit.passage,
    }


def title_of(key: str) -> str:
    """Return the title of a game by its key; the key itself if its rules are not installed here or cannot be loaded."""
    try:
        return every_game()[key].about.title
    except (KeyError, NotationError):
        return key
