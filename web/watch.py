"""A game that is followed: its page, which the stream keeps up to date."""

from typing import Any

from cartulary.records import desk
from cartulary.web.asked import Inquiry
from cartulary.web.following import changed, live_values
from cartulary.web.pages import title_of

PAST = 20
"""How many of the events before it was opened the page lists."""


def watch(asked: Inquiry) -> dict[str, Any]:
    """Return what the page of a followed game shows."""
    id = asked.names["id"]
    game = asked.game(id)
    values = live_values(game, asked.visitor, asked.quiet)
    whose = desk.reader(game, asked.seat, asked.quiet)
    told = [changed(line) for line in desk.lines_of(id, game.recorded, whose, asked.visitor.muted)]
    return values | {
        "told": told[: -PAST - 1 : -1],
        "title": title_of(desk.players(game.record), id),
        "game": game.record.tag("Game"),
        "delay": asked.visitor.delay,
    }
