"""What a follower of a game is sent: every event since it last looked, in order, and the table after them."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from cartulary.notation import draw
from cartulary.notation.cgn.controls import visible
from cartulary.records import api
from cartulary.records.state.links import as_of
from cartulary.records.state.log_lines import ReadLog, read_log
from cartulary.records.table.news import News, news_of
from cartulary.records.table.sayings import last_line
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


def looked_at(store: "api.Log", id: str, visitor: Visitor) -> "api.LiveGame":
    """Return a game as a visitor has it now, behind the table where the view is. Raises the faults of a store."""
    return as_of(api.load(store, id), visitor.delay)


def events_since(
    pages: Pages,
    game: "api.LiveGame",
    visitor: Visitor,
    version: int,
    *,
    log: ReadLog | None = None,
    before: "api.LiveGame | None" = None,
) -> Iterator[Sent]:
    """Yield every event a view is told of behind a version, in order; the last one says how the table stands.

    log, before: as for ``happened``
    """
    view = api.view_of(game, visitor.viewer)
    news_items = happened(game, view, version, log, before)
    for line, news in news_items:
        fields = _told(game.id, line, news)
        if line is news_items[-1][0]:
            fields |= {"live": pages.part("live", live_values(view), visitor)}
        yield Sent(line.version, visible(msgspec.json.encode(fields).decode()).encode())


def happened(
    game: "api.LiveGame",
    view: "api.View",
    version: int,
    log: ReadLog | None = None,
    before: "api.LiveGame | None" = None,
) -> "list[tuple[api.LogLine, News]]":
    """Return the events a view is told of behind a version, each with what it came to; of one below 0 the last ones.

    log: what the view has read, where that is known; before: the game as it was at the version, likewise
    """
    if log is None or not log.is_of(game, view.viewer):
        log = read_log(game, view.viewer)
    lines = log.lines
    since = version if version >= 0 else max(0, len(lines) + version)
    news = [*news_of(game, view, lines, since, before)]
    return [*zip(lines[len(lines) - len(news) :], news, strict=True)]


def live_values(view: "api.View") -> dict[str, Any]:
    """Return what the part of a page shows that follows a game."""
    found = view.found
    title = f"{found.game.about.title} after ply {found.ply}"
    return {
        "id": view.id,
        "version": view.version,
        "ply": found.ply,
        "turn": view.turn_by(view.players),
        "last": last_line(found, view.walked, COLUMNS, view.signs),
        "drawing": drawn(draw(found.game.words, found.drawn, view.picture_seat), title, view.players),
        "result": view.result if view.closed else "",
    }


def _told(id: str, line: "api.LogLine", news: News) -> dict[str, object]:
    """Return an event without how the table stands then. head: what `verify --head` takes, where the view has one"""
    head = {"head": f"{line.version}:{line.digest}"} if line.digest else {}
    change = {"change": CHANGES[line.kind]} if line.kind in CHANGES else {}
    fields = {"game": id, "version": line.version, "kind": line.kind, "by": line.by, "at": line.at}
    return fields | {"says": news.says} | change | head
