"""People: the list, a page for each person, and the forms that say which names are one person's."""

from http import HTTPStatus
from typing import Any

import msgspec

from cartulary.records import api
from cartulary.records.faults import NoFinishedGame
from cartulary.records.library.people import Person
from cartulary.records.library.standings import StandingsLine
from cartulary.records.library.standings_table import cells_of
from cartulary.web.actions import ActionResult, action_of
from cartulary.web.games import title_of
from cartulary.web.inquiry import Inquiry, RequestFault, check_sees_everything
from cartulary.web.names_offered import known_names
from cartulary.web.pages import count, game_link, link, minus
from cartulary.web.visitors import OPERATOR

GAMES = 15
"""How many games a person's page lists at once."""
MOST_OPPONENTS = 30
"""Opponents that a person's page lists."""

_MANY = 3
"""Players of a game from which on a place says more than won or lost."""

# --- the list ---


def people_fields(inquiry: Inquiry) -> object:
    """Return everybody as `people --json` gives them, under the name ``people``.

    Raises RequestFault, with status 403, for a server that shows the view of a seat.
    """
    check_sees_everything(inquiry, "People's pages")
    return {"people": api.list_people(inquiry.store)}


def people(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page that lists everybody, or those of whose names one contains the parameter ``name``.

    Raises RequestFault, with status 403, for a server that shows the view of a seat.
    """
    check_sees_everything(inquiry, "People's pages")
    part = inquiry.value("name").strip().casefold()
    listed = api.list_people(inquiry.store)
    some = [person for person in listed if any(part in name.casefold() for name in (person.name, *person.also))]
    lines = _lines(inquiry.store, api.Query())
    return {
        "part": inquiry.value("name"),
        "about": count(len(some), "person", "people"),
        "rows": [
            {
                "name": person.name,
                "link": link("/person", [("name", person.name)]),
                "also": ", ".join(person.also),
                "games": person.games,
                "won": cells_of(lines[person.name])[4] if person.name in lines else "",
            }
            for person in some
        ],
        "twin": "/people.json",
    }


def _lines(store: "api.Log", query: "api.Query") -> dict[str, StandingsLine]:
    """Return the lines of the standings of the games that match, by the person's name, ordered by wins.

    There are none if no such game is finished.
    """
    try:
        return {line.name: line for line in api.standings(store, query, "wins").rows}
    except NoFinishedGame:
        return {}


# --- a person ---


def _person(inquiry: Inquiry) -> Person:
    """Return the person whom the parameter ``name`` of the address names.

    Raises RequestFault if it is blank, with status 404 if nobody is called so, and with 403 on a server that shows the
    view of a seat.
    """
    check_sees_everything(inquiry, "People's pages")
    name = inquiry.value("name")
    if not name.strip():
        raise RequestFault("Nobody is named; expected name=…, a name of the list of people.")
    person = api.person_named(inquiry.store, name)
    if not person.games and not person.also:
        raise RequestFault(
            f"Nobody is called {name} in this archive; choose a name of the list of people.", HTTPStatus.NOT_FOUND
        )
    return person


def person_fields(inquiry: Inquiry) -> object:
    """Return a person with the results in each game, and one page of the games, from ``offset`` on."""
    person = _person(inquiry)
    offset = inquiry.number("offset", 0) or 0
    return {
        "person": person,
        "results": [dict(zip(_RESULT, each, strict=True)) for each in _results(inquiry, person.name)],
        "games": api.games_of_person(inquiry.store, person.name, limit=GAMES, offset=offset),
    }


_RESULT = ("game", "rank", "players", "games", "won", "points", "place", "best", "worst")
"""The fields of a person's results in one game; numbers as texts."""


def _results(inquiry: Inquiry, name: str) -> list[tuple[str, ...]]:
    """Return what somebody has won in each game, as the standings of that game have it, most played first.

    Each is a tuple of texts in the order of ``_RESULT``: game, rank, number of players, games, and what was won.
    """
    found = []
    for game in api.standings_choices(inquiry.store).games:
        try:
            answer = api.standings(inquiry.store, api.Query(game=game))
        except NoFinishedGame:
            continue
        for line in answer.rows:
            if line.name == name:
                rank, _, games, _, *numbers = cells_of(line)
                found.append((game, rank, str(len(answer.rows)), games, *numbers))
    return sorted(found, key=lambda each: -int(each[3]))


def person(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page of the person whom the address names, with one page of the games."""
    who = _person(inquiry)
    offset = inquiry.number("offset", 0) or 0
    played = api.games_of_person(inquiry.store, who.name, limit=GAMES + 1, offset=offset)
    results = [
        dict(zip(_RESULT, map(minus, each), strict=True))
        | {"title": title_of(each[0]), "standings": link("/standings", [("game", each[0])])}
        for each in _results(inquiry, who.name)
    ]
    query = api.Query(player=(who.name,))
    here = [("name", who.name)]
    return {
        "name": who.name,
        "also": who.also,
        "about": count(who.games, "game"),
        "results": results,
        "opponents": _opponents(inquiry.store, query, who.name),
        "games": [
            {
                "title": title_of(each.game.game),
                "with": ", ".join(name for name in each.game.players.split("; ") if name != who.name),
                "link": game_link(each.game.id),
                "date": each.game.date,
                "event": each.game.event,
                "points": minus(each.points),
                "result": _ending(each),
            }
            for each in played[:GAMES]
        ],
        "back": link("/person", [*here, ("offset", max(0, offset - GAMES) or "")]) if offset else "",
        "on": link("/person", [*here, ("offset", offset + GAMES)]) if len(played) > GAMES else "",
        "known": [name for name in known_names(inquiry.store) if name != who.name],
        "twin": link("/person.json", here),
    }


def _ending(each: "api.PersonGame") -> str:
    """Return how a game ended for somebody: ``won``, ``drawn``, ``3rd of 4``, ``lost`` or ``open``.

    The place is given from ``_MANY`` players on. ``shared`` is said of a game for one that was not won, and nothing of
    a closed game without a result.
    """
    players = each.game.players.count("; ") + 1
    if not each.share:
        return "" if each.game.closed else "open"
    if each.share == "1":
        return "won"
    if players < _MANY or not each.place:
        return "lost" if each.share == "0" else "drawn" if players > 1 else "shared"
    # Where people changed seats, there were more of them than seats.
    return _ordinal(each.place) + (f" of {players}" if each.place <= players else "")


def _ordinal(number: int) -> str:
    """Return a number as a place: ``1st``, ``2nd``, ``3rd``, ``4th``."""
    teens = range(11, 14)
    return f"{number}{'th' if number % 100 in teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _opponents(store: "api.Log", query: "api.Query", name: str) -> list[dict[str, Any]]:
    """Return how somebody did against each of the others, those met most often first, at most ``MOST_OPPONENTS``.

    There is nobody if no such game is finished.

    Args:
        store: The open log.
        query: Which games count.
        name: Whose results they are.
    """
    try:
        duels = api.standings(store, query, "wins", duels=True).duels
    except NoFinishedGame:
        return []
    met = [
        *((each.second, each.wins, each.ties, each.losses) for each in duels if each.first == name),
        *((each.first, each.losses, each.ties, each.wins) for each in duels if each.second == name),
    ]
    met.sort(key=lambda each: (-sum(each[1:]), each[0].casefold()))
    return [
        {
            "name": other,
            "link": link("/person", [("name", other)]),
            "games": won + tied + lost,
            "won": won,
            "tied": tied,
            "lost": lost,
        }
        for other, won, tied, lost in met[:MOST_OPPONENTS]
    ]


# --- names ---


def merge(inquiry: Inquiry, request: "api.MergeRequest") -> ActionResult:
    """Note that two names are one person's, and answer with the person.

    All pages then show the person under the second name.
    """
    return ActionResult(msgspec.to_builtins(api.merge_people(inquiry.store, request)))


def rename(inquiry: Inquiry, request: "api.RenameRequest") -> ActionResult:
    """Give a person a new name under which every game shows the person, and answer with the person."""
    return ActionResult(msgspec.to_builtins(api.rename_person(inquiry.store, request)))


def split(inquiry: Inquiry, request: "api.SplitRequest") -> ActionResult:
    """Let a name that was merged into another stand for a person of its own again, and answer with that person."""
    return ActionResult(msgspec.to_builtins(api.split_person(inquiry.store, request)))


NAMING = (
    action_of("/people/merge", "Show one name as another.", (OPERATOR,), api.MergeRequest, merge),
    action_of("/people/rename", "Give a person a new name.", (OPERATOR,), api.RenameRequest, rename),
    action_of("/people/split", "Undo a merge.", (OPERATOR,), api.SplitRequest, split),
)
"""The actions that say which names are one person's."""
