"""The line over a table, in words for whoever sits there; what a deal came to; passing cards unseen by one key."""

import re
from pathlib import Path
from typing import Any

import pytest

from cartulary.notation import load
from cartulary.records import api
from cartulary.records.state.event_words import result_text
from tests.places import SAMPLES
from tests.web.served import by_link, serving

NAMES = ("Ann", "Bruno", "Cy", "Dora")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    with api.Store(path) as store:
        api.open_game(store, api.NewRequest("tarot", id="t", players=NAMES, tags={"Variant": "fft"}))
        api.open_game(store, api.NewRequest("hearts", id="h", players=NAMES))
        api.open_game(store, api.NewRequest("chess", id="c", players=NAMES[:2]))
    return path


@pytest.mark.parametrize(
    ("result", "says"),
    [
        ("1-0", "Ann beat Bruno"),
        ("1/2-1/2", "A draw"),
        ("1/3-0-1/3-1/3", "Ann, Cy and Dora beat Bruno"),
        ("1/2-0-1/2-0", "Ann and Cy beat Bruno and Dora"),
        ("0-1-0-0", "Bruno won"),
        ("1/2-1/4-1/4", "Ann 1/2, Bruno 1/4, Cy 1/4"),
        ("0-0", "Nobody won"),
        ("*", "Closed without a result"),
    ],
)
def test_a_result_is_said_in_names(result: str, says: str) -> None:
    assert result_text(result, NAMES) == says


def test_one_line_says_who_does_what_next(db: Path) -> None:
    with api.Store(db) as store, serving(db, writes=True) as server:
        seat = by_link(server, api.make_links(store, "t", api.LinksRequest(("p1",)))[0].secret)

        def line(id: str, browser: Any = server) -> str:
            page = browser.get(f"/games/{id}/table").text
            return str(re.findall(r'<p class="turn(?: over)?" role="status">(.*?)</p>', page)[0])

        assert (line("t"), line("t", seat)) == ("Ann to bid", "Your turn to bid")
        api.play(store, "t", api.WordsRequest("Pass Pass Garde Pass"))
        assert (line("t"), line("t", seat)) == ("Tap the 6 cards of the chien", "Cy to put 6 cards away")
        api.play(store, "t", api.WordsRequest("~,~,~,~,~,~-"))
        assert (line("t"), line("t", seat)) == ("Ann to play", "Your turn to play")
        assert line("h") == "Ann to pass 3 to Bruno"
        assert line("c") == "Ann to move"
        api.play(store, "c", api.WordsRequest("f3 e5 g4 Qh4"))
        assert line("c").startswith("Bruno beat Ann: ")
        assert ">Close the game</button></p>" in server.get("/games/c/table").text
        api.close(store, "c", api.CloseRequest())
        page = server.get("/games/c/table").text
        assert line("c") == "Bruno beat Ann"
        for offer in ("Replay</a>", "Score sheet</a>", "Same players again</a>", "Open again</summary>"):
            assert offer in page
        form = server.get("/new?like=c").text
        assert 'value="Ann"' in form
        assert 'value="Bruno"' in form


def test_all_pass_unseen_by_one_key(db: Path) -> None:
    with api.Store(db) as store, serving(db, writes=True) as server:
        [key] = [
            key for key in server.get("/games/h/table.json").json()["surface"]["calls"] if "unseen" in key["label"]
        ]
        api.play(store, "h", api.WordsRequest(key["word"]))
        assert api.load(store, "h").words == ("~,~,~>p2", "~,~,~>p3", "~,~,~>p4", "~,~,~>p1")
        assert "All passed" not in server.get("/games/h/table").text
        assert "recorded card by card" in server.get("/games/h/pad").text


def test_a_deal_whose_points_cost_is_titled_and_said_once(db: Path) -> None:
    [record] = load(SAMPLES / "hearts" / "games" / "open.cgn")
    with api.Store(db) as store, serving(db, writes=True) as server:
        for word in record.line.words:
            api.play(store, "h", api.WordsRequest((word,), stands=True))
            page = server.get("/games/h/table").text if "~" not in word else ""
            if 'class="deal-over"' in page:
                break
        assert "Deal 1</p>" in page
        assert 'class="up">+' not in page
        assert 'class="down">+' in page
        assert "the deal brings" not in page
