"""Zarcana's whole records, read from their text: open games, and the same as the table saw them.

A second referee and player (``zarcana.play``, ``zarcana.table``) writes them and says how they end; it counts cards,
pyramids and the spaces minions stand on at every word. HUNT=200 plays 2,000.
"""

import pytest

from cartulary.notation import canonical, dumps, examine, loads
from cartulary.testing import tables
from tests.hunts import looks
from tests.referees.zarcana import table as zarcana_table

GAMES_PLAYED = looks(20)
TITLE = "Zarcana"


@pytest.mark.hunt
def test_random_games_are_legal_with_their_hidden_facts_and_without_them_and_end_alike() -> None:
    for number in range(GAMES_PLAYED):
        game = zarcana_table.random_game(str(number))
        tags = game.tags | {"Score": game.score}
        for words in (game.words, game.table):
            [record] = loads(tables.sheet(TITLE, tags, " ".join(words), game.result))
            report = examine(record).report
            assert (report.verdict, report.findings) == ("legal", ()), (number, report.findings)
            assert (report.plies, report.result) == (len(words), game.result)
            again = loads(dumps(canonical(record)))[0]
            assert examine(again).report.findings == ()
            assert again.line.words == words
