"""Figure ``read``: every ply of a file read, judged and applied, against python-chess on chess games as long."""

import sys
import time
from importlib.util import find_spec
from pathlib import Path

from corpora import Corpora, distinct
from figures import Figure, Reach, by_turns, figure

from cartulary.notation import examine, load

NAME, WHAT, UNIT = "read", "read, judge and apply every ply of a file, against python-chess", "plies/s"
REACH = Reach("≥", 2.5)
HOW = (
    "notation.load and notation.examine on Cardmate; chess.pgn.read_game with a BaseVisitor that only counts "
    "visit_move on chess; distinct random games, ten tags each; one process, processor time, plies a second"
)


def read(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return the figure; without its ratio where python-chess is not installed."""
    ours = corpora.cardmate(games)
    plies = _checked(ours)
    sizes = {"games": games, "plies": plies}

    def speed() -> float:
        start = time.process_time()
        count = _plies_of(str(ours))
        return count / (time.process_time() - start)

    if find_spec("chess") is None:
        print(f"{NAME}: python-chess is not installed; `pip install cartulary[dev]` brings it", file=sys.stderr)
        return [Figure(NAME, WHAT, UNIT, speed(), None, None, None, None, str(REACH), None, sizes, HOW)]
    from rival_chess import plies_of

    theirs = str(corpora.chess(games))

    def rival() -> float:
        start = time.process_time()
        count = plies_of(theirs)
        return count / (time.process_time() - start)

    return [figure(NAME, WHAT, UNIT, by_turns(rounds, speed, rival), REACH, sizes, HOW)]


def _plies_of(path: str) -> int:
    return sum(examine(record, path).report.plies for record in load(path))


def _checked(path: Path) -> int:
    """Return the plies of a corpus. Ends the program where a game is not legal, or there twice."""
    plies = 0
    for record in load(str(path)):
        report = examine(record).report
        if report.findings:
            sys.exit(f"{path}: game {report.index} is {report.verdict}; delete the corpus, it is of other rules.")
        plies += report.plies
    distinct(record.line.words for record in load(str(path)))
    return plies
