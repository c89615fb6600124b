"""Rebuilding the index from the log: the games list, and on request the index of positions.

Each game is judged once, by this process or others. That gives its rows, and the marks of its positions.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, repeat
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Protocol

from msgspec import Struct

from cartulary.records.faults import Damaged, Fault, Unfit, UninstalledGame, UnknownGame
from cartulary.records.library.listing import head_of_rows, index_rows, rows_of_stored
from cartulary.records.library.marks import Trail, trail_of
from cartulary.records.library.opening import open_store
from cartulary.records.library.positions import RUN, note_encodings, place, processes, put_run, share_out
from cartulary.records.library.runs import Run, pack_run
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import Log
from cartulary.records.log.index import games_in, still_current, write_index, write_transaction
from cartulary.records.log.schema import BEHIND, INDEXES, MODEL, POSITIONS, REINDEXING, Lines
from cartulary.records.log.server import Server
from cartulary.records.state.fold import fold

CHUNK = 500
"""Games worked out between two short writes."""


class GameMarks(Struct, frozen=True):
    """Marks that are to be put into the index.

    Attributes:
        games: Id and head of each game, by its place in the run.
        run: The packed marks.
    """

    games: tuple[tuple[str, Head], ...]
    run: Run


class ReindexPart(Struct, frozen=True):
    """What was worked out of some games.

    Attributes:
        ids: The ids of the games.
        rows: The rows of each, None for one with a fault.
        marks: Their marks, if they were asked for.
    """

    ids: Sequence[str]
    rows: list[Lines | None]
    marks: GameMarks | None = None


class Workers(Protocol):
    """Processes elsewhere that work games out.

    Attributes:
        threads: How many tasks they do at a time.
    """

    threads: int

    def map(self, work: Callable[..., ReindexPart], *arguments: Iterable[Any]) -> Iterator[ReindexPart]:
        """Call a function elsewhere with one of each of the arguments at a time, as ``map`` does, and yield its results
        in order.
        """
        ...


def reindex(
    store: Log,
    progress: Callable[[int, int], None] | None = None,
    rows_before: Iterable[tuple[str, Lines | None]] = (),
    marks_before: Iterable[GameMarks] | None = None,
    *,
    positions: bool = False,
    jobs: int = 1,
    workers: Workers | None = None,
) -> tuple[int, tuple[Fault, ...]]:
    """Rebuild the index from the log.

    A game whose rules are not installed is listed as it was written, and is among the faults. Others may go on writing
    meanwhile; newer rows of theirs are not overwritten.

    Args:
        store: The store.
        progress: Called with the number of games that are done, and of all.
        rows_before: Rows that were worked out before, in the order of the games. Those that are missing or no longer
            up to date are worked out now.
        marks_before: Marks that were worked out before. The index of positions is then rebuilt from those that are
            still up to date.
        positions: Whether the index of positions is rebuilt too. Otherwise the next search for a position updates it.
        jobs: The number of processes that work games out.
        workers: Processes elsewhere that do so instead.

    Returns:
        The number of games in the index, and the faults. A game with a fault is not in it, unless only its rules are
        missing.
    """
    ids = store.ids()
    before = _EarlierRows(store, rows_before)
    notifications = chain(store.after(0), ((0, id, 0) for id in ids))  # the second part finds heads without events
    faults: list[Fault] = []
    done = 0
    jobs = jobs if workers is None else workers.threads
    parts = share_out(tuple(games_in(notifications)), RUN if positions else CHUNK, jobs)
    working = _work_out_all(store, parts, positions, jobs, before, workers)
    with store.index.own_connection() as database, closing(working) as worked_out:
        database.execute("PRAGMA synchronous=NORMAL")  # it can be worked out again
        note = _empty_index(database, positions or marks_before is not None)
        for part in worked_out:
            _write_rows(store, database, part, faults)
            done += len(part.ids)
            if progress:
                progress(min(done, len(ids)), len(ids))
        for marks in marks_before or ():
            _write_marks(database, marks)
        with write_transaction(database) as c:
            c.execute("DELETE FROM behind WHERE rowid <= ?", (note,))
            [listed_games] = c.execute("SELECT COUNT(*) FROM games").fetchone()
    if positions or marks_before is not None:
        note_encodings(store)
        place(store)  # games without marks, and those that were written to meanwhile
    return listed_games, tuple(faults)


class _EarlierRows:
    """Rows that were worked out before, in the order of the games. They are read once, from the first game on."""

    def __init__(self, store: Log, rows: Iterable[tuple[str, Lines | None]]) -> None:
        self._store, self._rows = store, iter(rows)
        self._next = next(self._rows, None)

    def of(self, id: str) -> Lines | None:
        """Return the rows of a game, None if there are none or the game has changed since.

        Ask for games in the order of the rows: those of a game are used up once they are asked for.
        """
        if self._next is None or self._next[0] != id:
            return None
        lines = self._next[1]
        self._next = next(self._rows, None)
        return lines if lines is not None and head_of_rows(lines) == self._store.head(id) else None


# --- working out ---


def _work_out_all(
    store: Log,
    parts: Sequence[Sequence[str]],
    positions: bool,
    jobs: int,
    before: _EarlierRows,
    workers: Workers | None,
) -> Generator[ReindexPart, None, None]:
    """Yield what is worked out of each part, in their order, here or in other processes.

    Args:
        store: The store.
        parts: The ids of the games of each part.
        positions: Whether marks are worked out too.
        jobs: The number of processes; below 2 the work is done here.
        before: Rows that were worked out before; only work that is done here uses them.
        workers: Processes elsewhere that work out the parts instead; None for none.
    """
    if workers is not None:
        yield from workers.map(_work_out_at, repeat(store.place), parts, repeat(positions))
        return
    if jobs < 2 or len(parts) < 2:
        yield from (work_out(store, ids, positions, before) for ids in parts)
        return
    with processes(jobs) as pool:
        yield from pool.map(_work_out_at, repeat(store.place), parts, repeat(positions))


def _work_out_at(place: Path | Server, ids: Sequence[str], positions: bool) -> ReindexPart:
    """Open the log at a place, return what ``work_out`` finds for the games with these ids, and close it.

    This runs in another process.
    """
    with open_store(place, create=False) as store:
        return work_out(store, ids, positions)


def work_out(store: Log, ids: Sequence[str], positions: bool, before: _EarlierRows | None = None) -> ReindexPart:
    """Return the rows of games, None for one with a fault, and their marks if these are asked for. Nothing is written.

    Args:
        store: The store.
        ids: The ids of the games.
        positions: Whether marks are worked out too.
        before: Rows that were worked out before. They are used if they are up to date, but not if marks are asked for.
    """
    if not positions:
        return ReindexPart(ids, [(before and before.of(id)) or _judge(store, id) for id in ids])
    trails: dict[tuple[str, Head], Trail] = {}
    rows = [_judge(store, id, trails) for id in ids]
    return ReindexPart(ids, rows, GameMarks(tuple(trails), pack_run(tuple(trails.values()))))


def _judge(store: Log, id: str, trails: dict[tuple[str, Head], Trail] | None = None) -> Lines | None:
    """Return the rows of a game; None if it has a fault, which is not said here.

    Args:
        store: The store.
        id: The id of the game.
        trails: Gets the marks of the game, by its id and head; None if they are not wanted.
    """
    try:
        game = fold(id, store.stream(id))
    except (Damaged, UnknownGame, Unfit, UninstalledGame):
        return None
    if trails is not None:
        trails[id, game.head] = trail_of(game)
    return index_rows(game)


# --- writing ---


def _empty_index(connection: Connection, positions: bool) -> int | None:
    """Empty the index and note in it that it is incomplete.

    Args:
        connection: A connection without a transaction.
        positions: Whether the index of positions is emptied too.

    Returns:
        The number of the note, which grows with each reindex. Whoever ends the reindex removes the notes up to it.
    """
    with write_transaction(connection):
        for name in (*MODEL, *(POSITIONS if positions else ())):
            connection.execute(f"DROP TABLE IF EXISTS {name}")
        for statement in (*MODEL.values(), *INDEXES, *POSITIONS.values(), BEHIND):
            connection.execute(statement)
        return connection.execute("INSERT INTO behind VALUES (?)", (REINDEXING,)).lastrowid


def _write_rows(store: Log, database: Connection, part: ReindexPart, faults: list[Fault]) -> None:
    """Write the rows of a part into the index, and its marks; rows of a game that was written to since are left out.

    Games that had a fault are read again, and their faults appended to ``faults``.
    """
    pairs = zip(part.rows, part.ids, strict=True)
    rows = [lines if lines is not None else rows_of_stored(store, id, faults) for lines, id in pairs]
    for at in range(0, len(rows), CHUNK):
        with write_transaction(database) as c:
            write_index(c, still_current(c, rows[at : at + CHUNK]))
    if part.marks is not None:
        _write_marks(database, part.marks)


def _write_marks(database: Connection, marks: GameMarks) -> None:
    """Write the marks of a part, by which positions are found, into the index of positions.

    A game that was written to since remains waiting, and its marks are not found.
    """
    listed = "SELECT number FROM games WHERE id = ? AND version = ? AND digest = ?"
    with write_transaction(database) as c:
        numbers = [
            (c.execute(listed, (id, head.version, head.digest)).fetchone() or (None,))[0] for id, head in marks.games
        ]
        games = [(number, head.version) for number, (_, head) in zip(numbers, marks.games, strict=True)]
        put_run(database, games, marks.run)
