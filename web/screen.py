"""The screen in the room: many tables at once, as spectators see them, with nothing that would help the players."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct

from cartulary.notation import NotationError
from cartulary.notation.viewer import RAIL, SPECTATOR
from cartulary.records import api
from cartulary.records.faults import Fault, UnknownGame
from cartulary.records.log.fields import LONGEST_DELAY
from cartulary.records.state.links import as_of
from cartulary.web.following import MOST_FOLLOWED, live_values
from cartulary.web.games import SEAT_FILTERS, title_of
from cartulary.web.inquiry import Inquiry, RequestFault, number, single_value
from cartulary.web.pages import link
from cartulary.web.visitors import Visitor, bystander

SCREEN_PARAMETERS = ("id", *SEAT_FILTERS, "hours", "delay")
"""The parameters of the screen: which tables it shows, and how many seconds late."""
STREAM_PARAMETERS = ("game", "since", "as", "delay", "boards")
"""The parameters of a stream of events."""
HOURS = 12
"""How long a table stays on the screen after its close, if nobody says how long."""
MOST_HOURS = 10_000
MARKUP = ("drawing", "seats", "deal_over", "deal_points", "deal_title", "deal_costs")
"""The values of a card that only the page shows."""


class Tables(Struct, frozen=True):
    """The tables on a screen.

    Attributes:
        cards: The values of each table's card, in the order in which the games were begun or named.
        more: How many tables are left out because the screen is full; the newest are shown.
        delay: How many seconds late they are shown.
    """

    cards: tuple[dict[str, Any], ...]
    more: int
    delay: int


def screen(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page with many tables, as a spectator sees them."""
    tables = _tables_of(inquiry)
    events = {table["event"] for table in tables.cards}
    [event] = events if len(events) == 1 else [""]
    return {
        "seat": SPECTATOR.name,
        "name": event if event not in ("", "?") else "Tables",
        "tables": tables.cards,
        "closed": sum(bool(table["result"]) for table in tables.cards),
        "most": MOST_FOLLOWED,
        "more": tables.more,
        "delay": tables.delay,
        "twin": link("/tables.json", inquiry.parameters),
        "narrowed": any(name in ("id", *SEAT_FILTERS) for name, value in inquiry.parameters if value),
    }


def screen_fields(inquiry: Inquiry) -> dict[str, object]:
    """Return the tables of the page as JSON, without what only the page shows.

    ``more`` is how many tables are left out, ``delay`` how many seconds late they are shown.
    """
    tables = _tables_of(inquiry)
    cards = [{name: value for name, value in table.items() if name not in MARKUP} for table in tables.cards]
    return {"tables": cards, "more": tables.more, "delay": tables.delay}


def follower(visitor: Visitor, words: Sequence[tuple[str, str]]) -> Visitor:
    """Return as whom a visitor follows a stream with these query parameters.

    A visitor by link follows as itself. The operator sees everything, or with ``as=rail`` what a screen in the room may
    show, late by ``delay`` seconds.

    Raises:
        RequestFault: A stream has no such parameter, or the parameters do not go together.
    """
    for name, _ in words:
        if name not in STREAM_PARAMETERS:
            raise RequestFault(
                f"{name[:40]!r} is not a parameter of /events; expected one of: {', '.join(STREAM_PARAMETERS)}."
            )
    role, delay = (
        single_value(name, [value for key, value in words if key == name and value]) for name in ("as", "delay")
    )
    if visitor.link:
        if delay:
            raise RequestFault("A link has a delay of its own; leave `delay` out.")
        return visitor
    if role not in ("", RAIL):
        raise RequestFault(f"`as` is {role[:24]!r}; expected rail; leave it out to see everything on record.")
    if delay and not role:
        raise RequestFault("Only the rail can be shown the table late; `delay` needs as=rail.")
    return bystander(_seconds(delay)) if role else visitor


# --- which tables ---


def _tables_of(inquiry: Inquiry) -> Tables:
    """Return the tables to show: those named by ``id``, else those open now or closed in the last hours.

    Of more than ``MOST_FOLLOWED`` the last are shown. Raises RequestFault if more are named, if ``id`` comes with other
    filters, or for an impossible number.
    """
    delay = _seconds(inquiry.value("delay"))
    named = tuple(dict.fromkeys(inquiry.values("id")))
    ids = named or _recent_ids(inquiry)
    if named and any(inquiry.values(name) for name in (*SEAT_FILTERS, "hours")):
        raise RequestFault("`id` names the tables one by one; leave out everything else except `delay`.")
    if len(named) > MOST_FOLLOWED:
        raise RequestFault(f"{len(named)} tables are named; expected at most {MOST_FOLLOWED} on one screen.")
    cards = tuple(_card(inquiry, id, bystander(delay)) for id in ids[-MOST_FOLLOWED:])
    return Tables(cards, max(0, len(ids) - MOST_FOLLOWED), delay)


def _recent_ids(inquiry: Inquiry) -> tuple[str, ...]:
    """Return the ids of the games that are open or were closed in the last ``hours`` and match the filters.

    Without the parameter ``hours`` it is ``HOURS``.
    """
    hours = inquiry.number("hours", HOURS, MOST_HOURS)
    since = datetime.now(UTC) - timedelta(hours=hours or 0)
    live = since.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    words: dict[str, Any] = {name: inquiry.value(name) for name in SEAT_FILTERS if name != "player"}
    return api.ids(inquiry.store, api.Query(player=inquiry.values("player"), live=live, **words))


def _seconds(delay: str) -> int:
    """Return the parameter ``delay`` in seconds, 0 if it was not sent.

    Raises RequestFault if it is no number from 0 to ``LONGEST_DELAY``.
    """
    return number(delay.strip(), "delay", LONGEST_DELAY) if delay.strip() else 0


def _card(inquiry: Inquiry, id: str, visitor: Visitor) -> dict[str, Any]:
    """Return the values of a table's card, as the visitor may see it. A game that cannot be read gets an empty card.

    Raises:
        UnknownGame: There is no such game.
    """
    try:
        view = api.view_of(as_of(api.load(inquiry.store, id), visitor.delay), visitor.viewer, inquiry.people)
        record = view.record
        about = {"game": record.tag("Game"), "event": record.tag("Event"), "round": record.tag("Round")}
        return {"id": id, **about, "title": title_of(about["game"]), "players": view.players, **live_values(view)}
    except UnknownGame:
        raise
    except (Fault, NotationError):
        blank = dict.fromkeys(("game", "event", "round", "title", "turn", "last", "result", "drawing"), "")
        return {
            "id": id,
            **blank,
            "players": (),
            "version": 0,
            "ply": 0,
            "seats": (),
            "deal_over": (),
            "deal_points": (),
        }
