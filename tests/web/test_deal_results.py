"""What a deal came to stands on its table until the next word, and nowhere that verdicts are withheld."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cartulary.notation import load
from cartulary.records import api
from tests.places import SAMPLES
from tests.web.served import by_link

FIVE = SAMPLES / "tarot" / "games" / "fft-five.cgn"
NAMES = ("Ann", "Bela", "Carl", "Dora", "Enno")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[api.Store]:
    [record] = load(FIVE)
    with api.Store(tmp_path / "games.db") as opened:
        tags = {"Dealer": record.tag("Dealer")} if record.tag("Dealer") else {}
        api.open_game(opened, api.NewRequest("tarot", id="g", variant="fft", players=NAMES, tags=tags))
        api.play(opened, "g", api.WordsRequest(record.line.words[:-1], stands=True))
        yield opened


def joined(store: api.Store, server: TestClient, role: str) -> TestClient:
    return by_link(server, api.make_links(store, "g", api.LinksRequest((role,)))[0].secret)


def result(browser: TestClient, page: str = "table") -> str:
    """Return the text of the part of a page that has the result of a deal; empty if it has none."""
    text = browser.get(f"/games/g/{page}").text
    found = re.search(r'<section class="deal-over".*?</section>', text, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>|\s+", " ", found[0]).split()) if found else ""


def test_what_a_deal_came_to_stands_on_the_table_until_the_next_word(store: api.Store, server: TestClient) -> None:
    [record] = load(FIVE)
    scribe = joined(store, server, "scribe")
    assert result(scribe) == ""
    api.play(store, "g", api.WordsRequest(record.line.words[-1:], stands=True))
    says = result(scribe)
    assert says.startswith("Deal 1 Ann +140 Bela −140 Carl −140 Dora +280 Enno −140 Dora and Ann have 65½ points")
    assert "contract made by 24½ (25 + 25) × 2 = +100" in says
    assert result(scribe, "watch") == says
    assert ">last trick<" in scribe.get("/games/g/table").text
    api.play(store, "g", api.WordsRequest(("Pass",)))
    assert result(scribe) == ""


def test_it_stands_nowhere_that_verdicts_are_withheld(store: api.Store, server: TestClient) -> None:
    [record] = load(FIVE)
    api.play(store, "g", api.WordsRequest(record.line.words[-1:], stands=True))
    seat, rail = joined(store, server, "p1"), joined(store, server, "rail")
    assert "quiet" in seat.get("/games/g/table").text
    assert result(seat) == ""
    assert result(rail, "watch") == ""
