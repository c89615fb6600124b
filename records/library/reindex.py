"""Writing the read model anew from the log: the games list, and with it the index of positions where that is asked.

Each game is worked out once, by this process or others: it is judged for its line of the list, and its marks are those
of the positions it was judged in.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, repeat
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Protocol

from msgspec import Struct

from cartulary.records.faults import Damaged, Fault, Unfit, Uninstalled, UnknownGame
from cartulary.records.library.listing import head_of, lines_of, row
from cartulary.records.library.marks import Trail, trail_of
from cartulary.records.library.opening import open_store
from cartulary.records.library.positions import RUN, note_encodings, place, processes, put_run, shared
from cartulary.records.library.runs import Run, packed
from cartulary.records.log.chain import Head
from cartulary.records.log.index import current, games_in, write_index, write_transaction
from cartulary.records.log.schema import BEHIND, INDEXES, MODEL, POSITIONS, REINDEXING, Lines
from cartulary.records.log.server import Server
from cartulary.records.log.store import Store
from cartulary.records.state.fold import fold

CHUNK = 500
"""Games worked out between two short writes."""


class Marked(Struct, frozen=True):
    """Marks that are to be put into the index. games: id and head of each, by its place in the run"""

    games: tuple[tuple[str, Head], ...]
    run: Run


class Worked(Struct, frozen=True):
    """What was worked out of games. said: None of one with which something is at fault; marked: where asked for"""

    ids: Sequence[str]
    said: list[Lines | None]
    marked: Marked | None = None


class Workers(Protocol):
    """What works games out elsewhere. threads: so many tasks at once"""

    threads: int

    def map(self, work: Callable[..., Worked], *arguments: Iterable[Any]) -> Iterator[Worked]:
        """Yield what a function answers there to each of the arguments, in their order."""
        ...


def reindex(
    store: Store,
    progress: Callable[[int, int], None] | None = None,
    said_before: Iterable[tuple[str, Lines | None]] = (),
    marked_before: Iterable[Marked] | None = None,
    *,
    positions: bool = False,
    jobs: int = 1,
    workers: Workers | None = None,
) -> tuple[int, tuple[Fault, ...]]:
    """Write the whole read model anew from the log; return how many games it holds, and what is at fault with others.

    A game whose rules are not installed is listed as it was written and named among the faults. The index of positions
    is kept without ``positions``: it is brought up to date by the next search for one.

    Others may go on writing: lines of theirs that are newer are not written over.
    progress: called with games done and games in all
    said_before: what was ``worked_out`` of the games in their order; what is no longer so, or is missing, is done now
    marked_before: marks worked out before; the index of positions is written anew of those that hold, others wait
    positions: the index of positions is written anew too; jobs: how many processes work games out
    workers: those that do it instead
    """
    ids = store.ids()
    before = _Before(store, said_before)
    told = chain(store.after(0), ((0, id, 0) for id in ids))  # of a head without an event nothing else tells
    faults: list[Fault] = []
    done = 0
    jobs = jobs if workers is None else workers.threads
    some = shared(tuple(games_in(told)), RUN if positions else CHUNK, jobs)
    working = _worked_out(store, some, positions, jobs, before, workers)
    with store.index.own_connection() as database, closing(working) as worked_out:
        database.execute("PRAGMA synchronous=NORMAL")  # it can be worked out again
        begun = _emptied(database, positions or marked_before is not None)
        for worked in worked_out:
            _written(store, database, worked, faults)
            done += len(worked.ids)
            if progress:
                progress(min(done, len(ids)), len(ids))
        for marked in marked_before or ():
            _put(database, marked)
        with write_transaction(database) as c:
            c.execute("DELETE FROM behind WHERE rowid <= ?", (begun,))
            [held] = c.execute("SELECT COUNT(*) FROM games").fetchone()
    if positions or marked_before is not None:
        note_encodings(store)
        place(store)  # those without marks, and those that were gone on with meanwhile
    return held, tuple(faults)


class _Before:
    """What was worked out of games before, told in their order."""

    def __init__(self, store: Store, said: Iterable[tuple[str, Lines | None]]) -> None:
        self._store, self._said = store, iter(said)
        self._next = next(self._said, None)

    def of(self, id: str) -> Lines | None:
        """Return what was said of a game, if it stands where it stood."""
        if self._next is None or self._next[0] != id:
            return None
        lines = self._next[1]
        self._next = next(self._said, None)
        return lines if lines is not None and head_of(lines) == self._store.head(id) else None


# --- working out ---


def _worked_out(
    store: Store,
    some: Sequence[Sequence[str]],
    positions: bool,
    jobs: int,
    before: _Before,
    workers: Workers | None,
) -> Generator[Worked, None, None]:
    if workers is not None:
        yield from workers.map(_work_out_at, repeat(store.place), some, repeat(positions))
        return
    if jobs < 2 or len(some) < 2:
        yield from (work_out(store, ids, positions, before) for ids in some)
        return
    with processes(jobs) as pool:
        yield from pool.map(_work_out_at, repeat(store.place), some, repeat(positions))


def _work_out_at(place: Path | Server, ids: Sequence[str], positions: bool) -> Worked:
    with open_store(place, create=False) as store:
        return work_out(store, ids, positions)


def work_out(store: Store, ids: Sequence[str], positions: bool, before: _Before | None = None) -> Worked:
    """Return what is to be said of games, and their marks where ``positions`` asks for them."""
    if not positions:
        return Worked(ids, [(before and before.of(id)) or _judged(store, id) for id in ids])
    trails: dict[tuple[str, Head], Trail] = {}
    said = [_judged(store, id, trails) for id in ids]
    return Worked(ids, said, Marked(tuple(trails), packed(tuple(trails.values()))))


def _judged(store: Store, id: str, trails: dict[tuple[str, Head], Trail] | None = None) -> Lines | None:
    """Return what is to be said of a game, None where something is at fault; its marks are put to the trails."""
    try:
        game = fold(id, store.stream(id))
    except (Damaged, UnknownGame, Unfit, Uninstalled):
        return None
    if trails is not None:
        trails[id, game.head] = trail_of(game)
    return row(game)


# --- writing ---


def _emptied(connection: Connection, positions: bool) -> int | None:
    """Empty the read model; return the number of the note that says so, which one begun later stands behind."""
    with write_transaction(connection):
        for name in (*MODEL, *(POSITIONS if positions else ())):
            connection.execute(f"DROP TABLE IF EXISTS {name}")
        for statement in (*MODEL.values(), *INDEXES, *POSITIONS.values(), BEHIND):
            connection.execute(statement)
        return connection.execute("INSERT INTO behind VALUES (?)", (REINDEXING,)).lastrowid


def _written(store: Store, database: Connection, worked: Worked, faults: list[Fault]) -> None:
    pairs = zip(worked.said, worked.ids, strict=True)
    said = [lines if lines is not None else lines_of(store, id, faults) for lines, id in pairs]
    for at in range(0, len(said), CHUNK):
        with write_transaction(database) as c:
            write_index(c, current(c, said[at : at + CHUNK]))
    if worked.marked is not None:
        _put(database, worked.marked)


def _put(database: Connection, marked: Marked) -> None:
    """Write marks. A game that was gone on with since goes on waiting."""
    listed = "SELECT number FROM games WHERE id = ? AND version = ? AND digest = ?"
    with write_transaction(database) as c:
        numbers = [
            (c.execute(listed, (id, head.version, head.digest)).fetchone() or (None,))[0] for id, head in marked.games
        ]
        games = [(number, head.version) for number, (_, head) in zip(numbers, marked.games, strict=True)]
        put_run(database, games, marked.run)
