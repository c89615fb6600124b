"""The shelf: the read model beside the log, written in the transaction that changes the log, asked by the library.

The library asks it in SQL, of the tables of the read model only; nothing else does, and nobody asks the log that way.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from itertools import islice
from pathlib import Path
from sqlite3 import Connection, Cursor, connect
from typing import Any

from cartulary.records.faults import Damaged
from cartulary.records.log.contract import Told, is_game
from cartulary.records.log.database import speaking
from cartulary.records.log.schema import COLUMNS, Lines

CHUNK = 500
"""Games worked out between two writes."""
NUMBER = "(SELECT rowid FROM stored_events WHERE originator_id=? AND originator_version=1)"
_WRITTEN = (*COLUMNS, "opening", "moves")

_UPSERT = (
    f"INSERT INTO games ({', '.join(_WRITTEN)}, number) VALUES ({', '.join('?' * len(_WRITTEN))}, {NUMBER}) "
    f"ON CONFLICT DO UPDATE SET {', '.join(f'{name}=excluded.{name}' for name in _WRITTEN)}"
)
_VERSION = list(COLUMNS).index("version")
_STANDS = "SELECT number FROM heads LEFT JOIN games ON games.id = heads.id WHERE heads.id=? AND heads.version=?"
_WAITS = (
    "INSERT OR IGNORE INTO waiting SELECT ? WHERE NOT EXISTS (SELECT 1 FROM placed WHERE number = ? AND version = ?)"
)
_PLACE = 1 << 16
"""A comment's row: the game's number times this, and the ply."""
_LAST = _PLACE - 1
_MOST = (1 << 63) // _PLACE - 1


class Shelf:
    """The read model of one database file, asked through the connection of its store."""

    def __init__(self, path: Path, patience: int, session: Callable[[str], AbstractContextManager[Cursor]]) -> None:
        self._path, self._patience, self._session = path, patience, session

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> list[Any]:
        """Return the rows of a question that changes nothing."""
        with speaking(self._path), self._session("BEGIN") as c:
            return c.execute(sql, values).fetchall()

    def rows_each(self, sql: str, values: Iterable[tuple[object, ...]]) -> Generator[list[Any], None, None]:
        """Yield the rows of one question for each of the values, all as of one moment; close it if not read to its end.

        Nothing else can be asked of the store until then.
        """
        with speaking(self._path), self._session("BEGIN") as c:
            for each in values:
                yield c.execute(sql, each).fetchall()

    @contextmanager
    def anew(self) -> Iterator[Connection]:
        """Hold a connection of its own for what is worked out at length, in short writes that let others in between."""
        with speaking(self._path), closing(connect(self._path, isolation_level=None, timeout=self._patience)) as own:
            yield own


@contextmanager
def alone(connection: Connection) -> Iterator[Cursor]:
    """Hold the write lock from the start, so that what is read before writing still holds when it is written."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection.cursor()
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.rollback()


def place_of(number: int, ply: int) -> int:
    """Return the row of a ply's comment; plies too far on for a row of their own share the last one's."""
    return number * _PLACE + min(ply, _LAST)


def shelve(
    told: Iterable[Told],
    lines_of: Callable[[str], Lines | None],
    writing: Callable[[], AbstractContextManager[Cursor]],
    done: Callable[[int], None] | None = None,
) -> None:
    """Write what the read model says of each game the log tells of, once, in the order they are first told of.

    Called by who appends, in that transaction, with what was stored in it: the read model has come as far as the log
    did before, so no place is noted. Called by who writes it anew with all that is ``after(0)``. Others may append
    between two chunks; theirs is newer and stays.
    lines_of: asked for each game's lines while nothing is held but what the caller holds; None writes nothing
    writing: holds a transaction, for CHUNK games at most; done: called after each with how many games that makes
    """
    games, count = _games(told), 0
    while some := tuple(islice(games, CHUNK)):
        found = [lines for id in some if (lines := lines_of(id)) is not None]
        with writing() as c:
            for lines in found:
                _put(c, lines)
        count += len(some)
        if done:
            done(count)


def _games(told: Iterable[Told]) -> Iterator[str]:
    seen = set()
    for _, id, _ in told:
        if id not in seen:
            seen.add(id)
            if is_game(id):
                yield id


def _put(c: Cursor, lines: Lines) -> None:
    """Write the lines in place of what was said, unless the log has gone on since they were worked out.

    The game's first event must be stored.
    """
    id = lines.row[0]
    stands = c.execute(_STANDS, (id, lines.row[_VERSION])).fetchone()
    if stands is None:
        return
    c.execute(_UPSERT, (*lines.row, lines.opening, lines.moves, id))
    [known] = stands
    [number] = stands if known is not None else c.execute("SELECT number FROM games WHERE id=?", (id,)).fetchone()
    if not isinstance(number, int) or number > _MOST:
        raise Damaged(f"The number {number} of {id} in the games list is none that it can have.", str(id))
    if known is not None:
        _clear(c, number)
    for seat, name in enumerate(lines.players, 1):
        c.execute("INSERT OR IGNORE INTO people (name) VALUES (?)", (name,))
        c.execute("INSERT OR REPLACE INTO seats SELECT ?, ?, person FROM people WHERE name=?", (number, seat, name))
    for finding in lines.findings:
        c.execute("INSERT INTO findings VALUES (?, ?, ?, ?)", (number, *finding))
    for ruling in lines.rulings:
        c.execute("INSERT INTO rulings VALUES (?, ?, ?, ?, ?)", (number, *ruling))
    for dispute in lines.disputes:
        c.execute("INSERT INTO disputes VALUES (?, ?, ?)", (number, *dispute))
    for ply, text in lines.comments:
        c.execute("INSERT OR REPLACE INTO comments (rowid, text) VALUES (?, ?)", (place_of(number, ply), text))
    c.execute(_WAITS, (number, number, lines.row[_VERSION]))


def _clear(c: Cursor, number: int) -> None:
    for table in ("seats", "findings", "rulings", "disputes"):
        c.execute(f"DELETE FROM {table} WHERE number=?", (number,))
    first = place_of(number, 0)
    c.execute("DELETE FROM comments WHERE rowid BETWEEN ? AND ?", (first, first + _LAST))
