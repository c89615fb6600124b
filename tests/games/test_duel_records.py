"""Tarot duel's whole records, read from their text: open games, and the same as the table saw them.

A second referee and player (``tarot_duel.play``, ``tarot_duel.table``) writes them and says how they end. HUNT=200
plays 2,000.
"""

from collections import Counter
from random import Random

import pytest

from cartulary.notation import canonical, dumps, examine, loads
from cartulary.testing import tables
from tests.hunts import looks
from tests.referees.tarot_duel import table as duel_table

GAMES_PLAYED = looks(20)
TITLE = "Tarot duel"


def played(number: int) -> duel_table.Game:
    """Return the random game of this number: two to four seats, at times up to ten; every tenth aims at two suits."""
    seats = 2 + number % 3 if number % 7 else 5 + number // 7 % 6
    return duel_table.record(Random(f"records {number}"), seats, calm=number % 10 == 9)


@pytest.mark.hunt
def test_random_games_are_legal_with_their_hidden_facts_and_without_them_and_end_alike() -> None:
    ends: Counter[str] = Counter()
    for number in range(GAMES_PLAYED):
        game = played(number)
        tags = game.tags | {"Score": game.score}
        for words in (game.words, game.table):
            [record] = loads(tables.sheet(TITLE, tags, " ".join(words), game.result))
            report = examine(record).report
            assert (report.verdict, report.findings) == ("legal", ()), (number, report.findings)
            assert (report.plies, report.result) == (len(words), game.result)
            again = loads(dumps(canonical(record)))[0]
            assert examine(again).report.findings == ()
            assert again.line.words == words
        ends[game.key] += 1
    assert len(ends) > 1, ends
