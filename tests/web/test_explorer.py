"""The tree of openings in a browser: the numbers of the command, words that lead deeper, bars by seat and by season."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.records import api
from tests.cli.test_replay_in_browser import DESK, PHONE, SMALL, hold_to_axe
from tests.programs import served
from tests.records.archives import Run, runner
from tests.web.served import serving

GAMES = (
    ("e4 e5 Nf3", "1-0", "2025.03.01", ("Ann", "Bea")),
    ("e4 e5 Nf3", "1/2-1/2", "2026.03.01", ("Bea", "Ann")),
    ("e4 c5", "0-1", "2026.04.01", ("Ann", "Cy")),
    ("e4", "1-0", "2026.05.01", ("Cy", "Ann")),
    ("d4 d5", "1-0", "", ("Bea", "Cy")),
)


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("explorer") / "games.db"
    with api.Store(path) as store:
        for number, (words, result, date, players) in enumerate(GAMES):
            tags = {"Date": date or "????.??.??", "Event": "Cup"}
            api.open_game(store, api.NewRequest("chess", id=f"g{number}", players=players, tags=tags))
            api.play(store, f"g{number}", api.WordsRequest(words))
            api.close(store, f"g{number}", api.CloseRequest(result, termination="agreement" * ("/" in result)))
        api.record_result(store, api.ResultRequest(game="Catan", players=("Ann=10", "Bea=7")))
    return path


@pytest.fixture(scope="module")
def client(db: Path) -> Iterator[TestClient]:
    with serving(db) as opened:
        yield opened


@pytest.fixture
def run(db: Path) -> Run:
    return runner(db)


ASKED = (
    ("game=chess", ("chess",)),
    ("game=chess&words=e4", ("chess", "e4")),
    ("game=chess&words=e4+e5&player=Ann&date=2026&event=Cup", ("chess", "e4", "e5", "-p", "Ann", "--date", "2026")),
    ("game=chess&words=a3", ("chess", "a3")),
)


@pytest.mark.parametrize(("query", "typed"), ASKED)
def test_it_is_what_the_command_prints(client: TestClient, run: Run, query: str, typed: tuple[str, ...]) -> None:
    assert client.get(f"/explore.json?{query}").json() == json.loads(run("explore", *typed, "--json").stdout)


def test_words_lead_deeper_and_back(client: TestClient) -> None:
    text = client.get("/explore?game=chess&words=e4&event=Cup").text
    assert 'href="/explore?game=chess&amp;event=Cup&amp;words=e4+e5"' in text
    assert 'href="/explore?game=chess&amp;event=Cup"' in text
    assert re.findall(r'<th scope="row">.*?>([^<]+)<', text)[:3] == ["e5", "(ended)", "c5"]
    assert 'href="/games/g3"' in text
    assert 'href="/games/g4"' not in text


def test_bars_say_what_each_seat_won_by_word_and_by_season(client: TestClient) -> None:
    text = client.get("/explore?game=chess&words=e4").text
    says = re.findall(r'class="results"[^>]*aria-label="([^"]*)"', text)
    assert says == [
        "White 50%, drawn 50%, Black 0%",
        "White 100%, drawn 0%, Black 0%",
        "White 0%, drawn 0%, Black 100%",
        "White 33%, drawn 33%, Black 33%",
        "White 100%, drawn 0%, Black 0%",
    ]
    assert 'aria-label="2025: 1, 2026: 1"' in text
    seasons = client.get("/explore.json?game=chess&words=e4").json()["seasons"]
    assert seasons[1] == {"year": "2026", "games": 3, "shares": ["3/2", "3/2"], "ties": 1}


def test_the_position_is_drawn_where_it_depends_on_no_deal(client: TestClient) -> None:
    assert 'class="stage"' in client.get("/explore?game=chess&words=e4").text
    assert 'class="stage"' not in client.get("/explore?game=chess&words=e5").text
    assert 'class="stage"' not in client.get("/explore?game=tarot").text


def test_without_a_game_those_there_are_can_be_chosen(client: TestClient) -> None:
    answer = client.get("/explore")
    assert answer.status_code == 200
    assert '<a href="/explore?game=chess">' in answer.text
    assert "No finished game here has moves." in client.get("/explore?game=Catan").text
    assert "No finished game begins so; go back" in client.get("/explore?game=chess&words=a3").text


WRONG = (
    ("game=chequers", "There is no game"),
    (f"game=chess&words={'+'.join(['e4'] * 24)}", "24 words are too many"),
    ("game=chess&date=soon", "is not a date"),
    ("game=chess&words=e4&words=d4", "words is given 2 times"),
)


@pytest.mark.parametrize(("query", "says"), WRONG)
def test_what_makes_no_sense_is_a_sentence(client: TestClient, query: str, says: str) -> None:
    for path in ("/explore", "/explore.json"):
        answer = client.get(f"{path}?{query}")
        assert answer.status_code == 400, path
        assert says in unescape(answer.text), path


def test_a_program_names_the_game(client: TestClient) -> None:
    answer = client.get("/explore.json")
    assert (answer.status_code, "name the game" in answer.json()["error"]) == (400, True)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_server_that_shows_a_seats_view_shows_none(db: Path, seat: int) -> None:
    with serving(db, seat) as client:
        for path in ("/explore", "/explore.json"):
            answer = client.get(path, params={"game": "chess"})
            assert answer.status_code == 403, path
            assert "Ann" not in answer.text, path
        assert 'href="/explore"' not in client.get("/games").text


def test_a_word_is_followed_in_a_browser(browser: Any, db: Path) -> None:
    with served("--db", str(db)) as url:
        page = browser.new_page(viewport=PHONE)
        page.goto(url)
        page.goto(f"{url.partition('/?')[0]}/explore?game=chess")
        for word in ("e4", "e5"):
            with page.expect_navigation():
                page.click(f".words a:text-is('{word}')")
        assert page.inner_text(".path [aria-current]") == "e5"
        with page.expect_navigation():
            page.keyboard.press("ArrowLeft")
        assert page.url.endswith("words=e4")
        hold_to_axe(page, (DESK, "light"), (PHONE, "dark"))
        assert page.evaluate(SMALL) == []
        page.close()
