"""Figures of a log on a server: appends against plain psycopg, several writers against one; in an empty database.

python benchmarks/on_server.py postgresql://USER@HOST/DATABASE [APPENDS]
"""

import statistics
import sys
import time
from multiprocessing import get_context
from tempfile import TemporaryDirectory

import psycopg

from cartulary.records.desk import Server, open_store
from cartulary.records.log.chain import origin
from cartulary.records.log.events import MovePlayed
from cartulary.records.log.recorded import sealed

PLAIN = (
    "WITH h AS (INSERT INTO plain_heads VALUES (%s, %s, %s) ON CONFLICT (id) DO UPDATE SET version = excluded.version, "
    "digest = excluded.digest) INSERT INTO plain_events VALUES (%s, %s, %s, %s)"
)
TABLES = (
    "CREATE TABLE plain_events (id text, version bigint, topic text, state text, "
    "position bigserial UNIQUE, PRIMARY KEY (id, version))",
    "CREATE TABLE plain_heads (id text PRIMARY KEY, version bigint, digest text) WITH (fillfactor = 70)",
)
WRITERS = 8


def move(ply: int) -> MovePlayed:
    """Return a move as a game of cards has it."""
    at = "2026-01-01T00:00:00.000Z"
    return MovePlayed(at=at, salt="00" * 16, seat=ply % 2 + 1, text="4Ci3", findings=(), stands=False, clock="")


def appends(url: str, count: int) -> tuple[float, float]:
    """Return the middle milliseconds of an append of one move, and of plain psycopg on the same rows, by turns."""
    ours, plain = [], []
    with open_store(Server(url)) as store, psycopg.connect(url, autocommit=True) as rival:
        for statement in TABLES:
            rival.execute(statement.encode())
        head = origin("one")
        for ply in range(count):
            event = move(ply)
            [same] = sealed("one", head, (event,))
            start = time.perf_counter()
            after = store.append("one", head, (event,))
            middle = time.perf_counter()
            rows = ("one", after.version, after.digest, "one", after.version, same.topic, same.body.decode())
            rival.execute(PLAIN, rows)
            plain.append(time.perf_counter() - middle)
            ours.append(middle - start)
            head = after
        rival.execute("DROP TABLE plain_events, plain_heads")
    return 1e3 * statistics.median(ours), 1e3 * statistics.median(plain)


def write(url: str, id: str, count: int, gate: object) -> None:
    """Append so many moves to a game, once all writers are ready."""
    with open_store(Server(url)) as store:
        head = origin(id)
        gate.wait()  # type: ignore[attr-defined]
        for ply in range(count):
            head = store.append(id, head, (move(ply),))
        gate.wait()  # type: ignore[attr-defined]


def rate(url: str, writers: int, count: int) -> float:
    """Return appends a second of so many processes, each on a game of its own."""
    own = get_context("spawn")
    gate = own.Barrier(writers + 1)
    names = [f"w{writers}-{number}" for number in range(writers)]
    children = [own.Process(target=write, args=(url, name, count, gate)) for name in names]
    for child in children:
        child.start()
    gate.wait()
    start = time.perf_counter()
    gate.wait()
    took = time.perf_counter() - start
    for child in children:
        child.join()
    return writers * count / took


def main(url: str, count: int) -> None:
    """Measure and print."""
    import os

    with TemporaryDirectory() as folder:
        os.environ["CARTULARY_SHELF"] = folder
        ours, plain = appends(url, count)
        print(f"append {ours:.3f} ms, plain psycopg {plain:.3f} ms, ratio {ours / plain:.2f}")
        one, several = rate(url, 1, count), rate(url, WRITERS, count)
        print(f"one writer {one:.0f} a second, {WRITERS} writers {several:.0f} a second, ratio {several / one:.2f}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
