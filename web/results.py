"""Results: a page on which a finished game without moves is recorded, with the game and the players of last time."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Annotated, Any

from msgspec import Meta, Struct, to_builtins

from cartulary.notation import NotationError, find_game
from cartulary.notation.description import MOST_SEATS, NO_DESCRIPTION, Description, DescriptionFault, read_description
from cartulary.records import api
from cartulary.records.commands.result import result_line
from cartulary.records.faults import Fault
from cartulary.web.actions import ActionResult, action_of
from cartulary.web.games import title_of
from cartulary.web.inquiry import Inquiry, check_sees_everything
from cartulary.web.names_offered import (
    NewNames,
    check_spellings,
    check_title,
    evening_today,
    has_written,
    installed_title,
    is_shared,
    known_names,
    likely_names,
)
from cartulary.web.visitors import OPERATOR

RECENT = 40
"""How many games, of those that were written to last, are looked through for those of last time."""
MOST_TITLES = 5
"""How many games can be chosen by one tap."""
FEWEST_ROWS = 2
"""Rows for players, if nobody has played yet."""


class FinishedRequest(api.ResultRequest, frozen=True):
    """A request to record a finished game."""

    ask: Annotated[bool, Meta(description="First ask about a game without rules.")] = False
    new_names: NewNames = ()


class PastResult(Struct, frozen=True):
    """What the form takes over from an earlier game.

    Attributes:
        title: The name of the game.
        names: The players in seat order, as they are shown.
        ends: How it ended: ``points``, ``places`` or ``table``.
        winner: Who wins by the points, ``fewest`` or empty.
        teams: By seat, the number of its team; empty if everybody plays alone.
        place: Where it was played.
        categories: The lines of its score sheet; empty if there is none.
    """

    title: str
    names: Sequence[str] = ()
    ends: str = "points"
    winner: str = ""
    teams: Sequence[int] = ()
    place: str = ""
    categories: Sequence[str] = ()


# --- the page ---


def result(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the form for a result, filled in with the game, players and ending of last time.

    Raises RequestFault, with status 403, on a server that shows the view of a seat.
    """
    check_sees_everything(inquiry, "Results")
    wanted = " ".join(inquiry.value("game").split())
    recent = [hit.game for hit in api.search(inquiry.store, limit=RECENT)[0]]
    finished = sorted((each for each in recent if each.closed), key=lambda each: each.plies > 0)
    titles = list(dict.fromkeys(title_of(each.game) for each in finished))
    mine = [each for each in finished if wanted.casefold() in (each.game.casefold(), title_of(each.game).casefold())]
    past = _past(inquiry, [*mine, *finished] if wanted else finished)
    if wanted and past.title.casefold() != wanted.casefold():
        past = PastResult(installed_title(wanted) or wanted, past.names[: _most_seats(wanted)])
    known = list(dict.fromkeys([*titles, *api.game_titles(inquiry.store)]))
    sheets = {title: _description(text).categories for title, text in api.described_titles(inquiry.store).values()}
    if past.categories:
        sheets.setdefault(past.title, tuple(past.categories))
    people, tonight = known_names(inquiry.store), evening_today(inquiry.store)
    rows = [*past.names, *[""] * (FEWEST_ROWS - len(past.names))]
    return {
        "past": past,
        "rows": [(seat, name, past.teams[seat - 1] if past.teams else "") for seat, name in enumerate(rows, 1)],
        "titles": [title for title in titles if title != past.title][: MOST_TITLES - 1],
        "games": [(title, is_shared(title), "|".join(sheets.get(title, ()))) for title in known],
        "event": inquiry.value("event") or (tonight.title if tonight is not None else ""),
        "place": tonight.place if tonight is not None and tonight.place else past.place,
        "shared": is_shared(past.title),
        "people": people,
        "likely": likely_names(people, (*past.names, *(tonight.present if tonight is not None else ()))),
    }


def _past(inquiry: Inquiry, games: "Iterable[api.ListedGame]") -> PastResult:
    """Return what the form takes over from the first of some games that can be read; if none can, from no game."""
    for each in games:
        with suppress(Fault, NotationError):
            return _past_of(api.load(inquiry.store, each.id), each.players.split("; "))
    return PastResult("")


def _past_of(game: "api.LiveGame", names: Sequence[str]) -> PastResult:
    """Return what the form takes over from a game; ``names`` are its players as they are shown, in seat order."""
    record = game.record
    heading = game.examined.heading.game
    description = _description(record.tag("Description"))
    return PastResult(
        heading.about.title if heading is not None else record.tag("Game"),
        ["" if name == "?" else name for name in names],
        "table" if record.tag("Table") else "places" if record.tag("Places") else "points",
        "fewest" if description.winner == "fewest" else "",
        description.teams,
        record.tag("Site"),
        [line.partition("=")[0].strip() for line in record.tag("Categories").split(";") if "=" in line],
    )


def _description(text: str) -> Description:
    """Return the description of a game without rules that a tag holds; one that says nothing if it cannot be read."""
    try:
        return read_description(text)
    except DescriptionFault:
        return NO_DESCRIPTION


def _most_seats(name: str) -> int:
    """Return the largest number of seats of an installed game; for another game that of any game, ``MOST_SEATS``."""
    try:
        return max(find_game(name).about.seats)
    except NotationError:
        return MOST_SEATS


def record_result(inquiry: Inquiry, request: FinishedRequest) -> ActionResult:
    """Record a finished game; the answer says in a sentence what was recorded.

    Raises:
        RequestFault: A player's name may be another spelling of a known one, or, with ``ask``, there are no rules for
            the game. The status is 409.
    """
    store = inquiry.store

    def is_repeated() -> bool:
        return has_written(store, api.opening_of_result(store, request).id, request.command)

    if request.ask:
        check_title(store, api.meant_title(store, request.game))
    names = [each.rpartition("=")[0] or each for each in request.players]
    check_spellings(store, names, request.new_names, is_repeated=is_repeated)
    answer = api.record_result(store, request)
    return ActionResult(to_builtins(answer) | {"says": f"{result_line(answer)}."})


RESULTS = (
    action_of(
        "/results",
        "Record a finished game of which only the result is known.",
        (OPERATOR,),
        FinishedRequest,
        record_result,
        required_fields=("command", "game", "players"),
        omit=(),
    ),
)
"""The actions that record results."""
