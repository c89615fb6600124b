"""The position on the page of a table: from which side it is drawn, what was captured, and how it is tapped."""

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.records import api
from tests.web.phones import Phone, opened

Address = tuple[str, Path]


def begin(store: api.Store, game: str, *words: str) -> None:
    api.open_game(store, api.NewRequest(game, id="g", players=("Ada", "Bela")))
    if words:
        api.play(store, "g", api.WordsRequest(words))


def squares(page: str) -> list[str]:
    """Return the squares of a board in the order in which they are read, from the upper left."""
    found = re.findall(r'data-id="square (\w+)" class="[^"]*" transform="translate\(([\d.]+),([\d.]+)\)"', page)
    return [name for name, x, y in sorted(found, key=lambda each: (float(each[2]), float(each[1])))]


@pytest.mark.parametrize(("game", "first"), [("chess", "a8"), ("cardmate", "a9"), ("draughts", "1")])
def test_a_board_is_turned(store: api.Store, client: TestClient, game: str, first: str) -> None:
    begin(store, game)
    page = client.get("/games/g/table").text
    own = squares(page)
    assert own[0] == first
    assert 'href="/games/g/table?below=p' in page
    turned = re.search(r'href="(/games/g/table\?below=p\d)"', page)
    assert turned is not None
    assert squares(client.get(turned[1]).text) == own[::-1]
    wrong = client.get("/games/g/table?below=p3")
    assert (wrong.status_code, "expected p1 or p2" in wrong.text) == (400, True)


def test_a_table_of_cards_is_not_turned(store: api.Store, client: TestClient) -> None:
    api.open_game(store, api.NewRequest("tarot", id="g", variant="fft", seats=4))
    assert "Turn the board" not in client.get("/games/g/table").text


def test_what_was_captured_stands_beside_the_board_and_the_checked_king_is_marked(
    store: api.Store, client: TestClient
) -> None:
    begin(store, "chess", "e4", "e5", "Bc4", "a6")
    before = client.get("/games/g/table").text
    assert "captured" not in before
    assert " check" not in before
    api.play(store, "g", api.WordsRequest(("Bxf7+",)))
    page = client.get("/games/g/table").text
    assert re.findall(r'<i class="([^"]*)"><svg class="drawing" [^>]* aria-label="(.)">', page) == [("p2 black", "♟")]
    assert re.findall(r'data-id="square (\w\d)" class="square empty[^"]* check"', page) == ["e8"]


def test_the_last_ply_is_marked_by_what_it_touched(store: api.Store, client: TestClient) -> None:
    begin(store, "cardmate", "4Ci3")
    for page in ("/games/g/table", "/games/g/watch", "/tables"):
        marked = re.findall(r'data-id="square (\w+)" class="[^"]* moved"', client.get(page).text)
        assert sorted(marked) == ["i3", "j2"], page
    api.play(store, "g", api.WordsRequest(("~",)))
    assert " moved" not in client.get("/games/g/table").text


def tapped(phone: Phone, *places: str) -> None:
    for place in places:
        phone.page.click(f'[data-item="square {place}"]')


def test_a_man_is_dragged_and_a_pawn_asks_what_it_becomes(browser: Any, address: Address) -> None:
    id = opened(address, "chess", "dragged", tags={"FEN": "7k/P7/8/8/8/8/8/K7 w - - 0 1", "SetUp": "1"})
    phone = Phone(browser, address, id, "scribe")
    start, end = (phone.page.locator(f'[data-item="square {square}"]').bounding_box() for square in ("a1", "b2"))
    before = phone.version
    phone.page.mouse.move(start["x"] + 9, start["y"] + 9)
    phone.page.mouse.down()
    phone.page.mouse.move(end["x"] + 20, end["y"] + 20, steps=6)
    phone.page.mouse.up()
    phone.written(before)
    assert phone.words() == ("Kb2",)
    assert phone.tap("Kg7") == 2
    tapped(phone, "a7", "a8")
    choice = phone.page.locator(".choice button").all()
    assert [button.get_attribute("aria-label") for button in choice] == ["a8=Q", "a8=R", "a8=B", "a8=N"]
    phone.page.keyboard.press("Escape")
    assert phone.page.locator(".choice").count() == 0
    tapped(phone, "a7", "a8")
    before = phone.version
    phone.page.click(".choice button[aria-label='a8=R']")
    phone.written(before)
    assert phone.words() == ("Kb2", "Kg7", "a8=R")
    phone.close()


def test_the_board_is_played_from_the_keyboard_and_says_what_stands_where(browser: Any, address: Address) -> None:
    id = opened(address, "chess", "keyed")
    phone = Phone(browser, address, id, "scribe")
    name = "() => document.activeElement.getAttribute('aria-label')"
    phone.page.focus('.touch [tabindex="0"]')
    phone.page.focus('[data-item="square e2"]')
    assert phone.page.evaluate(name) == "white pawn on e2"
    phone.page.keyboard.press("Enter")
    phone.page.keyboard.press("ArrowUp")
    assert phone.page.evaluate(name) == "e3, empty, may go there"
    phone.page.keyboard.press("ArrowUp")
    before = phone.version
    phone.page.keyboard.press("Enter")
    phone.written(before)
    assert phone.words() == ("e4",)
    phone.close()


def test_an_illegal_square_says_why_and_can_stand(browser: Any, address: Address) -> None:
    id = opened(address, "chess", "why")
    phone = Phone(browser, address, id, "scribe")
    tapped(phone, "g1", "g3")
    phone.says("chess.")
    assert phone.page.input_value("#words") == "Ng1g3"
    before = phone.version
    phone.page.click("[data-stands]")
    phone.written(before)
    assert phone.words() == ("Ng1g3",)
    phone.close()
