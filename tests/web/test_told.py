"""What everybody at a table is told in words: which position is shown, who did what to which ply, and what came of it."""

import re

import pytest
from starlette.testclient import TestClient

from cartulary.records import desk
from tests.web.served import KEY, serving
from tests.web.test_table import scribe as scribe
from tests.web.test_table import seat, sent, state
from tests.web.test_table import server as server
from tests.web.test_table import store as store


def said(page: str) -> str:
    """Return a page as somebody reads it, without its marks."""
    return " ".join(re.sub("<[^>]*>", " ", page).split())


def test_a_position_that_is_one_of_many_says_so_wherever_it_is_drawn(
    store: desk.Store, server: TestClient, scribe: TestClient
) -> None:
    rail, one = (seat(store, server, role) for role in ("rail", "p1"))
    sent(scribe, "words", words="4Ci3 ~")
    with serving(store.path, writes=True) as at_desk:
        for page in (
            *(each.get("/games/g/table").text for each in (scribe, one)),
            rail.get("/games/g/watch").text,
            *(at_desk.get(path).text for path in ("/games/g", "/tables", "/games/g/sheet", "/games/g/replay")),
        ):
            drawing = page.partition("<svg")[2].partition("</svg>")[0]
            assert re.search("One of [0-9]+ positions that fit: ply 2 was not written down", said(drawing)), said(page)
    sent(scribe, "undo")
    assert "positions that fit" not in scribe.get("/games/g/table").text
