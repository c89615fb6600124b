"""Figures of texts that no game has but an attacker may write, and of long games with something at every ply: twice as
much of one may take little more than twice as long.
"""

import io
import time
import tracemalloc
from collections.abc import Callable
from itertools import chain
from tempfile import TemporaryDirectory

from corpora import Corpora, endless, long_arcanoid, long_tarot, long_zarcana, quiet_cardmate, quiet_chess
from figures import Figure, Reach, by_turns, figure

from cartulary import notation
from cartulary.notation import canonical, dumps, examine
from cartulary.records.exchange.cgn import import_records
from cartulary.records.log.store import Store
from cartulary.records.state.disputes_and_rulings import rulings_of
from cartulary.records.state.games import load

_RULING = '{[%dispute 1 by=p2 "late"] [%ruling 1 stands arbiter=Eva]} '


def _commented(text: str, times: int) -> str:
    """Return a ply with one comment that holds a text ``times`` times."""
    return "4Ci3 {" + text * times + "}"


def _every_ply(times: int, written: Callable[[int, str], str]) -> str:
    """Return a game of ``times`` plies as text; ``written`` returns what is written of a ply from its number and its
    word.
    """
    return " ".join(written(ply, word) for ply, word in enumerate(endless(times), 1))


HOW = "load, examine, canonical text, import into a new database, and its rulings; processor time"

SHAPES: dict[str, tuple[str, int, Callable[[int], str]]] = {
    "commands": ("commands that are never closed", 40_000, lambda n: _commented("[%irregular ", n)),
    "quotes": ("commands with quotes that are never closed", 40_000, lambda n: _commented('[%x "]', n)),
    "rulings": ("comments with disputes and rulings", 4_000, lambda n: "4Ci3 " + _RULING * n),
    "takebacks": ("take-backs in one comment", 4_000, lambda n: _commented("[%takeback 1 by=p1] ", n)),
    "tags": ("tags written twice", 10_000, lambda n: "\n".join(f'[T{at % n} "a"]' for at in range(2 * n))),
    "line": ("one long line", 4_000_000, lambda n: "x" * n),
    "comments": ("plies with a comment", 2_000, lambda n: _every_ply(n, lambda ply, word: f"{word} {{late}}")),
    "variations": ("plies with a variation", 2_000, lambda n: _every_ply(n, lambda ply, word: f"{word} ({word})")),
    "marks": ("plies with a wrong mark", 2_000, lambda n: _every_ply(n, lambda ply, word: f"{word}+")),
    "claims": (
        "plies with an open claim",
        2_000,
        lambda n: _every_ply(n, lambda ply, word: f'{word} {{[%dispute {ply} by=p2 "late"]}}'),
    ),
    "deals": ("words of Tarot that deal a card", 4_000, lambda n: "p0/p1*~ " * n),
}
"""Name -> what there is much of, how much, and the movetext, or the tags, of so much of it."""


Long = tuple[dict[str, str], tuple[str, ...]]
"""Tags and words."""

LONG: dict[str, tuple[str, str, int, Callable[[int], Long]]] = {
    "claims_only": (
        "plies of chess, `claims-only`",
        "Chess",
        8_000,
        lambda n: ({"Options": "claims-only"}, quiet_chess(n)),
    ),
    "repetition": (
        "quiet plies, `repetition=loss`",
        "Cardmate",
        8_000,
        lambda n: ({"Options": "repetition=loss"}, quiet_cardmate(n)),
    ),
    "rounds": ("plies of Arcanoid, `rounds=60`", "Arcanoid", 1_200, lambda n: long_arcanoid("rounds=60")),
    "gaza": (
        "plies of Arcanoid, `gaza` and `tie`",
        "Arcanoid",
        1_200,
        lambda n: long_arcanoid("gaza rounds=20 tie=earlier"),
    ),
    "extra": ("plies of Zarcana, `extra` and `tie`", "Zarcana", 80, lambda n: long_zarcana()),
    "ecart": ("plies of Tarot, `ecart=fft`", "Tarot", 800, lambda n: long_tarot(24)),
    "gaps": ("plies, every eighth unwritten", "Cardmate", 96, lambda n: ({}, _with_gaps(endless(n)))),
    "gaps_in_a_row": ("unwritten plies of draughts", "Draughts", 40, lambda n: ({}, ("~",) * n)),
}
"""Name -> what there is twice as much of, the game, how many plies, and a game of at least so many.

There is a row for every option, because its states may remember more than others, and for plies nobody wrote.
"""


def _with_gaps(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return words with ``~`` in place of every eighth one."""
    return tuple(word if ply % 8 else "~" for ply, word in enumerate(words))


def shapes(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return the figures of texts that grow in one way: the time that twice the size takes, against once.

    ``games`` divides the sizes.
    """
    doubled = [_doubled(name, what, max(1, size // games), text, rounds) for name, (what, size, text) in SHAPES.items()]
    return [*doubled, *chain.from_iterable(_longer(name, max(1, LONG[name][2] // games), rounds) for name in LONG)]


def _longer(name: str, plies: int, rounds: int) -> tuple[Figure, Figure]:
    """Return two figures of a long game, time and memory: twice as many plies, against once."""
    what, title, _, long = LONG[name]
    tags, words = long(2 * plies)
    head = "".join(f'[{tag} "{value}"]\n' for tag, value in ({"Game": title} | tags).items())
    once, twice = (f"{head}\n{' '.join(words[:many])}\n" for many in (plies, 2 * plies))
    sizes = {"plies": plies, "bytes": len(once)}
    times = by_turns(rounds, lambda: _seconds(twice), lambda: _seconds(once))
    peaks = by_turns(rounds and 1, lambda: _megabytes(twice), lambda: _megabytes(once))
    what = f"{what}: twice as many, against once"
    how = "load and examine; the greatest size of Python's objects"
    return (
        figure(f"shape_{name}", what, "s", times, Reach("≤", 2.3), sizes, HOW),
        figure(f"shape_{name}_memory", f"{what}, memory", "MB", peaks, Reach("≤", 2.3), sizes, how),
    )


def _megabytes(text: str) -> float:
    """Return the most memory that reading and judging a text takes, in MB, measured the second time, when caches are
    filled.
    """
    for record in notation.load(io.BytesIO(text.encode())):
        examine(record)
    tracemalloc.start()
    for record in notation.load(io.BytesIO(text.encode())):
        examine(record)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def _doubled(name: str, what: str, size: int, text: Callable[[int], str], rounds: int) -> Figure:
    """Return the figure of a text of twice the size, against one of that size."""
    head = f'[Game "{"Tarot" if name == "deals" else "Cardmate"}"]\n{"" if name == "tags" else chr(10)}'
    once, twice = f"{head}{text(size)}\n", f"{head}{text(2 * size)}\n"
    pairs = by_turns(rounds, lambda: _seconds(twice), lambda: _seconds(once))
    sizes = {"times": size, "bytes": len(once)}
    return figure(f"shape_{name}", f"{what}: twice the size, against once", "s", pairs, Reach("≤", 2.3), sizes, HOW)


def _seconds(text: str) -> float:
    """Return the processor seconds of reading, judging, writing and importing a text."""
    start = time.process_time()
    records = list(notation.load(io.BytesIO(text.encode())))
    for record in records:
        examine(record)
    dumps(*map(canonical, records))
    with TemporaryDirectory() as folder, Store(f"{folder}/shapes.db") as store:
        for imported in import_records(store, records):
            rulings_of(load(store, imported.id))
    return time.process_time() - start
