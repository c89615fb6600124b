"""What a follower of a game is sent: every event since it last looked, in order, and the table after them."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from cartulary.notation import draw
from cartulary.notation.cgn.controls import visible
from cartulary.records import desk
from cartulary.web.pages import Pages, drawn
from cartulary.web.who import Visitor

COLUMNS = 60
MOST_FOLLOWED = 100
"""How many games one stream follows."""
CHANGES = {
    "moves-amended": "Plies were corrected",
    "move-taken-back": "Plies were taken back",
    "ruling-given": "The arbiter ruled",
    "dispute-raised": "A dispute was raised",
    "dispute-withdrawn": "A dispute was withdrawn",
    "game-closed": "The game was closed",
    "game-reopened": "The game was reopened",
}
"""What is said of an event that changes more than the end of the game; it never comes as a silent change."""


class Sent(Struct, frozen=True):
    """An event as it is sent. version: as the view counts it; data: JSON in UTF-8, one line"""

    version: int
    data: bytes


def looked_at(store: "desk.Store", id: str, visitor: Visitor) -> "desk.LiveGame":
    """Return a game as a visitor has it now, behind the table where the view is. Raises the faults of a store."""
    return desk.as_of(desk.load(store, id), visitor.delay)


def events_since(
    pages: Pages, game: "desk.LiveGame", visitor: Visitor, version: int, *, quiet: bool = False
) -> Iterator[Sent]:
    """Yield every event a view is told of behind a version, in order; the last one says how the table stands."""
    whose = desk.reader(game, visitor.seat, quiet)
    told = desk.lines_of(game.id, game.recorded, whose, visitor.muted)
    lines = [line for line in told if line.version > version]
    for line in lines:
        fields = _told(game, line)
        if line is lines[-1]:
            fields |= state_of(pages, game, visitor, quiet)
        yield Sent(line.version, visible(msgspec.json.encode(fields).decode()).encode())


def state_of(pages: Pages, game: "desk.LiveGame", visitor: Visitor, quiet: bool = False) -> dict[str, object]:
    """Return how a table stands: the part of its page that changes, as HTML."""
    return {"live": pages.part("live", live_values(game, visitor, quiet), visitor)}


def live_values(game: "desk.LiveGame", visitor: Visitor, quiet: bool = False) -> dict[str, Any]:
    """Return what the part of a page shows that follows a game."""
    view = desk.view_of(game, visitor.seat, quiet or visitor.muted)
    found = view.found
    title = f"{found.game.about.title} after ply {found.ply}"
    return {
        "id": game.id,
        "version": view.version,
        "ply": found.ply,
        "turn": view.turn,
        "last": desk.last_line(found, view.walked, COLUMNS),
        "drawing": drawn(draw(found.game.words, found.state, view.watching), title),
        "result": game.book.result if game.book.closed else "",
    }


def changed(line: "desk.LogLine") -> tuple[str, str]:
    """Return what an event changes beside the end of the game, empty where nothing, and what the log says of it."""
    return CHANGES.get(line.kind, ""), line.says


def _told(game: "desk.LiveGame", line: "desk.LogLine") -> dict[str, object]:
    """Return an event without how the table stands then. head: what `verify --head` takes, where the view has one"""
    head = {"head": f"{line.version}:{line.digest}"} if line.digest else {}
    change = {"change": what} if (what := changed(line)[0]) else {}
    fields = {"game": game.id, "version": line.version, "kind": line.kind, "by": line.by, "at": line.at}
    return fields | {"says": line.says} | change | head
