"""The index on this machine of a log that is kept elsewhere, in a SQLite file that may be lost.

It follows the log: before every answer it asks for all events ``after`` the position noted in the file, works out the
rows of their games, and writes these and the new position in one transaction. What this store appends itself is put
into the index at once. A file that is missing, belongs to another log or is ahead of its log is filled from the
beginning. The last happens if the log was restored from a backup: at the position noted there is then another event,
or none, which the ``mark`` shows.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from sqlite3 import Connection, Cursor
from threading import RLock
from typing import Protocol

from cartulary.records.faults import Damaged, Fault, Foreign, Unreachable
from cartulary.records.log.database import interruptible, translate_errors
from cartulary.records.log.index import Index, QueryRows, write_index, write_transaction
from cartulary.records.log.open_files import make_private
from cartulary.records.log.recorded import Batch, Notification, RecordedEvent, is_game
from cartulary.records.log.schema import BEHIND, COLUMNS, INDEXES, MODEL, POSITIONS, SCHEMA_VERSION, Lines

APPLICATION_ID = 0x43415253  # "CARS": an index without a log; games are not stored in it
CHUNK = 500
"""Events taken in with one short write."""

_TABLES = (
    # Of each game its first event, which gives its number, and the version that the index has.
    "CREATE TABLE IF NOT EXISTS stored_events "
    "(rowid INTEGER PRIMARY KEY AUTOINCREMENT, originator_id TEXT UNIQUE, originator_version INTEGER)",
    "CREATE TABLE IF NOT EXISTS heads (id TEXT PRIMARY KEY, version INTEGER) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS followed (log TEXT, position INTEGER, mark TEXT)",
)
_VERSION = list(COLUMNS).index("version")
_ADD_GAME = "INSERT OR IGNORE INTO stored_events (originator_id, originator_version) VALUES (?, 1)"
_RAISE_VERSION = "INSERT INTO heads VALUES (?, ?) ON CONFLICT DO UPDATE SET version = max(version, excluded.version)"


class FollowedLog(Protocol):
    """The log that an index follows."""

    def after(self, position: int) -> Iterator[Notification]:
        """Yield position, id of its stream and version for every event after a position, in order."""
        ...

    def mark(self, position: int) -> str:
        """Return a text that identifies the event at a position; empty if there is none.

        Another text than before shows that the log was restored from a backup.
        """
        ...

    def stream(self, id: str, cached: tuple[RecordedEvent, ...] = ()) -> tuple[RecordedEvent, ...]:
        """Return all events of a stream in order; see ``contract.Log.stream``. Raises UnknownGame if there is none."""
        ...


class LocalIndex(Index):
    """An index that follows a log, queried like any other."""

    def __init__(
        self,
        path: Path,
        timeout: int,
        log: str,
        source: FollowedLog,
        make_row: Callable[[str, Sequence[RecordedEvent]], Lines],
    ) -> None:
        """Open the file, or make it.

        Args:
            path: The file.
            timeout: Seconds to wait for another writer.
            log: The name of the log, which no other log has.
            source: The log.
            make_row: Works out the rows of a game from its id and its events.

        Raises:
            Unreachable, Foreign, Damaged, LockedDatabase or ReadOnly: The file cannot be used.
        """
        super().__init__(path, timeout, self._session)
        self._log, self._source, self._make_row = log, source, make_row
        self._lock = RLock()
        self._own: Connection | None = None
        self._inode = 0

    # --- reading ---

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> list[object]:
        """Catch up with the log, then return the rows of a query that changes nothing, as tuples.

        Args:
            sql: The query, with ``?`` for each value.
            values: The values, in order.

        Raises:
            StoreFault: The log cannot be followed, or the file cannot be read.
        """
        self.catch_up()
        return super().rows(sql, values)

    @contextmanager
    def snapshot(self) -> Iterator[QueryRows]:
        """Catch up with the log, and yield a function that returns the rows of queries, all as of one moment.

        The function takes the SQL text and a tuple of values, and returns a list of tuples. The index cannot be used
        for anything else inside the block.
        """
        self.catch_up()
        with super().snapshot() as query_rows:
            yield query_rows

    @contextmanager
    def own_connection(self) -> Iterator[Connection]:
        """Catch up with the log, and yield a second connection for long work, which the end of the block closes."""
        self.catch_up()
        with super().own_connection() as own:
            yield own

    def close(self) -> None:
        """Close the file; closing twice is harmless. The next use opens it again."""
        with self._lock:
            if self._own is not None:
                self._own.close()
                self._own = None

    # --- writing ---

    def put(self, batches: Sequence[Batch]) -> None:
        """Put the games which this store has just appended into the index.

        A batch without a row is skipped. No fault is raised, since ``catch_up`` would do the same later.

        It is called right after an append, so the games and the events of the batches are stored already.
        """
        lines = [batch.row for batch in batches if batch.row]
        if not lines:
            return
        with suppress(Fault), translate_errors(self._path), self._lock, write_transaction(self._connection()) as c:
            _note_versions(c, [(str(each.row[0]), 0) for each in lines])
            _write_newer(c, lines)

    def catch_up(self) -> None:
        """Take in all events after the noted position, in the order in which they were stored.

        They are taken in ``CHUNK`` at a time, each time in one transaction. If the log was restored from a backup, the
        index is emptied first and filled from the beginning.

        Raises:
            StoreFault: The log cannot be read, or the file cannot be written.
        """
        with translate_errors(self._path), self._lock:
            own = self._connection()
            [[position, mark]] = own.execute("SELECT position, mark FROM followed").fetchall()
            if position and self._source.mark(position) != mark:
                self._recreate_tables(own)
                position = 0
            notifications = self._source.after(position)
            while some := tuple(islice(notifications, CHUNK)):
                self._take_in(own, some)

    def _take_in(self, own: Connection, notifications: Sequence[Notification]) -> None:
        """Write the rows of the games that were written to, and note how far the log was followed, in one transaction.

        Each game is worked out once, from all its events, unless the index has this version or a later one. A game that
        cannot be read is skipped. The position that is noted is that of the last notification.

        Args:
            own: The connection to the file.
            notifications: Position, id and version of each stored event, in order; at least one.
        """
        newest = {id: version for _, id, version in notifications if is_game(id)}
        known = {}
        for id in newest:
            known[id] = (own.execute("SELECT version FROM heads WHERE id=?", (id,)).fetchone() or (0,))[0]
        lines = [self._lines_of(id) for id, version in newest.items() if version > known[id]]
        place = notifications[-1][0]
        mark = self._source.mark(place)
        with write_transaction(own) as c:
            _note_versions(c, [(id, 0) for _, id, _ in notifications if is_game(id)])
            _write_newer(c, [each for each in lines if each is not None])
            c.execute("UPDATE followed SET position = ?, mark = ? WHERE position < ?", (place, mark, place))

    def _lines_of(self, id: str) -> Lines | None:
        """Work out the rows of a game in the index; None if its events cannot be read or judged.

        Raises:
            Unreachable: The log cannot be reached. No other fault is raised, since ``verify`` reports it.
        """
        try:
            return self._make_row(id, self._source.stream(id))
        except Unreachable:
            raise
        except Fault:  # verify names it
            return None

    # --- the file ---

    @contextmanager
    def _session(self, begin: str) -> Iterator[Cursor]:
        """Begin a transaction with a statement, and yield its cursor.

        It is committed at the end, or rolled back by an error, which is raised as it is. Other threads wait meanwhile.

        Args:
            begin: The statement, ``BEGIN`` or ``BEGIN IMMEDIATE``.
        """
        with self._lock:
            own = self._connection()
            own.execute(begin)
            try:
                yield own.cursor()
                own.execute("COMMIT")
            finally:
                if own.in_transaction:
                    own.rollback()

    def _connection(self) -> Connection:
        """Return the connection to the file that is at the path now.

        It is opened if there is none yet, and opened again if the file was replaced. It raises what ``_open`` raises.
        """
        if self._own is not None and _inode(self._path) != self._inode:
            self.close()
        if self._own is None:
            self._own = self._open()
            self._inode = _inode(self._path)
        return self._own

    def _open(self) -> Connection:
        """Open the file and return its connection. The file, its folder and its tables are made if they are missing.

        Tables of another version or of another log are emptied and made again.

        Raises:
            Foreign: The file is a database of another kind; it is left alone.
            Damaged: The file is no database, or its pages are broken.
            Unreachable: The folder cannot be made.
            sqlite3.Error: The file cannot be opened or written.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise Unreachable(
                f"The folder {self._path.parent} for the games list cannot be created: {error.strerror}."
            ) from None
        with suppress(OSError):  # SQLite says why it cannot be opened either
            make_private(self._path)
        own = sqlite3.connect(self._path, isolation_level=None, timeout=self._timeout, check_same_thread=False)
        interruptible(own)
        try:
            [[mark]] = own.execute("PRAGMA application_id").fetchall()
            [[tables]] = own.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()
            if tables and mark != APPLICATION_ID:
                raise Foreign(
                    f"The file {self._path} is not a games list of this program; it was left alone. Move it away, or"
                    " name another folder in CARTULARY_SHELF."
                )
            own.execute("PRAGMA journal_mode=WAL")
            own.execute("PRAGMA synchronous=NORMAL")  # it can be worked out again
            self._ensure_tables(own)
        except BaseException as fault:
            own.close()
            if getattr(fault, "sqlite_errorcode", 0) in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise Damaged(
                    f"The file {self._path}, which lists the games of the server, is damaged. Delete it: it will be"
                    " rebuilt, and nothing is lost."
                ) from None
            raise
        return own

    def _ensure_tables(self, own: Connection) -> None:
        """Keep the tables if they are of this version and follow this log; otherwise make new, empty ones."""
        with suppress(sqlite3.OperationalError):
            if own.execute("SELECT log FROM followed").fetchall() == [(self._log,)] and (
                own.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
            ):
                return
        self._recreate_tables(own)

    def _recreate_tables(self, own: Connection) -> None:
        """Delete everything in the file and make empty tables, in one transaction. The noted position is then 0."""
        with write_transaction(own) as c:
            for name in (*MODEL, *POSITIONS, "behind", "stored_events", "heads", "followed"):
                c.execute(f"DROP TABLE IF EXISTS {name}")
            for statement in (*_TABLES, *MODEL.values(), *INDEXES, *POSITIONS.values(), BEHIND):
                c.execute(statement)
            c.execute("INSERT INTO followed VALUES (?, 0, '')", (self._log,))
            c.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            c.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _note_versions(c: Cursor, heads: Sequence[tuple[str, int]]) -> None:
    """Note up to which version the index has each game, from pairs of id and version.

    A new game gets its number; a version never goes back, so version 0 only gives a new game its number.
    """
    c.executemany(_ADD_GAME, [(id,) for id, _ in heads])
    c.executemany(_RAISE_VERSION, heads)


def _write_newer(c: Cursor, lines: Sequence[Lines]) -> None:
    """Write the rows of games into the index, and note their versions.

    The rows of a game are skipped if another process of this machine has written newer ones. Each game must have been
    noted before (``_note_versions``).
    """
    fresh = []
    for each in lines:
        [version] = c.execute("SELECT version FROM heads WHERE id=?", (each.row[0],)).fetchone()
        if version <= _version(each):
            fresh.append(each)
    _note_versions(c, [(str(each.row[0]), _version(each)) for each in fresh])
    write_index(c, fresh)


def _inode(path: Path) -> int:
    """Return the number by which the file system knows a file (its inode), 0 if there is none.

    A file that takes the place of another has a number of its own.
    """
    try:
        return os.stat(path).st_ino
    except OSError:
        return 0


def _version(lines: Lines) -> int:
    """Return the version of the game from which rows were worked out, that is, how many of its events they cover."""
    return int(str(lines.row[_VERSION]))
