"""The page on which spectators follow a game; the stream of events keeps it up to date."""

from typing import Any

from cartulary.records import api
from cartulary.web.following import CHANGES, live_values, news_since
from cartulary.web.inquiry import Inquiry
from cartulary.web.pages import title_of

PAST = 20
"""How many earlier events the page lists when it is opened."""


def watch(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page on which a game is followed, as the visitor may see it.

    The last ``PAST`` events are listed on it, the latest first.
    """
    id = inquiry.id
    game = inquiry.game(id)
    view = api.view_of(game, inquiry.viewer, inquiry.people)
    news_items = news_since(game, view, -PAST)
    return live_values(view) | {
        "told": [(CHANGES.get(line.kind, ""), news.says) for line, news in reversed(news_items)],
        "title": title_of(view.players, id),
        "game": view.record.tag("Game"),
        "delay": inquiry.visitor.delay,
    }
