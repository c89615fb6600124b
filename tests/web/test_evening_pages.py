"""Evenings in a browser: the list, who sits where, tables set and closed, results, and cards for everybody."""

import json
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.records import api
from cartulary.records.log.store import Store
from tests.cli.test_replay_in_browser import DESK, PHONE, SMALL, hold_to_axe
from tests.programs import served
from tests.records.archives import runner
from tests.web.served import by_link, serving

HEBREW = "דנה כהן"
PERSONS = ("Ann", "Bea", "Cy", "Di", HEBREW)
PAGES = ("/evenings", "/evenings.json", "/evening?name=Spring", "/evening.json?name=Spring")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    with Store(path, create=True) as store:
        api.open_evening(store, api.OpenEveningRequest(title="Spring", date="2026.11.27", place="Town hall"))
        api.record_presence(store, api.PresenceRequest(evening="Spring", persons=PERSONS))
        set_table(store, "cardmate", "Ann", "Bea")
        api.open_evening(store, api.OpenEveningRequest(title="Autumn", date="2026.09.01"))
    return path


def set_table(store: api.Store, game: str, *players: str, **more: Any) -> str:
    request = api.SetTableRequest(evening="Spring", game=game, players=players, **more)
    return api.set_table(store, request).table.game


def send(client: TestClient, path: str, **body: Any) -> Any:
    return client.post(path, json={"command": repr(sorted(body.items())), **body})


def bare(text: str) -> str:
    return unescape(text).replace("<bdi>", "").replace("</bdi>", "")


def test_the_list_and_an_evening_are_what_the_commands_print(client: TestClient, db: Path) -> None:
    run = runner(db)
    printed = [json.loads(line) for line in run("evenings", "--json").stdout.splitlines()]
    assert client.get("/evenings.json").json() == {"evenings": printed}
    assert client.get("/evening.json?name=spring").json() == json.loads(run("evening", "Spring", "--json").stdout)
    text = client.get("/evenings").text
    assert text.index('href="/evening?name=Spring"') < text.index('href="/evening?name=Autumn"')


def test_a_page_says_who_sits_where_and_who_is_free(client: TestClient) -> None:
    text = bare(client.get("/evening?name=Spring").text)
    assert 'href="/games/spring-1-1/table"' in text
    here = text.partition('class="here"')[2].partition("</ul>")[0]
    assert here.count("table 1") == 2
    assert here.count('class="free"') == 3
    assert f'name="persons" data-as="list" value="{HEBREW}"' in here
    assert "No table is set yet." in client.get("/evening?name=Autumn").text


def test_a_tournament_is_led_on_its_page(client: TestClient) -> None:
    for body in ({"title": "Open", "rounds": 3}, {"title": "Open", "rounds": 3, "date": "2026.12.04"}):
        assert send(client, "/evenings", **body).status_code == 200
    send(client, "/evenings/presence", evening="Open", persons=["Ann", "Bea", "Cy", "Di"])
    first = client.get("/evening.trf?name=Open")
    assert first.headers["content-type"].startswith("text/plain")
    assert "XXR 3\nXXC white1\n" in first.text or "XXC white1\nXXR 3\n" in first.text
    assert send(client, "/evenings/next", evening="Open", pairs="1\n9 1\n", game="chess").status_code == 400
    tables = send(client, "/evenings/next", evening="Open", pairs="2\n3 1\n2 0\n", game="chess").json()
    assert [(table["game"], table["players"]) for table in tables] == [("open-1-1", ["Cy", "Ann"])]
    closing = {"result": "1-0", "termination": "forfeit"}
    assert send(client, "/games/open-1-1/close", **closing).status_code == 200
    assert send(client, "/evenings/byes", evening="Open", persons=["Di"]).status_code == 200
    text = bare(client.get("/evening?name=Open").text)
    assert "Round 2, bye: Di, half a point" in text
    assert "Bye: Bea" in text
    assert "1 Ann, 2 Bea, 3 Cy, 4 Di." in text
    assert "Not played" in text
    assert 'href="/evening.trf?name=Open"' in text
    assert "   1 w +" in client.get("/evening.trf?name=Open").text


def test_a_report_that_cannot_be_is_a_sentence(client: TestClient, db: Path) -> None:
    with Store(db) as store:
        set_table(store, "Catan", "Cy", "Di", HEBREW, unjudged=True)
    asked = client.get("/evening.trf?name=Spring")
    assert asked.status_code == 409
    assert "a tournament report needs games of two" in asked.text


def test_a_table_is_set_played_and_closed_with_a_number_for_each(client: TestClient) -> None:
    asked = {"evening": "Spring", "game": "Catan", "players": ["Cy", "Di", HEBREW], "unjudged": True, "round": 2}
    table = send(client, "/evenings/tables", **asked).json()
    assert (table["round"], table["game"], table["players"]) == (2, "spring-2-1", ["Cy", "Di", HEBREW])
    assert send(client, "/evenings/tables", **asked).json() == table
    text = client.get("/evening?name=Spring").text
    assert text.index("Round 2") < text.index("Round 1")
    closed = send(client, "/games/spring-2-1/numbers", numbers=["−3", "10", "7"])
    assert closed.json()["result"] == "0-1-0"
    assert send(client, "/games/spring-2-1/numbers", numbers=["−3", "10", "7"]).json() == closed.json()
    assert ">−3</td>" in client.get("/evening?name=Spring").text
    rows = client.get("/standings.json?event=Spring&game=Catan").json()["rows"]
    assert [(row["name"], row["points"]) for row in rows] == [("Di", 10), (HEBREW, 7), ("Cy", -3)]
    assert send(client, "/games/spring-1-1/numbers", numbers=["½", "1/2"]).json()["result"] == "1/2-1/2"
    assert "½" in client.get("/evening?name=Spring").text


def test_a_game_that_nobody_knows_is_asked_about_once(client: TestClient) -> None:
    first = {"evening": "Spring", "game": "Catan", "players": ["Cy", "Di"], "keep": True}
    asked = send(client, "/evenings/tables", **first, ask=True)
    assert (asked.status_code, "Press the button again to keep it unjudged" in asked.text) == (409, True)
    assert send(client, "/evenings/tables", **first).status_code == 200
    more = {"evening": "Spring", "keep": True, "ask": True}
    again = send(client, "/evenings/tables", game="catan", players=[HEBREW, "Eve"], **more)
    assert (again.status_code, again.json()["number"]) == (200, 3)
    judged = send(client, "/evenings/tables", game="chess", players=["Gus", "Fay"], **more)
    assert client.get(f"/games/{judged.json()['game']}.json").json()["report"]["verdict"] != "unjudged"


def test_the_next_round_is_offered_once_the_last_one_is_over(client: TestClient) -> None:
    button = "Round 2 at the same tables"
    assert button not in client.get("/evening?name=Spring").text
    early = send(client, "/evenings/next", evening="Spring")
    assert (early.status_code, "spring-1-1" in early.json()["error"]) == (409, True), early.text
    send(client, "/games/spring-1-1/numbers", numbers=["1", "0"])
    assert button in client.get("/evening?name=Spring").text
    for _ in range(2):
        [table] = send(client, "/evenings/next", evening="Spring", command="next").json()
        assert (table["round"], table["game"], table["players"]) == (2, "spring-2-1", ["Ann", "Bea"])
    assert button not in client.get("/evening?name=Spring").text


def test_in_a_tournament_a_round_is_paired_and_not_set_again_by_one_tap(client: TestClient) -> None:
    assert send(client, "/evenings", title="Spring", rounds=3).status_code == 200
    send(client, "/games/spring-1-1/numbers", numbers=["1", "0"])
    text = client.get("/evening?name=Spring").text
    assert "Round 2 at the same tables" not in text
    assert "Pair round 2" in text
    pairs = unescape(text.partition('data-writes="pairs" value="')[2].partition('"')[0])
    entrants = client.get("/evening.json?name=Spring").json()["entrants"]
    assert (pairs.splitlines()[0], "round 2 of" in text) == (str(-(-len(entrants) // 2)), True)
    assert send(client, "/evenings/next", evening="Spring", pairs=pairs).status_code == 200


def test_a_name_that_is_nearly_known_is_asked_about(client: TestClient) -> None:
    came = {"evening": "Spring", "persons": ["ann", "Zoe"]}
    for path, body, name in (
        ("/evenings/presence", came, "ann"),
        ("/evenings/tables", {"evening": "Spring", "game": "chess", "players": ["ANN", "Cy"]}, "ANN"),
    ):
        for _ in range(2):
            asked = send(client, path, **body)
            assert (asked.status_code, asked.json()["similar"][name]) == (409, "Ann"), path
            assert f"{name} is new here; other games have Ann." in asked.json()["error"]
        assert send(client, path, **body, new_names=[name]).status_code == 200, path
    assert send(client, "/evenings/presence", **came | {"left": True}).status_code == 200
    again = send(client, "/evenings/presence", evening="Spring", persons=["zoe"])
    assert again.status_code == 200, "nobody of this name is here any more"


def test_the_fewest_win_where_the_description_says_so(client: TestClient, db: Path) -> None:
    with Store(db) as store:
        api.describe_game(store, api.DescribeRequest(toml='title = "Golf"\nseats = 2\nwinner = "fewest"'))
        id = set_table(store, "Golf", "Cy", "Di")
    assert send(client, f"/games/{id}/numbers", numbers=["72", "70"]).json()["result"] == "0-1"
    again = send(client, "/evenings/tables", evening="Spring", game="Golf", players=["Cy", "Di"], keep=True).json()[
        "game"
    ]
    assert send(client, f"/games/{again}/numbers", numbers=["70", "72"]).json()["result"] == "1-0"


def test_a_table_is_closed_with_the_lines_of_its_score_sheet(client: TestClient, db: Path) -> None:
    with Store(db) as store:
        toml = 'title = "Agricola"\nwinner = "most"\ncategories = ["Fields", "No. of rooms"]'
        api.describe_game(store, api.DescribeRequest(toml=toml))
        id = set_table(store, "Agricola", "Cy", "Di")
    assert client.get("/evening?name=Spring").text.count('name="categories.No. of rooms"') == 2
    for lines, because in (
        ({"Fields": "4:x"}, "expected 2 numbers"),
        ({"Cows": "4:3"}, "Found the category Cows"),
    ):
        wrong = send(client, f"/games/{id}/numbers", categories=lines)
        assert (wrong.status_code, because in wrong.json()["error"]) == (400, True), wrong.text
    both = send(client, f"/games/{id}/numbers", categories={"Fields": "4:3"}, numbers=["4", "3"])
    assert (both.status_code, "leave the numbers out" in both.json()["error"]) == (400, True)
    for _ in range(2):
        closed = send(client, f"/games/{id}/numbers", categories={"Fields": "4:3", "No. of rooms": "2,5:5"})
        assert (closed.status_code, closed.json()["result"]) == (200, "0-1"), closed.text
    with Store(db) as store:
        assert api.load(store, id).record.tag("Categories") == "Fields=4:3; No. of rooms=5/2:5"
    assert 'name="categories' not in client.get("/evening?name=Spring").text


def test_results_and_presence_are_written(client: TestClient) -> None:
    result = {"game": "Skull King", "players": ["Ann=120", f"{HEBREW}=-30"], "event": "Spring", "date": "2026.11.27"}
    assert send(client, "/results", **result).json()["conclusion"] == "Ann won"
    text = client.get("/evening?name=Spring").text
    assert "Without a table" in text
    assert ">−30</td>" in text
    came = send(client, "/evenings/presence", evening="Spring", persons=["Eve"])
    assert came.json()["persons"] == 6
    send(client, "/evenings/presence", evening="Spring", persons=["Di"], left=True)
    free = client.get("/evening.json?name=Spring").json()["free"]
    assert free == ["Cy", HEBREW, "Eve"]
    opened = send(client, "/evenings", title="Winter", date="2026.12.24", place="Inn")
    assert opened.json()["evening"] == "Winter"
    assert "Inn" in client.get("/evening?name=winter").text


def test_a_card_leads_to_the_seat_until_it_is_revoked(client: TestClient) -> None:
    cards = send(client, "/evenings/links", evening="Spring", persons=["Bea"], base="http://desk.example/x").json()
    [card] = cards
    assert (card["game"], card["role"], card["url"].partition("#")[0]) == ("Spring", "Bea", "http://desk.example/join")
    bea = by_link(client, card["url"])
    assert bea.get("/seat.json").json()["table"] == 1
    for path in PAGES:
        assert bea.get(path).status_code == 404, path
    assert "Cards made" in client.get("/evening?name=Spring").text
    revoked = send(client, "/evenings/links/revoke", link=card["link"])
    assert revoked.json()["state"] == "revoked"
    assert bea.get("/seat.json").status_code == 404


WRONG: tuple[tuple[str, dict[str, Any], int, str], ...] = (
    ("/evenings/tables", {"evening": "Spring", "game": "chess", "players": ["Ann", "Cy"]}, 409, "Ann is at table 1"),
    ("/evenings/tables", {"evening": "Spring", "game": "chess", "players": ["Cy", "Cy"]}, 400, "is named twice"),
    ("/evenings/tables", {"evening": "Spring", "game": "Catan", "players": ["Cy"]}, 400, "No rules for Catan"),
    ("/evenings/tables", {"evening": "Summer", "game": "chess", "players": ["Cy"]}, 400, "There is no evening"),
    ("/evenings/presence", {"evening": "Spring", "persons": ["Zoe"], "left": True}, 409, "Zoe is not at Spring"),
    ("/results", {"game": "Catan", "players": ["Ann=x"]}, 400, "expected a name and a number"),
    ("/evenings", {"title": "!"}, 400, "names no evening"),
    ("/evenings", {"title": "New", "date": "soon"}, 400, "soon"),
    ("/evenings/links", {"evening": "Spring", "base": "desk"}, 400, "expected http"),
    ("/evenings/links", {"evening": "Autumn", "base": "http://d.example"}, 409, "Nobody is at Autumn"),
    ("/games/spring-1-1/numbers", {"numbers": ["1"]}, 400, "expected a number for each"),
    ("/games/spring-1-1/numbers", {"numbers": ["1", "x"]}, 400, "expected a number for each"),
    ("/games/spring-1-1/numbers", {"numbers": ["10", "7"]}, 400, "add up to 1"),
    ("/games/nope/numbers", {"numbers": ["1", "0"]}, 404, "There is no game nope"),
)


@pytest.mark.parametrize(("path", "body", "status", "says"), WRONG)
def test_what_cannot_be_is_a_sentence(
    client: TestClient, path: str, body: dict[str, Any], status: int, says: str
) -> None:
    before = client.get("/evening.json?name=Spring").json(), client.get("/evenings.json").json()
    answer = send(client, path, **body)
    assert (answer.status_code, says in answer.json()["error"]) == (status, True), answer.text
    assert (client.get("/evening.json?name=Spring").json(), client.get("/evenings.json").json()) == before


def test_an_evening_that_is_not_there_is_a_sentence(client: TestClient) -> None:
    for path, status in (("/evening", 400), ("/evening?name=Summer", 404), ("/evening?name=!", 404)):
        answer = client.get(path)
        assert answer.status_code == status, path
        assert "evening" in bare(answer.text).partition("<main>")[2], path
    assert send(client, "/evenings/links/revoke", link=99).status_code == 404


@pytest.mark.parametrize("seat", [0, 1])
def test_a_server_that_shows_a_seats_view_shows_none(db: Path, seat: int) -> None:
    with serving(db, seat) as client:
        for path in PAGES:
            answer = client.get(path)
            assert (answer.status_code, "Ann" in answer.text) == (403, False), path
        assert 'href="/evenings"' not in client.get("/games").text


def test_a_server_that_only_reads_has_no_forms(db: Path) -> None:
    with serving(db) as client:
        assert "data-deed" not in client.get("/evenings").text + client.get("/evening?name=Spring").text


def test_an_evening_is_run_in_a_browser(browser: Any, db: Path) -> None:
    with served("--db", str(db)) as url:
        page = browser.new_page(viewport=PHONE)
        page.goto(url)
        page.goto(f"{url.partition('/?')[0]}/evenings")
        page.click("text=Open an evening")
        page.fill("input[name=title]", "Gala")
        with page.expect_navigation():
            page.click("button:text('Open the evening')")
        page.fill("input[name=persons] >> nth=0", f"Ann, Bea; {HEBREW}".replace(";", ","))
        with page.expect_navigation():
            page.click("button:text-is('Add')")
        comes = ".line-form input[name=persons]"
        page.click("text=Somebody comes")
        page.fill(comes, "Zoe, bea")
        page.click("button:text-is('Add')")
        page.click("button:text-is('Write Bea')")
        assert page.input_value(comes) == "Zoe; Bea"
        page.fill(comes, "Bea")
        with page.expect_navigation():
            page.click("button:text-is('Add')")
        page.fill("details[open] input[name=game]", "Catan")
        for name in (HEBREW, "Ann", "Bea", "Bea"):
            page.click(f".puts button >> text={name}")
        assert page.input_value("details[open] input[name=players]") == f"{HEBREW}; Ann"
        page.click("button:text('Set the table')")
        page.wait_for_selector("details[open] .says:has-text('No rules for Catan')")
        with page.expect_navigation():
            page.click("button:text('Set the table')")
        page.click("text=Enter the result")
        for at, number in enumerate(("10", "7")):
            page.fill(f".seating input >> nth={at}", number)
        hold_to_axe(page, (DESK, "light"), (PHONE, "dark"))
        with page.expect_navigation():
            page.click("button:text('Save the result')")
        assert page.inner_text(".seating td >> nth=0") == "10"
        page.click("text=Add a result")
        page.fill("details[open] input[name=game]", "Skull King")
        for at, number in enumerate(("5", "8")):
            page.fill(f"details[open] input[name=players] >> nth={at}", number)
        page.click("button:text('Record the result')")
        page.wait_for_selector("details[open] .says:has-text('No rules for Skull King')")
        with page.expect_navigation():
            page.click("button:text('Record the result')")
        assert page.locator(".seating").count() == 2
        page.click("text=Cards with links")
        page.click("button:text('Make cards')")
        page.wait_for_selector(".cards section >> nth=2")
        hold_to_axe(page, (DESK, "dark"), (PHONE, "light"))
        assert page.evaluate(SMALL) == []
        page.close()


def test_a_score_sheet_is_entered_at_its_table(browser: Any, db: Path) -> None:
    with Store(db) as store:
        toml = 'title = "Azul"\nwinner = "most"\ncategories = ["Walls", "Floor line"]'
        api.describe_game(store, api.DescribeRequest(toml=toml))
        id = set_table(store, "Azul", "Cy", "Di")
    with served("--db", str(db)) as url:
        page = browser.new_page(viewport=PHONE)
        page.goto(url)
        page.goto(f"{url.partition('/?')[0]}/evening?name=Spring")
        table = page.locator(f"article[aria-label={id}]")
        table.locator("text=Enter the result").click()
        for name, line, number in (("Cy", "Walls", "20"), ("Di", "Walls", "18"), ("Di", "Floor line", "-3")):
            table.get_by_label(f"{line} of {name}").fill(number)
        hold_to_axe(page, (DESK, "light"), (PHONE, "dark"))
        with page.expect_navigation():
            table.locator("text=Save the result").click()
        assert [table.locator("td").nth(at).inner_text() for at in (0, 1)] == ["20", "15"]
    with Store(db) as store:
        assert api.load(store, id).record.tag("Categories") == "Walls=20:18; Floor line=0:-3"


def test_long_names_fit_on_a_phone(browser: Any, tmp_path: Path) -> None:
    long, other = "W" * 60, "V" * 60
    with Store(tmp_path / "games.db", create=True) as store:
        api.open_evening(store, api.OpenEveningRequest(title="Spring", date="2026.11.27", place="A" * 60))
        api.record_presence(store, api.PresenceRequest(evening="Spring", persons=(long, "Ann")))
        set_table(store, "Catan", long, other, unjudged=True)
        api.record_result(store, api.ResultRequest(game="B" * 60, players=(f"{long}=5", f"{other}=5"), event="Spring"))
    with served("--db", str(tmp_path / "games.db")) as url:
        page = browser.new_page(viewport=PHONE)
        page.goto(url)
        for path in ("/evenings", "/evening?name=Spring", "/standings", "/people", f"/person?name={long}", "/explore"):
            page.goto(url.partition("/?")[0] + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
        page.close()


def test_the_variant_of_a_game_is_asked_where_they_are_different_games(browser: Any, db: Path) -> None:
    with served("--db", str(db)) as url:
        page = browser.new_page(viewport=PHONE)
        page.goto(url)
        page.goto(f"{url.partition('/?')[0]}/evening?name=Spring")
        page.click("text=Set a table")
        page.fill("details[open] input[name=game]", "chess")
        assert page.locator("details[open] input[name=variant]").count() == 0
        page.fill("details[open] input[name=game]", "tarot")
        assert page.locator("details[open] input[name=variant]:checked").count() == 0
        page.check("details[open] input[value=fft]")
        for name in ("Cy", "Di", HEBREW):
            page.click(f".puts button >> text={name}")
        hold_to_axe(page, (DESK, "light"), (PHONE, "dark"))
        with page.expect_navigation():
            page.click("button:text('Set the table')")
        assert page.locator("article[aria-label=spring-1-2] h3").inner_text() == "2 Tarot fft"
        page.click("text=Set a table")
        assert page.locator("details[open] input[name=variant]:checked").input_value() == "fft"
        page.goto(f"{url.partition('/?')[0]}/games/spring-1-2/pad")
        assert page.locator("h1").inner_text() == "Tarot fft"
        page.close()
    with Store(db) as store:
        assert api.load(store, "spring-1-2").examined.heading.variant == "fft"


def test_the_name_of_a_game_may_say_its_variant(client: TestClient, db: Path) -> None:
    asked = {"evening": "Spring", "game": "Tarot FFT", "players": ["Cy", "Di", HEBREW], "ask": True, "keep": True}
    assert send(client, "/evenings/tables", **asked).status_code == 200
    tables = client.get("/evening.json?name=Spring").json()["tables"]
    assert [(each["title"], each["variant"]) for each in tables] == [("Cardmate", "predefined"), ("Tarot", "fft")]


def test_a_wrong_variant_and_dealer_are_corrected_on_the_page_of_the_game(browser: Any, db: Path) -> None:
    with Store(db) as store:
        id = set_table(store, "tarot", "Cy", "Di", HEBREW)
    with served("--db", str(db)) as url:
        page = browser.new_page(viewport=PHONE)
        page.goto(url)
        page.goto(f"{url.partition('/?')[0]}/games/{id}")
        page.click("text=Correct this record")
        page.click("summary:text('Variant, options, dealer')")
        page.select_option("select[name='tags.Variant']", "fft")
        page.select_option("select[name='tags.Dealer']", "p2")
        hold_to_axe(page, (DESK, "light"), (PHONE, "dark"))
        with page.expect_navigation():
            page.click("button:text('Correct the set-up')")
        page.close()
    with Store(db) as store:
        game = api.load(store, id)
        assert (game.examined.heading.variant, game.record.tag("Dealer")) == ("fft", "p2")


def test_a_table_set_by_mistake_is_removed(browser: Any, db: Path) -> None:
    with served("--db", str(db)) as url:
        page = browser.new_page(viewport=PHONE)
        page.goto(url)
        page.goto(f"{url.partition('/?')[0]}/evening?name=Spring")
        page.click("text=Remove this table")
        hold_to_axe(page, (DESK, "light"), (PHONE, "dark"))
        with page.expect_navigation():
            page.click("button:text('Remove it')")
        assert page.locator(".seating").count() == 0
        assert page.locator(".here .free").count() == len(PERSONS)
        assert "Set aside: Cardmate, Ann, Bea" in page.inner_text("main")
        hold_to_axe(page, (DESK, "dark"), (PHONE, "light"))
        page.close()
    with Store(db) as store:
        assert api.load(store, "spring-1-1").book.set_aside
        game = set_table(store, "chess", "Ann", "Bea")
        api.play(store, game, api.WordsRequest(("e4",)))
    with serving(db) as client:
        assert "Remove this table" not in client.get("/evening?name=Spring").text


def test_somebody_takes_over_at_a_table_and_every_page_says_so(browser: Any, db: Path) -> None:
    with Store(db) as store:
        id = set_table(store, "tarot", "Cy", "Di", "Eve", "Gus", variant="fft")
    with served("--db", str(db)) as url:
        page = browser.new_page(viewport=PHONE)
        origin = url.partition("/?")[0]
        page.goto(url)

        def take_over(seat: str, tap: str = "", name: str = "", since: str | None = None) -> None:
            form = page.locator(f"form[data-deed='/games/{id}/seat']")
            form.locator("xpath=..").locator("summary").click()
            form.locator("[name=place]").select_option(label=seat)
            if tap:
                form.get_by_role("button", name=tap, exact=True).click()
            else:
                form.locator("[name=player]").fill(name)
            if since is not None:
                form.locator("[name=ply]").select_option(label=since)
            with page.expect_navigation():
                form.get_by_role("button", name="Change seats").click()

        page.goto(f"{origin}/evening?name=Spring")
        take_over("Di", tap=HEBREW)  # nobody has played yet: the tag of the seat is changed
        assert HEBREW in page.inner_text(f"[aria-label='{id}']")
        with Store(db) as store:
            for taker in ("p1", "p2", "p3"):
                answers = {"Taker": taker, "Bid": "Petite", "Bouts": "1", "Points": "51"}
                api.play_round(store, id, api.RoundRequest(answers=answers))
        page.goto(f"{origin}/games/{id}/pad")
        take_over("Eve", name="Zoe", since="deal 3")
        totals = dict(zip(*(page.locator(f".totals {tag}").all_text_contents() for tag in ("th", "td")), strict=True))
        assert (totals["Eve"], totals["Zoe"]) == ("−50", "75")
        assert page.inner_text("[data-live=changes]") == "Zoe plays for Eve from deal 3 on."
        assert "Zoe has 51 points" in page.inner_text("tbody[data-ply='3'] .how")
        for address in ("/evening?name=Spring", f"/games/{id}", f"/games/{id}/table"):
            page.goto(origin + address)
            assert "Zoe" in page.inner_text("main"), address
        page.goto(f"{origin}/evening?name=Spring")
        here = page.inner_text(".here")
        assert "Zoe table 2" in here.replace("\n", " ")
        assert "Eve free" in here.replace("\n", " ")
        with Store(db) as store:
            api.close(store, id, api.CloseRequest())
            points = {line.name: line.points for line in api.standings(store, api.Query(game="tarot")).rows}
        assert points == {"Cy": 25, HEBREW: 25, "Eve": -50, "Zoe": 75, "Gus": -75}
        page.close()


def test_where_five_play_at_a_table_for_four_the_pad_says_who_sits_out(browser: Any, db: Path) -> None:
    five = ("Cy", "Di", "Eve", "Gus", HEBREW)
    with Store(db) as store:
        id = set_table(store, "tarot", *five, variant="fft", seats=4)
    with served("--db", str(db)) as url:
        page = browser.new_page(viewport=PHONE)
        faults: list[str] = []
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.goto(url)
        page.goto(f"{url.partition('/?')[0]}/games/{id}/pad")

        def out() -> str:
            return str(page.get_attribute("[data-out][aria-pressed=true]", "data-out"))

        def takers() -> list[str]:
            texts = page.locator("[data-field=Taker] [data-seat]").all_text_contents()
            return [text.strip("\u2068\u2069") for text in texts]

        def deal(taker: str) -> None:
            page.locator("[data-field=Taker]").get_by_role("button", name=taker, exact=True).click()
            for field, value in (("Bid", "Prise"), ("Bouts", "1")):
                page.click(f'[data-field="{field}"] [data-value="{value}"]')
            for key in "51":
                page.click(f'[data-key="{key}"]')
            version = page.get_attribute("[data-version]", "data-version")
            page.click("[data-enter]")
            page.wait_for_function("v => document.querySelector('[data-version]').dataset.version !== v", arg=version)

        assert (out(), set(takers())) == ("Cy", set(five) - {"Cy"})
        deal("Di")
        assert (out(), set(takers())) == ("Di", set(five) - {"Di"})
        page.click("[data-out=Gus]")
        assert (out(), set(takers())) == ("Gus", set(five) - {"Gus"})
        deal("Cy")
        assert (out(), set(takers())) == (HEBREW, set(five) - {HEBREW})
        page.click("tbody[data-ply='1']")
        assert set(takers()) == set(five) - {"Cy"}, "who sat there in the deal that is corrected"
        page.get_by_role("button", name="Cancel").click()
        page.click("[data-take-back]")
        page.wait_for_function("() => document.querySelectorAll('tbody[data-ply]').length === 1")
        assert out() == "Gus"
        page.click("[data-enter]")  # the deal that was undone stands in the form
        page.wait_for_function("() => document.querySelectorAll('tbody[data-ply]').length === 2")
        shown = dict(zip(*(page.locator(f".totals {tag}").all_text_contents() for tag in ("th", "td")), strict=True))
        assert shown == {"Cy": "75", "Di": "50", "Eve": "−50", "Gus": "−25", HEBREW: "−50"}
        assert page.locator("tbody[data-ply='2'] td").all_text_contents()[:6] == ["2", "+75", "−25", "−25", "–", "−25"]
        assert faults == []
        page.goto(f"{url.partition('/?')[0]}/evening?name=Spring")
        card = page.inner_text(f"[aria-label='{id}'] table")
        assert all(text in card.replace("\t", " ") for text in ("Cy 75", "Gus −25", f"{HEBREW} −50")), card
        page.close()


def test_people_are_tapped_and_the_evening_of_today_is_chosen(browser: Any, db: Path) -> None:
    with Store(db) as store:
        api.open_evening(store, api.OpenEveningRequest(title="Tonight", place="Town hall"))
        api.open_game(store, api.NewRequest("Catan", players=("Zoe", "Ann"), unjudged=True))
    with served("--db", str(db)) as url:
        page = browser.new_page(viewport=PHONE)
        origin = url.partition("/?")[0]
        page.goto(url)
        page.goto(f"{origin}/evening?name=Tonight")
        names = page.locator("[data-puts=persons]").all_text_contents()
        assert names[:2] == ["Ann", "Bea"], "who was at the evening before comes first"
        assert "Zoe" not in names, "who was at no evening of late is written"
        page.get_by_role("button", name="Ann", exact=True).click()
        with page.expect_navigation():
            page.get_by_role("button", name="Add", exact=True).click()
        assert "Ann" in page.inner_text(".here")
        page.goto(f"{origin}/result")
        assert page.input_value("[name=event]") == "Tonight"
        assert page.input_value("[name=date]").count("-") == 2
        for name in ("Zoe", "Bea", "Ann", "Bea"):  # a second tap takes out
            page.locator(".puts").get_by_role("button", name=name, exact=True).click()
        rows = page.locator("[data-row] [data-name]")
        assert [rows.nth(at).input_value() for at in range(rows.count())] == ["Zoe", "", "Ann"]
        page.goto(f"{origin}/new?game=chess")
        assert page.input_value("[name='tags.Event']") == "Tonight"
        for name in ("Ann", "Zoe"):
            page.locator("[data-fills]").get_by_text(name, exact=True).click()
        assert page.input_value("[name=players] >> nth=1") == "Zoe"
        page.fill("[name='tags.Date']", "2099-01-02")
        assert page.inner_text(".remark") == "This day is still to come."
        with page.expect_navigation():
            page.get_by_role("button", name="Open the game").click()
        with Store(db) as store:
            [hit] = api.search(store, api.Query(game="chess"))[0]
            assert (hit.game.date, hit.game.players) == ("2099.01.02", "Ann; Zoe")
        page.close()


def test_a_closed_pad_says_who_won_and_leads_back_and_may_be_opened_again(browser: Any, db: Path) -> None:
    with Store(db) as store:
        id = set_table(store, "tarot", "Cy", "Di", "Eve", "Gus", variant="fft")
        api.play_round(
            store, id, api.RoundRequest(answers={"Taker": "p2", "Bid": "Prise", "Bouts": "1", "Points": "60"})
        )
    with served("--db", str(db)) as url:
        page = browser.new_page(viewport=PHONE)
        page.goto(url)
        page.goto(f"{url.partition('/?')[0]}/evening?name=Spring")
        page.locator(f"[aria-label='{id}']").get_by_role("link", name="Score the deals").click()
        assert page.inner_text("[data-live=count]") == "deal 2 · record · Spring"
        page.locator("summary").get_by_text("Close the game").click()
        page.get_by_role("button", name="Close the game").click()
        page.get_by_text("Di won. The game is closed.").wait_for()
        assert page.inner_text(".turn") == "Di won. The game is closed."
        page.locator("summary").get_by_text("Something is wrong").click()
        page.get_by_role("button", name="Open the game again").click()
        page.locator("[data-enter]").wait_for()
        assert page.locator("[data-enter]").is_visible()
        with Store(db) as store:
            api.close(store, id, api.CloseRequest())
        page.reload()
        page.get_by_role("link", name="Back to Spring").click()
        assert "name=Spring" in page.url
        page.close()
