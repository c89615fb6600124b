"""Evenings: the list, and the page of one, with its rounds and tables, who is free, and the cards for its links."""

from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from cartulary.engine.numbers import how_many
from cartulary.notation.description import DescriptionFault, read_description
from cartulary.notation.unjudged import scored_by_rounds
from cartulary.records import api
from cartulary.records.commands.pairs import round_robin_length, round_robin_pairs
from cartulary.records.exchange.trf import write_tournament
from cartulary.records.faults import Declined, Fault, Unfit
from cartulary.records.library.evenings import BYE_WORDS, EveningOverview, TableStanding, evening_fields
from cartulary.records.sheets.link_cards import for_whom
from cartulary.records.state.evenings import ClubEvening, EveningTable
from cartulary.records.state.fold import played_game
from cartulary.records.state.links import link_fields
from cartulary.web.actions import ActionResult, action_of
from cartulary.web.cards import card_fields, origin_of
from cartulary.web.games import title_of
from cartulary.web.inquiry import Inquiry, RequestFault, check_sees_everything
from cartulary.web.names_offered import (
    NewNames,
    check_spellings,
    check_title,
    installed_title,
    is_shared,
    known_names,
    likely_names,
    variants_asked,
)
from cartulary.web.pages import game_link, lines_markup, link, minus
from cartulary.web.visitors import KEEPS, OPERATOR

MOST_RESULTS = 40
"""Results without a table that the page of an evening lists."""
LATE_EVENINGS = 4
"""How many earlier evenings are looked through for those who may come to one."""
_WHAT = "Evenings"


class EveningCardsRequest(api.EveningLinksRequest, frozen=True, kw_only=True):
    """A request to make links for persons at an evening, with the address at which phones reach the server."""

    base: Annotated[str, Meta(description="The scheme and name that phones find the server by.")]


class EveningTableRequest(api.SetTableRequest, frozen=True):
    """A request to set a table of an evening."""

    ask: Annotated[bool, Meta(description="First ask about a game that nobody knows.")] = False
    keep: Annotated[bool, Meta(description="Keep a game without rules and description unjudged.")] = False
    new_names: NewNames = ()


class ArrivalRequest(api.PresenceRequest, frozen=True):
    """A request to write down who came to an evening, or left it."""

    new_names: NewNames = ()


# --- the list ---


def evenings_fields(inquiry: Inquiry) -> object:
    """Return the evenings as `evenings --json` gives them, under the name ``evenings``.

    Raises RequestFault for a visitor who does not see everything.
    """
    check_sees_everything(inquiry, _WHAT)
    return {"evenings": [_line(evening) for evening in api.evenings(inquiry.store)]}


def _line(evening: ClubEvening) -> dict[str, object]:
    """Return an evening as a line of the list: title, date, place, and the numbers of rounds, tables and persons."""
    persons = {*evening.present, *(person for table in evening.tables for person in table.persons)}
    numbers: dict[str, object] = {"rounds": evening.last_round, "tables": len(evening.tables), "persons": len(persons)}
    return {"evening": evening.title, "date": evening.date, "place": evening.place} | numbers


def evenings(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page that lists the evenings, the latest first.

    Raises RequestFault for a visitor who does not see everything.
    """
    check_sees_everything(inquiry, _WHAT)
    lines = sorted(map(_line, api.evenings(inquiry.store)), key=lambda line: str(line["date"]), reverse=True)
    return {"rows": [line | {"link": link("/evening", [("name", line["evening"])])} for line in lines]}


# --- an evening ---


def _overview(inquiry: Inquiry) -> EveningOverview:
    """Return the evening that the parameter ``name`` of the address names.

    Raises RequestFault if none is named, with status 404 if there is none of that name, and for a visitor who does not
    see everything.
    """
    check_sees_everything(inquiry, _WHAT)
    name = inquiry.value("name")
    if not name.strip():
        raise RequestFault("No evening is named; expected name=…, the name of an evening of the list.")
    try:
        return api.evening_overview(inquiry.store, name)
    except Unfit as fault:
        raise RequestFault(str(fault), HTTPStatus.NOT_FOUND) from None


def evening_view(inquiry: Inquiry) -> object:
    """Return the evening that the address names as `evening NAME --json` gives it.

    Raises RequestFault, with status 404 if there is none of that name.
    """
    return evening_fields(_overview(inquiry))


def tournament_report(inquiry: Inquiry) -> bytes:
    """Return an evening as `export --event NAME --format trf` gives it.

    Raises:
        RequestFault: Its games are no tournament, such as one of four players. The status is 409.
    """
    title = _overview(inquiry).evening.title
    try:
        return write_tournament(api.tournament_report(inquiry.store, title)).encode()
    except (Unfit, Declined) as fault:
        raise RequestFault(str(fault), HTTPStatus.CONFLICT) from None


def _byes(shown: ClubEvening) -> dict[int, list[str]]:
    """Return by round who has a bye, that is, sits out: ``{2: ["Ada", "Bela, half a point"]}``.

    After a name stands what the bye counts, unless that follows from the pairing.
    """
    by_round: dict[int, list[str]] = {}
    for bye in shown.byes:
        by_round.setdefault(bye.round, []).append(f"{bye.person}{BYE_WORDS[bye.kind]}")
    return by_round


def evening(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page of the evening that the address names.

    Raises RequestFault, with status 404 if there is none of that name.
    """
    overview = _overview(inquiry)
    shown, store = overview.evening, inquiry.store
    rounds: dict[int, list[dict[str, Any]]] = {}
    counting = [standing for standing in overview.standings if not standing.aside]
    for standing in counting:
        rounds.setdefault(standing.table.round, []).append(_card(store, standing))
    seats = {person: f"table {each.table.number}" for each in counting if each.is_busy for person in each.table.persons}
    last = counting[-1].title if counting else ""
    last_round = max(rounds, default=0)
    is_over = bool(last_round) and all(each.closed for each in counting if each.table.round == last_round)
    round_robin = round_robin_pairs(len(shown.entrants), shown.last_round + 1)
    known, titles = known_names(store), api.game_titles(store)
    titles += [title for game in api.standings_choices(store).games if (title := title_of(game)) not in titles]
    return {
        "title": shown.title,
        "date": shown.date,
        "place": shown.place,
        "rounds": [(number, rounds[number]) for number in sorted(rounds, reverse=True)],
        "next_round": shown.last_round + 1,
        "last_round": last_round,
        "is_pairing_due": is_over and bool(shown.rounds or shown.byes),
        "round_robin": lines_markup("\n".join(round_robin)),
        "round_robin_length": round_robin_length(len(shown.entrants)),
        "is_round_over": is_over,
        "aside": [_card(store, standing) for standing in overview.standings if standing.aside],
        "present": [(person, seats.get(person, "")) for person in shown.present],
        "free": overview.free,
        "last_game": last,
        "titles": titles,
        "variants": variants_asked(store),
        "known": known,
        "likely": likely_names(_persons_of_late(store, shown) or known, (), shown.present),
        "results": _results(store, shown),
        "links": [link_fields(each) for each in api.links_of(store).by_number.values() if each.evening == shown.key],
        "entrants": [entrant.name for entrant in shown.entrants],
        "byes": _byes(shown),
        "round_count": shown.rounds or "",
        "report": link("/evening.trf", [("name", shown.title)]),
        "screen": link("/tables", [("event", shown.title)]),
        "standings": link("/standings", [("event", shown.title)]),
        "twin": link("/evening.json", inquiry.parameters),
    }


def _persons_of_late(store: "api.Log", shown: ClubEvening) -> list[str]:
    """Return who was at the other evenings of late, those of the latest one first; nobody if there was none."""
    others = [each for each in api.evenings(store) if each.key != shown.key and each.date <= shown.date]
    late = sorted(others, key=lambda each: each.date, reverse=True)[:LATE_EVENINGS]
    return list(dict.fromkeys(person for each in late for person in sorted(each.persons)))


def _card(store: "api.Log", standing: TableStanding) -> dict[str, Any]:
    """Return the values of a table's card on the evening's page: who sits where, the points, and where its game is.

    The points are left out, in place of guessed ones, if there is not one for each seat.
    """
    table = standing.table
    points = standing.score.split(":") if standing.score else []
    points = points if len(points) == len(table.players) and (standing.closed or standing.plies) else []
    seats = [(name, minus(points[at]) if points else _share(standing, at)) for at, name in enumerate(table.players)]
    by_person = sorted((each.name, minus(each.points)) for each in standing.persons)
    return {
        "number": table.number,
        "game": standing.title or table.game,
        "variant": standing.variant,
        "id": table.game,
        "link": game_link(table.game),
        "seats": seats,
        "persons": by_person or seats,
        "changed": bool(by_person),
        "close": game_link(table.game, "close"),
        "names": table.players,
        "waiting": table.waiting,
        "seat": game_link(table.game, "seat"),
        "closed": standing.closed,
        "forfeit": standing.forfeit,
        "is_won_or_drawn": len(seats) == 2 and is_shared(standing.title),
        "points": points,
        "numbers": game_link(table.game, "numbers"),
        "categories": () if standing.closed or standing.fault or standing.plies else _categories(store, table.game),
        "fault": standing.fault,
        "is_empty": bool(table.number) and not (standing.closed or standing.fault or standing.plies),
        "remove": game_link(table.game, "aside"),
    } | _writing(store, standing)


def _categories(store: "api.Log", id: str) -> tuple[str, ...]:
    """Return the lines of the score sheet that the tag Description of an open game names.

    There are none if the game has no such sheet or cannot be read.
    """
    try:
        return read_description(api.load(store, id).record.tag("Description")).categories
    except (Fault, DescriptionFault):
        return ()


def _share(standing: TableStanding, at: int) -> str:
    """Return what a seat has won of a closed game without points: ``1``, ``½`` or ``0``.

    The text is empty for an open game, and for one without a result.

    Args:
        standing: The table.
        at: The seat, from 0.
    """
    shares = standing.result.split("-")
    if not standing.closed or at >= len(shares) or standing.result == "*":
        return ""
    return shares[at].replace("1/2", "½")


def _writing(store: "api.Log", standing: TableStanding) -> dict[str, str]:
    """Return where an open game is written: ``write`` is an address, ``invites`` the text of the link to it.

    The address is that of its pad if it is scored by rounds, else that of its table. ``state`` says how far the game
    is, as ``12 plies so far``. All three are empty for a closed game.
    """
    id = standing.table.game
    if standing.closed:
        return {"write": "", "invites": "", "state": ""}
    try:
        played = played_game(api.load(store, id))
    except Fault:
        return {"write": game_link(id), "invites": "Open", "state": ""}
    has_pad, unit = scored_by_rounds(played), played.rounds.unit
    many = how_many(standing.plies, unit) if has_pad else how_many(standing.plies, "ply", "plies")
    return {
        "write": game_link(id, "pad" if has_pad else "table"),
        "invites": f"Score the {unit}s" if has_pad else "Write the moves",
        "state": f"{many} so far" if standing.plies else "not begun",
    }


def _results(store: "api.Log", shown: ClubEvening) -> list[dict[str, Any]]:
    """Return the games of an evening's event and day that were at none of its tables, as cards, the oldest first.

    There are at most ``MOST_RESULTS``, the latest.
    """
    query = api.Query(event=shown.title, date="" if "?" in shown.date else shown.date)
    tables = {table.game for table in shown.tables}
    hits, _ = api.search(store, query, limit=MOST_RESULTS + len(tables))
    found = [each.game for each in hits if each.game.event == shown.title and each.game.id not in tables]
    games = (EveningTable(0, 0, game.id, tuple(game.players.split("; "))) for game in reversed(found[:MOST_RESULTS]))
    return [_card(store, api.standing_of(store, each)) for each in games]


# --- writing ---


def open_evening(inquiry: Inquiry, request: "api.OpenEveningRequest") -> ActionResult:
    """Open an evening, or change its date and place if it is there, and answer with its line of the list."""
    return ActionResult(_line(api.open_evening(inquiry.store, request)))


def record_presence(inquiry: Inquiry, request: ArrivalRequest) -> ActionResult:
    """Write down who came to an evening or left it, and answer with the evening's line of the list.

    Raises:
        RequestFault: The name of somebody who comes may be another spelling of a known one. The status is 409.
    """
    store = inquiry.store
    if not request.left:
        there = api.evening_of(store, request.evening).persons
        check_spellings(store, request.persons, request.new_names, there)
    return ActionResult(_line(api.record_presence(store, request)))


def set_table(inquiry: Inquiry, request: EveningTableRequest) -> ActionResult:
    """Set a table and answer with it: round, number, game, players and who sits out.

    Raises:
        RequestFault: A person's name may be another spelling of a known one, or, with ``ask``, nobody knows the game.
            The status is 409.
    """
    store = inquiry.store
    check_spellings(store, request.players, request.new_names, api.evening_of(store, request.evening).persons)
    if request.ask and not request.unjudged:
        check_title(store, request.game)
    title, _ = api.meant_variant(store, request.game)
    if request.keep and not installed_title(title) and not api.description_tags(store, title)[1]:
        request = replace(request, unjudged=True)
    return ActionResult(msgspec.to_builtins(api.set_table(store, request).table))


def set_next_round(inquiry: Inquiry, request: "api.NextRoundRequest") -> ActionResult:
    """Set the tables of the next round, those of the last one again or by pairing, and answer with the tables."""
    tables = [answer.table for answer in api.set_next_round(inquiry.store, request)]
    return ActionResult(msgspec.to_builtins(tables))


def set_bye(inquiry: Inquiry, request: "api.ByeRequest") -> ActionResult:
    """Write down that persons have a bye in a round, and answer with the evening's line of the list."""
    return ActionResult(_line(api.set_bye(inquiry.store, request)))


def close_table(inquiry: Inquiry, request: "api.CloseByNumbersRequest") -> ActionResult:
    """Close the game of a table with a number for each seat, such as points or places, and answer with its result."""
    answer = api.close_by_numbers(inquiry.store, inquiry.id, request, inquiry.writer)
    return ActionResult(msgspec.to_builtins(answer))


def make_cards(inquiry: Inquiry, request: EveningCardsRequest) -> ActionResult:
    """Make links for persons of an evening, and answer for each with its address and its QR code as a path of SVG.

    The addresses hold the secrets of the links, which are stored nowhere, so no later request can return them.
    """
    base = origin_of(request.base)
    made = api.make_evening_links(inquiry.store, request)
    title = api.evening_of(inquiry.store, request.evening).title
    return ActionResult(
        [
            card_fields(each.link.number, title, each.link.person, for_whom(each.link), f"{base}/join#{each.secret}")
            for each in made
        ]
    )


def revoke_card(inquiry: Inquiry, request: "api.RevokeRequest") -> ActionResult:
    """Revoke the link of a person at an evening, so that it opens nothing any more.

    Raises:
        RequestFault: There is no such link. The status is 404.
    """
    known = api.links_of(inquiry.store).by_number.get(request.link)
    if known is None or not known.evening:
        raise RequestFault(f"No evening has a link {request.link}; choose one that is listed.", HTTPStatus.NOT_FOUND)
    return ActionResult(link_fields(api.revoke_link(inquiry.store, request)))


AT_EVENINGS = (
    action_of("/evenings", "Open an evening.", (OPERATOR,), api.OpenEveningRequest, open_evening),
    action_of("/evenings/presence", "Write who came or left.", (OPERATOR,), ArrivalRequest, record_presence),
    action_of("/evenings/tables", "Set a table.", (OPERATOR,), EveningTableRequest, set_table),
    action_of("/evenings/byes", "Give persons a bye.", (OPERATOR,), api.ByeRequest, set_bye),
    action_of("/evenings/next", "Set the next round.", (OPERATOR,), api.NextRoundRequest, set_next_round),
    action_of(
        "/games/{id}/numbers",
        "Close the game with a number for each seat.",
        KEEPS,
        api.CloseByNumbersRequest,
        close_table,
    ),
    action_of("/evenings/links", "Make links for persons.", (OPERATOR,), EveningCardsRequest, make_cards),
    action_of("/evenings/links/revoke", "Revoke a person's link.", (OPERATOR,), api.RevokeRequest, revoke_card),
)
"""The actions at an evening."""
