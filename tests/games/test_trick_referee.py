"""The trick games against a second player of them, written from their pages: every card, and the count."""

import re
from random import Random
from typing import Any

import pytest

from cartulary.engine import Refused
from cartulary.engine.tricks import State
from cartulary.notation import AnyGame, examine, loads
from cartulary.notation.arbiter.replay import read_word
from cartulary.notation.roster import find_game
from cartulary.testing import tables
from tests.referees.tricks.play import Table, played

GAMES = (
    ("whist", 4),
    ("hearts", 4),
    ("spades", 4),
    ("oh-hell", 3),
    ("oh-hell", 4),
    ("oh-hell", 5),
    ("oh-hell", 7),
    ("belote", 4),
)
ANNOUNCEMENTS = {"belote": ("Belote", "Rebelote")}
GAMES_EACH = 3
"""How many games of each are played for each test."""
of_each_game = pytest.mark.parametrize(("key", "seats"), GAMES, ids=lambda value: str(value))


def examined(game: AnyGame, table: Table, words: list[str]) -> Any:
    """Return what is found of a record of a table."""
    tags = {f"Seat{seat}": "?" for seat in table.points} if game.about.key == "oh-hell" else {}
    [record] = loads(tables.sheet(game.about.title, tags, " ".join(words)))
    return examine(record)


def check_count(found: Any, table: Table) -> None:
    """Check that points and winners are those of the referee."""
    state = found.state
    assert list(state.points) == list(table.points.values())
    assert state.over == table.is_over()
    if table.is_over():
        outcome = found.heading.game.rules.outcome(state)
        assert [seat for seat, share in enumerate(outcome.shares, 1) if share] == table.winners()


@of_each_game
def test_cards_are_legal_as_the_referee_says(key: str, seats: int) -> None:
    game = find_game(key)
    for seed in range(GAMES_EACH):
        table = played(key, Random(f"{key} {seats} {seed}"), seats=seats, deals=4)
        found = examined(game, table, table.words)
        assert [each for each in found.report.findings if each.severity != "remark"] == []
        for step in found.steps:
            if step.ply in table.choices:
                announced = [f"{card}&{name}" for card in table.deck for name in ANNOUNCEMENTS.get(key, ())]
                words = {card: read_word(game, step.state, card, seats) for card in (*table.deck, *announced)}
                legal = {
                    card
                    for card, move in words.items()
                    if not isinstance(game.rules.play(step.state, move).verdict, Refused)
                }
                right = table.choices[step.ply] | table.announcements.get(step.ply, frozenset())
                assert legal == right, (seed, step.ply, step.word)
        check_count(found, table)


@of_each_game
def test_a_tables_record_breaks_no_rule_and_comes_to_the_same_points(key: str, seats: int) -> None:
    for seed in range(GAMES_EACH):
        table = played(key, Random(f"table {key} {seats} {seed}"), seats=seats, deals=99 if seed % 2 else 5)
        words = [re.sub(r"^.*>", "~,~,~>", word) for word in table.words if "*" not in word]
        found = examined(find_game(key), table, words)
        assert [each for each in found.report.findings if each.severity != "remark"] == []
        check_count(found, table)


@of_each_game
def test_cards_nobody_wrote_accuse_nobody(key: str, seats: int) -> None:
    for seed in range(GAMES_EACH + 1):
        random = Random(f"gaps {key} {seats} {seed}")
        table = played(key, random, seats=seats, deals=3)
        bids = [at for at, word in enumerate(table.words, 1) if "Bid=" in word]
        gaps = random.sample(sorted(table.choices), 2) + random.sample(bids, min(len(bids), 2))
        words = ["~" if at in gaps else word for at, word in enumerate(table.words, 1)]
        if random.random() < 0.5:
            words = [re.sub(r"^.*>", "~,~,~>", word) for word in words if "*" not in word]
        found = examined(find_game(key), table, words)
        assert [each for each in found.report.findings if each.severity == "error"] == [], seed
        if isinstance(found.state, State) and not found.state.unscored_deals:
            check_count(found, table)
