"""The index of positions: games are put into it, and a position is looked up there.

The index grows in *runs*: the marks of many games, sorted and written one behind the other, so that putting in a
hundred thousand games writes each page of the file once. Single games that have changed share run 0.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from msgspec.structs import replace

from cartulary.notation import AnyGame, NotationError, Record, find_game
from cartulary.notation.arbiter.heading import game_of
from cartulary.records.faults import Declined
from cartulary.records.library.index import listed_of
from cartulary.records.library.marks import Trail, sought, trail
from cartulary.records.library.opening import open_store
from cartulary.records.library.search import (
    EVERYTHING,
    NAMES,
    Hit,
    Query,
    conditions_of,
    fit_for_a_seat,
    paged,
    values_of,
    where,
    whole,
)
from cartulary.records.log.schema import POSITIONS
from cartulary.records.log.server import Server
from cartulary.records.log.shelf import alone
from cartulary.records.log.store import Store

RUN = 1000
"""Games whose marks are written together."""
TASK = 100
"""Games another process works out before it says so."""

Progress = Callable[[int, int], None]
Waiting = tuple[int, str, bool]
"""A game that is to be placed: its number, its id, and whether the rules had nothing to say of it."""

# --- putting in ---


def place(
    store: Store,
    progress: Progress | None = None,
    *,
    anew: bool = False,
    jobs: int = 1,
    game: AnyGame | None = None,
    say: Callable[[str], None] | None = None,
) -> int:
    """Put every game into the index that is not there as it stands; return how many were put in.

    A game whose positions are encoded in another way than its marks were is put in anew (``Place.number``).
    anew: all of them, as into a new index; progress: called with games done and games in all
    jobs: how many processes work the marks out
    game: the one whose encoding is looked at, all that are stored without; say: told in a sentence what is put in anew
    Raises Declined where games are waiting and the file may only be read.
    """
    whole(store)
    if anew:
        _emptied(store)
    for each in (game,) if game is not None else _stored_games(store):
        _outdate(store, each, say)
    rows = store.shelf.rows(_WAITING)
    waiting = [(number, id, verdict == "legal" and not found) for number, id, verdict, found in rows]
    if not waiting:
        return 0
    if not store.writable:
        raise Declined(
            f"{len(waiting)} games of {store.place} are not in the index of positions yet, and it may only be read; "
            "`reindex --positions` on a copy that can be written puts them in."
        )
    trails, done = _trails(store, waiting, jobs), 0
    with store.shelf.anew() as database:
        database.execute("PRAGMA synchronous=NORMAL")  # it can be worked out again
        while some := tuple(islice(trails, RUN)):
            _written(database, some, len(waiting) > TASK)
            done += len(some)
            if progress:
                progress(done, len(waiting))
    return done


def _stored_games(store: Store) -> Iterator[AnyGame]:
    for (key,) in store.shelf.rows("SELECT DISTINCT game FROM games"):
        with suppress(NotationError):
            yield find_game(key)


def _outdate(store: Store, game: AnyGame, say: Callable[[str], None] | None) -> None:
    """Let the records of a game wait whose marks are written in another encoding than the game has now."""
    key, number = game.about.key, game.place.number
    there = store.shelf.rows("SELECT 1 FROM sqlite_master WHERE name = 'encodings'")
    kept = store.shelf.rows("SELECT number FROM encodings WHERE game = ?", (key,)) if there else []
    if number == (kept[0][0] if kept else 1):
        return
    [[count]] = store.shelf.rows(f"SELECT COUNT(*) {_PLACED}", (key,))
    if not store.writable:
        raise Declined(
            f"The positions of {game.about.title} are indexed in {store.place} as another version has them, and it may "
            "only be read; `reindex --positions` on a copy that can be written puts them in."
        )
    with store.shelf.anew() as database, alone(database) as c:
        c.execute(POSITIONS["encodings"])
        c.execute(f"INSERT OR IGNORE INTO waiting SELECT number {_PLACED}", (key,))
        c.execute("INSERT OR REPLACE INTO encodings VALUES (?, ?)", (key, number))
    if count and say:
        records = f"{count} record{'s' * (count != 1)}"
        say(f"What makes a position of {game.about.title} the same is another thing now: {records} indexed anew.")


_PLACED = "FROM placed JOIN games USING (number) WHERE game = ?"

_WAITING = "SELECT number, id, verdict, findings FROM waiting JOIN games USING (number) ORDER BY number"


def _trails(store: Store, waiting: Sequence[Waiting], jobs: int) -> Iterator[Trail]:
    if jobs < 2 or len(waiting) <= TASK:
        for number, id, legal in waiting:
            yield trail(store, id, number, legal)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    tasks = [(store.place, waiting[at : at + TASK]) for at in range(0, len(waiting), TASK)]
    with ProcessPoolExecutor(min(jobs, os.cpu_count() or 1), get_context("spawn")) as pool:
        for some in pool.map(_worked_out, tasks):
            yield from some


def _worked_out(task: tuple[Path | Server, Sequence[Waiting]]) -> list[Trail]:
    place, waiting = task
    with open_store(place, create=False) as store:
        return [trail(store, id, number, legal) for number, id, legal in waiting]


def _written(database: Connection, trails: Sequence[Trail], many: bool) -> None:
    """Write the marks of these games. A game that was written to meanwhile goes on waiting."""
    with alone(database):
        [[last]] = database.execute("SELECT COALESCE(MAX(run), 0) FROM positions")
        rows = []
        for each in trails:
            database.execute("DELETE FROM placed WHERE number=?", (each.number,))
            placed = "INSERT INTO placed (number, version) VALUES (?, ?)"
            at = database.execute(placed, (each.number, each.version)).lastrowid
            rows += [(last + 1 if many else 0, mark, at, ply) for mark, ply in each.marks]
            database.execute(_DONE, (each.number, each.number, each.version))
        rows.sort()
        database.executemany("INSERT INTO positions VALUES (?, ?, ?, ?)", rows)


_DONE = "DELETE FROM waiting WHERE number=? AND (SELECT version FROM games WHERE number=?) <= ?"


def _emptied(store: Store) -> None:
    with store.shelf.anew() as database, alone(database):
        for name in POSITIONS:
            database.execute(f"DROP TABLE IF EXISTS {name}")
        for statement in POSITIONS.values():
            database.execute(statement)
        database.execute("INSERT INTO waiting SELECT number FROM games")


# --- looking up ---


def find_position(
    store: Store,
    record: Record,
    at: int | None = None,
    *,
    seat: int | None = None,
    query: Query = EVERYTHING,
    limit: int | None = None,
    offset: int = 0,
    progress: Progress | None = None,
    jobs: int = 1,
    say: Callable[[str], None] | None = None,
) -> tuple[tuple[Hit, ...], bool]:
    """Return the games in which the position after so many plies of a record stood, and whether there are more.

    Those that came into the index last are first; ``ply`` is the first at which it stood. Games not in the index yet
    are put in before, which takes a while for many.
    at: the last position without; seat: what this seat knew when it could speak, in the record and in those found; then
    nothing is told of a game, or may be asked of it, that may tell more
    query: what else must hold of the games; say: told in a sentence why games are put in anew
    Raises Unfit where there is no such position or page, Declined where the index cannot be brought up to date.
    """
    paged(limit, offset)
    if seat is not None:
        fit_for_a_seat(query)
    wanted = sought(record, at, seat)
    place(store, progress, jobs=jobs, game=game_of(record), say=say)
    conditions = conditions_of(store, query)
    runs = [run for (run,) in store.shelf.rows(_RUNS)]
    sql = (
        f"SELECT MIN(p.ply), {NAMES} FROM positions p CROSS JOIN placed USING (place) "
        f"CROSS JOIN games g ON g.number = placed.number WHERE p.run=? AND p.mark=? AND {where(conditions)} "
        "GROUP BY p.place ORDER BY p.place DESC LIMIT ?"
    )
    need = -1 if limit is None else offset + limit + 1
    rows: list[tuple[Any, ...]] = []
    values = ((run, wanted, *values_of(conditions), need) for run in [0] * (0 in runs) + [*filter(None, runs[::-1])])
    with closing(store.shelf.rows_each(sql, values)) as answers:
        for some in answers:
            rows += some
            if limit is not None and len(rows) >= need:
                break
    found = (Hit(listed_of(row[1:]), row[0]) for row in rows[offset : None if limit is None else offset + limit])
    return tuple(_seen(hit) if seat is not None else hit for hit in found), limit is not None and len(rows) >= need


def _seen(hit: Hit) -> Hit:
    """Return what a seat may be told of a game in which it knew a position."""
    return Hit(replace(hit.game, result="", verdict="", findings=0, digest=""), hit.ply)


_RUNS = (
    "WITH RECURSIVE one(run) AS (SELECT MIN(run) FROM positions UNION ALL "
    "SELECT (SELECT MIN(run) FROM positions WHERE run > one.run) FROM one WHERE one.run IS NOT NULL) "
    "SELECT run FROM one WHERE run IS NOT NULL"
)
