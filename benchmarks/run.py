"""Measure what the project promises: ``python benchmarks/run.py`` prints one JSON object for each figure.

Every figure is a ratio of two things measured by turns, so it holds on slow machines and busy ones alike.
docs/benchmarks.md explains each figure and holds the table; ``--full --write docs/benchmarks.md`` rewrites it.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from annotated import annotated
from archive import archive
from boards import boards
from clustered import clustered
from corpora import Corpora
from figures import Figure, marked, table, write
from flooding import flooding
from programs import importing, jobs, memory, results, starting
from questions import asking
from reading import read, read_arcanoid, read_chess, read_duel, read_tarot, read_zarcana
from replays import replays
from serving import serving
from shapes import shapes
from storing import append, going_on, loading
from tables import tables

Measure = Callable[[Corpora, int, int], list[Figure]]

MEASURES: dict[str, tuple[Measure, dict[str, tuple[int, int]]]] = {
    "read": (read, {"tiny": (3, 0), "usual": (250, 7), "full": (1000, 15)}),
    "pgn": (read_chess, {"tiny": (3, 0), "usual": (250, 7), "full": (1000, 15)}),
    "annotated": (annotated, {"tiny": (3, 0), "usual": (250, 5), "full": (2_000, 7)}),
    "tarot": (read_tarot, {"tiny": (4, 0), "usual": (250, 7), "full": (1000, 15)}),
    "duel": (read_duel, {"tiny": (6, 0), "usual": (250, 7), "full": (1000, 15)}),
    "zarcana": (read_zarcana, {"tiny": (6, 0), "usual": (100, 7), "full": (500, 15)}),
    "arcanoid": (read_arcanoid, {"tiny": (6, 0), "usual": (250, 7), "full": (1000, 15)}),
    "shape": (shapes, {"tiny": (1000, 0), "usual": (1, 3), "full": (1, 7)}),
    "board": (boards, {"tiny": (1, 0), "usual": (100, 7), "full": (400, 15)}),
    "replay": (replays, {"tiny": (1, 0), "usual": (3, 7), "full": (10, 15)}),
    "serve": (serving, {"tiny": (10, 0), "usual": (2_000, 7), "full": (100_000, 15)}),
    "tables": (tables, {"tiny": (2, 0), "usual": (50, 1), "full": (50, 5)}),
    "flood": (flooding, {"tiny": (2, 0), "usual": (500, 1), "full": (2_000, 3)}),
    "question": (asking, {"tiny": (1, 0), "usual": (20, 7), "full": (100, 15)}),
    "jobs": (jobs, {"tiny": (4, 0), "usual": (20_000, 3), "full": (100_000, 3)}),
    "cluster": (clustered, {"tiny": (4, 0), "usual": (20_000, 3), "full": (100_000, 3)}),
    "memory": (memory, {"tiny": (4, 1), "usual": (5_000, 1), "full": (100_000, 1)}),
    "append": (append, {"tiny": (1, 1), "usual": (10, 1), "full": (50, 1)}),
    "load": (loading, {"tiny": (1, 0), "usual": (50, 7), "full": (200, 15)}),
    "going_on": (going_on, {"tiny": (10, 0), "usual": (1000, 7), "full": (1000, 15)}),
    "import": (importing, {"tiny": (3, 0), "usual": (2_000, 5), "full": (10_000, 7)}),
    "results": (results, {"tiny": (3, 0), "usual": (3_000, 7), "full": (30_000, 5)}),
    "archive": (archive, {"tiny": (10, 1), "usual": (2_000, 1), "full": (100_000, 1)}),
    "start": (starting, {"tiny": (2, 0), "usual": (2, 15), "full": (2, 40)}),
}
"""Name -> how it is measured; and by size, the games and the rounds; without a round each side still runs once."""


def main() -> None:
    """Measure and print; ends with 1 if a figure misses its target."""
    asked = _arguments()
    size = "full" if asked.full else "tiny" if asked.tiny else "usual"
    if asked.write:
        marked(asked.write)
        if asked.only:
            sys.exit("The table is written whole: leave --only out.")
    figures = []
    for each in _measured(Corpora(asked.folder), size, asked.only or list(MEASURES)):
        figures.append(each)
        if not asked.table:
            print(msgspec.json.encode(each).decode(), flush=True)
    if asked.table:
        print(table(figures))
    if asked.write:
        if any(each.ratio is None for each in figures):
            sys.exit("The table is written whole: install python-chess, which the extra `test` contains.")
        write(asked.write, figures)
    sys.exit(1 if any(each.met is False for each in figures) and not asked.tiny else 0)


def _arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description="Measure each figure as a ratio of two sides, and print JSON to standard output."
    )
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--full", action="store_true", help="measure at the largest sizes; takes a quarter of an hour")
    sizes.add_argument("--tiny", action="store_true", help="only see that everything runs; the ratios mean nothing")
    parser.add_argument(
        "--only", action="append", choices=list(MEASURES), help="measure only this; may be given several times"
    )
    parser.add_argument("--table", action="store_true", help="print the Markdown table instead of JSON")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table between the marks in this file")
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(tempfile.gettempdir()) / "cartulary-benchmarks",
        help="where games are kept and databases are made; outside the project",
    )
    return parser.parse_args()


def _measured(corpora: Corpora, size: str, names: list[str]) -> Iterator[Figure]:
    """Yield the figures of the named measures, at one of the sizes."""
    for name in names:
        measure, sizes = MEASURES[name]
        games, rounds = sizes[size]
        print(f"{name}: {games} games, {rounds} rounds", file=sys.stderr, flush=True)
        yield from measure(corpora, games, rounds)


if __name__ == "__main__":
    main()
