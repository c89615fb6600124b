"""Correcting a record from its page at the desk: what is offered to whom, and what each request answers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.records import api
from tests.cli.test_replay_in_browser import DESK, PHONE, SMALL, hold_to_axe
from tests.programs import served
from tests.web.phones import opened
from tests.web.served import HEADER, by_link, serving

OFFER = "Correct this record"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    with api.Store(path) as store:
        api.open_game(store, api.NewRequest("chess", id="g", players=("Ann", "Bea")))
        api.play(store, "g", api.WordsRequest(("e4", "e5", "Nf3")))
        api.record_result(store, api.ResultRequest("Catan", ("Ann=10", "Bea=7"), id="c"))
    return path


@pytest.fixture
def server(archive: Path) -> Iterator[TestClient]:
    with serving(archive, writes=True) as client:
        yield client


def post(client: TestClient, path: str, **body: object) -> Any:
    return client.post(f"/games/{path}", json={"command": str(body)} | body, headers=HEADER)


def test_the_page_offers_the_operator_what_the_game_can_take(server: TestClient) -> None:
    open_page, closed_page = server.get("/games/g").text, server.get("/games/c").text
    for offered in ("/undo", "/tags", "/seat", "/aside"):
        assert f'data-deed="/games/g{offered}"' in open_page
    assert 'data-deed="/games/g/reopen"' not in open_page
    assert 'data-deed="/games/g/redo"' not in open_page
    for offered in ("/reopen", "/tags", "/aside"):
        assert f'data-deed="/games/c{offered}"' in closed_page
    assert 'data-deed="/games/c/undo"' not in closed_page
    assert 'name="tags.Points" value="10:7"' in closed_page
    assert post(server, "g/undo", to=1).status_code == 200
    assert '<p class="undone">e5 Nf3</p>' in server.get("/games/g").text
    assert 'name="to" data-as="number" inputmode="numeric" value="0"' in server.get("/games/g").text


def test_nobody_else_is_offered_it(server: TestClient, archive: Path) -> None:
    roles = ("p1", "scribe", "arbiter", "rail")
    made = post(server, "g/links", base="https://desk.example", roles=roles).json()
    for role, link in zip(roles, made, strict=True):
        browser = by_link(server, link["url"])
        assert OFFER not in browser.get(f"/games/g?as={role}").text
        for path, body in (("tags", {"tags": {"Event": "x"}}), ("reopen", {})):
            sent = {"command": "a"} | body
            assert (
                browser.post(f"/games/g/{path}?as={role}", json=sent, headers={"x-cartulary-desk": "1"}).status_code
                == 404
            )
    with serving(archive) as client:
        assert OFFER not in client.get("/games/g").text
    with serving(archive, 1, writes=True) as client:
        assert OFFER not in client.get("/games/g").text


def test_names_and_points_are_corrected_and_a_game_is_opened_again(server: TestClient) -> None:
    first = post(server, "g/tags", tags={"p1": "Anna"})
    assert first.status_code == 200, first.text
    assert post(server, "g/tags", tags={"p1": "Anna"}).json() == first.json()
    assert "Anna – Bea" in server.get("/games/g").text
    assert dict(post(server, "g/tags", tags={"Event": "Club"}).json()["tags"])["Event"] == "Club"
    assert "Event" not in dict(post(server, "g/tags", tags={"Event": ""}, command="away").json()["tags"])
    points = post(server, "c/tags", tags={"Points": "6:7"}, reason="added up wrongly")
    assert points.status_code == 200, points.text
    assert "Bea won." in server.get("/games/c").text
    assert post(server, "c/reopen", reason="too early").status_code == 200
    assert "<b>Open.</b>" in server.get("/games/c").text


@pytest.mark.parametrize(
    ("path", "body", "status", "because"),
    [
        ("g/tags", {"tags": {}}, 400, "There is no tag to write"),
        ("g/tags", {"tags": {"Event": 7}}, 400, "must be text"),
        ("g/tags", {}, 400, "`tags` is missing"),
        ("g/tags", {"tags": {"Event": "x"}, "tag": "x"}, 400, "unknown field `tag`"),
        ("g/tags", {"tags": {"Event": "x"}, "expected": 1}, 409, "version"),
        ("c/tags", {"tags": {"Points": "many"}, "reason": "x"}, 400, "many"),
        ("g/reopen", {}, 409, "g is not closed"),
        ("nope/reopen", {}, 404, "There is no game nope"),
        ("nope/tags", {"tags": {"Event": "x"}}, 404, "There is no game nope"),
        ("g/undo", {"to": 3}, 409, "No ply of g stands after ply 3"),
        ("g/redo", {}, 409, "Nothing can be played again in g"),
        ("g/seat", {"place": "p9", "player": "Cy"}, 400, "'p9' is not a seat of g"),
        ("g/aside", {}, 400, "Say why g is set aside"),
    ],
)
def test_what_cannot_be_corrected_is_a_sentence(
    server: TestClient, path: str, body: dict[str, object], status: int, because: str
) -> None:
    answer = post(server, path, **body)
    assert (answer.status_code, because in answer.json()["error"]) == (status, True), answer.text


# --- in a browser ---


def test_a_new_spelling_of_a_known_name_is_asked_about_until_it_is_confirmed(server: TestClient, archive: Path) -> None:
    doors: tuple[tuple[str, str, str, dict[str, object]], ...] = (
        ("g/seat", "ann", "Ann", {"place": "p2", "player": "ann"}),
        ("c/tags", "ANN", "Ann", {"tags": {"p2": "ANN"}}),
        ("g/tags", "BÉA", "Bea", {"tags": {"Black": "BÉA"}}),
    )
    for path, name, known, body in doors:
        before = server.get("/games/g.json").json()
        for _ in range(2):
            asked = post(server, path, **body)
            assert (asked.status_code, asked.json()["similar"]) == (409, {name: known})
        assert server.get("/games/g.json").json() == before
        other = post(server, path, **body, new_names=["Zoe"])
        assert other.status_code == 409, "another name was confirmed"
        done = post(server, path, **body, new_names=[name])
        assert (done.status_code, post(server, path, **body, new_names=[name]).json()) == (200, done.json())
    assert post(server, "g/tags", tags={"White": "Davd"}).status_code == 200
    assert post(server, "g/tags", tags={"White": "David"}).status_code == 200, "that is the correction of a slip"
    assert post(server, "g/tags", tags={"Black": "Davdi"}).json()["similar"] == {"Davdi": "David"}
    assert post(server, "g/tags", tags={"Event": "ann"}).status_code == 200
    scribe = by_link(server, post(server, "g/links", base="https://desk.example", roles=["scribe"]).json()[0]["url"])
    sent = {"command": "s", "place": "p1", "player": "BEA", "ply": 3}
    sat = scribe.post("/games/g/seat?as=scribe", json=sent, headers={"x-cartulary-desk": "1"})
    assert sat.status_code == 200, sat.text


def test_a_record_is_corrected_step_by_step_on_its_page(browser: Any, whole_address: tuple[str, Path]) -> None:
    id = opened(whole_address, "chess", "correct", ("Ann", "Bea"))
    with api.Store(whole_address[1]) as store:
        api.play(store, id, api.WordsRequest(("e4", "e5", "Nf3", "Nc6")))
    page = browser.new_context(viewport=PHONE).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(whole_address[0])
    base = whole_address[0].partition("/?")[0]

    def correct(summary: str, button: str, **fields: str) -> None:
        page.goto(f"{base}/games/{id}")
        page.click(f"summary >> text={OFFER}")
        form = page.locator(".changes details", has=page.locator(f"summary:text-is('{summary}')"))
        form.locator("summary").click()
        for name, value in fields.items():
            form.locator(f"[name='{name}']").fill(value)
        with page.expect_navigation():
            form.locator(f"button:text-is('{button}')").click()

    def game() -> "api.LiveGame":
        with api.Store(whole_address[1]) as store:
            return api.load(store, id)

    correct("Take back", "Take back to this ply", to="1")
    assert game().words == ("e4",)
    correct("Play again what was taken back", "Play again")
    assert len(game().words) == 4
    correct("Names, date", "Correct", **{"tags.p2": "Beatrice", "tags.Event": "Club"})
    assert (game().record.tag("Black"), game().record.tag("Event")) == ("Beatrice", "Club")
    correct("Somebody else sat down", "Write it", player="Cy", ply="3")
    assert "Cy" in page.inner_text("main")
    correct("Set it aside", "Set it aside", reason="entered twice")
    assert game().book.set_aside
    correct("Count it again", "Count it again")
    assert not game().book.set_aside
    with api.Store(whole_address[1]) as store:
        api.close(store, id, api.CloseRequest(result="1-0"))
    correct("Open again", "Open the game again", reason="played on")
    assert not game().book.closed
    page.click(f"summary >> text={OFFER}")
    page.evaluate("document.querySelectorAll('.changes details').forEach((each) => each.open = true)")
    hold_to_axe(page, (DESK, "dark"), (PHONE, "light"))
    assert page.evaluate(SMALL) == []
    assert faults == []
    page.context.close()


def test_a_result_is_edited_with_a_box_for_each_person(browser: Any, archive: Path) -> None:
    with api.Store(archive) as store:
        api.record_result(store, api.ResultRequest("chess", ("Ann=1", "Bea=0"), id="w"))
        sheet = {"Walls": "20:18", "Floor": "-3:0"}
        api.record_result(store, api.ResultRequest("Azul", ("Ann", "Bea"), id="a", categories=sheet))
    with served("--db", str(archive)) as url:
        page = browser.new_page(viewport=PHONE)
        page.goto(url)
        base = url.partition("/?")[0]
        page.goto(f"{base}/games/c#edit")
        page.get_by_label("Points of Bea").fill("17,5")
        page.fill("#edit input[name='tags.p1']", "Anna")
        hold_to_axe(page, (DESK, "light"), (PHONE, "dark"))
        with page.expect_navigation():
            page.click("#edit button")
        page.fill("#edit input[name='tags.Date']", "2026-11-20")
        with page.expect_navigation():
            page.click("#edit button")
        page.goto(f"{base}/games/w#edit")
        for at in (0, 1):
            page.fill(f"#edit input[name=numbers] >> nth={at}", "½")
        page.fill("#edit input[name=reason]", "it was a draw")
        with page.expect_navigation():
            page.click("#edit button")
        page.goto(f"{base}/games/a#edit")
        page.get_by_label("Floor of Bea").fill("-5")
        with page.expect_navigation():
            page.click("#edit button")
        page.goto(f"{base}/games/g")
        assert page.locator("#edit").count() == 0
        page.close()
    with api.Store(archive) as store:
        catan = api.load(store, "c")
        tags = [catan.record.tag(name) for name in ("Points", "Seat1", "Date")]
        assert (tags, catan.book.result) == (["10:35/2", "Anna", "2026.11.20"], "0-1")
        assert "the result was entered wrongly" in " ".join(line.says for line in api.log(store, "c"))
        drawn = api.load(store, "w")
        assert (drawn.book.result, drawn.book.closed) == ("1/2-1/2", True)
        assert "it was a draw" in " ".join(line.says for line in api.log(store, "w"))
        assert api.load(store, "a").record.tag("Categories") == "Walls=20:18; Floor=-3:-5"


def test_a_result_is_closed_again_only_for_another(server: TestClient, archive: Path) -> None:
    with api.Store(archive) as store:
        api.record_result(store, api.ResultRequest("chess", ("Ann=1", "Bea=0"), id="w"))
    same = post(server, "w/numbers", numbers=["1", "0"], reason="mine")
    assert (same.status_code, "nothing would change" in same.json()["error"]) == (409, True)
    for _ in range(2):
        assert post(server, "w/numbers", numbers=["0", "1"], reason="mine").json()["result"] == "0-1"
    played = post(server, "g/numbers", numbers=["0", "1"], reason="mine")
    assert (played.status_code, "no closed game without moves" in played.json()["error"]) == (409, True)


def test_the_page_of_a_game_that_nobody_judges_corrects_its_name(server: TestClient) -> None:
    assert 'name="tags.Game"' in server.get("/games/c").text
    assert 'name="tags.Game"' not in server.get("/games/g").text
    assert post(server, "c/tags", tags={"Game": "Carcassonne"}).status_code == 200
    assert "Carcassonne" in server.get("/games/c").text
