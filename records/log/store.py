"""The store: every event of every game in one SQLite file, appended and never changed.

This is the only module that imports the ``eventsourcing`` library. An append is stored as a whole or not at all, of two
writers one gets a Conflict, and what is read is what was written, since the chain is followed at every read. The store
knows topics and bytes; what a move means is decided elsewhere.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Cursor, IntegrityError, connect
from threading import Lock
from typing import Any, TypeAlias

import msgspec
from eventsourcing.persistence import EventStore, JSONTranscoder, Mapper, StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteDatastore,
)

from cartulary.engine.numbers import how_many
from cartulary.records.faults import Conflict, UnknownGame
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import PAGE, Log
from cartulary.records.log.database import address, copy, interruptible, prepare, translate_errors, writable
from cartulary.records.log.index import Index, write_index
from cartulary.records.log.open_files import OpenFile
from cartulary.records.log.packing import column_value, pack
from cartulary.records.log.recorded import (
    Batch,
    Notification,
    RecordedEvent,
    Row,
    follow_chain,
    unpack_body,
    wrong_head,
)
from cartulary.records.log.schema import TRIGGERS
from cartulary.records.log.server import Server

_IS_STORED = "SELECT 1 FROM stored_events WHERE originator_id=? AND originator_version=?"

_HEADS = "SELECT id FROM heads WHERE id IN (SELECT value FROM json_each(?))"
_ADD_HEAD = "INSERT OR IGNORE INTO heads VALUES (?, ?, ?)"

WRITING = "BEGIN IMMEDIATE"

_MORE_CACHE = "PRAGMA cache_size=-32000"
"""For many new games at once: 32 MB of pages in place of 2, so that those of the indexes are not read again and again.
"""

Moment: TypeAlias = tuple[str, int]
"""When a stream was read: its id and SQLite's ``data_version``, equal until another connection writes to the file."""

# --- the library's parts ---


class _Mapper(Mapper[str]):
    """The library's mapper: it gives stored events stable topics and packs long bodies."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """Return a recorded event in the form that the library stores: id of the stream, version, topic and body.

        The body is packed if it is long; see ``packing.pack``.
        """
        return StoredEvent(
            domain_event.originator_id,
            domain_event.originator_version,
            domain_event.topic,
            pack(domain_event.body),
        )


class _Pool(SQLiteConnectionPool):
    """The library's pool, with connections that cache as many prepared statements as sqlite3 does, not only one."""

    def _create_connection(self) -> SQLiteConnection:
        """Open a new connection to the database file and return it.

        Its queries end at the deadline (``interruptible``).

        It waits for other writers as many seconds as the store does.
        """
        own = connect(
            self.db_name, uri=True, check_same_thread=False, isolation_level=None, timeout=self.lock_timeout or 0
        )
        return SQLiteConnection(interruptible(own), self.max_age)


class _Recorder(SQLiteApplicationRecorder):
    """The library's recorder on our table. It updates the heads and the index in the same transaction.

    It keeps one connection of the pool and one cursor, since taking new ones costs as much as the insert. After a fault
    the cursor is closed: an unfinished statement would keep the file open after the store was closed.
    """

    def __init__(self, datastore: SQLiteDatastore, file: OpenFile) -> None:
        super().__init__(datastore)
        self._file = file
        self.insert_events_statement = (
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)"
        )
        self._lock = Lock()
        self._connection: SQLiteConnection | None = None
        self._cursor: Cursor | None = None

    @contextmanager
    def session(self, begin: str) -> Iterator[Cursor]:
        """Begin a transaction and yield its cursor. An error in the block rolls it back; its end commits it.

        Only one thread at a time is inside such a block; others wait.

        Args:
            begin: ``BEGIN`` to read, or ``WRITING`` to lock out other writers at once.

        Raises:
            Unreachable: The file or its journal was moved, deleted or replaced, or this is the child of a fork.
            sqlite3.Error: As SQLite raises it; ``translate_errors`` makes it a fault.
        """
        self._file.check()
        with self._lock:
            if self._connection is None:
                self._connection = self.datastore.pool.get_connection()
            if self._cursor is None:
                self._cursor = self._connection.cursor().sqlite_cursor
                self._cursor.row_factory = None
            cursor = self._cursor
            try:
                cursor.execute(begin)
                yield cursor
                self._file.watch_wal()
                cursor.execute("COMMIT")
                if begin == WRITING:
                    self._file.check_wal()  # do not acknowledge what went into a deleted file
            except BaseException:
                self._cursor = None
                cursor.close()
                if cursor.connection.in_transaction:
                    cursor.connection.rollback()
                raise

    def construct_create_table_statements(self) -> list[str]:
        """Return no statements, since ``database.prepare`` has made the tables."""
        return []

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> None:
        """Store events, move the heads of their streams and write the index, all in one transaction.

        Args:
            stored_events: The events of all batches, in the form of the library.
            **kwargs: ``batches``, what is appended; and optionally ``existing``, a set that gets the ids of streams
                that are there already and are left alone. Without it such a stream is a fault.

        Raises:
            Conflict: Somebody else has appended to a stream, or has opened one of that id.
            UnknownGame: A batch continues a stream that does not exist.
            Damaged: The noted head of a stream does not fit its events.
        """
        batches, existing = kwargs["batches"], kwargs.get("existing")
        with self.session(WRITING) as c:
            if existing is not None:
                c.execute(_MORE_CACHE)
            self._advance_heads(c, batches, existing)
            new = [e for e in stored_events if e.originator_id not in existing] if existing else stored_events
            rows = [(e.originator_id, e.originator_version, e.topic, column_value(e.state)) for e in new]
            try:
                c.executemany(self.insert_events_statement, rows)
            except IntegrityError:
                c.connection.rollback()  # so that only what was there before is found
                for id, version, *_ in rows:
                    if c.execute(_IS_STORED, (id, version)).fetchone():
                        raise wrong_head(str(id), version - 1) from None
                raise
            write_index(c, (batch.row for batch in batches if not existing or batch.id not in existing))

    def _advance_heads(self, c: Cursor, batches: Sequence[Batch], existing: set[str] | None) -> None:
        """Move the noted head of each stream to the version and digest of the last event of its batch.

        Nothing is committed here; an error makes the caller roll back what was written.

        Args:
            c: A cursor in a transaction.
            batches: What is appended. ``Batch.after`` is the head that each expects.
            existing: Gets the ids of the streams that have a head already; these are left alone. It is given for new
                streams only. None raises an error at the first stream that is not where its batch begins.

        Raises:
            Conflict: The stream has another version than the batch expects.
            UnknownGame: The stream has no head, although the batch does not begin one.
            Damaged: The stream has the expected version, but another digest.
        """
        if existing is None:
            for batch in batches:
                if not self._advance_head(c, batch):
                    raise self._rejection(c, batch)
            return
        asked = msgspec.json.encode([batch.id for batch in batches]).decode()
        existing.update(id for (id,) in c.execute(_HEADS, (asked,)))
        heads = ((batch.id, batch.head) for batch in batches if batch.id not in existing)
        c.executemany(_ADD_HEAD, [(id, head.version, head.digest) for id, head in heads])

    def _advance_head(self, c: Cursor, batch: Batch) -> bool:
        """Move the noted head of one stream and return True; return False if its head is not ``batch.after``.

        For a batch that begins a stream, False means that the stream has a head already.
        """
        head, after = batch.head, batch.after
        if after.version == 0:
            c.execute(_ADD_HEAD, (batch.id, head.version, head.digest))
        else:
            c.execute(
                "UPDATE heads SET version=?, digest=? WHERE id=? AND version=? AND digest=?",
                (head.version, head.digest, batch.id, after.version, after.digest),
            )
        return c.rowcount == 1

    def _rejection(self, c: Cursor, batch: Batch) -> Exception:
        """Return the fault because of which a batch was not stored; it is not raised here.

        It is UnknownGame if the stream has no head, Damaged if its head has the expected version and so only the digest
        differs, and Conflict if the version differs because somebody else has written.
        """
        row = c.execute("SELECT version FROM heads WHERE id=?", (batch.id,)).fetchone()
        if row is None:
            return UnknownGame(batch.id)
        if row[0] == batch.after.version:
            return wrong_head(batch.id, row[0])
        return Conflict(batch.id, batch.after.version, row[0], opening=not batch.after.version)

    def stream(self, id: str, start: int, last_read: Moment | None) -> tuple[Moment, Head | None, list[Row]]:
        """Read a stream in one transaction, without checking its chain.

        Args:
            id: The id of the stream.
            start: The version from which on events are read, if no other connection has written since ``last_read``;
                otherwise all are read. 0 reads all.
            last_read: The first value that the last call returned; None if there was none.

        Returns:
            When it was read; its noted head, None if there is none; and version, topic and body of each event in order.
            A stream that does not exist gives None and an empty list.
        """
        with self.session("BEGIN") as c:
            moment = (id, c.execute("PRAGMA data_version").fetchone()[0])
            head = c.execute("SELECT version, digest FROM heads WHERE id=?", (id,)).fetchone()
            first = start if moment == last_read else 0
            rows = c.execute(
                "SELECT originator_version, IFNULL(CAST(topic AS BLOB), x''), IFNULL(CAST(state AS BLOB), x'') "
                f"FROM stored_events WHERE originator_id=?{' AND originator_version>=?' if first else ''} "
                "ORDER BY originator_version",
                (id, first) if first else (id,),
            ).fetchall()
        return moment, Head(*head) if head else None, rows


# --- the store ---

_AFTER = (
    "SELECT rowid, CAST(originator_id AS BLOB), IFNULL(CAST(originator_version AS INTEGER), 0) FROM stored_events "
    "WHERE rowid > ? ORDER BY rowid LIMIT ?"
)


class Store(Log):
    """A ``contract.Log`` in one database file, and the index beside it. Use it as a context manager, or close it."""

    def __init__(self, path: str | Path, *, create: bool = True, timeout: int = 5, read_only: bool = False) -> None:
        """Open the database.

        Args:
            path: The file.
            create: Whether it is made if there is none.
            timeout: Seconds to wait for another writer.
            read_only: Whether this store writes nothing. Others may still write to the file.

        Raises:
            Unreachable, Foreign, Damaged, LockedDatabase or ReadOnly: The file cannot be used.
        """
        self.path, self.timeout, self.read_only = Path(path), timeout, read_only
        self.place: Path | Server = self.path
        with translate_errors(self.path):
            self._file = prepare(self.path, create, timeout, read_only)
        self._datastore = SQLiteDatastore("", originator_id_type="text")
        self._datastore.pool = _Pool(db_name=address(self.path, read_only), lock_timeout=timeout)
        self._file.connections = self._datastore
        self._recorder = _Recorder(self._datastore, self._file)
        self._events = EventStore[str](_Mapper(JSONTranscoder()), self._recorder)
        self.index: Index = Index(self.path, timeout, self._recorder.session)
        self._last_read: Moment | None = None

    @property
    def writable(self) -> bool:
        """Whether this store may write to the file: it was not opened read-only, and file and folder may be written."""
        return not self.read_only and writable(self.path)

    @property
    def index_writable(self) -> bool:
        """Whether this store may write to its index. It is in the same file, so the answer is that of ``writable``."""
        return self.writable

    def close(self) -> None:
        """Close the file; closing twice is harmless, and so is closing it in the child of a fork."""
        if not self._file.is_inherited:
            self._file.unwatch_wal()
            self._datastore.close()
            self._file.release()

    # --- writing ---

    def write(self, batch: Batch) -> Head:
        """Append the sealed events of a batch as they are, byte for byte, and return the head after them.

        The index is written in the same transaction. All is stored or nothing.

        Raises:
            Conflict: Somebody else has appended to the stream, or has opened one of that id.
            UnknownGame: The batch continues a stream that does not exist.
            Damaged: The noted head of the stream does not fit its events.
            StoreFault: The file cannot be written; nothing is stored.
        """
        with translate_errors(self.path):
            self._events.put(batch.events, batches=(batch,))
        return batch.head

    def write_new(self, batches: Sequence[Batch]) -> set[str]:
        """Store new streams in one transaction; return the ids of those that existed before and were left alone.

        An empty set means that all were stored. No batch may continue a stream.

        Raises:
            Damaged: Events of a stream are there, but no head of it.
            StoreFault: The file cannot be written; nothing is stored.
        """
        existing: set[str] = set()
        events = [event for batch in batches for event in batch.events]
        with translate_errors(self.path):
            self._events.put(events, batches=batches, existing=existing)
        return existing

    # --- reading ---

    def stream(self, id: str, cached: tuple[RecordedEvent, ...] = ()) -> tuple[RecordedEvent, ...]:
        """Return all events of a stream in order, with its chain followed to its noted head.

        The noted head is the version and digest of the last event, stored beside the events.

        Args:
            id: The id of the stream.
            cached: The events as they were read before, with those this store has written since. Only what follows them
                is read, unless somebody else has written to the file meanwhile.

        Raises:
            UnknownGame: There is no such stream.
            Damaged: The stored bytes are not what was written.
            StoreFault: The file cannot be read.
        """
        moment: Moment = (id, 0)
        head: Head | None = None
        rows: list[Row] = []
        if id.isprintable():  # bytes that the shell could not decode name no game
            moment, head, rows = self._read_stream(id, len(cached), self._last_read)
        if head is None and not rows:
            raise UnknownGame(id)
        if cached and moment == self._last_read:
            last = (len(cached), cached[-1].topic.encode(), cached[-1].body)
            if [(*row[:2], unpack_body(id, *row[::2])) for row in rows[:1]] != [last]:
                return self.stream(id)
            recorded = follow_chain(id, head, rows[1:], cached)
        else:
            recorded = follow_chain(id, head, rows)
        self._last_read = moment
        return recorded

    def _read_stream(self, id: str, start: int, last_read: Moment | None) -> tuple[Moment, Head | None, list[Row]]:
        """Read a stream as ``_Recorder.stream`` does, and raise errors of SQLite as faults."""
        with translate_errors(self.path):
            return self._recorder.stream(id, start, last_read)

    def head(self, id: str) -> Head | None:
        """Return the noted head of a stream without reading its events; None if there is no such stream."""
        rows = self._rows("SELECT version, digest FROM heads WHERE id=?", (id,))
        return Head(*rows[0]) if rows else None

    def all_ids(self) -> Iterator[str]:
        """Yield the ids of all streams, games and others, in the order in which they were begun.

        A stream of which only the head is left comes last. Bytes of a damaged id that are not UTF-8 are escaped.
        """
        rows = self._rows(
            "SELECT CAST(id AS BLOB) FROM (SELECT originator_id AS id, MIN(rowid) AS at FROM stored_events GROUP BY 1 "
            "UNION ALL SELECT id, 1e18 FROM heads) GROUP BY id ORDER BY MIN(at), id"
        )
        return (_decoded_id(row[0]) for row in rows)

    def after(self, position: int) -> Iterator[Notification]:
        """Yield position, id and version for every event stored after a position, in the order of positions.

        Positions begin with 1, so 0 asks for all events. SQLite lets one writer in at a time, so what is stored later
        gets a later position.
        """
        while page := self._rows(_AFTER, (position, PAGE)):
            for position, id, version in page:
                yield position, _decoded_id(id), version

    def last(self) -> int:
        """Return the position of the last event of the log, 0 if there is none."""
        return int(self._rows("SELECT COALESCE(MAX(rowid), 0) FROM stored_events")[0][0])

    def copy(self, path: Path) -> None:
        """Copy the database to another file, which is overwritten. Others may write to this one meanwhile.

        Raises:
            Unreachable: This file was moved, deleted or replaced, or one of the two cannot be opened.
            StoreFault: The database cannot be read or the copy cannot be written.
        """
        self._file.check()
        with translate_errors(self.path):
            copy(self.path, path)

    # --- proof ---

    def guards(self) -> Iterator[str]:
        """Yield a sentence for each guard of the log as a whole that is broken; nothing if all is sound.

        The guards are the pages of the file, the number of its events (none may be missing), and the triggers that
        forbid changing what is stored.
        """
        broken = self._rows("PRAGMA quick_check(1)")[0][0]
        if broken != "ok":
            yield f"The database {self.path} is damaged: {broken}."
        last_given = self._rows(
            "SELECT CAST(COALESCE(MAX(seq), 0) AS INTEGER) FROM sqlite_sequence WHERE name='stored_events'"
        )[0][0]
        count, last = self._rows("SELECT COUNT(*), COALESCE(MAX(rowid), 0) FROM stored_events")[0]
        stored = max(last_given, last)
        if stored > count:
            yield f"Of the {how_many(stored, 'event')} ever stored in {self.path}, {stored - count} cannot be found."
        triggers = dict(self._rows("SELECT name, sql FROM sqlite_master WHERE type='trigger'"))
        changed = sorted(name for name, text in TRIGGERS.items() if triggers.get(name) != text)
        if changed:
            faults = ", ".join(f"the trigger {name} is missing or altered" for name in changed)
            yield (
                f"The log of {self.path} is no longer protected: {faults}. Take a `backup`, and write it to a new"
                " database with `backup FILE --into NEW`."
            )

    def _rows(self, sql: str, values: tuple[object, ...] = ()) -> list[Any]:
        """Return the rows of a query as tuples, empty if there are none. It is a transaction of its own.

        Raises:
            StoreFault: The file cannot be read.
        """
        with translate_errors(self.path), self._recorder.session("BEGIN") as c:
            return c.execute(sql, values).fetchall()


def _decoded_id(stored: bytes | None) -> str:
    """Return the stored bytes of an id as a text; None gives an empty text.

    Bytes that are not UTF-8 are escaped, so that the byte FF becomes four characters that end with ``ff``.
    """
    return (stored or b"").decode("utf-8", "backslashreplace")
