"""One earlier ply is corrected on the page of a table: found on a struck key, tapped anew, the rest judged."""

import json
from pathlib import Path
from typing import Any

import pytest

from cartulary.records import api
from tests.cli.test_replay_in_browser import PHONE, hold_to_axe
from tests.web.phones import Phone, opened
from tests.web.served import serving
from tests.web.test_streams import shown
from tests.web.test_table import OWN

Address = tuple[str, Path]
TRICK = "Pass Pass Pass Garde ~,~,~,~,~,~- 7H 8H 9H XH"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    with api.Store(path) as store:
        tags = {"Variant": "fft"}
        api.open_game(store, api.NewRequest("tarot", id="g", players=("Ann", "Bruno", "Cy", "Dora"), tags=tags))
        api.play(store, "g", api.WordsRequest(TRICK))
    return path


def test_a_correction_is_tried_stored_and_told(db: Path) -> None:
    with serving(db, writes=True) as server:

        def amend(**body: object) -> Any:
            return server.post("/games/g/amend", json={"command": f"{body}"} | body, headers=OWN)

        tried = amend(ply=6, plies=1, words="6H", dry=True).json()
        assert (tried["says"], tried["kind"]) == (["♥7 would be ♥6.", "Plies 7–9 are still legal."], "legal")
        assert amend(ply=6, plies=1, words="nonsense", dry=True).json()["kind"] == "error"
        again = amend(ply=6, plies=1, words="8H", dry=True).json()
        assert (again["stored"], again["conflict"]) == (True, 7)
        assert again["says"][-1].startswith("Ply 7, 8H, breaks tarot.in-hand: ")
        with api.Store(db) as store:
            assert api.load(store, "g").words[5] == "7H"
        for _ in range(2):
            assert amend(ply=6, plies=1, words="6H").json()["says"][0] == "♥7 is now ♥6."
        with api.Store(db) as store:
            assert api.load(store, "g").words[5:] == ("6H", "8H", "9H", "XH")
        assert amend(ply=99, words="6H").status_code == 409


def test_the_page_of_a_ply_shows_the_table_before_it(db: Path) -> None:
    with serving(db, writes=True) as server:
        page = server.get("/games/g/table?correct=6").text
        assert ">Correct ♥7: Ann, trick 1</p>" in page
        assert 'data-correct="6"' in page
        assert "data-once" not in page
        assert server.get("/games/g/table?correct=99").status_code == 400
        assert "table?correct=6" in server.get("/games/g/plies/6").text


def test_a_seat_corrects_nothing(db: Path) -> None:
    from tests.web.served import by_link

    with serving(db, writes=True) as server, api.Store(db) as store:
        seat = by_link(server, api.make_links(store, "g", api.LinksRequest(("p1",)))[0].secret)
        assert seat.get("/games/g/table?correct=6").status_code == 400
        assert (
            seat.post("/games/g/amend", json={"command": "a", "ply": 6, "words": "6H"}, headers=OWN).status_code == 404
        )
        assert "data-correcting" not in seat.get("/games/g/table").text


def test_a_card_is_corrected_from_its_struck_key(browser: Any, address: Address) -> None:
    id = opened(address, "tarot", "struck", ("Ann", "Bruno", "Cy", "Dora"), tags={"Variant": "fft"})
    with api.Store(address[1]) as store:
        api.play(store, id, api.WordsRequest(TRICK))
    phone = Phone(browser, address, id, "scribe")
    page = phone.page
    page.click(".suits button:text-is('♥')")
    page.click(".keypad [data-word='7H']")
    shown(page, "[data-says]", "♥7: Ann, trick 1. Correct it?")
    phone.type("7h")
    phone.says("♥7: Ann, trick 1.")
    with page.expect_navigation():
        page.click("[data-says] a")
    shown(page, ".turn", "Correct ♥7: Ann, trick 1")
    hold_to_axe(page, (PHONE, "light"))
    page.click(".suits button:text-is('♥')")
    page.click(".keypad [data-word='8H']")
    phone.says("First conflict at ply 7")
    assert phone.words()[5] == "7H"
    page.click(".keypad [data-word='6H']")
    shown(page, "[data-done]", "♥7 is now ♥6.")
    shown(page, "[data-done]", "Plies 7–9 are still legal.")
    assert phone.words()[5:] == ("6H", "8H", "9H", "XH")
    with page.expect_navigation():
        page.click("text=Go on recording")
    page.click(".suits button:text-is('♥')")
    assert json.loads(str(page.get_attribute("[data-live]", "data-surface")))["keypad"]["open_cards"][:1] == ["6H"]
    phone.tap("7H")
    assert phone.words()[-1] == "7H"
    phone.close()
