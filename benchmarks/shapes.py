"""Figures of texts that no game has but an attacker may write, and of long games with something at every ply: twice as
much of one may take little more than twice as long.
"""

import io
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory

from corpora import Corpora, endless
from figures import Figure, Reach, by_turns, figure

from cartulary import notation
from cartulary.notation import canonical, dumps, examine
from cartulary.records.exchange.cgn import import_records
from cartulary.records.log.store import Store
from cartulary.records.state.disputes_and_rulings import rulings_of
from cartulary.records.state.fold import load

_RULING = '{[%dispute 1 by=p2 "late"] [%ruling 1 stands arbiter=Eva]} '


def _commented(text: str, times: int) -> str:
    return "4Ci3 {" + text * times + "}"


def _every_ply(times: int, written: Callable[[int, str], str]) -> str:
    """Return a game of so many plies. written: what is written of a ply and its word"""
    return " ".join(written(ply, word) for ply, word in enumerate(endless(times), 1))


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


def shapes(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Return a figure a shape: the time twice as much of it takes, against half of that. games: a part of the size."""
    return [_doubled(name, what, max(1, size // games), text, rounds) for name, (what, size, text) in SHAPES.items()]


def _doubled(name: str, what: str, size: int, text: Callable[[int], str], rounds: int) -> Figure:
    head = f'[Game "{"Tarot" if name == "deals" else "Cardmate"}"]\n{"" if name == "tags" else chr(10)}'
    once, twice = f"{head}{text(size)}\n", f"{head}{text(2 * size)}\n"
    pairs = by_turns(rounds, lambda: _seconds(twice), lambda: _seconds(once))
    how = "load, examine, canonical text, import into a new database, and its rulings; processor time"
    sizes = {"times": size, "bytes": len(once)}
    return figure(f"shape_{name}", f"{what}: twice the size, against once", "s", pairs, Reach("≤", 2.3), sizes, how)


def _seconds(text: str) -> float:
    start = time.process_time()
    records = list(notation.load(io.BytesIO(text.encode())))
    for record in records:
        examine(record)
    dumps(*map(canonical, records))
    with TemporaryDirectory() as folder, Store(f"{folder}/shapes.db") as store:
        for imported in import_records(store, records):
            rulings_of(load(store, imported.id))
    return time.process_time() - start
