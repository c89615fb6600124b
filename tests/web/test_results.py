"""The page of results: what is recorded over HTTP, what is refused beside its field, and in a browser how many taps."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.records import api
from tests.cli.test_replay_in_browser import DESK, PHONE, SMALL, hold_to_axe
from tests.programs import served
from tests.web.served import HEADER, serving

THREE = ("Ann=10", "Bea=7", "Cy=4")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    api.Store(path).close()
    return path


@pytest.fixture
def server(archive: Path) -> Iterator[TestClient]:
    with serving(archive, writes=True) as client:
        yield client


def post(client: TestClient, **body: object) -> Any:
    return client.post("/results", json={"command": "a", "game": "Catan", "players": THREE} | body, headers=HEADER)


def test_a_result_is_recorded_once_and_said_in_a_sentence(server: TestClient) -> None:
    first = post(server, duration="75", place="Club")
    assert first.status_code == 200, first.text
    assert first.json()["says"] == "Catan: Ann 10, Bea 7, Cy 4; Ann won."
    assert post(server, duration="75", place="Club").json() == first.json()
    assert len(server.get("/games.json").json()["games"]) == 1
    tied = post(server, command="b", players=["Ann=7", "Bea=7"])
    assert tied.json()["result"] == "1/2-1/2"
    together = post(server, command="c", game="Pandemic", players=["Ann", "Bea"], table="lost")
    assert together.json()["conclusion"] == "the table lost"
    chess = post(server, command="d", game="chess", players=["Ann=1/2", "Bea=1/2"])
    assert (chess.json()["result"], chess.json()["unjudged"]) == ("1/2-1/2", False)


@pytest.mark.parametrize(
    ("body", "status", "because", "field"),
    [
        ({"players": ["Ann=ten", "Bea=7"]}, 400, "'Ann=ten' is no player with a number", "p1"),
        ({"players": ["Ann=1", "Bea="]}, 400, "Bea has no number; expected one, such as Bea=10", "p2"),
        ({"players": ["Ann=1", "=7"]}, 400, "7 stands beside no name", "p2"),
        ({"players": ["Ann=1", "Bea=2", "Ann=3"]}, 400, "Ann is named twice", "p3"),
        ({"duration": "long"}, 400, "'long' is not a duration", "duration"),
        ({"date": "soon"}, 400, "'soon' is not a date", "date"),
        ({"teams": "1:2"}, 400, "does not give each of 3 seats a team", "teams"),
        ({"players": []}, 400, "Nobody is named", None),
        ({"players": "Ann"}, 400, "`players` must be", None),
        ({"game": 7}, 400, "`game` must be text", None),
        ({"points": "7"}, 400, "unknown field `points`", None),
        ({"command": " "}, 400, "has no `command`", None),
        ({"game": "Canasta", "ask": True}, 409, "No rules for Canasta are installed. Press the button again", None),
        ({"game": "Ches", "ask": True}, 409, "Did you mean Chess?", None),
    ],
)
def test_what_cannot_be_is_a_sentence_and_names_its_field(
    server: TestClient, body: dict[str, object], status: int, because: str, field: str | None
) -> None:
    answer = post(server, **body)
    told = answer.json()
    assert (answer.status_code, because in told["error"], told.get("field")) == (status, True, field), answer.text
    assert server.get("/games.json").json()["games"] == []


def test_the_form_has_the_game_the_players_and_the_ending_of_last_time(server: TestClient) -> None:
    assert 'name="game" list="titles" value=""' in server.get("/result").text
    post(server, place="Club")
    post(server, command="b", game="Golf", players=["Dee=71", "Eve=75"], winner="fewest")
    page = server.get("/result").text
    assert 'name="game" list="titles" value="Golf"' in page
    assert 'value="fewest" selected' in page
    assert ('value="Dee"' in page, page.count("data-row>")) == (True, 3)
    assert 'href="/result?game=Catan"' in page
    other = server.get("/result?game=catan").text
    assert all(f'data-name value="{name}"' in other for name in ("Ann", "Bea", "Cy"))
    assert 'name="place" maxlength="80" autocomplete="off" value="Club"' in other
    chess = server.get("/result?game=chess").text
    assert ('value="Chess"' in chess, chess.count("data-row>")) == (True, 3)
    assert server.get("/result?player=Ann").status_code == 400


def test_a_name_that_was_chosen_for_somebody_is_known_and_a_near_one_is_asked_about(
    server: TestClient, archive: Path
) -> None:
    post(server)
    with api.Store(archive) as store:
        api.rename_person(store, api.RenameRequest("Bea", "Béa"))
    chosen = post(server, command="b", players=["Ann=1", "Béa=2"])
    assert chosen.status_code == 200, chosen.text
    near = post(server, command="c", players=["Ann=1", "BEA=2"])
    assert (near.status_code, "other games have Béa" in near.json()["error"]) == (409, True), near.text
    assert post(server, command="c", players=["Ann=1", "BEA=2"], new_names=["BEA"]).status_code == 200


def test_the_page_of_a_game_without_moves_has_nothing_to_step_through(server: TestClient) -> None:
    id = post(server).json()["id"]
    page = server.get(f"/games/{id}").text
    for part in ("steer", "moves", "verdict"):
        assert f'class="{part}"' not in page


def test_a_file_has_no_form_and_a_seat_sees_none(archive: Path) -> None:
    with serving(archive) as client:
        assert client.get("/result").status_code == 404
    with serving(archive, 1, writes=True) as client:
        assert client.get("/result").status_code == 403


# --- in a browser ---


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Serve an archive with one result; yield the address with its key, and the database."""
    path = tmp_path_factory.mktemp("results") / "games.db"
    with api.Store(path) as store:
        api.record_result(store, api.ResultRequest("Catan", THREE))
    with served("--db", str(path)) as url:
        yield url, path


class Entry:
    """A page on a phone. taps: how many there were"""

    def __init__(self, browser: Any, url: str) -> None:
        self.page = browser.new_context(viewport=PHONE, has_touch=True).new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.goto(url)
        self.taps = 0

    def tap(self, what: str) -> None:
        """Tap what is on the screen without scrolling."""
        found = self.page.locator(what)
        box = found.bounding_box()
        assert box is not None, what
        assert box["x"] >= 0, (what, box)
        assert box["x"] + box["width"] <= PHONE["width"], (what, box)
        assert box["y"] + box["height"] <= PHONE["height"], (what, box)
        found.tap()
        self.taps += 1

    def open_form(self) -> None:
        """Open the page of results by a tap, and wait until its script is there."""
        self.tap("text=Enter a result")
        self.page.wait_for_selector("[data-save]:enabled")

    def type(self, *numbers: str) -> None:
        """Type numbers one after another, with the key that leads to the next field."""
        for at, number in enumerate(numbers):
            if at:
                self.page.keyboard.press("Enter")
            self.page.keyboard.type(number)

    def close(self) -> None:
        assert self.faults == []
        self.page.context.close()


def test_a_result_with_the_players_of_last_time_takes_at_most_three_taps(browser: Any, desk: tuple[str, Path]) -> None:
    entry = Entry(browser, desk[0])
    entry.open_form()
    entry.tap("[data-number] >> nth=0")
    entry.type("8", "11", "5")
    entry.tap("[data-save]")
    entry.page.wait_for_function("() => document.querySelector('[data-saved]').textContent.includes('Bea won')")
    assert entry.taps <= 3
    assert entry.page.locator("[data-number] >> nth=0").input_value() == ""
    with api.Store(desk[1]) as store:
        last = api.load(store, api.search(store, limit=1)[0][0].game.id)
        assert (last.record.tag("Points"), last.book.result) == ("8:11:5", "0-1-0")
    hold_to_axe(entry.page, (DESK, "light"), (PHONE, "dark"))
    assert entry.page.evaluate(SMALL) == []
    entry.close()


def test_a_game_of_two_without_points_is_entered_by_one_tap_on_who_won(browser: Any, archive: Path) -> None:
    with served("--db", str(archive)) as url:
        entry = Entry(browser, url)
        entry.page.goto(f"{url.partition('/?')[0]}/result?game=chess")
        entry.page.wait_for_selector("[data-outcomes]")
        for at, name in enumerate(("Ann", "Bea")):
            entry.page.fill(f"[data-name] >> nth={at}", name)
        outcomes = entry.page.locator("[data-outcome]")
        assert outcomes.all_text_contents() == ["Ann won", "Draw", "Bea won"]
        assert not entry.page.is_visible("[data-number] >> nth=0")
        hold_to_axe(entry.page, (DESK, "light"), (PHONE, "dark"))
        outcomes.nth(1).tap()
        entry.page.wait_for_function("() => document.querySelector('[data-saved]').textContent")
        entry.page.tap("text=Another result")
        assert entry.page.is_visible("[data-number] >> nth=0")
        entry.close()
    with api.Store(archive) as store:
        assert api.load(store, api.search(store, limit=1)[0][0].game.id).book.result == "1/2-1/2"


def test_a_fault_stands_beside_its_field_and_nothing_that_was_typed_is_lost(
    browser: Any, desk: tuple[str, Path]
) -> None:
    entry = Entry(browser, desk[0])
    entry.open_form()
    entry.page.fill("[data-name] >> nth=1", "Ann")
    entry.page.tap("[data-number] >> nth=0")
    entry.type("1", "x", "3")
    rows = entry.page.locator("[data-row]")
    entry.tap("[data-save]")
    entry.page.wait_for_function("() => document.querySelectorAll('[data-row] .says')[1].textContent")
    assert "is no player with a number" in rows.nth(1).locator(".says").inner_text()
    entry.page.fill("[data-number] >> nth=1", "2")
    entry.tap("[data-save]")
    entry.page.wait_for_function(
        "() => document.querySelectorAll('[data-row] .says')[1].textContent.includes('named twice')"
    )
    assert [rows.nth(at).locator("[data-number]").input_value() for at in range(3)] == ["1", "2", "3"]
    assert rows.nth(1).locator("[data-name]").input_value() == "Ann"
    entry.close()


def test_a_desk_that_cannot_be_reached_loses_nothing_and_a_second_tap_stores_it_once(
    browser: Any, desk: tuple[str, Path]
) -> None:
    entry = Entry(browser, desk[0])
    entry.open_form()
    with api.Store(desk[1]) as store:
        before = len(api.search(store)[0])
    for at, number in enumerate(("1", "2", "3")):
        entry.page.fill(f"[data-number] >> nth={at}", number)
    lost: list[str] = []

    def lose(route: Any) -> None:
        """Let the request arrive, and its answer get lost."""
        lost.append(route.fetch().text())
        route.abort()

    entry.page.route("**/results", lose, times=1)
    entry.page.tap("[data-save]")
    entry.page.wait_for_function("() => document.querySelector('[data-says]').textContent.includes('Nothing is lost')")
    assert entry.page.locator("[data-number] >> nth=1").input_value() == "2"
    entry.page.tap("[data-save]")
    entry.page.wait_for_function("() => document.querySelector('[data-saved]').textContent")
    with api.Store(desk[1]) as store:
        assert (len(lost), len(api.search(store)[0])) == (1, before + 1)
    entry.close()


def test_teams_and_a_table_that_loses_together_are_entered(browser: Any, desk: tuple[str, Path]) -> None:
    entry = Entry(browser, desk[0])
    entry.open_form()
    page = entry.page
    page.fill("[name=game]", "Pandemic")
    page.tap("[name=ends][value=table]")
    assert not page.is_visible("[data-number] >> nth=0")
    page.tap("[name=table][value=lost]")
    for asks in ("Press the button again", "the table lost"):
        page.tap("[data-save]")
        page.wait_for_function("part => document.querySelector('[data-results]').textContent.includes(part)", arg=asks)
    page.fill("[name=game]", "Catan")
    page.tap("[name=ends][value=points]")
    page.tap("[data-add]")
    page.fill("[data-name] >> nth=3", "Dee")
    page.tap("summary")
    page.tap("[data-teams]")
    for at in range(4):
        page.fill(f"[data-team] >> nth={at}", str(1 + at % 2))
        page.fill(f"[data-number] >> nth={at}", str(at))
    page.tap("[data-sign] >> nth=3")
    page.tap("[data-save]")
    page.wait_for_function("() => document.querySelector('[data-saved]').textContent.includes('Ann 0')")
    with api.Store(desk[1]) as store:
        last = api.load(store, api.search(store, limit=1)[0][0].game.id)
    assert (last.record.tag("Points"), last.book.result) == ("0:1:2:-3", "1/2-0-1/2-0")
    entry.close()


def test_canasta_is_entered_by_new_game_and_scored_on_the_pad(browser: Any, desk: tuple[str, Path]) -> None:
    entry = Entry(browser, desk[0])
    entry.tap(".begin >> text=New game")
    entry.tap("[data-at-once] [name=game]")
    entry.page.keyboard.type("Canasta")
    entry.page.keyboard.press("Enter")
    entry.tap("[data-keep]")
    entry.page.wait_for_selector("[name=players]")
    assert entry.page.locator("#people option").count() >= 3
    for at, name in enumerate(("Ann", "Bea")):
        entry.page.fill(f"[name=players] >> nth={at}", name)
    entry.tap("text=Open the game")
    entry.page.wait_for_url("**/pad")
    for key in ("5", "0", "next", "2", "0"):
        entry.tap(f'[data-key="{key}"]')
    entry.tap("[data-enter]")
    entry.page.wait_for_function("() => document.querySelector('.totals').textContent.includes('50')")
    id = entry.page.url.split("/")[-2]
    with api.Store(desk[1]) as store:
        game = api.load(store, id)
        assert (game.record.tag("Game"), game.report.verdict, game.words) == ("Canasta", "unjudged", ("p0/50:20",))
    entry.close()


def test_a_score_sheet_is_entered_line_by_line_and_added_up(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with api.Store(path) as store:
        toml = 'title = "Agricola"\nwinner = "most"\ncategories = ["Fields", "Pastures"]'
        api.describe_game(store, api.DescribeRequest(toml=toml))
    with served("--db", str(path)) as url:
        entry = Entry(browser, url)
        page = entry.page
        page.goto(f"{url.partition('/?')[0]}/result?game=Agricola&event=Spring")
        page.wait_for_selector("[data-save]:enabled")
        for at, name in enumerate(("Ann", "Bea")):
            page.fill(f"[data-name] >> nth={at}", name)
        page.click("[data-line] >> nth=0")
        entry.type("4", "2,5", "3", "1")
        assert [page.input_value(f"[data-number] >> nth={at}") for at in (0, 1)] == ["6.5", "4"]
        hold_to_axe(page, (DESK, "light"), (PHONE, "dark"))
        page.click("[data-save]")
        page.wait_for_function("() => document.querySelector('[data-saved]').textContent.includes('Ann won')")
        with api.Store(path) as store:
            record = api.load(store, api.search(store, limit=1)[0][0].game.id).record
        assert (record.tag("Categories"), record.tag("Event")) == ("Fields=4:3; Pastures=5/2:1", "Spring")
        page.goto(f"{url.partition('/?')[0]}/result")
        page.wait_for_selector("[data-save]:enabled")
        assert page.locator("[data-line]:visible").count() == 4
        page.fill("[name=game]", "Catan")
        page.locator("[name=game]").blur()
        assert page.locator("[data-line]:visible").count() == 0
        entry.close()
