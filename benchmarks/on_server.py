"""Figures of a log on a server, in an empty database: appends against plain psycopg, several writers against one.

python benchmarks/on_server.py postgresql://USER@HOST/DATABASE [APPENDS]

The rival inserts the same rows, event and head, in one statement; its bodies and digests are made beforehand, and
it has no triggers.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg

from cartulary.records.api import Server, open_store
from cartulary.records.log.chain import origin
from cartulary.records.log.events import MovePlayed
from cartulary.records.log.recorded import seal_events

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
TURNS = 3

Append = Callable[[int], object]
"""Append the move of a ply."""


def move(ply: int) -> MovePlayed:
    """Return the event of a move, with always the same word, by seats 1 and 2 in turn."""
    at = "2026-01-01T00:00:00.000Z"
    return MovePlayed(at=at, salt="00" * 16, seat=ply % 2 + 1, text="4Ci3", findings=(), stands=False, clock="")


# --- the two ---


@contextmanager
def ours(url: str, id: str, count: int) -> Iterator[tuple[Append, int]]:
    """Yield a function that appends the move of a ply to a game of its own through Cartulary, and the number of the
    server's process for it.
    """
    with open_store(Server(url)) as store:
        head = origin(id)

        def append(ply: int) -> None:
            nonlocal head
            head = store.append(id, head, (move(ply),))

        yield append, store._link.rows("SELECT pg_backend_pid()")[0][0]  # type: ignore[attr-defined]


@contextmanager
def plain(url: str, id: str, count: int) -> Iterator[tuple[Append, int]]:
    """Yield a function that inserts the row of a ply by psycopg alone, and the number of the server's
    process for it.
    """
    rows = []
    for each in seal_events(id, origin(id), map(move, range(count))):
        version = each.originator_version
        rows.append((id, version, each.digest, id, version, each.topic, each.body.decode()))
    with psycopg.connect(url, autocommit=True) as connection:
        yield lambda ply: connection.execute(PLAIN, rows[ply]), connection.info.backend_pid


# --- one append ---


def appends(url: str, count: int) -> dict[str, float]:
    """Return the median microseconds of appending one move, for ``ours`` and ``plain``, measured by turns."""
    took: dict[str, list[float]] = {"ours": [], "plain": []}
    with ours(url, "one", count) as (append, _), plain(url, "one", count) as (insert, _):
        for ply in range(count):
            start = time.perf_counter()
            append(ply)
            middle = time.perf_counter()
            insert(ply)
            took["plain"].append(time.perf_counter() - middle)
            took["ours"].append(middle - start)
    return {name: 1e6 * statistics.median(each) for name, each in took.items()}


# --- several writers ---


def write(which: str, url: str, id: str, count: int, gate: Any, answers: Any) -> None:
    """Append ``count`` moves to a game once all writers are ready, and put into ``answers`` the microseconds of
    processor time of each, here and in the server.
    """
    with {"ours": ours, "plain": plain}[which](url, id, count) as (append, server):
        gate.wait()
        before = time.process_time(), spent(server)
        for ply in range(count):
            append(ply)
        after = time.process_time(), spent(server)
        gate.wait()
        answers.put([1e6 * (late - early) / count for early, late in zip(before, after, strict=True)])


def spent(process: int) -> float:
    """Return the processor time of a process of this machine in seconds; 0 if it cannot be known."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rate(which: str, url: str, writers: int, count: int, turn: int) -> tuple[float, float, float]:
    """Return how many appends a second ``writers`` processes make, each on a game of its own, and the microseconds of
    processor time that one takes at the client and in the server.
    """
    own = get_context("spawn")
    gate, answers = own.Barrier(writers + 1), own.Queue()
    names = [f"{which}-{turn}-{writers}-{number}" for number in range(writers)]
    children = [own.Process(target=write, args=(which, url, name, count, gate, answers)) for name in names]
    for child in children:
        child.start()
    gate.wait()
    start = time.perf_counter()
    gate.wait()
    took = time.perf_counter() - start
    found = [answers.get() for _ in children]
    for child in children:
        child.join()
    client, server = (statistics.mean(each) for each in zip(*found, strict=True))
    return writers * count / took, client, server


def main(url: str, count: int) -> None:
    """Measure appends to a log on a server against plain psycopg, and print the figures; ``url`` must lead to an empty
    database.
    """
    with TemporaryDirectory() as folder, psycopg.connect(url, autocommit=True) as connection:
        os.environ["CARTULARY_SHELF"] = folder
        open_store(Server(url)).close()  # only an empty database is taken for a log
        for statement in TABLES:
            connection.execute(statement.encode())
        took = appends(url, count)
        print(f"append {took['ours']:.1f} us, plain psycopg {took['plain']:.1f} us, ratio", end=" ")
        print(f"{took['ours'] / took['plain']:.2f}")
        for which in ("ours", "plain"):
            found = {n: [rate(which, url, n, count, turn) for turn in range(TURNS)] for n in (1, WRITERS)}
            one, several = (statistics.median(each) for each in ([rate for rate, _, _ in found[n]] for n in found))
            print(f"{which}: one writer {one:.0f} a second, {WRITERS} writers {several:.0f}, ratio {several / one:.2f}")
            for n, each in found.items():
                client, server = (statistics.median(some) for some in list(zip(*each, strict=True))[1:])
                print(
                    f"  {n}: processor time of an append {client:.0f} us at the client, {server:.0f} us in the server"
                )
        connection.execute("DROP TABLE plain_events, plain_heads")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
