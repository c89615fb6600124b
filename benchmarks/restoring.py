"""How often ``restore`` finds the true game: slips are planted in games, and it is asked for them.

    python benchmarks/restoring.py                                              # a few minutes; the table
    python benchmarks/restoring.py --games 1000 --write docs/benchmarks.md      # ten minutes; rewrites the table

A slip is planted in a word whose move the rules list: in Cardmate and chess in any, in an open deal of Tarot in a bid,
a call or a card played. Sheets of chess have one slip: with three, the budget runs out in two games of three. A sheet
that is legal as it is, or would be with only one of its slips, is counted separately: what leaves no trace cannot be
found.
"""

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from corpora import Corpora
from figures import machine
from msgspec import Struct

from cartulary.engine import Refused
from cartulary.notation import AnyGame, load, read_heading
from cartulary.notation.restore.evidence import SheetEvidence
from cartulary.notation.restore.nearest import SLIPS, Nearest, nearest

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.notation.slips import listed, slipped, written

START, END = "<!-- restored -->", "<!-- end of restored -->"
_BETWEEN = re.compile(f"{START}.*{END}", re.DOTALL)
COUNTED = ("right", "wrong", "among", "not among", "none", "budget")
"""What becomes of a sheet: one game, the true one or not; several, the true one among them or not; no answer."""


class Original(Struct):
    """A game of a corpus; ``where`` are the indices of the words, from 0, that may have a slip."""

    game: AnyGame
    start: Any
    seats: int
    words: tuple[str, ...]
    where: list[int]


def originals(path: Path) -> Iterator[Original]:
    """Yield the games of a file with their set-ups and words."""
    for record in load(str(path)):
        heading = read_heading(record)
        assert heading.game is not None
        assert heading.sheet is not None
        start = heading.game.rules.setup(heading.sheet)
        assert not isinstance(start, Refused)
        yield Original(heading.game, start, heading.sheet.seats, *listed(record))


def planted(true: Original, random: Random, slips: int) -> tuple[str, ...] | None:
    """Return the words of a game with so many random slips; None if one of them alone leaves a legal game, so that
    nothing shows it.
    """
    made = slipped(random, true.game, true.words, true.where, slips)
    sheets = [written(true.words, each) for each in (made, *([one] for one in made))]
    if any(_asked(true, (sheet,), 0).answer == "legal" for sheet in sheets):
        return None
    return sheets[0]


def _asked(true: Original, sheets: tuple[tuple[str, ...], ...], slips: int = SLIPS) -> Nearest:
    """Return the legal games nearest to one or several sheets of the same game, with at most ``slips``
    slips a sheet.
    """
    evidence = tuple(map(SheetEvidence, sheets))
    return nearest(true.game, true.start, evidence, true.seats, slips * len(sheets), limit=10_000)


def _became(true: Original, found: Nearest) -> str:
    """Return what restoring gave: ``right`` or ``wrong`` for a single game, ``among`` or ``not among`` for several,
    else ``none`` or ``budget``.
    """
    if found.answer in ("none", "budget"):
        return found.answer
    among = any(game.words == true.words for game in found.games)
    if found.count == 1:
        return "right" if among else "wrong"
    return "among" if among else "not among"


class Row:
    """What became of many sheets."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.became: Counter[str] = Counter()
        self.traceless = 0
        self.times: list[float] = []

    def ask(self, true: Original, *sheets: tuple[str, ...]) -> None:
        """Restore one sheet, or several together, and count what came of it and how long it took."""
        began = time.process_time()
        found = _asked(true, sheets)
        self.times.append(1000 * (time.process_time() - began))
        self.became[_became(true, found)] += 1

    def __str__(self) -> str:
        times, count = sorted(self.times), max(1, len(self.times))
        shares = (f"{100 * self.became[each] / count:.1f} %" for each in COUNTED)
        spent = (f"{times[int(share * (count - 1))]:.0f} ms" for share in (0.5, 0.95))
        return f"| {' | '.join((self.name, f'{count:,}', *shares, f'{self.traceless:,}', *spent))} |"


def one_sheet(name: str, path: Path, slips: int) -> Row:
    """Return the row of restoring each game of a file from one sheet with ``slips`` slips."""
    row = Row(f"{name}, {slips} slip{'' if slips == 1 else 's'}")
    for number, true in enumerate(originals(path)):
        sheet = planted(true, Random(f"slips {name} {slips} {number}"), slips)
        if sheet is None:
            row.traceless += 1
        else:
            row.ask(true, sheet)
    return row


def two_sheets(name: str, path: Path, games: int) -> tuple[Row, Row]:
    """Return two rows, for sheets with one to three slips: the first sheet of each game restored alone, and two
    together.
    """
    alone, both = Row(f"{name}, 1 to 3 slips"), Row(f"{name}, two sheets with 1 to 3 slips each")
    for number, true in zip(range(games), originals(path), strict=False):
        random = Random(f"sheets {name} {number}")
        sheets = [planted(true, random, random.randint(1, SLIPS)) for _ in range(2)]
        first, second = sheets
        if first is None or second is None:
            alone.traceless += 1
            both.traceless += 1
        else:
            alone.ask(true, first)
            both.ask(true, first, second)
    return alone, both


def rows(corpora: Corpora, games: int) -> Iterator[Row]:
    """Yield the rows of the table, for one sheet and for two, with one slip and more."""
    paths = {
        "Cardmate": corpora.cardmate(games),
        "Tarot, open": corpora.tarot(games, "hands"),
        "Chess": corpora.chess(games),
    }
    for name, path in paths.items():
        for slips in range(1, SLIPS + 1):
            yield one_sheet(name, path, slips)
    yield one_sheet("Chess", corpora.chess(games), 1)
    for name, path in paths.items():
        yield from two_sheets(name, path, games)


def main() -> None:
    """Measure and print the table; write it between its marks if asked to."""
    parser = argparse.ArgumentParser(
        description="Plant slips in games, restore them, and print a table to standard output."
    )
    parser.add_argument(
        "--games", type=int, default=100, metavar="N", help="how many games of each kind (default: 100)"
    )
    parser.add_argument("--folder", type=Path, default=Path("build/corpora"), help="where the games are kept")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table between its marks in this file")
    asked = parser.parse_args()
    heads = ("sheets", "asked", *COUNTED, "no trace", "median", "p95")
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for line in lines:
        print(line, flush=True)
    for row in rows(Corpora(asked.folder), asked.games):
        lines.append(str(row))
        print(row, flush=True)
    lines += ["", f"Measured on {machine()}; {asked.games:,} games of each."]
    if asked.write:
        text = asked.write.read_text("utf-8")
        told = "\n".join((START, *lines, END))
        asked.write.write_text(_BETWEEN.sub(lambda _: told, text), "utf-8")


if __name__ == "__main__":
    main()
