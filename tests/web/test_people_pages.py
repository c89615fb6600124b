"""People in a browser: the list, a person's page, and names merged, renamed and split by forms."""

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

GAMES = (
    ("Catan", ("Ann=10", "Bea=7", "Cy=7"), "2025.11.05"),
    ("Catan", ("ann=3", "Bea=10", "Cy=8"), "2026.02.05"),
    ("chess", ("Ann=1/2", "Cy=1/2"), "2026.03.01"),
    ("Skull King", ("Bea=-40", "Annabel=120"), "2026.02.05"),
)


def filled(path: Path) -> Path:
    with Store(path, create=True) as store:
        for number, (game, players, date) in enumerate(GAMES):
            api.record_result(store, api.ResultRequest(game=game, players=players, date=date, id=f"g{number}"))
        api.open_game(store, api.NewRequest("cardmate", id="g9", players=("Ann", "<b>Di/Dee</b>")))
    return path


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return filled(tmp_path / "games.db")


def bare(text: str) -> str:
    return unescape(text).replace("<bdi>", "").replace("</bdi>", "")


def test_the_list_is_what_the_command_prints(client: TestClient, db: Path) -> None:
    printed = [json.loads(line) for line in runner(db)("people", "--json").stdout.splitlines()]
    assert client.get("/people.json").json() == {"people": printed}
    text = client.get("/people").text
    assert text.index(">Bea</a>") < text.index(">Annabel</a>")
    assert "6 people" in text
    some = client.get("/people?name=ann").text
    assert all(name in some for name in (">Ann<", ">ann<", ">Annabel<"))
    assert ">Bea<" not in some
    assert "Nobody is called so" in client.get("/people?name=zz").text


def test_a_person_has_results_as_the_standings_have_them(client: TestClient) -> None:
    catan = {row["name"]: row for row in client.get("/standings.json?game=Catan").json()["rows"]}
    fields = client.get("/person.json?name=Bea").json()
    assert fields["person"] == {"name": "Bea", "games": 3, "also": []}
    [first, second] = fields["results"]
    assert (first["game"], int(first["points"]), int(first["rank"])) == ("Catan", 17, catan["Bea"]["rank"])
    assert (second["game"], second["points"], second["best"]) == ("Skull King", "-40", "-40")
    assert [each["game"]["id"] for each in fields["games"]] == ["g3", "g1", "g0"]
    text = client.get("/person?name=Bea").text
    assert 'href="/games/g1"' in text
    assert ">−40<" in text
    assert "2nd of 3" in text
    assert client.get("/person?name=Cy").text.count("drawn") == 1


def test_a_person_is_nobody_who_has_a_longer_name(client: TestClient) -> None:
    fields = client.get("/person.json?name=Ann").json()
    assert [each["game"]["id"] for each in fields["games"]] == ["g9", "g2", "g0"]
    assert "g3" not in client.get("/person?name=Ann").text


def test_markup_and_slashes_in_a_name_are_text(client: TestClient) -> None:
    answer = client.get("/person", params={"name": "<b>Di/Dee</b>"})
    assert answer.status_code == 200
    assert "<b>Di" not in answer.text
    assert 'href="/person?name=%3Cb%3EDi%2FDee%3C%2Fb%3E"' in client.get("/people").text


def send(client: TestClient, what: str, **body: str) -> Any:
    return client.post(f"/people/{what}", json={"command": repr(body), **body})


def test_names_are_merged_renamed_and_split(client: TestClient) -> None:
    merged = send(client, "merge", name="ann", into="Ann")
    assert merged.json() == {"name": "Ann", "games": 4, "also": ["ann"]}
    assert send(client, "merge", name="ann", into="Ann").json() == merged.json()
    text = client.get("/person?name=ann").text
    assert "<h1>Ann</h1>" in text
    assert "Split off ann" in text
    assert ">13<" in text
    assert send(client, "rename", name="Ann", to="Ann Lee").json()["name"] == "Ann Lee"
    assert "Ann Lee" in client.get("/standings?game=Catan").text
    assert send(client, "split", name="Ann").json()["name"] == "Ann"
    assert {"Ann", "Annabel", "Bea", "Cy"} < {each["name"] for each in client.get("/people.json").json()["people"]}


def test_what_cannot_be_is_a_sentence_and_stores_nothing(client: TestClient) -> None:
    send(client, "merge", name="ann", into="Ann")
    before = client.get("/people.json").json()
    wrong: tuple[tuple[str, dict[str, str], int, str], ...] = (
        ("merge", {"name": "Ann", "into": "ann"}, 409, "ann is shown as Ann already; "),
        ("merge", {"name": "Ann", "into": "Zoe"}, 400, "Nobody is called Zoe"),
        ("merge", {"name": "Ann", "into": "Ann"}, 400, "is that name already"),
        ("rename", {"name": "Ann", "to": "Bea"}, 400, "Bea is somebody already"),
        ("rename", {"name": "Ann", "to": "?"}, 400, "is no name"),
        ("split", {"name": "Bea"}, 409, "Bea is not merged"),
        ("split", {}, 400, "missing"),
    )
    for what, body, status, says in wrong:
        answer = send(client, what, **body)
        assert (answer.status_code, says in answer.json()["error"]) == (status, True), (what, body, answer.text)
    assert client.get("/people.json").json() == before
    assert client.get("/person").status_code == client.get("/person.json").status_code == 400
    nobody = client.get("/person?name=Zoe")
    assert (nobody.status_code, "Nobody is called Zoe" in bare(nobody.text)) == (404, True)
    assert client.get("/person?name=Ann&offset=x").status_code == 400


def test_only_who_may_write_has_forms(db: Path) -> None:
    with serving(db) as client:
        assert "data-deed" not in client.get("/person?name=Ann").text
        assert client.post("/people/split", json={"command": "c", "name": "Ann"}).status_code in (404, 405)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_server_that_shows_a_seats_view_shows_nobody(db: Path, seat: int) -> None:
    with serving(db, seat) as client:
        for path in ("/people", "/people.json", "/person?name=Ann", "/person.json?name=Ann"):
            answer = client.get(path)
            assert (answer.status_code, "Ann" in answer.text) == (403, False), path
        assert 'href="/people"' not in client.get("/games").text


def test_a_link_opens_nobodys_page(db: Path) -> None:
    with serving(db, key=None, writes=True) as client:
        with Store(db) as store:
            [made] = api.make_links(store, "g9", api.LinksRequest(("arbiter",)))
        arbiter = by_link(client, made.secret)
        for path in ("/people", "/people.json", "/person?name=Ann", "/person.json?name=Ann", "/standings", "/explore"):
            assert (arbiter.get(path).status_code, "Ann" in arbiter.get(path).text) == (404, False), path
        answer = arbiter.post("/people/split", json={"command": "c", "name": "a"}, headers={"x-cartulary-desk": "1"})
        assert answer.status_code == 404


def test_a_spelling_is_merged_in_a_browser(browser: Any, db: Path) -> None:
    with served("--db", str(db)) as url:
        page = browser.new_page(viewport=PHONE)
        page.goto(url)
        base = url.partition("/?")[0]
        page.goto(f"{base}/people")
        hold_to_axe(page, (DESK, "light"), (PHONE, "dark"))
        with page.expect_navigation():
            page.click("a:text-is('ann')")
        page.click("text=Another spelling of somebody else")
        page.fill("input[name=into]", "Zoe")
        page.click("button:text('Merge')")
        page.wait_for_selector(".says:has-text('Nobody is called Zoe')")
        page.fill("input[name=into]", "Ann")
        with page.expect_navigation():
            page.click("button:text('Merge')")
        assert page.inner_text("h1") == "Ann"
        assert "also ann" in page.inner_text("header")
        hold_to_axe(page, (DESK, "light"), (PHONE, "dark"))
        assert page.evaluate(SMALL) == []
        page.close()
