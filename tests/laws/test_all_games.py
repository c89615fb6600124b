"""Every bundled game, found as others' games are, is held to the laws of ``cartulary.testing``."""

from collections import Counter
from random import Random
from typing import Any

from cartulary.engine.calls import CALL_CLAUSES
from cartulary.notation.cardmate import format_layout
from cartulary.notation.roster import BUNDLED
from cartulary.testing import Laws, tables
from cartulary.testing.game import Sheet
from tests.laws.worlds import GAMES as REFEREES
from tests.places import SAMPLES


class Refereed(Laws):
    """A game played by the referee of the tests, which shares nothing with the rules."""

    def played(self, random: Random) -> Sheet:
        opened = REFEREES[self.key][1](random)
        return opened.tags, opened.words


class TestArcanoid(Refereed):
    key, samples = "arcanoid", SAMPLES / "arcanoid"
    unsaid = "T02>|T1[789]>"


class TestCardmate(Laws):
    key, samples = "cardmate", SAMPLES / "cardmate"

    def drawn(self, state: Any) -> tuple[str, ...]:
        """Return the ten ranks as the Setup tag writes them."""
        return tuple(format_layout(state.board, 1).split(" / "))


class TestDraughts(Laws):
    key, samples = "draughts", SAMPLES / "draughts"


class TestTarot(Refereed):
    key, samples = "tarot", SAMPLES / "tarot"


class TestTarotDuel(Refereed):
    key, samples = "tarot-duel", SAMPLES / "tarot-duel"


class TestZarcana(Refereed):
    key, samples = "zarcana", SAMPLES / "zarcana"
    unsaid = "T11>|>p[0-9]"


HELD: tuple[type[Laws], ...] = (TestArcanoid, TestCardmate, TestDraughts, TestTarot, TestTarotDuel, TestZarcana)


def test_every_bundled_game_is_held_to_the_laws() -> None:
    assert {held.key for held in HELD} == set(BUNDLED)


def test_every_rule_of_the_calls_is_refused_or_ends_a_game_in_some_row() -> None:
    refused: Counter[str] = Counter()
    for held in HELD:
        refused.update(row.refused for row in tables.rules(held.folder()).move)
        refused.update(row.key for row in tables.rules(held.folder()).ending)
    assert [clause.key for clause in CALL_CLAUSES if not refused[clause.key]] == []
