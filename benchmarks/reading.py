"""Figures of reading: every ply of a file read, judged and applied, against python-chess on chess games as many."""

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from corpora import Corpora, distinct
from figures import Figure, Reach, by_turns, figure

from cartulary.notation import examine, load

UNIT = "plies/s"
UNANSWERED = {f"arcanoid.{name}" for name in ("face-down", "fool", "hierophant", "star", "moon", "sun")}
"""What may stay undecided in a table record: what lies face down and is never turned up, claims no card answers."""
CHESS = (
    "chess.pgn.read_game with a BaseVisitor that only counts visit_move on chess; distinct random games, tags and "
    "numbered moves; one process, processor time, plies a second"
)


def read(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return the figure of Cardmate; without its ratio where python-chess is not installed."""
    what = "read, judge and apply every ply of a file, against python-chess"
    return [_against_chess("read", what, corpora.cardmate(games), Reach("≥", 2.5), corpora, games, rounds)]


def read_tarot(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return the figures of Tarot: hands on record whole, packet by packet, and not at all."""
    told = {
        "tarot_open": ("the same on Tarot, each hand told in one word", "hands", Reach("≥", 5)),
        "tarot_packets": ("the same, hands told packet by packet", "packets", None),
        "tarot_table": ("the same, nothing known of the hands", "table", Reach("≥", 1)),
    }
    return [
        _against_chess(name, what, corpora.tarot(games, kind), reach, corpora, games, rounds)
        for name, (what, kind, reach) in told.items()
    ]


def read_duel(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return the figures of Tarot duel: every card on record, and what the table saw."""
    told = {
        "duel_open": ("the same on Tarot duel, every card on record", "open", Reach("≥", 3)),
        "duel_table": ("the same, decks and draws unknown", "table", None),
    }
    return [
        _against_chess(name, what, corpora.duel(games, kind), reach, corpora, games, rounds)
        for name, (what, kind, reach) in told.items()
    ]


def read_zarcana(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return the figures of Zarcana: every card on record, and what the table saw."""
    told = {
        "zarcana_open": ("the same on Zarcana, every card on record", "open", Reach("≥", 2)),
        "zarcana_table": ("the same, hands and deck unknown", "table", None),
    }
    return [
        _against_chess(name, what, corpora.zarcana(games, kind), reach, corpora, games, rounds)
        for name, (what, kind, reach) in told.items()
    ]


def read_arcanoid(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return the figures of Arcanoid: every card on record, and what the table saw."""
    told = {
        "arcanoid_open": ("the same on Arcanoid, every card on record", "open", Reach("≥", 3)),
        "arcanoid_table": ("the same, hands and deck unknown", "table", Reach("≥", 1)),
    }
    return [
        _against_chess(name, what, corpora.arcanoid(games, kind), reach, corpora, games, rounds)
        for name, (what, kind, reach) in told.items()
    ]


def _against_chess(
    name: str, what: str, path: Path, reach: Reach | None, corpora: Corpora, games: int, rounds: int
) -> Figure:
    plies = _checked(path)
    sizes = {"games": games, "plies": plies}
    how = f"notation.load and notation.examine on {path.name.partition('-')[0]}; {CHESS}"
    speed = _speed(lambda: _plies_of(str(path)))
    if find_spec("chess") is None:
        print(f"{name}: python-chess is not installed; `pip install cartulary[dev]` brings it", file=sys.stderr)
        return Figure(name, what, UNIT, speed(), None, None, None, None, str(reach or ""), None, sizes, how)
    from rival_chess import plies_of

    theirs = str(corpora.chess(games))
    pairs = by_turns(rounds, speed, _speed(lambda: plies_of(theirs)))
    return figure(name, what, UNIT, pairs, reach, sizes, how)


def _speed(plies_of: Callable[[], int]) -> Callable[[], float]:
    """Return what measures plies a second of processor time."""

    def speed() -> float:
        start = time.process_time()
        count = plies_of()
        return count / (time.process_time() - start)

    return speed


def _plies_of(path: str) -> int:
    return sum(examine(record, path).report.plies for record in load(path))


def _checked(path: Path) -> int:
    """Return the plies of a corpus. Ends the program where a game has a finding but those, or is there twice."""
    plies = 0
    for record in load(str(path)):
        report = examine(record).report
        if any(found.severity != "undecided" or found.key not in UNANSWERED for found in report.findings):
            sys.exit(f"{path}: game {report.index} is {report.verdict}; delete the corpus, it is of other rules.")
        plies += report.plies
    distinct(record.line.words for record in load(str(path)))
    return plies
