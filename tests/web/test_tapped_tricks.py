"""Deals of the trick games recorded by taps alone on a phone, drawn by chance by the referee; taps are counted."""

import re
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from cartulary.notation import AnyGame, examine, loads
from cartulary.notation.roster import find_game
from cartulary.testing import tables
from tests.referees.tricks.play import Table, played
from tests.web.phones import Phone, opened, record_by_taps, steps_to

Address = tuple[str, Path]
GAMES = (("whist", 4), ("hearts", 4), ("spades", 4), ("oh-hell", 3), ("oh-hell", 4), ("oh-hell", 7), ("belote", 4))
of_each_game = pytest.mark.parametrize(("key", "seats"), GAMES, ids=lambda value: str(value))


def table_words(table: Table) -> tuple[str, ...]:
    """Return what everybody at a table has seen: no hands, and cards passed unseen."""
    return tuple(re.sub(r"^.*>", "~,~,~>", word) for word in table.words if "*" not in word)


def plies(game: AnyGame, seats: int, words: tuple[str, ...]) -> Any:
    """Return the steps of a record."""
    tags = {f"Seat{seat}": "?" for seat in range(1, seats + 1)} if game.about.key == "oh-hell" else {}
    [record] = loads(tables.sheet(game.about.title, tags, " ".join(words)))
    return examine(record).steps


def taps(game: AnyGame, state: Any, seat: int, word: str) -> list[tuple[str, str]]:
    """Return what is tapped to write a word, without the keys of suits."""
    return steps_to(msgspec.to_builtins(game.words.touch.form(state, seat)), word) or []


@of_each_game
def test_every_word_of_deals_drawn_by_chance_is_tapped(key: str, seats: int) -> None:
    game = find_game(key)
    for seed in range(3):
        table = played(key, Random(f"tapped {key} {seats} {seed}"), seats=seats, deals=2)
        for words in (tuple(table.words), table_words(table)):
            for step in plies(game, seats, words):
                found = taps(game, step.state, 0, step.text)
                assert found, step.text
                assert len(found) == 1 or step.text not in table.deck, step.text
                seat = step.move.seat
                if seat:
                    assert taps(game, game.hidden.view(step.state, seat), seat, step.text), step.text


@pytest.mark.hunt
@of_each_game
def test_a_deal_with_unknown_hands_is_recorded_by_taps(browser: Any, address: Address, key: str, seats: int) -> None:
    table = played(key, Random(f"phone {key} {seats}"), seats=seats, deals=1)
    words = table_words(table)
    id = opened(address, key, f"taps-{key}-{seats}", seats=seats)
    phone = Phone(browser, address, id, "scribe")
    found = record_by_taps(phone, words)
    assert phone.words() == words
    assert all(count <= 2 for word, count in zip(words, found, strict=True) if word in table.deck)
    phone.close()


def test_passes_and_the_first_cards_of_hearts_are_tapped(browser: Any, address: Address) -> None:
    id = opened(address, "hearts", "passes")
    phone = Phone(browser, address, id, "scribe")
    words = ("~,~,~>p2", "~,~,~>p3", "~,~,~>p4", "~,~,~>p1", "p3/2C", "5C", "~", "KC", "JD")
    record_by_taps(phone, words)
    assert phone.words() == words
    phone.close()
