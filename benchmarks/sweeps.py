"""Figures of sweeps over all plies of a mixed archive, copied many times: Parquet read by DuckDB, against SQLite.

python benchmarks/sweeps.py [GAMES [FOLDER]]
"""

import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median

import duckdb
from archive import mixed
from commands import cartulary, spend
from corpora import Corpora

from cartulary.records.log.store import Store
from cartulary.records.state.fold import book_of

DIFFERENT = 1_200
"""How many different games there are at most; the others are copies."""
ALIKE = 8
"""Plies after which copies of a game have positions of their own."""
ROUNDS = 5


def exported(folder: Path, corpora: Corpora, games: int) -> tuple[Path, Path, Path]:
    """Return an archive of ``games`` games, and the database and the Parquet folder exported from it."""
    archive, database, season = folder / "games.db", folder / "club.db", folder / "season"
    spend(cartulary("import", "-q", str(mixed(corpora, games)), "--db", str(archive)))
    for words in (("sqlite", "-o", str(database)), ("parquet", "-o", str(season))):
        spend(cartulary("export", "--all", "--db", str(archive), "--format", *words))
    return archive, database, season


def copy_files(files: list[Path], copies: int) -> None:
    """Copy every row of Parquet files, so that each is there ``copies`` times as of other games, in the order in which
    the files are sorted.
    """
    with duckdb.connect() as into:
        for file in files:
            new = file.with_suffix(".new")
            # Games that begin alike go on in their own ways, or all copies of a position would lie side by side.
            other = f"CASE WHEN ply > {ALIKE} AND copy > 0 THEN CAST(hash(mark, copy) >> 16 AS BIGINT) ELSE mark END"
            rows = f"plies.* REPLACE (number + copy * 1000000000 AS number, {other} AS mark)"
            of = f"SELECT {rows} FROM '{file}' plies, range({copies}) t(copy) ORDER BY mark, number, ply"
            into.execute(f"COPY ({of}) TO '{new}' (FORMAT parquet, COMPRESSION zstd)")
            new.replace(file)


def copy_rows(path: Path, copies: int) -> int:
    """Copy every row of the table ``moves``, so that each is there ``copies`` times as of other games; return how many
    rows there are then.
    """
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA synchronous = OFF")
        columns = [name for _, name, *_ in database.execute("PRAGMA table_info(moves)")]
        others = ", ".join(f'"{name}"' for name in columns if name != "game")
        database.execute("CREATE TEMP TABLE once AS SELECT * FROM moves")
        for copy in range(1, copies):
            database.execute(f"INSERT INTO moves (game, {others}) SELECT game || '-{copy}', {others} FROM once")
            database.commit()
        [[plies]] = database.execute("SELECT COUNT(*) FROM moves")
    return int(plies)


def by_duckdb(files: list[Path], of: str) -> dict[str, int]:
    """Return how often each word occurs in Parquet files, in the rows for which the SQL condition ``of`` holds."""
    with duckdb.connect() as asked:
        plies = f"read_parquet({[str(file) for file in files]})"
        return dict(asked.execute(f"SELECT word, COUNT(*) FROM {plies} WHERE {of} GROUP BY 1").fetchall())


def by_sqlite(database: Path, of: str) -> dict[str, int]:
    """Return how often each word occurs in the table ``moves`` of a database, in the rows for which the SQL condition
    ``of`` holds.
    """
    with closing(sqlite3.connect(database)) as asked:
        return dict(asked.execute(f"SELECT word, COUNT(*) FROM moves WHERE {of} GROUP BY 1"))


def by_log(archive: Path) -> dict[str, int]:
    """Return how often each word is the first of a game of an archive, each game read from its log."""
    with Store(archive) as store:
        games = (book_of(id, store.stream(id)).plies for id in store.ids())
        return dict(Counter(plies[0].text for plies in games if plies))


def took(answer: Callable[[], dict[str, int]]) -> tuple[float, dict[str, int]]:
    """Return the median of the milliseconds that an answer takes, and the answer."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        found = answer()
        times.append((time.perf_counter() - start) * 1e3)
    return median(times), found


def main(games: int, folder: Path) -> None:
    """Measure counting words in Parquet against the table ``moves`` and the log, and print the figures."""
    copies = max(1, games // DIFFERENT)
    corpora = Corpora(folder)
    with tempfile.TemporaryDirectory(dir=folder) as made:
        archive, database, season = exported(Path(made), corpora, games // copies)
        files = sorted((season / "plies").rglob("*.parquet"))
        copy_files(files, copies)
        print(f"{copy_rows(database, copies):,} plies, every game {copies} times, {len(files)} Parquet files")
        for what, of in (("first words", "ply = 1"), ("all words", "ply > 0")):
            ours, found = took(partial(by_duckdb, files, of))
            rival, same = took(partial(by_sqlite, database, of))
            assert found == same, "the two count differently"
            print(f"{what}: Parquet {ours:.0f} ms, table `moves` {rival:.0f} ms, ratio {ours / rival:.3f}")
            if of == "ply = 1":
                once, same = took(partial(by_log, archive))
                assert found == {word: times * copies for word, times in same.items()}, "the log counts differently"
                each = once / sum(same.values()) * 1e3
                log = f"{once:.0f} ms for its games once, {each:.0f} µs a game"
                print(f"{what}: the log {log}, ratio to {copies} times that {ours / once / copies:.4f}")
        sizes = sum(file.stat().st_size for file in files) / 1e6, database.stat().st_size / 1e6
        print(f"Parquet files of the plies {sizes[0]:.1f} MB, database {sizes[1]:.1f} MB")


if __name__ == "__main__":
    usual = Path(tempfile.gettempdir()) / "cartulary-benchmarks"
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 12_000, Path(sys.argv[2]) if len(sys.argv) > 2 else usual)
