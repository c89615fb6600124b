"""Setting up a table in a browser: a new game, its links, and the phone that takes one up."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.notation.roster import every_game
from cartulary.records import api
from tests.cli.test_replay_in_browser import DESK, PHONE, hold_to_axe
from tests.web.served import HEADER, by_link, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    path = tmp_path / "games.db"
    api.Store(path).close()
    with serving(path, writes=True) as client:
        yield client


def post(client: TestClient, path: str, **body: object) -> Any:
    return client.post(path, json=body, headers=HEADER)


def test_a_game_is_opened_and_the_same_request_again_opens_no_other(server: TestClient) -> None:
    asked = {"command": "a", "game": "tarot", "variant": "fft", "players": ["Ada", "Bela", "?", "Dora"], "tags": {}}
    first = post(server, "/games", **asked)
    assert first.status_code == 200, first.text
    assert post(server, "/games", **asked).json() == first.json()
    id = first.json()["id"]
    assert "Ada – Bela – ? – Dora" in server.get(f"/games/{id}").text
    assert [one["id"] for one in server.get("/games.json").json()["games"]] == [id]
    named = post(server, "/games", command="b", game="cardmate", id="evening", tags={"Event": "Club"})
    assert named.json() == {"id": "evening", "version": 2}


def test_variants_that_are_different_games_are_asked_about(server: TestClient) -> None:
    page = server.get("/new?game=tarot").text
    assert re.findall(r'name="variant" value="(\w+)" required( checked)?', page) == [("dementlieu", ""), ("fft", "")]
    assert "you must trump, and whenever you trump, go over" in page
    page = server.get("/new?game=chess").text
    assert re.findall(r'name="variant" value="(\w+)" required( checked)?', page)[0] == ("standard", " checked")
    id = post(server, "/games", command="a", game="tarot", variant="fft", players=["Ada", "B", "C", "D"]).json()["id"]
    assert "<p>Tarot, fft, open</p>" in server.get(f"/games/{id}").text


def test_the_links_of_a_game_lead_to_its_table_too(server: TestClient) -> None:
    id = post(server, "/games", command="a", game="cardmate").json()["id"]
    assert f'<a href="/games/{id}/table">Go on recording</a>' in server.get(f"/games/{id}/links").text


def test_an_empty_archive_says_how_to_begin(server: TestClient) -> None:
    page = server.get("/games").text
    assert "There is no game in this archive yet." in page
    assert 'href="/result">Enter a result</a>: who played' in page
    assert "There is no game in this archive yet." not in server.get("/games?player=Ada").text
    post(server, "/games", command="a", game="cardmate")
    assert "There is no game in this archive yet." not in server.get("/games").text


def test_help_is_in_the_menu_and_tells_a_phone_nothing_of_the_archive(server: TestClient) -> None:
    assert '<a href="/help">Help</a>' in server.get("/games").text
    assert "Whoever keeps the records" in server.get("/help").text
    id = post(server, "/games", command="a", game="cardmate").json()["id"]
    [link, *_] = post(server, f"/games/{id}/links", command="b", base="http://desk.example").json()
    phone = by_link(server, link["url"].partition("#")[2])
    answer = phone.get("/help")
    assert answer.status_code == 200
    assert "Tap a man or a card" in answer.text
    assert "Whoever keeps the records" not in answer.text


def test_a_name_that_is_known_in_other_capitals_is_asked_about(server: TestClient) -> None:
    asked = {"command": "b", "game": "cardmate", "players": ["bela", "Ada"]}
    post(server, "/games", command="a", game="cardmate", players=[" Bela\u00a0", "Dora"])
    for _ in range(2):
        answer = post(server, "/games", **asked)
        assert (answer.status_code, answer.json()["similar"]) == (409, {"bela": "Bela"})
        assert "bela is new here; other games have Bela." in answer.json()["error"]
        assert len(server.get("/games.json").json()["games"]) == 1
    by_tag = post(server, "/games", command="c", game="cardmate", tags={"Rearhand": "BELA"})
    assert by_tag.json()["similar"] == {"BELA": "Bela"}
    made = post(server, "/games", **asked, new_names=["bela"])
    assert made.status_code == 200
    assert post(server, "/games", **asked).json() == made.json()


def test_a_command_that_was_carried_out_asks_nothing_when_it_is_sent_again(server: TestClient) -> None:
    for path, body in (
        ("/games", {"game": "cardmate", "players": ["bela", "Ada"], "id": "first"}),
        ("/results", {"game": "Catan", "players": ["zoe=1", "Ada=2"], "id": "second"}),
    ):
        name = body["players"][0].partition("=")[0]
        made = post(server, path, command="a", **body)
        for seat, corrected in (("p1", "Hal"), ("p2", name.upper())):
            sent = {"command": seat, "tags": {seat: corrected}, "new_names": [name.upper()]}
            assert post(server, f"/games/{body['id']}/tags", **sent).status_code == 200
        again = post(server, path, command="a", **body)
        assert (again.status_code, again.json()["id"]) == (200, made.json()["id"])
        assert post(server, path, **(body | {"command": "z", "id": "other"})).status_code == 409


@pytest.mark.parametrize(
    ("body", "status", "because"),
    [
        ({"game": "cardmate"}, 400, "`command` is missing"),
        ({"command": "", "game": "cardmate"}, 400, "has no `command`"),
        ({"command": "a", "game": "ludo"}, 400, "There is no game 'ludo'"),
        ({"command": "a", "game": "cardmate", "variant": "x"}, 400, "cannot be set up"),
        ({"command": "a", "game": "cardmate", "players": ["A", "B", "C"]}, 400, "3 players were named"),
        ({"command": "a", "game": "cardmate", "players": ["A\n"]}, 400, "line break"),
        ({"command": "a", "game": "cardmate", "id": "../x"}, 400, "is not an id"),
        ({"command": "a", "game": "cardmate", "id": "@links"}, 400, "is not an id"),
        ({"command": "a", "game": "cardmate", "tags": {"no tag": "x"}}, 400, "not a tag"),
        ({"command": "a", "game": "cardmate", "by": "Ada"}, 400, "unknown field `by`"),
        ({"command": "a", "game": "cardmate", "id": "there"}, 409, "There is already a game there"),
    ],
)
def test_a_game_that_cannot_be_is_named_and_not_opened(
    server: TestClient, body: dict[str, object], status: int, because: str
) -> None:
    assert post(server, "/games", command="first", game="cardmate", id="there").status_code == 200
    answer = post(server, "/games", **body)
    assert (answer.status_code, because in answer.json()["error"]) == (status, True), answer.text
    assert len(server.get("/games.json").json()["games"]) == 1


def test_links_are_made_shown_once_listed_and_revoked(server: TestClient) -> None:
    post(server, "/games", command="a", game="cardmate", id="g")
    made = post(server, "/games/g/links", base="https://desk.example", roles=["p1", "rail"], delay=30).json()
    assert [(each["link"], each["role"]) for each in made] == [(1, "p1"), (2, "rail")]
    assert all(each["url"].startswith("https://desk.example/join#") and each["size"] > 20 for each in made)
    page, twin = server.get("/games/g/links").text, server.get("/games/g/links.json")
    assert "rail, 30 seconds behind" in page
    for each in made:
        assert each["url"].partition("#")[2] not in page + twin.text
    browser = by_link(server, made[0]["url"])
    assert browser.get("/games/g").status_code == 200
    assert post(server, "/games/g/links/revoke", link=1).json()["state"] == "revoked"
    assert browser.get("/games/g").status_code == 404
    assert [each["state"] for each in server.get("/games/g/links.json").json()] == ["revoked", "shared"]


def test_a_request_for_links_that_is_sent_again_makes_no_others_and_says_which_it_made(server: TestClient) -> None:
    post(server, "/games", command="a", game="cardmate", id="g")
    body: dict[str, object] = {"command": "b", "base": "https://desk.example", "roles": ["p1", "rail"]}
    first = post(server, "/games/g/links", **body)
    again = post(server, "/games/g/links", **body)
    other = post(server, "/games/g/links", **body | {"roles": ["p2"]})
    assert (first.status_code, again.status_code, other.status_code) == (200, 409, 409)
    assert "Links 1 and 2 of g were made by this command" in again.json()["error"]
    assert "already used for another request" in other.json()["error"]
    assert "join#" not in again.text + other.text
    assert len(server.get("/games/g/links.json").json()) == 2
    blank = post(server, "/games/g/links", **body | {"command": " "})
    assert (blank.status_code, "no `command`" in blank.json()["error"]) == (400, True)


@pytest.mark.parametrize(
    ("path", "body", "status", "because"),
    [
        ("/games/g/links", {"base": "desk.example"}, 400, "expected http:// or https:// and a name"),
        ("/games/g/links", {"base": "javascript://x"}, 400, "expected http:// or https:// and a name"),
        ("/games/g/links", {"base": f"https://{'x' * 300}"}, 400, "expected http:// or https:// and a name"),
        ("/games/g/links", {"base": "https://x", "roles": ["p7"]}, 400, "p7 is not a role"),
        ("/games/g/links", {"base": "https://x", "delay": "5"}, 400, "`delay` must be a whole number, and is text"),
        ("/games/nope/links", {"base": "https://x"}, 404, "There is no game nope"),
        ("/games/g/links/revoke", {"link": 4}, 404, "g has no link 4"),
        ("/games/other/links/revoke", {"link": 1}, 404, "other has no link 1"),
    ],
)
def test_links_that_cannot_be_are_named(
    server: TestClient, path: str, body: dict[str, object], status: int, because: str
) -> None:
    for id in ("g", "other"):
        post(server, "/games", command="a", game="cardmate", id=id)
    post(server, "/games/g/links", base="https://x", roles=["p1"])
    answer = post(server, path, **body)
    assert (answer.status_code, because in answer.json()["error"]) == (status, True), answer.text
    assert len(server.get("/games/g/links.json").json()) == 1


@pytest.mark.parametrize("key", list(every_game()))
def test_every_game_has_a_form(server: TestClient, key: str) -> None:
    page = server.get(f"/new?game={key}").text
    assert f'name="game" value="{key}"' in page
    assert page.count('name="players"') == max(every_game()[key].about.seats)


def test_the_page_asks_once_whether_a_game_without_rules_is_kept_unjudged(server: TestClient) -> None:
    asked = server.get("/new?game=Canasta")
    assert "No rules for Canasta are installed; keep it unjudged?" in asked.text
    assert 'name="players"' not in asked.text
    assert "Did you mean" not in asked.text
    assert 'href="/new?game=Chess">Chess</a>?' in server.get("/new?game=Chess s").text
    form = server.get("/new?game=Canasta&unjudged=yes").text
    assert form.count('name="players"') == 8
    assert 'name="unjudged"' in form
    post(server, "/games", command="a", game="Canasta", players=["Ann", "Bea"], unjudged=True)
    assert 'name="players"' in server.get("/new?game=canasta").text


def test_described_games_and_the_people_as_they_are_shown_are_offered(server: TestClient, tmp_path: Path) -> None:
    with api.Store(tmp_path / "games.db") as store:
        api.describe_game(store, api.DescribeRequest(toml='title = "Skull King"\nwinner = "most"\nseats = "2-6"\n'))
        api.open_game(store, api.NewRequest("skull king", players=("Ann", "Bea")))
        api.rename_person(store, api.RenameRequest("Bea", "Beatrice"))
    page = server.get("/new?game=skull king").text
    assert page.count('name="players"') == 6
    for offered in ("Skull King", "Chess", "Ann", "Beatrice"):
        assert f'<option value="{offered}">' in page
    assert '<option value="Bea">' not in page
    made = post(server, "/games", command="a", game="skull king", players=["Ann", "Beatrice"])
    assert made.status_code == 200, made.text


def test_a_game_opened_on_the_page_states_the_house_rules(server: TestClient, tmp_path: Path) -> None:
    rule = 'key = "jump"\ngame = "chess"\nrule = "chess.reach"\ndecision = "waived"\nwords = "Kings may jump"'
    with api.Store(tmp_path / "games.db") as store:
        api.add_house_rules(store, api.HouseRequest(f'[[rule]]\n{rule}\nby = "Ann"\ndate = 2026-01-31\n'))
    made = post(server, "/games", command="a", game="chess", id="casual", players=["Ann", "Bea"])
    assert made.status_code == 200, made.text
    with api.Store(tmp_path / "games.db") as store:
        tags = dict(api.load(store, "casual").record.tags)
    assert tags["HouseRules"] == "jump | chess.reach | waived | 2026-01-31 | Ann | Kings may jump"


def test_files_have_no_form(tmp_path: Path) -> None:
    api.Store(tmp_path / "games.db").close()
    with serving(tmp_path / "games.db") as client:
        assert client.get("/new").status_code == 404
        assert "New game" not in client.get("/games").text


# --- in a browser ---


def test_a_table_is_set_up_and_a_phone_takes_its_card_up(browser: Any, whole_address: tuple[str, Path]) -> None:
    answers: list[str] = []
    pages = []
    for _ in range(3):
        page = browser.new_context(viewport=PHONE).new_page()
        page.on("pageerror", lambda fault: answers.append(str(fault)))
        pages.append(page)
    organiser, phone, thief = pages
    organiser.goto(whole_address[0])
    with organiser.expect_navigation():
        organiser.click("text=New game >> visible=true")
    with organiser.expect_navigation():
        organiser.click(".recent >> text=Cardmate")
    assert not organiser.is_visible("text=Choose")
    assert organiser.locator("input[name=players]").count() == 2
    organiser.fill("input[name=players] >> nth=0", "<b onload=alert(1)>Ada</b>")
    organiser.click("text=Open the game")
    organiser.wait_for_url("**/table")
    with organiser.expect_navigation():
        organiser.click("text=Cards for phones")
    organiser.click("text=Cards for phones")
    organiser.wait_for_selector(".cards section")
    assert organiser.locator(".cards section").count() == 6
    assert organiser.locator(".cards b").count() == 0
    hold_to_axe(organiser, (DESK, "dark"), (PHONE, "light"))
    card = organiser.locator(".cards section").nth(1)
    link = card.locator("code").text_content()
    assert card.locator("h2").text_content().startswith("Cardmate: ")
    assert re.fullmatch("link [0-9]+", card.locator("small").text_content())
    assert organiser.is_visible("text=Print the cards")
    phone.goto(link)
    phone.wait_for_url("**/games/*/table?as=p1")
    assert "as p1 sees it" in phone.content()
    assert "#" not in phone.url
    thief.goto(link)
    thief.wait_for_function("() => document.getElementById('says').textContent.includes('opens nothing now')")
    organiser.reload()
    organiser.locator("tr", has_text="p1").locator("button").click()
    organiser.wait_for_selector("td:has-text('revoked')")
    assert phone.reload().status == 404
    assert organiser.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert answers == []
    for page in pages:
        page.context.close()


def test_whoever_comes_back_to_a_new_game_sees_the_choice_its_form_is_of(
    browser: Any, whole_address: tuple[str, Path]
) -> None:
    page = browser.new_context(viewport=PHONE).new_page()
    page.goto(whole_address[0])
    with page.expect_navigation():
        page.click("text=New game >> visible=true")
    first = page.input_value("[data-at-once] [name=game]")
    assert first != "Chess"
    with page.expect_navigation():
        page.fill("[data-at-once] [name=game]", "chess")
        page.keyboard.press("Enter")
    assert page.input_value("[data-deed] [name=game]") == "chess"
    page.go_back()
    page.wait_for_function(
        "game => document.querySelector('[data-at-once] [name=game]').value === game"
        " && document.querySelector('[data-deed] [name=game]').value === game.toLowerCase()",
        arg=first,
    )
    page.context.close()


def test_a_game_opened_in_a_browser_bears_the_day_of_where_that_is(
    browser: Any, whole_address: tuple[str, Path]
) -> None:
    for zone, day in (("Pacific/Auckland", "2026.11.27"), ("America/Los_Angeles", "2026.11.26")):
        page = browser.new_context(viewport=PHONE, timezone_id=zone).new_page()
        page.clock.set_fixed_time("2026-11-26T22:18:00Z")
        page.goto(whole_address[0])
        page.goto(f"{whole_address[0].partition('/?')[0]}/new?game=Chess")
        field = page.locator("input[name='tags.Date']")
        assert field.input_value() == day.replace(".", "-")
        page.click("text=Open the game")
        page.wait_for_url("**/table")
        id = page.url.split("/")[-2]
        assert day in page.evaluate(f"fetch('/games/{id}').then((it) => it.text())")
        page.context.close()


def test_an_address_that_no_phone_can_reach_is_told_before_links_are_made(
    browser: Any, whole_address: tuple[str, Path]
) -> None:
    page = browser.new_context(viewport=PHONE).new_page()
    page.goto(whole_address[0])
    page.goto(f"{whole_address[0].partition('/?')[0]}/new?game=Chess")
    page.click("text=Open the game")
    page.wait_for_url("**/table")
    page.goto(page.url.replace("/table", "/links"))
    assert page.is_visible("text=This address works on this machine only.")
    page.fill("input[name=base]", "http://192.0.2.2:8377")
    page.wait_for_selector("text=This address works on this machine only.", state="hidden")
    page.context.close()


def test_the_form_begins_with_the_game_of_last_time(server: TestClient) -> None:
    chosen = re.compile(r'name="game" value="([^"]*)" list')
    assert chosen.findall(server.get("/new").text) == [""]
    for game in ("Draughts", "Canasta"):
        post(server, "/games", command=game, game=game, unjudged=game == "Canasta")
        assert chosen.findall(server.get("/new").text) == [game]


def test_nothing_is_chosen_in_an_empty_archive(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    api.Store(path, create=True).close()
    with serving(path, writes=True) as client:
        page = client.get("/new").text
    assert "Tap a game, or write the name of any game you play." in page
    assert 'data-deed="/games"' not in page
