"""Figure ``question``: whether a deal fits all that is known, asked after each trick of a deal of Tarot."""

import sys
import time
from pathlib import Path

from corpora import Corpora
from figures import Figure, Reach, by_turns, figure

from cartulary.engine import Refused, tarot
from cartulary.engine.cards import layouts
from cartulary.engine.cards.layouts import Fact, Places, homes_of, misfit
from cartulary.notation import load, read_heading, steps
from cartulary.notation.roster import GAMES

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.referees.tarot import proof as tarot_proof

ASKED = 40


def asking(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure the question after every trick of table records, against a matching card by card in the tests."""
    asked = [state for path in [corpora.tarot(games, "table")] for state in _states(path)][:ASKED]
    tables = [(Places((1 << 78) - 1, state.options.sizes), state.facts) for state in asked]
    places = [_places(table, facts) for table, facts in tables]

    def ours() -> float:
        layouts._overfull.cache_clear()  # every question is asked for the first time
        start = time.process_time()
        for table, facts in tables:
            assert misfit(table, homes_of(table, facts)) is None
        return 1000 * (time.process_time() - start) / len(tables)

    def rival() -> float:
        start = time.process_time()
        for (table, _), read in zip(tables, places, strict=True):
            assert tarot_proof.fits(len(table.sizes) - 1, table.sizes[-1], read)
        return 1000 * (time.process_time() - start) / len(tables)

    how = "engine.cards.layouts on the facts of a deal after each trick; the rival is the tests' augmenting matching"
    what = "asking once whether a deal fits, against matching its cards to places one by one"
    sizes = {"questions": len(tables)}
    return [figure("question", what, "ms", by_turns(rounds, ours, rival), Reach("<", 2, "ms"), sizes, how)]


def _states(path: Path) -> list[tarot.State]:
    """Return the states of tarot games in which a new trick begins."""
    found: list[tarot.State] = []
    for record in load(str(path)):
        heading = read_heading(record)
        assert heading.sheet is not None
        state = tarot.setup(heading.sheet)
        assert not isinstance(state, Refused)
        played = steps(GAMES["tarot"], state, record.line.words, heading.sheet.seats)
        found += [step.after for step in played if step.after.phase == "play" and not step.after.trick_cards]
    return found


def _places(table: Places, facts: tuple[Fact, ...]) -> dict[str, frozenset[int]]:
    """Return the possible places of each card as the tests name them: by the card's name, seats from 1, the
    discards 0.
    """
    read = homes_of(table, facts)
    aside = len(table.sizes) - 1
    return {
        tarot.NAMES[card]: frozenset(
            0 if place == aside else place + 1 for place in range(len(table.sizes)) if its >> place & 1
        )
        for card, its in read.items()
    }
