"""The games: a list of them, and what was found."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from cartulary.notation import NotationError
from cartulary.notation.cgn.controls import isolated_people
from cartulary.notation.roster import every_game
from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.records.library.search import VERDICTS, hit_fields
from cartulary.web.asked import Inquiry, Wrong, checked, number, page_of, query_of
from cartulary.web.pages import game_link, link

FILTERS = ("game", "player", "event", "date", "result", "verdict", "finding", "ruling")
"""What a list is asked by, as on the command line."""
PAGING = ("limit", "offset")
SOUGHT = ("text", "position", "at")
"""What a search is asked by beside these."""
OPEN = ("game", "player", "event", "date")
"""What a seat may ask by: the others may tell more than it knew."""
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

Found = tuple[tuple["api.Hit", ...], bool]


def listed(asked: Inquiry) -> dict[str, Any]:
    """Return what the page of the games shows."""
    try:
        found, fault = _list(asked), ""
    except Unfit as because:
        found, fault = ((), False), str(because)
    return _shown(asked, found, "/games", FILTERS, fault)


def listed_fields(asked: Inquiry) -> object:
    """Return the games as `list --json` gives them, and whether there are more."""
    hits, more = _list(asked)
    return {"games": [hit_fields(hit, placed=False) for hit in hits], "more": more}


def _list(asked: Inquiry) -> Found:
    limit, offset = page_of(asked)
    return api.search(asked.store, query_of(asked), limit=limit, offset=offset, viewer=asked.viewer)


# --- searching ---


def searched(asked: Inquiry, store: "api.Log") -> dict[str, Any]:
    """Return what the page of a search shows. store: one whose positions may be indexed"""
    try:
        found, fault = _search(asked, store) if _looked_for(asked) else ((), False), ""
    except Unfit as because:
        found, fault = ((), False), str(because)
    return _shown(asked, found, "/search", (*SOUGHT, "player", *(name for name in FILTERS if name != "player")), fault)


def searched_fields(asked: Inquiry, store: "api.Log") -> object:
    """Return the games as `search --json` gives them, and whether there are more. Raises Wrong where nothing is asked.

    store: one whose positions may be indexed
    """
    if not _looked_for(asked):
        raise Wrong("Say what to look for: text=…, position=ID, player=… or the like.")
    hits, more = _search(asked, store)
    placed = bool(asked.one("position"))
    seen = asked.viewer.seat is not None and placed
    return {"games": [hit_fields(hit, placed, seen) for hit in hits], "more": more}


def _looked_for(asked: Inquiry) -> bool:
    return any(asked.all(name) for name in (*SOUGHT, *FILTERS))


def _search(asked: Inquiry, store: "api.Log") -> Found:
    limit, offset = page_of(asked)
    query, id, at = query_of(asked), asked.one("position").strip(), asked.one("at").strip()
    if not id:
        if at:
            raise Wrong("`at` picks a position of a game; name the game with `position`.")
        return api.search(asked.store, query, limit=limit, offset=offset, viewer=asked.viewer)
    id = next((each for each, file in asked.files.items() if file == id), id)
    record = api.record_of(asked.store, checked(asked, id))
    ply = number(at, "at") if at else None
    return api.find_position(store, record, ply, viewer=asked.viewer, query=query, limit=limit, offset=offset)


# --- the page ---


def _shown(asked: Inquiry, found: Found, path: str, names: Sequence[str], fault: str) -> dict[str, Any]:
    """Return what a list and its form show. fault: why nothing could be looked for, empty where it could"""
    hits, more = found
    limit, offset = page_of(asked)
    words = [(name, value) for name, value in asked.words if name not in PAGING]
    sized = [*words, *((("limit", limit),) if asked.one("limit") else ())]
    return {
        "here": path,
        "fault": fault,
        "status": HTTPStatus.BAD_REQUEST if fault else HTTPStatus.OK,
        "rows": [_row(hit, asked.files.get(hit.game.id, "")) for hit in hits],
        "fields": [
            field(asked, name) for name in names if asked.viewer.seat is None or name in (*OPEN, "position", "at")
        ],
        "asked": bool(words),
        "offset": offset,
        "back": link(path, [*sized, ("offset", max(0, offset - limit) or "")]) if offset else "",
        "on": link(path, [*sized, ("offset", offset + limit)]) if more else "",
        "twin": link(f"{path}.json", asked.words),
        "screen": link("/tables", [word for word in words if word[0] in OPEN]) if path == "/games" else "",
    }


def field(asked: Inquiry, name: str) -> dict[str, Any]:
    """Return what a form asks by: its name and label, what was typed, and what may be chosen."""
    values = asked.all(name)
    value, choices = values[0] if values else "", _choices(name)
    named = {choices_of.casefold(): key for key, choices_of in choices}
    return {
        "name": name,
        "label": LABELS[name],
        "hint": HINTS.get(name, ""),
        "value": named.get(value.casefold(), value),
        "choices": choices,
    }


def _choices(name: str) -> list[tuple[str, str]]:
    """Return what may be chosen, each with how it is called; nothing where it is typed."""
    if name == "game":
        return [("", "every game"), *((key, game.about.title) for key, game in every_game().items())]
    return [("", "any"), *((each, each) for each in VERDICTS)] if name == "verdict" else []


def _row(hit: "api.Hit", file: str) -> dict[str, Any]:
    """Return a line of the list: of a game told to a seat, whose cards do not all lie open, who played when.

    file: the one it was read from, if any
    """
    game = hit.game
    return {
        "called": file or game.id,
        "link": game_link(game.id, "plies", hit.ply) if hit.ply > 0 else game_link(game.id),
        "title": title_of(game.game),
        "players": isolated_people(game.players) or "–",
        "date": game.date,
        "event": game.event,
        "result": "" if not game.verdict else game.result if game.closed or game.result != "*" else "open",
        "plies": game.plies if game.verdict else "",
        "verdict": game.verdict,
        "ply": hit.ply,
        "passage": hit.passage,
    }


def title_of(key: str) -> str:
    """Return a game's title; what it is listed under where it is not installed here."""
    try:
        return every_game()[key].about.title
    except (KeyError, NotationError):
        return key
