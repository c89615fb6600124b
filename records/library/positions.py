"""The index of positions: how games are put into it, and how a position is looked up.

It grows in *runs*, the packed marks of many games, so that putting in a hundred thousand games writes each page of the
file once. Games that are put in a few at a time have a row for each mark, until the whole index is rebuilt.
"""

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from itertools import repeat
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from cartulary.engine.deadline import check_deadline
from cartulary.engine.numbers import how_many
from cartulary.notation import AnyGame, NotationError, Record, find_game
from cartulary.notation.arbiter.heading import game_of
from cartulary.notation.roster import every_game
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.faults import Damaged, Declined, decode_fault
from cartulary.records.library.listing import listed_game
from cartulary.records.library.marks import Trail, position_mark, trail
from cartulary.records.library.opening import open_store
from cartulary.records.library.runs import HIGH, LEAST, Run, chunk_of, pack_run, postings_of
from cartulary.records.library.search import (
    EVERY_GAME,
    NAMES,
    Hit,
    Query,
    check_complete,
    check_page,
    conditions_of,
    fit_for_a_seat,
    values_of,
    where,
)
from cartulary.records.log.contract import Log
from cartulary.records.log.index import QueryRows, write_transaction
from cartulary.records.log.schema import POSITIONS, SCHEMA_VERSION
from cartulary.records.log.server import Server

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

RUN = 2000
"""The largest number of games in a run."""
TASK = 100
"""Up to this number, games are put in one by one, and no other process works on them."""
SHARE = 4
"""The runs for each process, if there are too few games for whole runs."""

Progress = Callable[[int, int], None]
T = TypeVar("T")
_WorkedOut: TypeAlias = tuple[list[tuple[int, int]], Run | list[Trail]]
"""Number and version of games, and their marks: of a few games as they are, of many as a run."""
Waiting = tuple[str, int, bool]
"""A game to be put in: its id, its number, and whether all its plies are known to be legal."""

# --- putting in ---


def place(
    store: Log,
    progress: Progress | None = None,
    *,
    rebuild: bool = False,
    jobs: int = 1,
    game: AnyGame | None = None,
    say: Callable[[str], None] | None = None,
) -> int:
    """Put all games into the index of positions that are not in it as they are now; return their number.

    If a new version of a game encodes positions in another way (``Place.number``), all its games are put in again.

    Args:
        store: The store.
        progress: Called after each step with the number of games that are done, and of all that are to be put in.
        rebuild: Whether all games are put in, into an empty index.
        jobs: The number of processes that work out marks.
        game: The game whose encoding is checked; None for all that are stored.
        say: Called with a sentence about games that are put in again.

    Raises:
        Declined: Games have to be put in, but the file may only be read; or the games list is not up to date.
    """
    check_complete(store)
    if store.index.version() < SCHEMA_VERSION:
        raise Declined(
            f"The positions of games were indexed in {store.place} by an older version, and the file is read-only. "
            "Use `reindex --positions` on a copy you can write to."
        )
    if rebuild:
        _empty_index(store)
    for checked in (game,) if game is not None else _stored_games(store):
        _outdate(store, checked, say)
    rows = store.index.rows(_WAITING)
    waiting = [(id, number, verdict == "legal" and not found) for number, id, verdict, found in rows]
    if not waiting:
        return 0
    if not store.index_writable:
        raise Declined(
            f"The index of positions of {store.place} still lacks {how_many(len(waiting), 'game')}, and the file is "
            "read-only. Use `reindex --positions` on a copy you can write to."
        )
    done = 0
    with store.index.own_connection() as database, closing(_work_out(store, waiting, jobs)) as worked_out:
        database.execute("PRAGMA synchronous=NORMAL")  # it can be worked out again
        for part in worked_out:
            with write_transaction(database):
                _write(database, *part)
            done += len(part[0])
            if progress:
                progress(done, len(waiting))
            check_deadline()  # after each step, so that a search which is repeated often enough succeeds
    return done


def _stored_games(store: Log) -> Iterator[AnyGame]:
    """Yield each installed game of which there are records, in no particular order; others are left out."""
    for (key,) in store.index.rows("SELECT DISTINCT game FROM games"):
        with suppress(NotationError):
            yield find_game(key)


def _outdate(store: Log, game: AnyGame, say: Callable[[str], None] | None) -> None:
    """Mark the records of a game as waiting if their marks are in another encoding than the game has now.

    The index then notes the new encoding, and ``say``, unless it is None, gets a sentence with their number. Otherwise
    nothing is done.

    Raises:
        Declined: The marks are in another encoding, but the index may only be read.
    """
    key, number = game.about.key, game.place.number
    has_table = store.index.rows("SELECT 1 FROM sqlite_master WHERE name = 'encodings'")
    noted = store.index.rows("SELECT number FROM encodings WHERE game = ?", (key,)) if has_table else []
    if number == (noted[0][0] if noted else 1):
        return
    [[count]] = store.index.rows(f"SELECT COUNT(*) {_PLACED}", (key,))
    if not store.index_writable:
        raise Declined(
            f"The positions of {game.about.title} were indexed in {store.place} by another version, and the file is "
            "read-only. Use `reindex --positions` on a copy you can write to."
        )
    with store.index.own_connection() as database, write_transaction(database) as c:
        c.execute(POSITIONS["encodings"])
        c.execute(f"INSERT OR IGNORE INTO waiting SELECT number {_PLACED}", (key,))
        c.execute("INSERT OR REPLACE INTO encodings VALUES (?, ?)", (key, number))
    if count and say:
        records = how_many(count, "record")
        say(f"Positions of {game.about.title} are compared in a new way: {records} will be indexed again.")


def encodings() -> str:
    """Return the encodings of all installed games as one text, by which other machines compare theirs.

    It has the key and the number of each, in alphabetical order: ``ludo=1 mygame=1``.
    """
    return " ".join(f"{key}={game.place.number}" for key, game in sorted(every_game().items()))


def note_encodings(store: Log) -> None:
    """Note in the index that the marks of all stored games are in the encoding that their rules use now.

    A mark is the number by which a position is found. Encoding 1 needs no note.
    """
    today = [(game.about.key, game.place.number) for game in _stored_games(store) if game.place.number != 1]
    with store.index.own_connection() as database, write_transaction(database):
        database.executemany("INSERT OR REPLACE INTO encodings VALUES (?, ?)", today)


_PLACED = "FROM placed JOIN games USING (number) WHERE game = ?"

_WAITING = "SELECT number, id, verdict, findings FROM waiting JOIN games USING (number) ORDER BY number"


def _work_out(store: Log, waiting: Sequence[Waiting], jobs: int) -> Generator[_WorkedOut, None, None]:
    """Yield the marks of waiting games, each time with pairs of the number and the version of some of them.

    Up to ``TASK`` games come in one part, a trail each. More come packed in runs, which other processes may work out.

    Args:
        store: The store.
        waiting: The id and number of each game, and whether it is known to be legal.
        jobs: The number of processes.
    """
    if len(waiting) <= TASK:
        trails = [trail(store, *each) for each in waiting]
        yield [(each.number, each.version) for each in trails], trails
        return
    parts = share_out(waiting, RUN, jobs)
    if jobs < 2 or len(parts) < 2:
        yield from (_run_of(store, part) for part in parts)
        return
    with processes(jobs) as pool:
        yield from pool.map(_run_in_process, repeat(store.place), parts)


def share_out(games: Sequence[T], most: int, jobs: int) -> list[Sequence[T]]:
    """Return games, in their order, divided into parts of about the same size for processes; no part is empty.

    Args:
        games: The games.
        most: The largest size of a part.
        jobs: The number of processes; for less than two, the parts are as large as possible.
    """
    size = most if jobs < 2 else min(most, max(TASK, -(-len(games) // (SHARE * jobs))))
    return [games[at : at + size] for at in range(0, len(games), size)]


def processes(jobs: int) -> "ProcessPoolExecutor":
    """Return a pool of ``jobs`` processes, but not more than there are processors; close it, such as by ``with``."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(min(jobs, os.cpu_count() or 1), get_context("spawn"))


def _run_in_process(place: Path | Server, waiting: Sequence[Waiting]) -> _WorkedOut:
    """Open the log at a place and return what ``_run_of`` does for it, then close it; this runs in another process."""
    with open_store(place, create=False) as store:
        return _run_of(store, waiting)


def _run_of(store: Log, waiting: Sequence[Waiting]) -> _WorkedOut:
    """Return pairs of the number and the version of each waiting game, and the marks of all packed as one run.

    A mark is the number by which a position is found. A game that cannot be read has none.
    """
    trails = [trail(store, *each) for each in waiting]
    return [(each.number, each.version) for each in trails], pack_run(trails)


def _write(database: Connection, games: Sequence[tuple[int, int]], marks: Run | list[Trail]) -> None:
    """Write the marks of games into the index, in the transaction of the caller; their old places no longer count.

    Args:
        database: A connection with a transaction.
        games: Number and version of each game.
        marks: Their marks in the same order: one trail a game, or those of all games packed as a run.
    """
    if isinstance(marks, Run):
        put_run(database, games, marks)
        return
    for game, each in zip(games, marks, strict=True):
        at = _next_place(database, *game)
        rows = sorted((mark, at, ply) for mark, ply in each.marks)
        database.executemany("INSERT INTO positions VALUES (?, ?, ?)", rows)


def put_run(database: Connection, games: Sequence[tuple[int | None, int]], run: Run) -> None:
    """Write a run, which is the packed marks of many games, into the index of positions, and give each of its games a
    new place there.

    The old place of a game no longer counts, and the game is no longer waiting unless it was written to since.

    Args:
        database: A connection with a transaction.
        games: The number in the games list of each game, and the version from which its marks were worked out, in the
            order of the run; at least one. A game without a number will not be found.
        run: The run.
    """
    places = [_next_place(database, *each) for each in games]
    into = "INSERT INTO runs (place, width, bits, high) VALUES (?, ?, ?, ?)"
    number = database.execute(into, (places[0], run.width, run.bits, run.high)).lastrowid
    assert number is not None
    chunks = [(chunk_of(number, run.high, least), postings) for least, postings in run.chunks]
    database.executemany("INSERT INTO postings VALUES (?, ?)", chunks)


def _next_place(database: Connection, number: int | None, version: int) -> int:
    """Give a game the next place in the index of positions, the number by which its positions refer to it, and return
    it.

    Its old place no longer counts. If the game was written to since this version, it remains waiting.

    Args:
        database: A connection with a transaction.
        number: The number of the game in the games list; None gives a place whose positions are never found.
        version: The version of the game from which its positions were worked out.
    """
    database.execute("DELETE FROM placed WHERE number=?", (number,))
    at = database.execute("INSERT INTO placed (number, version) VALUES (?, ?)", (number, version)).lastrowid
    database.execute(_DONE, (number, number, version))
    assert at is not None
    return at


_DONE = "DELETE FROM waiting WHERE number=? AND (SELECT version FROM games WHERE number=?) <= ?"


def _empty_index(store: Log) -> None:
    """Drop all tables of the index of positions and make them again, empty, and note that all games are waiting to be
    put in.
    """
    with store.index.own_connection() as database, write_transaction(database):
        for name in POSITIONS:
            database.execute(f"DROP TABLE IF EXISTS {name}")
        for statement in POSITIONS.values():
            database.execute(statement)
        database.execute("INSERT INTO waiting SELECT number FROM games")


# --- looking up ---


def find_position(
    store: Log,
    record: Record,
    at: int | None = None,
    *,
    viewer: Viewer = EVERYTHING,
    query: Query = EVERY_GAME,
    limit: int | None = None,
    offset: int = 0,
    progress: Progress | None = None,
    jobs: int = 1,
    say: Callable[[str], None] | None = None,
) -> tuple[tuple[Hit, ...], bool]:
    """Return the games in which a position of a record occurred: first those put into the index one by one, then those
    put in with many others; of either, those put in last first.

    Games that are not in the index yet are put in before, which takes a while if there are many.

    Args:
        store: The store.
        record: The record that has the position.
        at: After how many plies; None for the last position.
        viewer: Who asks. For a seat, positions are compared as a seat knew them, and the answer says nothing of a game
            that it may not know.
        query: What else must be true of the games.
        limit: The largest number of games to return.
        offset: How many games to skip.
        progress: Called with the number of games that are done, and of all.
        jobs: The number of processes that work out marks.
        say: Called with a sentence about games that are put in again.

    Returns:
        The games, each with the first ply of the position, and whether there are more.

    Raises:
        Unfit: There is no such position or page, no game can match the query, or a seat may not ask it.
        Declined: The index cannot be brought up to date.
        Damaged: The index of positions holds what this program never wrote.
    """
    check_page(limit, offset)
    if viewer.seat is not None:
        fit_for_a_seat(query)
    wanted = position_mark(record, at, viewer)
    place(store, progress, jobs=jobs, game=game_of(record), say=say)
    conditions = conditions_of(store, query)
    need = -1 if limit is None else offset + limit + 1
    rows: list[tuple[Any, ...]] = []
    with store.index.snapshot() as query_rows:
        for places in _occurrences(query_rows, wanted):
            rows += query_rows(
                f"{_LISTED} AND {where(conditions)} {_LAST_FIRST}", (places, *values_of(conditions), need)
            )
            if limit is not None and len(rows) >= need:
                break
    games = (Hit(listed_game(row[1:]), row[0]) for row in rows[offset : None if limit is None else offset + limit])
    hits = games if viewer.seat is None else map(_as_seat_may_know, games)
    return tuple(hits), limit is not None and len(rows) >= need


def _as_seat_may_know(hit: Hit) -> Hit:
    """Return a hit without what a seat may not know of a game: its result, verdict, findings, digest and passage are
    empty.
    """
    return Hit(replace(hit.game, result="", verdict="", findings=0, digest=""), hit.ply)


_LISTED = (
    f"SELECT json_extract(value, '$[1]'), {NAMES} FROM json_each(?) "
    "CROSS JOIN placed ON place = json_extract(value, '$[0]') CROSS JOIN games g ON g.number = placed.number WHERE 1"
)
_LAST_FIRST = "ORDER BY place DESC LIMIT ?"


def _occurrences(query_rows: QueryRows, mark: int) -> Iterator[str]:
    """Yield where a position occurred, as JSON lists of pairs of a game's place and its first ply.

    First come the games that were put in one by one, then those of each run, the last run first. Nothing is yielded if
    the position never occurred. ``mark`` is the number by which the position is found.
    """
    singly = query_rows("SELECT place, MIN(ply) FROM positions WHERE mark = ? GROUP BY place", (mark,))
    if singly:
        yield _as_json(singly)
    for run, first, width, bits, high in _runs(query_rows):
        number = chunk_of(run, high, mark)
        for (chunk,) in query_rows("SELECT CAST(postings AS BLOB) FROM postings WHERE chunk = ?", (number,)):
            occurrences = [(first + at, ply) for at, ply in postings_of(chunk or b"", width, bits, high, mark)]
            if occurrences:
                yield _as_json(occurrences)


_Bytes = Annotated[int, msgspec.Meta(ge=LEAST, le=16)]
_Bits = Annotated[int, msgspec.Meta(ge=0, le=64)]
_High = Annotated[int, msgspec.Meta(ge=0, le=HIGH)]
_Number = Annotated[int, msgspec.Meta(ge=0, le=1 << 48)]
_Run: TypeAlias = tuple[_Number, _Number, _Bytes, _Bits, _High]


def _runs(query_rows: QueryRows) -> list[_Run]:
    """Return number, first place, width, bits and high bits of each run, the last run first.

    A run holds the marks of many games; its first place is that of its first game in the index.

    Raises:
        Damaged: They are not what this program writes.
    """
    rows = query_rows("SELECT run, place, width, bits, high FROM runs ORDER BY run DESC", ())
    try:
        return msgspec.convert(rows, list[_Run])
    except msgspec.ValidationError as fault:
        because = f"The index of positions is damaged: {decode_fault(fault)}. Use `reindex --positions` to rebuild it."
        raise Damaged(because) from None


def _as_json(occurrences: Sequence[tuple[int, int]]) -> str:
    """Return pairs of the place and the first ply of a game as a JSON list, such as ``[[3,17]]``, to be passed to a
    query.
    """
    return msgspec.json.encode(occurrences).decode()
