"""Whole games recorded by taps alone at 390 px, from the first word to the end, drawn by chance; taps are counted.

``SEED`` in the environment begins the hunt with other games.
"""

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from cartulary.notation import GAMES
from cartulary.notation.viewer import Everything, viewer_of_seat
from cartulary.records import api
from cartulary.web.position import call_keys
from cartulary.web.visitors import Visitor
from tests.hunts import looks
from tests.web.phones import Phone, opened

Address = tuple[str, Path]
SEED = int(os.environ.get("SEED", "0"))
BOARDS = ("chess", "cardmate", "draughts")
"""The games in which a move is tapped on the board alone."""
FORMS = ("zarcana", "arcanoid")
LONGEST = 100
"""Plies after which a game drawn by chance is given up."""
LIT_WITHIN = 100
"""Milliseconds in which the squares of a man that is touched are lit, on a machine with nothing else to do."""


def surface(phone: Phone) -> Any:
    """Return what a phone may tap now."""
    return json.loads(str(phone.page.get_attribute("[data-live]", "data-surface")))


def keys_of(phone: Phone) -> dict[str, str]:
    """Return the calls of seats and the claims that can be tapped, each with what stands on its key."""
    return {key["word"]: key["label"] for key in surface(phone)["calls"]}


def play_by_chance(phone: Phone, chance: Random, most: int) -> list[tuple[str, int]]:
    """Tap words that the page offers, drawn by chance, until there are none; return each with its taps."""
    taps = []
    for _ in range(most):
        words = [offer["word"] for offer in surface(phone)["offers"] if not offer["says"]]
        if not words:
            break
        word = chance.choice(words)
        taps.append((word, phone.tap(word)))
        assert phone.words()[-1].rstrip("+#") == word.rstrip("+#")
    return taps


def started(browser: Any, address: Address, game: str, name: str, words: str = "") -> Phone:
    """Return a scribe's phone at a new table, at which these words were played."""
    id = opened(address, game, name, ("Ada", "Bela"), seats=2)
    if words:
        with api.Store(address[1]) as store:
            api.play(store, id, api.WordsRequest(tuple(words.split())))
    return Phone(browser, address, id, "scribe")


@pytest.mark.parametrize("game", BOARDS)
def test_a_move_on_a_board_is_two_taps_whatever_is_drawn(browser: Any, address: Address, game: str) -> None:
    phone = started(browser, address, game, f"two-taps-{game}")
    taps = play_by_chance(phone, Random(game), 10)
    assert {count for word, count in taps if "=" not in word and word.count("x") < 2} == {2}
    phone.close()


@pytest.mark.hunt
@pytest.mark.parametrize("seed", range(SEED, SEED + looks(2)))
@pytest.mark.parametrize("game", BOARDS + FORMS)
def test_a_whole_game_is_recorded_by_taps_alone(
    browser: Any, address: Address, game: str, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game that does not end by itself in time is resigned by the seat to move."""
    phone = started(browser, address, game, f"tapped-{game}-{seed}")
    taps = play_by_chance(phone, Random(f"{game} {seed}"), LONGEST)
    if keys_of(phone):
        taps.append(("Resign", phone.tap("Resign")))
        assert "resigned" in phone.page.text_content(".turn")
    assert keys_of(phone) == {}
    count = [count for _, count in taps]
    assert sum(count) / len(count) <= (2.3 if game in BOARDS else 5)
    with capsys.disabled():
        print(f"\n{game} {seed}: {len(taps)} words, {sum(count) / len(count):.2f} taps each, {max(count)} at most")
    phone.close()


@pytest.mark.parametrize(
    ("game", "words", "end", "says"),
    [
        ("chess", "f3 e5 g4", ("Qh4#",), "checkmate"),
        ("chess", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", ("Threefold",), "A draw"),
        ("chess", "e4 e5", ("Draw", "p2/Agree"), "A draw"),
        ("cardmate", "4Ci3 4Db6", ("p2/Timeout",), " beat "),
        ("draughts", "11-15 23-19", ("Resign",), " beat "),
        ("zarcana", "", ("p2/Resign",), " beat "),
        ("arcanoid", "", ("Draw", "p2/Agree"), "A draw"),
    ],
)
def test_the_end_of_a_game_is_tapped(
    browser: Any, address: Address, game: str, words: str, end: tuple[str, ...], says: str
) -> None:
    phone = started(browser, address, game, f"end-{game}-{end[0].strip('#/').replace('/', '-')}", words)
    for word in end:
        assert phone.tap(word) <= 2, word
    assert phone.words()[-1] == end[-1]
    assert says in phone.page.text_content(".turn"), phone.page.text_content(".turn")
    assert keys_of(phone) == {}
    phone.close()


def touch(phone: Phone, *squares: str) -> None:
    """Write a move of a seat that is told nothing by touching squares."""
    before = phone.version
    for square in squares:
        phone.page.click(f'[data-item="{square}"]')
    phone.written(before)


def test_who_is_to_move_may_claim_a_draw_whoever_offers_one(store: api.Store, client: TestClient) -> None:
    api.open_game(store, api.NewRequest("chess", id="g", players=("Ada", "Bela")))
    api.play(store, "g", api.WordsRequest(("Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "p2/Draw")))
    turn = client.get("/games/g/table.json").json()["turn"]
    assert turn.startswith("Ada to move, who may claim a draw with Threefold, a draw offered by Bela")


def test_who_is_offered_a_draw_agrees_by_one_tap_and_resigns_out_of_turn(browser: Any, address: Address) -> None:
    id = opened(address, "chess", "offered", ("Ada", "Bela"), seats=2)
    phones: list[Phone] = [Phone(browser, address, id, role) for role in ("p1", "p2")]
    ada, bela = phones
    touch(ada, "square e2", "square e4")
    assert set(keys_of(ada)) == {"p1/Resign", "p1/Draw", "p1/Timeout"}
    assert ada.tap("p1/Draw") == 2
    bela.catch_up()
    assert keys_of(bela)["Agree"] == "Bela agrees to the draw"
    assert "Agree" not in "".join(keys_of(ada))
    touch(bela, "square e7", "square e5")
    ada.catch_up()
    assert bela.tap("p2/Resign") == 2
    assert ada.words() == ("e4", "p1/Draw", "e5", "p2/Resign")
    for phone in phones:
        phone.close()


@pytest.mark.parametrize("words", [("Draw",), ("p1/Draw", "p2/Agree"), ("Resign",), ("p2/Timeout",)])
@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_shown_after_every_call(
    store: api.Store, client: TestClient, game: str, words: tuple[str, ...]
) -> None:
    api.open_game(store, api.NewRequest(game, id="g"))
    api.play(store, "g", api.WordsRequest(words, stands=True))
    for page in ("table", "watch", "replay", ""):
        assert client.get(f"/games/g/{page}".rstrip("/")).status_code == 200, page


@pytest.mark.parametrize("game", BOARDS + FORMS)
def test_in_a_quiet_record_the_same_calls_are_tapped_whatever_the_rules_say(address: Address, game: str) -> None:
    id = opened(address, game, f"quiet-calls-{game}", ("Ada", "Bela"), seats=2)
    with api.Store(address[1]) as store:
        api.play(store, id, api.WordsRequest(("p1/Draw",)), viewer=Everything(quiet=True))
        live = api.load(store, id)
    found = []
    for seat in (1, 2):
        viewer = viewer_of_seat(seat, quiet=True)
        keys = call_keys(api.view_of(live, viewer), Visitor(f"p{seat}", viewer, f"p{seat}"))
        found.append({key.word.rpartition("/")[2] for key in keys})
    assert found == [{"Resign", "Timeout"}, {"Resign", "Draw", "Agree", "Timeout"}]


@pytest.mark.hunt
def test_the_squares_of_a_man_are_lit_at_once(
    browser: Any, address: Address, capsys: pytest.CaptureFixture[str]
) -> None:
    phone = started(browser, address, "chess", "lit")
    took = phone.page.evaluate(
        """() => new Promise((done) => {
          const man = document.querySelector('.touch [data-item="square e2"]');
          const begun = performance.now();
          man.click();
          requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begun)));
        })"""
    )
    with capsys.disabled():
        print(f"\nlit squares after {took:.0f} ms")
    assert took < 10 * LIT_WITHIN
    phone.close()
