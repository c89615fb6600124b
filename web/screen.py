"""The screen in the room: many tables at once, as the rail sees them, with nothing that would help the players."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct

from cartulary.notation import NotationError
from cartulary.notation.viewer import RAIL, SPECTATOR
from cartulary.records import api
from cartulary.records.faults import Fault, UnknownGame
from cartulary.records.log.fields import LONGEST_DELAY
from cartulary.web.asked import Inquiry, Wrong, number, only
from cartulary.web.following import MOST_FOLLOWED, live_values, looked_at
from cartulary.web.games import OPEN, title_of
from cartulary.web.pages import link
from cartulary.web.who import Visitor, bystander

ASKED = ("id", *OPEN, "hours", "delay")
"""What a screen is asked by: which tables, and how many seconds it is behind them."""
STREAMED = ("game", "since", "as", "delay")
"""What a stream is asked by."""
HOURS = 12
"""How long a table stays on the screen after its close, if nobody says how long."""
MOST_HOURS = 10_000


class Tables(Struct, frozen=True):
    """The tables of a screen. shown: each as its card has it, in the order they were begun or asked for

    more: how many are left out, those begun first; delay: seconds they are behind
    """

    shown: tuple[dict[str, Any], ...]
    more: int
    delay: int


def screen(asked: Inquiry) -> dict[str, Any]:
    """Return what the page of many tables shows."""
    tables = _tables(asked)
    events = {table["event"] for table in tables.shown}
    [event] = events if len(events) == 1 else [""]
    return {
        "seat": SPECTATOR.name,
        "name": event if event not in ("", "?") else "Tables",
        "tables": tables.shown,
        "closed": sum(bool(table["result"]) for table in tables.shown),
        "most": MOST_FOLLOWED,
        "more": tables.more,
        "delay": tables.delay,
        "twin": link("/tables.json", asked.words),
        "narrowed": any(name in ("id", *OPEN) for name, value in asked.words if value),
    }


def screen_fields(asked: Inquiry) -> dict[str, object]:
    """Return the tables as the page shows them, without their drawings."""
    tables = _tables(asked)
    shown = [{name: value for name, value in table.items() if name != "drawing"} for table in tables.shown]
    return {"tables": shown, "more": tables.more, "delay": tables.delay}


def follower(visitor: Visitor, words: Sequence[tuple[str, str]]) -> Visitor:
    """Return who follows a game in a stream: whoever holds the key as a screen does, where ``as=rail`` says so.

    Raises Wrong for words that no stream is asked by.
    """
    for name, _ in words:
        if name not in STREAMED:
            raise Wrong(f"{name[:40]!r} is not a parameter of /events; expected one of: {', '.join(STREAMED)}.")
    role, delay = (only(name, [value for key, value in words if key == name and value]) for name in ("as", "delay"))
    if visitor.link:
        if delay:
            raise Wrong("A link has a delay of its own; leave `delay` out.")
        return visitor
    if role not in ("", RAIL):
        raise Wrong(f"`as` is {role[:24]!r}; expected rail; leave it out to see everything on record.")
    if delay and not role:
        raise Wrong("Only the rail can be shown the table late; `delay` needs as=rail.")
    return bystander(_seconds(delay)) if role else visitor


# --- which tables ---


def _tables(asked: Inquiry) -> Tables:
    """Return the tables that are asked for: the named ones, or those that are played and were closed lately."""
    delay = _seconds(asked.one("delay"))
    named = tuple(dict.fromkeys(asked.all("id")))
    ids = named or _lately(asked)
    if named and any(asked.all(name) for name in (*OPEN, "hours")):
        raise Wrong("`id` names the tables one by one; leave out everything else except `delay`.")
    if len(named) > MOST_FOLLOWED:
        raise Wrong(f"{len(named)} tables are named; expected at most {MOST_FOLLOWED} on one screen.")
    shown = tuple(_card(asked, id, bystander(delay)) for id in ids[-MOST_FOLLOWED:])
    return Tables(shown, max(0, len(ids) - MOST_FOLLOWED), delay)


def _lately(asked: Inquiry) -> tuple[str, ...]:
    hours = asked.number("hours", HOURS, MOST_HOURS)
    since = datetime.now(UTC) - timedelta(hours=hours or 0)
    live = since.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    words = {name: asked.one(name) for name in OPEN if name != "player"}
    return api.ids(asked.store, api.Query(player=asked.all("player"), live=live, **words))


def _seconds(delay: str) -> int:
    return number(delay.strip(), "delay", LONGEST_DELAY) if delay.strip() else 0


def _card(asked: Inquiry, id: str, visitor: Visitor) -> dict[str, Any]:
    """Return what is shown of a table. Raises UnknownGame; of one that cannot be shown it says no more than that."""
    try:
        view = api.view_of(looked_at(asked.store, id, visitor), visitor.viewer)
        record = view.record
        about = {"game": record.tag("Game"), "event": record.tag("Event"), "round": record.tag("Round")}
        return {"id": id, **about, "title": title_of(about["game"]), "players": view.players, **live_values(view)}
    except UnknownGame:
        raise
    except (Fault, NotationError):
        unshown = dict.fromkeys(("game", "event", "round", "title", "turn", "last", "result", "drawing"), "")
        return {"id": id, **unshown, "players": (), "version": 0, "ply": 0}
