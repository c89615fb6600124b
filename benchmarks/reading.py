"""Figures of reading: every ply of a file read, judged and applied, against python-chess on as many chess games."""

import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
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
    "numbered moves; processor time, plies a second"
)
COLD = "a fresh process each time, nothing read in it before"


def read(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return the figure of Cardmate; without its ratio where python-chess is not installed."""
    what = "read, judge and apply every ply of a file, against python-chess"
    return _against_chess("read", what, "cardmate", corpora.cardmate(games), Reach("≥", 2.5), corpora, games, rounds)


def read_chess(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return the figure of chess, both on the same file of PGN."""
    if find_spec("chess") is None:
        print("pgn: python-chess, which makes the games, is not installed", file=sys.stderr)
        return []
    what = "one PGN file for both: every ply read, judged and spelled, and the end found, against python-chess"
    return _against_chess("pgn", what, "chess", corpora.chess(games), Reach("≥", 1), corpora, games, rounds)


def read_tarot(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return the figures of Tarot: hands on record whole, packet by packet, and not at all."""
    told = {
        "tarot_open": ("as `read`, for Tarot, each hand written as one word", "hands", Reach("≥", 5)),
        "tarot_packets": ("as `read`, for Tarot, hands written packet by packet", "packets", None),
        "tarot_table": ("as `read`, for Tarot, nothing known of the hands", "table", Reach("≥", 1)),
    }
    return [
        each
        for name, (what, kind, reach) in told.items()
        for each in _against_chess(name, what, "tarot", corpora.tarot(games, kind), reach, corpora, games, rounds)
    ]


def read_duel(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return the figures of Tarot duel: every card on record, and what the table saw."""
    told = {
        "duel_open": ("as `read`, for Tarot duel, every card on record", "open", Reach("≥", 3)),
        "duel_table": ("as `read`, for Tarot duel, decks and draws unknown", "table", None),
    }
    return [
        each
        for name, (what, kind, reach) in told.items()
        for each in _against_chess(name, what, "tarot-duel", corpora.duel(games, kind), reach, corpora, games, rounds)
    ]


def read_zarcana(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return the figures of Zarcana: every card on record, and what the table saw."""
    told = {
        "zarcana_open": ("as `read`, for Zarcana, every card on record", "open", Reach("≥", 2)),
        "zarcana_table": ("as `read`, for Zarcana, hands and deck unknown", "table", None),
    }
    return [
        each
        for name, (what, kind, reach) in told.items()
        for each in _against_chess(name, what, "zarcana", corpora.zarcana(games, kind), reach, corpora, games, rounds)
    ]


def read_arcanoid(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return the figures of Arcanoid: every card on record, and what the table saw."""
    told = {
        "arcanoid_open": ("as `read`, for Arcanoid, every card on record", "open", Reach("≥", 3)),
        "arcanoid_table": ("as `read`, for Arcanoid, hands and deck unknown", "table", Reach("≥", 1)),
    }
    return [
        each
        for name, (what, kind, reach) in told.items()
        for each in _against_chess(name, what, "arcanoid", corpora.arcanoid(games, kind), reach, corpora, games, rounds)
    ]


def plies_of(path: str) -> int:
    """Return the number of plies in a file, every one read, judged and applied."""
    return sum(examine(record, path).report.plies for record in load(path))


def _against_chess(
    name: str, what: str, key: str, path: Path, reach: Reach | None, corpora: Corpora, games: int, rounds: int
) -> list[Figure]:
    """Return the figure measured cold, which has to keep the reach, and beside it the same measured warm."""
    sizes = {"games": games} | _checked(path)
    how = f"notation.load and notation.examine on {path.name.partition('-')[0]}; {CHESS}"
    speeds = {"": _cold(key, path), "_warm": _warm(lambda: plies_of(str(path)))}
    told = {"": f"{what}, cold", "_warm": "the same file read again and again in one process"}
    if find_spec("chess") is None:
        print(f"{name}: python-chess is not installed; `pip install cartulary[test]` installs it", file=sys.stderr)
        reaches = {"": str(reach or ""), "_warm": ""}
        return [
            Figure(name + each, told[each], UNIT, speed(), None, None, None, None, reaches[each], None, sizes, how)
            for each, speed in speeds.items()
        ]
    from rival_chess import plies_of as plies_of_chess

    theirs = corpora.chess(games)
    cold = _cold("python-chess", theirs) if rounds else lambda: _cold_once("python-chess", theirs)
    rivals = {"": cold, "_warm": _warm(lambda: plies_of_chess(str(theirs)))}
    return [
        figure(
            name + each,
            told[each],
            UNIT,
            by_turns(rounds, speeds[each], rivals[each]),
            None if each else reach,
            sizes,
            how if each else f"{how}; {COLD}",
        )
        for each in ("", "_warm")
    ]


def _cold(key: str, path: Path) -> Callable[[], float]:
    """Return a function that reads a file in a new process, and returns its plies a second of processor time."""
    command = [sys.executable, str(Path(__file__).with_name("cold.py")), key, str(path)]

    def speed() -> float:
        plies, seconds = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout.split()
        return int(plies) / float(seconds)

    return speed


@cache
def _cold_once(key: str, path: Path) -> float:
    """Return what the function of ``_cold`` returns, measured once for all figures; that shows that it runs."""
    return _cold(key, path)()


def _warm(count: Callable[[], int]) -> Callable[[], float]:
    """Return a function that counts plies in this process, and returns how many it does in a second of
    processor time.
    """

    def speed() -> float:
        start = time.process_time()
        plies = count()
        return plies / (time.process_time() - start)

    return speed


def _checked(path: Path) -> dict[str, int]:
    """Return how many plies a corpus has, and if any, how many of its games end undecided, as those of ``table`` may.

    Ends the program if a game breaks a rule, an open one is not legal, or one is there twice.
    """
    plies, undecided = 0, 0
    for record in load(str(path)):
        report = examine(record).report
        keys = {found.key for found in report.findings}
        open_to_the_end = report.verdict == "undecided" and "-table-" in path.name and keys <= UNANSWERED
        if report.verdict != "legal" and not open_to_the_end:
            sys.exit(f"{path}: game {report.index} is {report.verdict}; delete the corpus, it is of other rules.")
        plies += report.plies
        undecided += open_to_the_end
    distinct(record.line.words for record in load(str(path)))
    return {"plies": plies} | ({"undecided": undecided} if undecided else {})
