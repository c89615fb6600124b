"""The index: the read model beside the log, written in the transaction that changes the log, asked by the library.

The library asks it in SQL, of the tables of the read model only; nothing else does, and nobody asks the log that way.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from sqlite3 import Connection, Cursor, connect
from typing import Any, Protocol, TypeAlias

import msgspec

from cartulary.records.faults import Damaged
from cartulary.records.log.contract import Notification, is_game
from cartulary.records.log.database import speaking
from cartulary.records.log.schema import COLUMNS, Lines
from cartulary.records.log.server import Server

_WRITTEN = (*COLUMNS, "opening", "moves", "number")

_UPSERT = (
    f"INSERT INTO games ({', '.join(_WRITTEN)}) VALUES ({', '.join('?' * len(_WRITTEN))}) "
    f"ON CONFLICT DO UPDATE SET {', '.join(f'{name}=excluded.{name}' for name in _WRITTEN[:-1])}"
)
_VERSION = list(COLUMNS).index("version")
_CURRENT = "SELECT 1 FROM heads WHERE id=? AND version=?"
_NUMBERS = (
    "SELECT value, games.number, stored_events.rowid FROM json_each(?) LEFT JOIN games ON games.id = value "
    "LEFT JOIN stored_events ON originator_id = value AND originator_version = 1"
)
"""Of each id the number it has in the index, and the one it is to have there: the place of its first event."""
_PEOPLE = "INSERT OR IGNORE INTO people (name) VALUES (?)"
_SEATS = "INSERT OR REPLACE INTO seats SELECT ?, ?, person FROM people WHERE name=?"
_ROWS = {
    "findings": "INSERT INTO findings VALUES (?, ?, ?, ?)",
    "rulings": "INSERT INTO rulings VALUES (?, ?, ?, ?, ?)",
    "disputes": "INSERT INTO disputes VALUES (?, ?, ?)",
}
"""How a row is put in behind the game's number, by the name that table and ``Lines`` share."""
_COMMENTS = "INSERT OR REPLACE INTO comments (rowid, text) VALUES (?, ?)"
_WAITS = (
    "INSERT OR IGNORE INTO waiting SELECT ? WHERE NOT EXISTS (SELECT 1 FROM placed WHERE number = ? AND version = ?)"
)
_PLACE = 1 << 16
"""A comment's row: the game's number times this, and the ply."""
_LAST = _PLACE - 1
_MOST = (1 << 63) // _PLACE - 1

Asking: TypeAlias = Callable[[str, tuple[object, ...]], list[Any]]


class IndexReader(Protocol):
    """A read model that is asked and never written."""

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> list[Any]:
        """Return the rows of a question that changes nothing."""
        ...

    def version(self) -> int:
        """Return the version of its tables."""
        ...


class IndexedGames(Protocol):
    """What holds games that can be listed, found and counted."""

    @property
    def place(self) -> Path | Server:
        """Where they are kept."""
        ...

    @property
    def index(self) -> IndexReader:
        """What they are listed and found by."""
        ...


class Index:
    """The read model of one database file, asked through the connection of its store."""

    def __init__(self, path: Path, timeout: int, session: Callable[[str], AbstractContextManager[Cursor]]) -> None:
        self._path, self._timeout, self._session = path, timeout, session

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> list[Any]:
        """Return the rows of a question that changes nothing."""
        with speaking(self._path), self._session("BEGIN") as c:
            return c.execute(sql, values).fetchall()

    def version(self) -> int:
        """Return the version of its tables."""
        return int(self.rows("PRAGMA user_version")[0][0])

    @contextmanager
    def at_once(self) -> Iterator[Asking]:
        """Hold a function that returns the rows of questions, all as of one moment.

        Nothing else can be asked of the store until then.
        """
        with speaking(self._path), self._session("BEGIN") as c:
            yield lambda sql, values: c.execute(sql, values).fetchall()

    @contextmanager
    def anew(self) -> Iterator[Connection]:
        """Hold a connection of its own for what is worked out at length, in short writes that let others in between.

        It is not interrupted: what was worked out is worth storing, even where nobody waits for it any longer.
        """
        with self._session("BEGIN"):
            pass  # the files are those that were opened
        with speaking(self._path), closing(connect(self._path, isolation_level=None, timeout=self._timeout)) as own:
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


def games_in(told: Iterable[Notification]) -> Iterator[str]:
    """Yield each game of which the log tells, once, in the order they are first told of."""
    seen = set()
    for _, id, _ in told:
        if id not in seen:
            seen.add(id)
            if is_game(id):
                yield id


def write_index(c: Cursor, said: Iterable[Lines | None]) -> None:
    """Write what the read model says of the ``games_in`` what the log told; of some it may be nothing.

    Called by who appends, in that transaction, with what was stored in it: the read model has come as far as the log
    did before, so no place is noted. Called by who writes it anew, a few games at a time, with what is ``current`` of
    all that is ``after(0)``.
    """
    put = {str(lines.row[0]): lines for lines in said if lines is not None}
    if not put:
        return
    numbers = _numbered(c, put)
    lines = [(numbers[id], each) for id, each in put.items()]
    _each(c, _UPSERT, [(*each.row, each.opening, each.moves, number) for number, each in lines])
    _each(c, _PEOPLE, [(name,) for name in dict.fromkeys(name for _, each in lines for name in each.players)])
    _each(c, _SEATS, [(number, *seat) for number, each in lines for seat in enumerate(each.players, 1)])
    for name, statement in _ROWS.items():
        _each(c, statement, [(number, *row) for number, each in lines for row in getattr(each, name)])
    _each(c, _COMMENTS, [(place_of(number, ply), text) for number, each in lines for ply, text in each.comments])
    _each(c, _WAITS, [(number, number, each.row[_VERSION]) for number, each in lines])


def _numbered(c: Cursor, ids: Iterable[str]) -> dict[str, int]:
    """Return the number of each game; what was said of those in the index is taken away but for their line.

    Their first events must be stored.
    """
    numbers, known = {}, []
    for id, there, first in c.execute(_NUMBERS, (msgspec.json.encode(tuple(ids)).decode(),)):
        number = first if there is None else there
        if not isinstance(number, int) or number > _MOST:
            raise Damaged(
                f"In the games list, {id} has the impossible number {number}; use `reindex` to rebuild the list.",
                id,
            )
        numbers[id] = number
        if there is not None:
            known.append((number,))
    for table in ("seats", *_ROWS):
        _each(c, f"DELETE FROM {table} WHERE number=?", known)
    places = [(place_of(number, 0), place_of(number, _LAST)) for (number,) in known]
    _each(c, "DELETE FROM comments WHERE rowid BETWEEN ? AND ?", places)
    return numbers


def _each(c: Cursor, sql: str, values: Sequence[tuple[object, ...]]) -> None:
    """Carry a statement out for each of the values; of none its table need not be there."""
    if values:
        c.executemany(sql, values)


def current(c: Cursor, said: Iterable[Lines | None]) -> Iterator[Lines]:
    """Yield the lines of games the log has not gone on with since they were worked out; who did has written newer."""
    for lines in said:
        if lines is not None and c.execute(_CURRENT, (lines.row[0], lines.row[_VERSION])).fetchone():
            yield lines
