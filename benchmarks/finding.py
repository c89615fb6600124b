"""How long searches take in an archive of a million games, by words, by player and by position.

The games of a mixed archive are listed again and again under other ids, with comments of made-up words. A copy has the
positions of its original for the first plies only. The log holds only the originals.

python benchmarks/finding.py [GAMES [FOLDER]]
"""

import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median, quantiles

from archive import mixed
from commands import cartulary, spend
from corpora import SEED, Corpora

from cartulary.records import api
from cartulary.records.library.runs import HIGH, low_of
from cartulary.records.library.search import Query
from cartulary.records.log.index import comment_row
from cartulary.records.log.store import Store

DIFFERENT = 20_000
"""How many different games there are at most; the others are copies."""
ALIKE = 8
"""Plies after which copies of a game have positions of their own."""
STEP = 1 << 24
"""How far the numbers of one copy are from those of the next."""
WORDS = 20_000
"""Different words of all comments; the most frequent one stands in every other."""
SEARCHES = 400


def copied(path: Path, copies: int) -> None:
    """Copy every game of the index in a database file, so that each is there ``copies`` times, and add comments."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA synchronous = OFF")
        _comment(database, 0)
        database.commit()
        for copy in range(1, copies):
            away = copy * STEP
            for table in ("games", "seats", "findings"):
                names = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")]
                told = {"number": f"number + {away}", "id": f"id || '-{copy}'"}
                columns = ", ".join(told.get(name, name) for name in names)
                database.execute(f"INSERT INTO {table} SELECT {columns} FROM {table} WHERE number < {STEP}")
            of = f"SELECT place + {away}, number + {away}, version FROM placed WHERE place < {STEP}"
            database.execute(f"INSERT INTO placed {of}")
            _copy_runs(database, copy)
            _comment(database, copy)
            database.commit()
            print(f"\r{copy + 1} of {copies} times", end="", file=sys.stderr)


def _copy_runs(database: sqlite3.Connection, copy: int) -> None:
    """Copy the runs of marks once more.

    The low bits of the marks are changed, except on the first plies, so that copies share only openings.
    """
    drawn = random.Random(f"copy {SEED} {copy}")
    there = "SELECT run, place, width, bits, high FROM runs WHERE place < ? ORDER BY run"
    for run, place, width, bits, high in database.execute(there, (STEP,)).fetchall():
        into = "INSERT INTO runs (place, width, bits, high) VALUES (?, ?, ?, ?)"
        new = database.execute(into, (place + copy * STEP, width, bits, high)).lastrowid
        assert new is not None
        other, shift = drawn.getrandbits(low_of(high)), 8 * width - low_of(high)
        chunks = database.execute(
            "SELECT chunk, postings FROM postings WHERE chunk BETWEEN ? AND ?", (run << HIGH, (run + 1 << HIGH) - 1)
        ).fetchall()
        for chunk, postings in chunks:
            told = [int.from_bytes(postings[at : at + width]) for at in range(0, len(postings), width)]
            ours = sorted(each ^ other << shift if each & (1 << bits) - 1 > ALIKE else each for each in told)
            row = (chunk - (run << HIGH) + (new << HIGH), b"".join(each.to_bytes(width) for each in ours))
            database.execute("INSERT INTO postings VALUES (?, ?)", row)


def _comment(database: sqlite3.Connection, copy: int) -> None:
    """Let every fifth game of a copy have two comments of twelve words."""
    drawn = random.Random(f"words {SEED} {copy}")
    first = copy * STEP
    numbers = database.execute("SELECT number FROM games WHERE number BETWEEN ? AND ?", (first, first + STEP - 1))
    rows = [
        (comment_row(number, ply), " ".join(_word(drawn) for _ in range(12)))
        for (number,) in numbers.fetchall()[::5]
        for ply in (10, 30)
    ]
    database.executemany("INSERT INTO comments (rowid, text) VALUES (?, ?)", rows)


def _word(drawn: random.Random) -> str:
    """Return a made-up word of three to nine letters; some are drawn often and most rarely, as in a language."""
    letters = random.Random(f"word {int(WORDS ** drawn.random())}")
    return "".join(letters.choices("abcdefghijklmnoprstu", k=letters.randint(3, 9)))


def by_words(store: Store) -> Iterator[Callable[[], object]]:
    """Yield searches for a word, for two words, for a phrase and for the beginning of a word, without end."""
    drawn = random.Random(SEED)
    while True:
        one, two = _word(drawn), _word(drawn)
        for text in (one, f"{one} {two}", f'"{one} {two}"', f"{one[:4]}*"):
            yield partial(api.search, store, Query(text=text), limit=50)


def by_player(store: Store) -> Iterator[Callable[[], object]]:
    """Yield searches for a random player, without end."""
    drawn = random.Random(SEED)
    while True:
        yield partial(api.search, store, Query(player=(f"player {drawn.randrange(1000):03}",)), limit=50)


def by_position(store: Store) -> Iterator[Callable[[], object]]:
    """Yield searches for random positions of the games, without end."""
    drawn = random.Random(SEED)
    ids = store.ids()
    while True:
        record = api.record_of(store, drawn.choice(ids))
        if record.line.words:
            yield partial(api.find_position, store, record, drawn.randrange(len(record.line.words)), limit=50)


def took(searches: Iterator[Callable[[], object]]) -> str:
    """Run ``SEARCHES`` of these searches and return their processor times as a sentence: median, 95th percentile and
    slowest.
    """
    times = []
    for search in islice(searches, SEARCHES):
        start = time.process_time()
        search()
        times.append((time.process_time() - start) * 1e3)
    middle, slow = median(times), quantiles(times, n=20)[-1]
    return f"{middle:.1f} ms in the middle, {slow:.1f} ms the 95th percentile, {max(times):.1f} ms the slowest"


def main(games: int, folder: Path) -> None:
    """Measure searches in an index of ``games`` games and print their processor times; files are made in ``folder`` for
    the time of it.
    """
    different = min(games, DIFFERENT)
    with tempfile.TemporaryDirectory(dir=folder) as made:
        path = Path(made) / "games.db"
        spend(cartulary("import", "-q", str(mixed(Corpora(folder), different)), "--db", str(path)))
        spend(cartulary("reindex", "--positions", "--jobs", "2", "--db", str(path)))
        copied(path, games // different)
        print(f"\n{games:,} games, {path.stat().st_size / 1e6:,.0f} MB with the log of {different:,}")
        with Store(path) as store:
            for what, searches in (("words", by_words), ("player", by_player), ("position", by_position)):
                print(f"by {what}: {took(searches(store))}")


if __name__ == "__main__":
    usual = Path(tempfile.gettempdir()) / "cartulary-benchmarks"
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, Path(sys.argv[2]) if len(sys.argv) > 2 else usual)
