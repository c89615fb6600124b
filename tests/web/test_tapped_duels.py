"""Games of tarot duel recorded by taps alone on a phone, drawn by chance from another referee; taps are counted."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from cartulary.notation import GAMES, Step, draw, load, loads, read_heading, steps
from cartulary.notation.viewer import Everything
from cartulary.records import api
from tests.hunts import looks
from tests.places import SAMPLES
from tests.referees.tarot_duel.table import Game
from tests.referees.tarot_duel.table import record as game_by_chance
from tests.web.phones import Phone, opened, record_by_taps, steps_to
from tests.web.test_word_forms import CALLS, surface_of

Address = tuple[str, Path]
GAME = GAMES["tarot-duel"]
FAR = r"(p\d/)?(T12=)?(T0[45]=)?(T21=)?(T07|T10|T19|T21:)"
"""The words that name cards of areas other than to challenge for them; those are tapped on the drawing alone."""
CARD = re.compile("[1-9XJNQK][DSCW]|T[0-9]{2}")


def played(tags: dict[str, str], words: tuple[str, ...], seats: int) -> Iterator[Step]:
    """Yield the plies of a game."""
    text = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    [record] = loads(f'[Game "Tarot duel"]\n{text}\n{" ".join(words)} *\n')
    heading = read_heading(record)
    assert heading.sheet is not None
    yield from steps(GAME, GAME.rules.setup(heading.sheet), record.line.words, seats)


def taps(state: Any, seat: int, word: str) -> int:
    """Return by how many taps a word is written, without the keys of suits; 0 if it cannot be."""
    return len(steps_to(msgspec.to_builtins(GAME.words.touch.form(state, seat)), word) or ())


def most_taps(word: str) -> int:
    """Return how many taps a word may take: two a card that nobody has seen, and three more for what is done."""
    return 2 * len(CARD.findall(word)) + word.count("~") + 3


@pytest.mark.hunt
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_every_word_of_games_by_chance_is_tapped_by_who_writes_for_all_and_by_its_own_seat(seats: int) -> None:
    counts = []
    for number in range(looks(12)):
        game = game_by_chance(Random(f"taps {seats} {number}"), seats)
        for words in (game.words, game.table):
            for step in played(game.tags, words, seats):
                seat = step.move.seat
                count = taps(step.state, 0, step.text)
                assert 0 < count <= most_taps(step.text), (step.text, count)
                counts.append(count - len(CARD.findall(step.text)))
                if seat:
                    assert taps(GAME.hidden.view(step.state, seat), seat, step.text), (step.text, seat)
    assert len(counts) > 300
    assert sum(counts) / len(counts) < 1


def test_every_word_of_the_samples_is_tapped() -> None:
    tried = 0
    for path in sorted((SAMPLES / "tarot-duel" / "games").glob("*.cgn")):
        for record in load(path):
            heading = read_heading(record)
            assert heading.sheet is not None
            state = GAME.rules.setup(heading.sheet)
            for step in steps(GAME, state, record.line.words, heading.sheet.seats):
                assert step.text in CALLS or taps(step.state, 0, step.text), step.text
                tried += 1
    assert tried > 100


DECKS = {"Deck1": "1Cx5 2Cx5 3Cx5 T13", "Deck2": "1Dx5 2Dx5 3Dx5 T15"}
WORLDS = {
    "another hand": ("p0/p1*1C,T13 p0/p2*1D,2D *2C 1C@a", "p0/p1*1C,T13 p0/p2*1D,T15 *2C 1C@a"),
    "another deck": ("p0/p1*1C,T13,2C,1C p0/p2*1D,2D *2C 1C@a", "p0/p1*1C,T13,2C,3C p0/p2*1D,2D *2C 1C@a"),
}


@pytest.mark.parametrize("which", WORLDS)
@pytest.mark.parametrize("more", ["", "End *3D", "T13"])
def test_what_a_seat_may_tap_does_not_turn_on_what_it_cannot_see(
    store: api.Store, server: TestClient, which: str, more: str
) -> None:
    found = []
    for id, words in zip("ab", WORLDS[which], strict=True):
        api.open_game(store, api.NewRequest("tarot-duel", id=id, seats=2, tags=DECKS))
        api.play(store, id, api.WordsRequest(tuple(f"{words} {more}".split())))
        position = api.view_of(api.load(store, id), Everything()).position
        found.append((surface_of(server, store, id, "p1"), draw(position.game.words, position.state, None)))
    (seat, drawn), (other_seat, other_drawn) = found
    assert seat == other_seat
    assert drawn != other_drawn


def tags_of(game: Game) -> dict[str, str]:
    """Return the tags of a game that say what is played."""
    return {name: value for name, value in game.tags.items() if not name.startswith("Seat")}


@pytest.mark.hunt
@pytest.mark.parametrize(
    ("seats", "is_open", "quiet"), [(2, False, False), (2, True, False), (3, False, False), (2, False, True)]
)
def test_a_game_by_chance_is_recorded_by_taps(
    browser: Any, address: Address, seats: int, is_open: bool, quiet: bool
) -> None:
    game = game_by_chance(Random(f"phone {seats} {is_open}"), seats)
    words = (game.words if is_open else game.table)[: looks(60)]
    id = opened(address, "tarot-duel", f"duel-{seats}-{is_open}-{quiet}", seats=seats, tags=tags_of(game))
    if quiet:
        with api.Store(address[1]) as store:
            api.play(store, id, api.WordsRequest(words[:1]), viewer=Everything(quiet=True))
    phone = Phone(browser, address, id, "scribe")
    counts = record_by_taps(phone, words[quiet:], FAR)
    assert phone.words() == words
    for word, count in zip(words[quiet:], counts, strict=True):
        assert count <= most_taps(word), word
    phone.close()


def test_a_card_known_to_be_in_a_hand_is_one_tap_and_any_other_two(browser: Any, address: Address) -> None:
    id = opened(address, "tarot-duel", "duel-hand", seats=2, tags=DECKS)
    phone = Phone(browser, address, id, "scribe")
    begins = ("p0/p1*1C,T13", "p0/p2*1D,T15", "*2C", "1C,2C@a", "T13", "p2/T15", "End", "*3D", ":p1a=2C^1D^3C")
    words = (*begins, "1D,2D,3D,3D-", "p1/~,3C,~,~>d", "End")
    counts = record_by_taps(phone, words)
    assert phone.words() == words
    assert counts[2] <= 2
    assert counts[3:8] == [3, 2, 1, 1, 2]
    assert counts[8] <= 1 + 2 + 2 + 2
    assert counts[9] <= 5
    assert counts[10] <= 4
    phone.close()


def test_a_seat_answers_and_draws_on_its_own_phone(browser: Any, address: Address) -> None:
    id = opened(address, "tarot-duel", "duel-own", seats=2, tags=DECKS)
    with api.Store(address[1]) as store:
        api.play(store, id, api.WordsRequest(("p0/p1*1C,T13", "p0/p2*1D,T15", "*2C", "T13")))
    phone = Phone(browser, address, id, "p2")
    assert phone.tap("p2/T15") == 1
    with api.Store(address[1]) as store:
        api.play(store, id, api.WordsRequest(("End",)))
    phone.catch_up()
    assert phone.tap("*3D") <= 2
    assert phone.tap("1D,3D@a") == 3
    phone.close()
