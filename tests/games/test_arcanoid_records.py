"""Arcanoid's whole records, read from their text: open games, and the same as the table saw them.

A second referee and player (``arcanoid.play``, ``arcanoid.table``) writes them and says how they end; it counts the
cards at every word. HUNT=200 plays 2,000.
"""

from collections import Counter
from random import Random

import pytest

from cartulary.engine.arcanoid import pending
from cartulary.notation import canonical, dumps, examine, loads
from cartulary.testing import tables
from tests.hunts import looks
from tests.referees.arcanoid import table as arcanoid_table
from tests.referees.arcanoid.cards import TAROT

GAMES_PLAYED = looks(20)
TITLE = "Arcanoid"


def played(number: int) -> arcanoid_table.Game:
    """Return the random game of this number: each variant in turn, two to six seats besides the USA."""
    variant = arcanoid_table.VARIANTS[number % 6]
    return arcanoid_table.record(Random(f"records {number}"), 2 + number % 5, variant=variant)


def check_reading(game: arcanoid_table.Game, words: tuple[str, ...]) -> None:
    """Check that a record is legal, ends as the referee says, and reads the same from its canonical text.

    Of what lay face down, unnamed, and was never turned up it is undecided whether it was legal.
    """
    [record] = loads(tables.sheet(TITLE, game.tags | {"Score": game.score}, " ".join(words), game.result))
    examined = examine(record)
    report = examined.report
    assert report.verdict == ("undecided" if report.findings else "legal"), (game.tags, words, report.findings)
    assert words is game.table or not report.findings, (game.tags, words, report.findings)
    assert {finding.severity for finding in report.findings} <= {"undecided"}
    still = pending(examined.state).open
    assert {(finding.ply, finding.key) for finding in report.findings} <= set(still)
    never = [words[ply - 1] for ply, key in still if key == "arcanoid.face-down"]
    assert words is game.words or arcanoid_table.buried(words, never), (game.tags, words, report.findings)
    assert (report.plies, report.result) == (len(words), game.result)
    again = loads(dumps(canonical(record)))[0]
    assert [(one.ply, one.key) for one in examine(again).report.findings] == [
        (one.ply, one.key) for one in report.findings
    ]
    assert again.line.words == words


@pytest.mark.hunt
def test_random_games_are_legal_with_their_hidden_facts_and_without_them_and_end_alike() -> None:
    for number in range(GAMES_PLAYED):
        game = played(number)
        for words in (game.words, game.table):
            check_reading(game, words)


@pytest.mark.hunt
def test_at_every_word_there_are_78_cards_and_every_field_has_one_winner() -> None:
    for number in range(GAMES_PLAYED):
        game = played(number)
        referee = arcanoid_table.sit_down(game)
        for word in game.words:
            referee.say(word)
            cards = Counter(card for card in referee.all_cards() if card != "~")
            assert all(count == 1 for count in cards.values()), (game.tags, word)
            assert len(referee.all_cards()) == len(TAROT), (game.tags, word)
        referee.settle()
        rounds = referee.round + 1
        assert referee.over
        assert sum(map(int, referee.score().split(":"))) == 4 * rounds
        assert (referee.result(), referee.score()) == (game.result, game.score)
