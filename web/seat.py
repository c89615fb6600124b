"""The page of a person's link: it says where its holder sits at the evening, and leads on to that table."""

from http import HTTPStatus
from typing import Any

from cartulary.records import api
from cartulary.records.faults import Fault
from cartulary.records.state.evenings import ClubEvening, EveningTable
from cartulary.records.state.fold import played_game
from cartulary.records.state.links import is_played, leads_to
from cartulary.web.inquiry import Inquiry, RequestFault
from cartulary.web.pages import game_link

PAGE = "/seat"
WAIT = 5
"""Seconds after which the page of somebody without a seat asks again."""


def seat(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page of a person's link: where the person sits now, and the address of the table."""
    fields = seat_fields(inquiry)
    # The frame of every page has names of its own: whose seat it is, and which evening the link is for.
    shown = {"sits_out": False} | fields
    return {key: value for key, value in shown.items() if key not in ("evening", "seat")} | {
        "evening_title": fields["evening"],
        "seat_name": fields.get("seat", ""),
        "wait": WAIT,
    }


def seat_fields(inquiry: Inquiry) -> dict[str, Any]:
    """Return where the holder of a person's link sits now.

    Returns:
        ``evening`` and ``person``; ``round``, ``table``, ``title`` and ``seat`` of the table where the person sits,
        if there is one; ``sits_out`` if the person waits there; ``to``, the address of an open game; ``before``,
        the address of the last game that the link still leads to.

    Raises:
        RequestFault: The visitor holds no person's link.
    """
    store = inquiry.store
    link = api.links_of(store).by_number.get(inquiry.visitor.link)
    if link is None or not link.evening:
        raise RequestFault(
            "Nobody's seat is shown here; open this page by a person's link for an evening.", HTTPStatus.NOT_FOUND
        )
    evening = api.evening_of(store, link.evening)
    person = api.people_of(store).display_name(link.person)
    fields: dict[str, Any] = {"evening": evening.title, "person": person, "to": "", "before": ""}
    for each in api.seat_links(store, link):
        try:
            game = api.load(store, each.game)
        except Fault:
            continue  # the operator's pages say what is wrong with it
        address = f"{game_link(each.game, 'table')}?as={each.role}"
        if game.book.set_aside or not leads_to(each, game):
            continue
        if game.book.closed:
            fields["before"] = fields["before"] or f"{game_link(each.game)}?as={each.role}"
            continue
        title = played_game(game).about.title
        return fields | _place(evening, each.game) | {"title": title, "seat": each.role, "to": address}
    sits_out = _sits_out(store, evening, person)
    return fields | (_place(evening, sits_out.game) | {"sits_out": True} if sits_out else {})


def _place(evening: ClubEvening, game: str) -> dict[str, Any]:
    """Return the fields ``round`` and ``table``, the numbers of a game's table; the game must be one of the evening."""
    table = next(each for each in evening.tables if each.game == game)
    return {"round": table.round, "table": table.number}


def _sits_out(store: "api.Log", evening: ClubEvening, person: str) -> EveningTable | None:
    """Return the last table of an evening with an open game where a person sits out; None if there is none."""
    for table in (api.load_seats(store, each).table for each in reversed(evening.tables)):
        if person in table.waiting and is_played(api.load(store, table.game)):
            return table
    return None
