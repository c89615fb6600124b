"""A game that is followed: its page, which the stream keeps up to date."""

from typing import Any

from cartulary.records import api
from cartulary.web.asked import Inquiry
from cartulary.web.following import CHANGES, happened, live_values
from cartulary.web.pages import title_of

PAST = 20
"""How many of the events before it was opened the page lists."""


def watch(asked: Inquiry) -> dict[str, Any]:
    """Return what the page of a followed game shows."""
    id = asked.names["id"]
    game = asked.game(id)
    view = api.view_of(game, asked.viewer)
    news_items = happened(game, view, -PAST)
    return live_values(view) | {
        "told": [(CHANGES.get(line.kind, ""), news.says) for line, news in reversed(news_items)],
        "title": title_of(view.players, id),
        "game": view.record.tag("Game"),
        "delay": asked.visitor.delay,
    }
