"""The index: the read model beside the log, written in the transaction that changes the log.

``records.library`` queries it in SQL, and only the tables of the index. The log itself is never queried that way.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from sqlite3 import Connection, Cursor, connect
from typing import Any, Protocol, TypeAlias

import msgspec

from cartulary.records.faults import Damaged
from cartulary.records.log.database import translate_errors
from cartulary.records.log.recorded import Notification, is_game
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
"""By id: the number of the game in the index, and the one it is to get, the position of its first event."""
_ADD_PERSON = "INSERT OR IGNORE INTO people (name) VALUES (?)"
_PEOPLE = "SELECT name, person FROM people WHERE name IN (SELECT value FROM json_each(?))"
_ROWS = {
    "findings": "INSERT INTO findings VALUES (?, ?, ?, ?)",
    "rulings": "INSERT INTO rulings VALUES (?, ?, ?, ?, ?)",
    "disputes": "INSERT INTO disputes VALUES (?, ?, ?)",
}
"""How a row, after the number of its game, is inserted; by the name that the table and the field of ``Lines`` share."""
_FEW = {
    "beginnings": "INSERT OR REPLACE INTO beginnings VALUES (?, ?)",
    "set_aside": "INSERT OR REPLACE INTO set_aside VALUES (?)",
    "teams": "INSERT OR REPLACE INTO teams VALUES (?, ?, ?)",
    "comments": "INSERT OR REPLACE INTO comments (rowid, text) VALUES (?, ?)",
}
"""How a row of the tables that not every game has rows in is inserted."""
_WAITS = (
    "INSERT OR IGNORE INTO waiting SELECT ? WHERE NOT EXISTS (SELECT 1 FROM placed WHERE number = ? AND version = ?)"
)
_PLACE = 1 << 16
"""The row of a comment is the number of its game times this, plus the ply."""
_LAST = _PLACE - 1
_MOST = (1 << 63) // _PLACE - 1

QueryRows: TypeAlias = Callable[[str, tuple[object, ...]], list[Any]]


class IndexReader(Protocol):
    """An index that is only read."""

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> list[Any]:
        """Return the rows of a query that changes nothing, as tuples; empty if there are none.

        Args:
            sql: The query, with ``?`` for each value.
            values: The values, in order.
        """
        ...

    def version(self) -> int:
        """Return the version of the schema of its tables; see ``schema.SCHEMA_VERSION``."""
        ...


class IndexedGames(Protocol):
    """A collection of games that can be listed, searched and counted."""

    @property
    def place(self) -> Path | Server:
        """Where the games are stored: a file, or a database on a server."""
        ...

    @property
    def index(self) -> IndexReader:
        """The index of the games, which answers lists and searches."""
        ...


class Index:
    """The index in a database file, queried through the connection of its store."""

    def __init__(self, path: Path, timeout: int, session: Callable[[str], AbstractContextManager[Cursor]]) -> None:
        """Query a database file through its store.

        Args:
            path: The file.
            timeout: Seconds that a second connection waits for another writer.
            session: Begins a transaction on the connection of the store, with the statement that it is given.
        """
        self._path, self._timeout, self._session = path, timeout, session

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> list[Any]:
        """Return the rows of a query that changes nothing, as tuples; empty if there are none.

        Args:
            sql: The query, with ``?`` for each value.
            values: The values, in order.

        Raises:
            StoreFault: The file cannot be read.
            Damaged: A table of the index is missing.
            DeadlineExceeded: It took too long.
        """
        with translate_errors(self._path), self._session("BEGIN") as c:
            return c.execute(sql, values).fetchall()

    def version(self) -> int:
        """Return the version of the schema of its tables; see ``schema.SCHEMA_VERSION``."""
        return int(self.rows("PRAGMA user_version")[0][0])

    @contextmanager
    def snapshot(self) -> Iterator[QueryRows]:
        """Yield a function that returns the rows of queries, all as of one moment.

        The function takes the SQL text and a tuple of values, and returns a list of tuples. The store cannot be used
        for anything else inside the block.

        Raises:
            StoreFault: The file cannot be read.
        """
        with translate_errors(self._path), self._session("BEGIN") as c:
            yield lambda sql, values: c.execute(sql, values).fetchall()

    @contextmanager
    def own_connection(self) -> Iterator[Connection]:
        """Yield a second connection for long work in short writes, so that other writers get their turn.

        The block must begin its own transactions (``write_transaction``); its end closes the connection. The connection
        has no deadline: what was worked out is worth storing, even if nobody waits for it any longer.

        Raises:
            StoreFault: The file cannot be used, or an error of SQLite arises in the block.
        """
        with self._session("BEGIN"):
            pass  # make sure that the path still leads to the files the store has open
        with translate_errors(self._path):
            own = connect(self._path, isolation_level=None, timeout=self._timeout)
            with closing(own):
                yield own


@contextmanager
def write_transaction(connection: Connection) -> Iterator[Cursor]:
    """Begin a transaction that takes the write lock at once, so that what it reads cannot change before it writes.

    It yields a cursor. The end of the block commits, and an error in it rolls back and is raised as it is.

    Raises:
        sqlite3.OperationalError: Somebody else has the lock for too long.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection.cursor()
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.rollback()


def comment_row(number: int, ply: int) -> int:
    """Return the row of a comment in the table of comments: ``(3, 7)`` -> 3 * 65,536 + 7.

    Plies beyond 65,535 share one row, so that only one of their comments can be found.

    Args:
        number: The number of the game in the index.
        ply: The ply that the comment is about, 0 for the game as a whole.
    """
    return number * _PLACE + min(ply, _LAST)


def games_in(notifications: Iterable[Notification]) -> Iterator[str]:
    """Yield the id of each game that the notifications are about, once, in the order of its first one.

    Streams that are not games are left out.
    """
    ids = set()
    for _, id, _ in notifications:
        if id not in ids:
            ids.add(id)
            if is_game(id):
                yield id


def write_index(c: Cursor, games: Iterable[Lines | None]) -> None:
    """Write the rows of games, in place of those that are there.

    An append calls it in its own transaction, with the games it has stored. The index is then always as far as the log,
    and no position needs to be noted. ``reindex`` calls it for a few games at a time, with those that are
    ``still_current``.

    Args:
        c: A cursor in a transaction.
        games: The rows of each game. None is skipped: of an unreadable game nothing can be said.
    """
    put = {str(lines.row[0]): lines for lines in games if lines is not None}
    if not put:
        return
    numbers = _numbers_of(c, put)
    lines = [(numbers[id], each) for id, each in put.items()]
    _execute_for_each(c, _UPSERT, [(*each.row, each.opening, each.moves, number) for number, each in lines])
    names = {name: None for _, each in lines for name in each.players}
    for _, each in lines:
        for score in each.scores:
            names[score[2]] = None  # who took over a seat is no player of the games list
    _execute_for_each(c, _ADD_PERSON, [(name,) for name in names])
    people = dict(c.execute(_PEOPLE, (msgspec.json.encode(tuple(names)).decode(),)))
    seats: list[tuple[object, ...]] = []
    scores: list[tuple[object, ...]] = []
    rows: dict[str, list[tuple[object, ...]]] = {name: [] for name in (*_FEW, *_ROWS)}
    for number, each in lines:
        seats += [(number, seat, people[name]) for seat, name in enumerate(each.players, 1)]
        for seat, since, name, share, points, place in each.scores:
            scores.append((number, seat, since, people[name], share, points, place))
        if each.beginning:
            rows["beginnings"].append((number, each.beginning))
        if each.aside:
            rows["set_aside"].append((number,))
        if each.teams:
            rows["teams"] += [(number, *team) for team in enumerate(each.teams, 1)]
        if each.findings:
            rows["findings"] += [(number, *row) for row in each.findings]
        if each.rulings:
            rows["rulings"] += [(number, *row) for row in each.rulings]
        if each.disputes:
            rows["disputes"] += [(number, *row) for row in each.disputes]
        if each.comments:
            rows["comments"] += [(comment_row(number, ply), text) for ply, text in each.comments]
    _execute_for_each(c, "INSERT OR REPLACE INTO seats VALUES (?, ?, ?)", seats)
    _execute_for_each(c, "INSERT OR REPLACE INTO scores VALUES (?, ?, ?, ?, ?, ?, ?)", scores)
    for name, statement in (*_FEW.items(), *_ROWS.items()):
        _execute_for_each(c, statement, rows[name])
    _execute_for_each(c, _WAITS, [(number, number, each.row[_VERSION]) for number, each in lines])


def _numbers_of(c: Cursor, ids: Iterable[str]) -> dict[str, int]:
    """Return by its id the number of each game, and delete its rows in all tables but ``games``.

    The row in ``games`` stays, since the caller replaces it. A game that is not in the index yet gets the position of
    its first event as its number; so that event must be stored.

    Raises:
        Damaged: The number is impossible, or there is none because the first event is missing.
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
    for table in ("seats", "scores", "beginnings", "set_aside", "teams", "unscored", *_ROWS):
        _execute_for_each(c, f"DELETE FROM {table} WHERE number=?", known)
    places = [(comment_row(number, 0), comment_row(number, _LAST)) for (number,) in known]
    _execute_for_each(c, "DELETE FROM comments WHERE rowid BETWEEN ? AND ?", places)
    return numbers


def _execute_for_each(c: Cursor, sql: str, values: Sequence[tuple[object, ...]]) -> None:
    """Execute a statement once for each tuple of values. If there are none, its table need not exist."""
    if values:
        c.executemany(sql, values)


def still_current(c: Cursor, games: Iterable[Lines | None]) -> Iterator[Lines]:
    """Yield those rows of games whose game was not written to since they were worked out, and skip the others.

    Whoever wrote to a game has put newer rows into the index. It is asked by the version in the noted head.

    Args:
        c: A cursor in a transaction.
        games: The rows of each game; None is skipped.
    """
    for lines in games:
        if lines is not None and c.execute(_CURRENT, (lines.row[0], lines.row[_VERSION])).fetchone():
            yield lines
