"""The shelf: the read model beside the log, written in the transaction that changes the log, asked by the library.

The library asks it in SQL, of the tables of the read model only; nothing else does, and nobody asks the log that way.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from sqlite3 import Connection, Cursor, connect
from typing import Any

from cartulary.records.faults import Damaged
from cartulary.records.log.contract import Told, is_game
from cartulary.records.log.database import speaking
from cartulary.records.log.schema import COLUMNS, Lines

NUMBER = "(SELECT rowid FROM stored_events WHERE originator_id=? AND originator_version=1)"
_WRITTEN = (*COLUMNS, "opening", "moves")

_UPSERT = (
    f"INSERT INTO games ({', '.join(_WRITTEN)}, number) VALUES ({', '.join('?' * len(_WRITTEN))}, {NUMBER}) "
    f"ON CONFLICT DO UPDATE SET {', '.join(f'{name}=excluded.{name}' for name in _WRITTEN)}"
)
_VERSION = list(COLUMNS).index("version")
_CURRENT = "SELECT 1 FROM heads WHERE id=? AND version=?"
_KNOWN = "SELECT number FROM games WHERE id=?"
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


def games_in(told: Iterable[Told]) -> Iterator[str]:
    """Yield each game of which the log tells, once, in the order they are first told of."""
    seen = set()
    for _, id, _ in told:
        if id not in seen:
            seen.add(id)
            if is_game(id):
                yield id


def shelve(c: Cursor, said: Iterable[Lines | None]) -> None:
    """Write what the read model says of the ``games_in`` what the log told; of some it may be nothing.

    Called by who appends, in that transaction, with what was stored in it: the read model has come as far as the log
    did before, so no place is noted. Called by who writes it anew, a few games at a time, with what is ``current`` of
    all that is ``after(0)``.
    """
    for lines in said:
        if lines is not None:
            _put(c, lines)


def current(c: Cursor, said: Iterable[Lines | None]) -> Iterator[Lines]:
    """Yield the lines of games the log has not gone on with since they were worked out; who did has written newer."""
    for lines in said:
        if lines is not None and c.execute(_CURRENT, (lines.row[0], lines.row[_VERSION])).fetchone():
            yield lines


def _put(c: Cursor, lines: Lines) -> None:
    """Write the lines in place of what was said of the game. Its first event must be stored."""
    id = lines.row[0]
    known = c.execute(_KNOWN, (id,)).fetchone()
    c.execute(_UPSERT, (*lines.row, lines.opening, lines.moves, id))
    [number] = known or c.execute(_KNOWN, (id,)).fetchone()
    if not isinstance(number, int) or number > _MOST:
        raise Damaged(f"The number {number} of {id} in the games list is none that it can have.", str(id))
    if known:
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
