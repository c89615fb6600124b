"""Standings in a browser: the numbers of the command, with menus, a cross-table and downloads."""

import csv
import io
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

HOSTILE = "<b>Bea</b>"


def result(store: api.Store, game: str, *players: str, date: str, event: str = "", **more: Any) -> None:
    api.record_result(store, api.ResultRequest(game=game, players=players, date=date, event=event, **more))


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("standings") / "games.db"
    with api.Store(path) as store:
        result(store, "Catan", "Ann=10", f"{HOSTILE}=7", "Cy=7", date="2025.11.05", event="Autumn")
        result(store, "Catan", "Ann=3", f"{HOSTILE}=10", "Cy=10", date="2026.02.05", event="Spring")
        result(store, "Skull King", "Ann=-40", "Cy=120", date="2026.02.05", event="Spring")
        result(store, "chess", "Ann=1/2", "Cy=1/2", date="2026.10.01")
    return path


@pytest.fixture(scope="module")
def client(db: Path) -> Iterator[TestClient]:
    with serving(db) as opened:
        yield opened


@pytest.fixture
def run(db: Path) -> Run:
    return runner(db)


ASKED = (
    ("", ()),
    ("game=Catan", ("Catan",)),
    ("game=Catan&by=place&season=2026", ("Catan", "--by", "place", "--season", "2026")),
    ("event=Spring", ("--event", "Spring")),
    ("game=Skull+King&season=2025.09..2026.08&player=Ann", ("Skull King", "--season", "2025.09..2026.08", "-p", "Ann")),
    ("game=Catan&redact=1", ("Catan", "--redact")),
    ("game=Catan&rating=1", ("Catan", "--rating")),
)


@pytest.mark.parametrize(("query", "typed"), ASKED)
def test_they_are_what_the_command_prints(client: TestClient, run: Run, query: str, typed: tuple[str, ...]) -> None:
    printed = json.loads(run("standings", *typed, "--evenings", "--duels", "--json").stdout)
    assert client.get(f"/standings.json?{query}").json() == printed
    table = client.get(f"/standings.csv?{query}")
    assert table.headers["content-type"].startswith("text/csv")
    assert table.headers["content-disposition"] == 'attachment; filename="standings.csv"'
    assert table.text.splitlines() == run("standings", *typed, "--evenings", "--csv", "-").stdout.splitlines()
    text = client.get(f"/standings?{query}").text
    for row in csv.DictReader(io.StringIO(table.text)):
        assert row["player"] in unescape(text)
        assert f">{row['points'].replace('-', '−')}</td>" in text or not row["points"]


def test_points_of_different_games_are_never_added_up(client: TestClient, run: Run) -> None:
    text = client.get("/standings").text
    assert "Points of different games are never added up." in text
    assert ">Points</th>" not in text
    answer = client.get("/standings.json").json()
    assert (answer["game"], answer["by"]) == ("", "wins")
    assert [row["points"] for row in answer["rows"]] == [None] * 3
    assert "points" not in run("standings").stdout
    asked = client.get("/standings", params={"by": "points"})
    assert asked.status_code == 400
    assert "Points of different games are not added up; choose one of: " in asked.text


def test_the_menus_offer_what_was_played_and_keep_what_was_chosen(client: TestClient) -> None:
    text = client.get("/standings", params={"game": "catan", "season": "2026", "event": "Spring"}).text
    assert '<option value="Catan" selected>' in text
    assert '<option value="2026" selected>' in text
    assert '<option value="Spring" selected>' in text
    assert '<option value="2025.09..2026.08">2025/26, September to August</option>' in text
    assert '<option value="2026.09..2027.08">' in text
    assert '<option value="Autumn">' in text
    typed = client.get("/standings", params={"season": "2025.10..2026.03"}).text
    assert '<option value="2025.10..2026.03" selected>' in typed


def test_an_event_is_no_other_whose_name_begins_with_it(tmp_path: Path) -> None:
    with api.Store(tmp_path / "games.db") as store:
        for number in (1, 10):
            players = ("Ann=10", f"Bea {number}=7")
            result(store, "Catan", *players, date=f"2026.{number:02}.05", event=f"Evening {number}")
    with serving(tmp_path / "games.db") as client:
        names = [
            [row["name"] for row in client.get("/standings.json", params={"event": event}).json()["rows"]]
            for event in ("evening 1", "Evening 10", "evening")
        ]
    assert names == [["Ann", "Bea 1"], ["Ann", "Bea 10"], ["Ann", "Bea 1", "Bea 10"]]


def test_ties_the_cross_table_and_who_beat_whom_are_shown(client: TestClient) -> None:
    text = unescape(client.get("/standings", params={"game": "Catan"}).text)
    assert f"{HOSTILE} and Cy share place 1: 17 points each." in text.replace("<bdi>", "").replace("</bdi>", "")
    cross = text.partition("Evening by evening")[2].partition("Everybody")[0]
    assert re.findall(r'class="number most">(\d+)<', cross) == ["10", "10", "10"]
    duels = text.partition("Everybody against everybody")[2]
    assert 'title="Ann against Cy: 1 won, 0 tied, 1 lost"' in duels.replace("<bdi>", "").replace("</bdi>", "")
    assert "0–0 <small>=2</small>" in duels


def test_the_picture_has_a_bar_for_each_player(client: TestClient) -> None:
    answer = client.get("/standings.svg", params={"game": "Skull King"})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.count("<rect x=") == 2
    assert ">−40<" in answer.text
    hostile = client.get("/standings.svg", params={"game": "Catan"}).text
    assert "&lt;b&gt;Bea" in hostile
    assert "<b>" not in hostile


def test_names_are_left_out_where_it_is_asked_for(client: TestClient) -> None:
    for path in ("/standings", "/standings.json", "/standings.csv", "/standings.svg"):
        text = client.get(path, params={"game": "Catan", "redact": "1"}).text
        assert "P1" in text, path
        assert "Ann" not in text, path
        assert "Cy" not in text, path


def test_a_season_without_games_is_a_sentence(client: TestClient) -> None:
    answer = client.get("/standings", params={"season": "1999"})
    assert answer.status_code == 200
    assert "No finished game matches; choose another game, event or season" in answer.text
    for path in ("/standings.json", "/standings.csv", "/standings.svg"):
        assert client.get(path, params={"season": "1999"}).status_code == 404


def test_ratings_are_shown_where_one_game_is_chosen(client: TestClient) -> None:
    text = client.get("/standings", params={"game": "Catan"}).text
    assert 'href="/standings?game=Catan&amp;rating=1"' in text
    assert "Everybody begins at 1500." not in text
    text = client.get("/standings", params={"game": "Catan", "rating": "1"}).text
    assert "Everybody begins at 1500." in text
    assert ">Without ratings</a>" in text
    fields = client.get("/standings.json", params={"game": "Catan", "rating": "1"}).json()
    assert {row["name"]: row["games"] for row in fields["ratings"]} == {"Ann": 2, HOSTILE: 2, "Cy": 2}
    assert ">Ratings</a>" not in client.get("/standings").text


WRONG = (
    ("rating=1", "Players are rated in one game; choose one of: "),
    ("by=luck", "orders nothing; expected one of: points, wins, place."),
    ("season=soon", "is not a date"),
    ("game=chequers", "There is no game"),
    ("game=chess&by=points", "No game among these counts points"),
    ("by=wins&by=place", "by is given 2 times"),
)


@pytest.mark.parametrize(("query", "says"), WRONG)
def test_what_makes_no_sense_is_said_below_the_form(client: TestClient, query: str, says: str) -> None:
    for path in ("/standings", "/standings.json", "/standings.csv"):
        answer = client.get(f"{path}?{query}")
        assert answer.status_code == 400, path
        assert says in unescape(answer.text), path


@pytest.mark.parametrize("seat", [0, 1])
def test_a_server_that_shows_a_seats_view_shows_none(db: Path, seat: int) -> None:
    with serving(db, seat) as client:
        for path in ("/standings", "/standings.json", "/standings.csv", "/standings.svg"):
            answer = client.get(path)
            assert answer.status_code == 403, path
            assert "Ann" not in answer.text, path
        assert 'href="/standings"' not in client.get("/games").text


def test_a_game_is_chosen_in_a_browser(browser: Any, db: Path) -> None:
    with served("--db", str(db)) as url:
        page = browser.new_page(viewport=PHONE)
        page.goto(url)
        page.goto(f"{url.partition('/?')[0]}/standings")
        with page.expect_navigation():
            page.select_option("select[name=game]", "Catan")
        assert page.inner_text(".ranking tbody tr:first-child .main") == "17"
        hold_to_axe(page, (DESK, "light"), (PHONE, "dark"))
        assert page.evaluate(SMALL) == []
        with page.expect_download() as download:
            page.click("text=CSV")
        assert download.value.suggested_filename == "standings.csv"
        page.close()


def test_a_menu_says_to_whom_a_seat_counts_that_somebody_took_over(client: TestClient, tmp_path: Path) -> None:
    assert "Substitutes" not in client.get("/standings").text
    path = tmp_path / "games.db"
    with api.Store(path) as store:
        api.open_game(store, api.NewRequest("Ludo", id="g", players=("Ann", "Bea"), unjudged=True))
        api.play(store, "g", api.WordsRequest(("a", "b", "c", "d")))
        api.seat_player(store, "g", api.SeatRequest(place="p1", player="Fay", ply=2))
        api.close(store, "g", api.CloseRequest("1-0"))
    with serving(path) as opened:
        page = opened.get("/standings").text
        assert "Substitutes" in page
        assert ">0.75<" in page
        assert "to the first</option>" in page
        wins = {
            way: {row["name"]: row["wins"] for row in opened.get(f"/standings.json?substitutes={way}").json()["rows"]}
            for way in ("", "split", "first", "last")
        }
        split = {"Ann": "1/4", "Fay": "3/4", "Bea": 0}
        assert wins == {"": split, "split": split, "first": {"Ann": 1, "Bea": 0}, "last": {"Fay": 1, "Bea": 0}}
        assert "selected>to the last" in opened.get("/standings?substitutes=last").text
        assert "says nothing of substitutes" in opened.get("/standings?substitutes=all").text
