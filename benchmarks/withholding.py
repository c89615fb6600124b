"""What ``~`` costs and finds: one ply of each game of Cardmate is left unwritten, and the rest is judged.

    python benchmarks/withholding.py                                              # seconds; the table
    python benchmarks/withholding.py --games 2000 --write docs/benchmarks.md      # minutes; rewrites the table

What fits is compared with every legal move of the position, each judged to the end by rules that know nothing of gaps.
Each game is judged once whole and once with its gap, either first in turn, and timed in processor time.
"""

import argparse
import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median, quantiles

from corpora import Corpora
from figures import machine
from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import LEGAL
from cartulary.notation import Record, examine, load
from cartulary.notation.arbiter.gaps import fits
from cartulary.notation.arbiter.replay import steps, write_word
from cartulary.notation.cgn.record import MISSING_WORD

START, END = "<!-- withheld -->", "<!-- end of withheld -->"
_BETWEEN = re.compile(f"{START}.*{END}", re.DOTALL)
SHORTEST = 60
"""How many plies a game has at the least."""


class Withheld(Struct):
    """What became of one game of which a ply was left out.

    Attributes:
        among: Whether the true move is among those that fit.
        agrees: Whether the moves that fit are those found by judging each move.
        filled: Whether a finding names the move that was played.
        alone: Whether only one move fits.
        times: How many times as long judging the game with the gap took as judging the whole game.
    """

    among: bool
    agrees: bool
    filled: bool
    alone: bool
    times: float


def without(record: Record, at: int) -> Record:
    """Return the record with the ply at this place, from 0, not written."""
    words = record.line.words
    return replace(record, line=replace(record.line, words=(*words[:at], MISSING_WORD, *words[at + 1 :])))


def withheld(record: Record, at: int) -> Withheld:
    """Return what becomes of a game whose ply at this place, from 0, is not written."""
    missing, true = without(record, at), record.line.words[at]
    if record.index % 2:
        whole, gap = _timed(record), _timed(missing)
    else:
        gap, whole = _timed(missing), _timed(record)
    found = examine(missing)
    filled = [one for one in found.report.findings if one.key == "record.filled"]
    assert found.heading.game is not None
    told = {re.sub(r"[+×]*$", "", word) for word in fits(found.heading.game, found.state, at + 1)}
    told |= {one.because.split("been ")[1].split(",")[0].rstrip("+×") for one in filled}
    judged = set(_fitting(record, at))
    return Withheld(true.rstrip("+×") in told, told == judged, bool(filled), len(judged) == 1, gap / whole)


def _timed(record: Record) -> float:
    """Return the processor seconds of judging a record."""
    began = time.process_time()
    examine(record)
    return time.process_time() - began


def _fitting(record: Record, at: int) -> Iterator[str]:
    """Yield the moves that may be the missing ply, each judged with the rest of the game to its end."""
    words = record.line.words
    before = examine(replace(record, line=replace(record.line, words=words[:at], notes={}, numbers={})))
    game, sheet = before.heading.game, before.heading.sheet
    assert game is not None
    assert sheet is not None
    for move in game.rules.candidates(before.state):
        tried = (write_word(game, move, before.state), *words[at + 1 :])
        played = [*steps(game, before.state, tried, sheet.seats)]
        if len(played) == len(tried) and all(step.verdict is LEGAL for step in played):
            yield tried[0].rstrip("+×")


def main() -> None:
    """Measure and print the table; write it between its marks if asked to."""
    parser = argparse.ArgumentParser(
        description="Leave one ply of each game unwritten, judge the rest, and print a table to standard output."
    )
    parser.add_argument("--games", type=int, default=100, metavar="N", help="how many games of Cardmate (default: 100)")
    parser.add_argument("--folder", type=Path, default=Path("build/corpora"), help="where the games are kept")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table between its marks in this file")
    asked = parser.parse_args()
    games = [
        record for record in load(Corpora(asked.folder).cardmate(asked.games)) if len(record.line.words) >= SHORTEST
    ]
    each = [withheld(one, Random(f"ply {at}").randrange(len(one.line.words))) for at, one in enumerate(games)]
    times = [one.times for one in each]
    told = sum(one.filled == one.alone for one in each)
    lines = [
        "| games | the true move fits | the moves that fit are those found by judging each move | "
        "named if one move fits, and only then | one move fits | time against the whole game, median | p95 |",
        "|---|---|---|---|---|---|---|",
        f"| {len(each):,} | {sum(one.among for one in each):,} | {sum(one.agrees for one in each):,} | {told:,} | "
        f"{sum(one.alone for one in each):,} | {median(times):.1f} | {quantiles(times, n=20)[-1]:.1f} |",
        "",
        f"Measured on {machine()}.",
    ]
    for line in lines:
        print(line)
    if asked.write:
        text = asked.write.read_text("utf-8")
        table = "\n".join((START, *lines, END))
        asked.write.write_text(_BETWEEN.sub(lambda _: table, text), "utf-8")


if __name__ == "__main__":
    main()
