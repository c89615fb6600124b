"""The store on a server: the log in PostgreSQL, and the index in a SQLite file on this machine.

An append locks only the row of its game in ``heads``, so writers of other games need not wait. The price is that
transactions become visible in another order than they were begun in. A simple counter would let a follower miss events:

    writer 1 takes position 7 …                        … and commits
    writer 2         takes position 8 and commits
    follower                               reads 8, notes 8, and never asks for 7 again

So the position of an event is the number of its transaction, shifted by ``_ROOM`` bits, plus its place in the
transaction. A follower gets only those events whose transaction is older than every one still going on
(``pg_snapshot_xmin``). Nothing can appear later at a position that was passed.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from cartulary.engine.numbers import how_many
from cartulary.records.faults import Conflict, Declined, StoreFault, Unfit, UnknownGame, Unreachable
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import PAGE, Log
from cartulary.records.log.local_index import LocalIndex
from cartulary.records.log.recorded import Batch, Notification, RecordedEvent, follow_chain, wrong_head
from cartulary.records.log.schema import Lines
from cartulary.records.log.server import PROTECTED_TABLES, TRIGGERS, Server, ServerConnection, fault_of, prepare_tables

RowMaker = Callable[[str, Sequence[RecordedEvent]], Lines]
"""Works out the rows of a game in the index, from its id and its events."""

_ROOM = 20
"""The number of bits for the place of an event in its transaction."""

_POSITION = f"(pg_current_xact_id()::text::bigint << {_ROOM})"
_INSERT = "INSERT INTO cartulary.stored_events SELECT"
_FROM_ARRAYS = (
    "unnest(%s::text[], %s::bigint[], %s::text[], %s::text[]) WITH ORDINALITY AS e(of, version, topic, state, at)"
)
_MOVE_HEAD = (
    "WITH moved AS (UPDATE cartulary.heads SET version = %s, digest = %s "
    "WHERE id = %s AND version = %s AND digest = %s RETURNING id)"
)
_STORE_NEW = (
    "WITH moved AS (INSERT INTO cartulary.heads SELECT id, version, digest "
    "FROM unnest(%s::text[], %s::bigint[], %s::text[]) AS h(id, version, digest) ORDER BY id "
    "ON CONFLICT DO NOTHING RETURNING id), "
    f"stored AS ({_INSERT} {_POSITION} + at, id, e.version, topic, state FROM moved JOIN {_FROM_ARRAYS} ON id = of) "
    "SELECT id FROM moved"
)
_STORE_MORE = (
    f"{_MOVE_HEAD} {_INSERT} {_POSITION} + at, id, e.version, topic, state FROM moved JOIN {_FROM_ARRAYS} ON id = of "
    "RETURNING originator_id"
)
_STORE_ONE = f"{_MOVE_HEAD} {_INSERT} {_POSITION} + 1, id, %s, %s, %s FROM moved RETURNING originator_id"
"""As ``_STORE_MORE``, for a single event such as a move: passing arrays would take twice as long."""
_SETTLED = f"(pg_snapshot_xmin(pg_current_snapshot())::text::bigint << {_ROOM})"
_AFTER = (
    "SELECT position, originator_id, originator_version FROM cartulary.stored_events "
    f"WHERE position > %s AND position < {_SETTLED} ORDER BY position LIMIT %s"
)
_LAST = f"SELECT coalesce(max(position), 0) FROM cartulary.stored_events WHERE position < {_SETTLED}"
_HEAD = "SELECT version, digest FROM cartulary.heads WHERE id = %s"
_IS_STORED = "SELECT 1 FROM cartulary.stored_events WHERE originator_id = %s AND originator_version = %s"
_STREAM = (
    "SELECT 0, h.version::text, h.digest FROM cartulary.heads h WHERE h.id = %s UNION ALL "
    "SELECT originator_version, topic, state FROM cartulary.stored_events WHERE originator_id = %s ORDER BY 1"
)
_IDS = (
    "SELECT id FROM (SELECT originator_id AS id, position AS at FROM cartulary.stored_events "
    "WHERE originator_version = 1 "
    "UNION ALL SELECT originator_id, 9223372036854775806 FROM cartulary.stored_events "
    "UNION ALL SELECT id, 9223372036854775807 FROM cartulary.heads) s GROUP BY id ORDER BY min(at), id"
)
_MARK = "SELECT originator_id || '/' || substr(state, 1, 76) FROM cartulary.stored_events WHERE position = %s"
_MAY_WRITE = (
    "SELECT has_table_privilege('cartulary.stored_events', 'INSERT') AND NOT pg_is_in_recovery() "
    "AND current_setting('default_transaction_read_only') = 'off'"
)
_GRANTED = (
    "SELECT count(*) FROM pg_class c, aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a "
    "WHERE c.oid = ('cartulary.' || %s)::regclass AND a.privilege_type = %s"
)
_RIGHTS = {"d": "DELETE", "w": "UPDATE", "D": "TRUNCATE"}
_WORKING_TRIGGERS = (
    "SELECT t.tgname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid WHERE t.tgrelid IN "
    "('cartulary.stored_events'::regclass, 'cartulary.heads'::regclass) AND t.tgenabled IN ('O', 'A') "
    "AND p.prosrc LIKE 'BEGIN RAISE EXCEPTION%%' AND t.tgtype & 34 = 34 AND t.tgtype & 8 = 8"
)
"""The triggers that still protect the log: enabled, before (2) truncate (32) and delete (8), and raising."""


class ServerStore(Log):
    """A ``contract.Log`` in a PostgreSQL database, with an index on this machine."""

    def __init__(
        self,
        server: Server,
        index: Path,
        make_row: RowMaker,
        *,
        create: bool = True,
        timeout: int = 5,
        read_only: bool = False,
        longest: int = 0,
    ) -> None:
        """Open the log.

        Args:
            server: The address of the database.
            index: The folder for the indexes of logs, in which each log has a file of its own.
            make_row: Works out the rows of a game that somebody else has written to, from its id and its events.
            create: Whether the tables are made if there are none.
            timeout: Seconds to wait for another writer, or for the server.
            read_only: Whether this store writes nothing to the server.
            longest: Seconds that the server may take for one query, 0 for any number.

        Raises:
            Unreachable: The server or the index cannot be opened, or there are no tables and none may be made.
            Foreign: The database or the file of the index belongs to another program.
            Damaged: Tables of the log are missing, or the file of the index is broken.
            LockedDatabase or ReadOnly: Somebody else holds the log, or the user may not do what is needed.
        """
        self.place, self.timeout, self.read_only = server, timeout, read_only
        self._link = ServerConnection(server, timeout, longest)
        try:
            log = prepare_tables(self._link, create and not read_only)
            self._may_write = not read_only and bool(self._link.rows(_MAY_WRITE)[0][0])
            self.index = self._index = LocalIndex(index / f"{log}.db", timeout, log, self, make_row)
        except BaseException:
            self._link.close()
            raise

    @property
    def writable(self) -> bool:
        """Whether this store may write to the log.

        It is asked once, when the store is opened: the store is not read-only, the user may insert, and the server
        takes writes.
        """
        return self._may_write

    @property
    def index_writable(self) -> bool:
        """Whether this store may write to its index: always, since the file is this machine's own."""
        return True

    def close(self) -> None:
        """Close the connection and the index; closing twice is harmless. The next use opens them again."""
        self._link.close()
        self._index.close()

    # --- writing ---

    def write(self, batch: Batch) -> Head:
        """Append the sealed events of a batch as they are, byte for byte, and return the head after them.

        All is stored or nothing. The index on this machine is updated afterwards, as far as possible.

        Raises:
            Conflict: Somebody else has appended to the stream, or has opened one of that id.
            UnknownGame: The batch continues a stream that does not exist.
            Damaged: The noted head of the stream does not fit its events.
            Declined: The store was opened read-only.
            Unfit: There are more events than can be stored at once, about a million.
            StoreFault: The server cannot store them.
        """
        if not self._store([batch]):
            raise self._rejection(batch)
        self._index.put([batch])
        return batch.head

    def write_new(self, batches: Sequence[Batch]) -> set[str]:
        """Store new streams in one transaction; return the ids of those that existed before and were left alone.

        An empty set means that all were stored. No batch may continue a stream.

        Raises:
            Damaged: Events of a stream are there, but no head of it.
            Declined: The store was opened read-only.
            Unfit: There are more events than can be stored at once, about a million.
            StoreFault: The server cannot store them; nothing is stored.
        """
        if not batches:
            return set()
        stored = self._store(batches)
        self._index.put([batch for batch in batches if batch.id in stored])
        return {batch.id for batch in batches} - stored

    def _store(self, batches: Sequence[Batch]) -> set[str]:
        """Store batches in one statement, and return the ids of those whose streams still stood where the batch begins.

        The others are left alone; a batch whose id is missing in the answer was not stored.

        If the connection is cut, the statement may have been carried out or not. So it is sent again. If it had been
        carried out, the heads have moved and it stores nothing more; such a batch is recognised by its head.

        Args:
            batches: One batch that continues a stream, or any number of batches that begin streams.

        Raises:
            Declined: The store was opened read-only.
            Unfit: There are too many events for one transaction.
            Damaged: An event is stored that the head of its stream does not count.
            StoreFault: The server cannot store them, or cannot be reached.
        """
        import psycopg

        if self.read_only:
            raise Declined(f"The database {self.place} was opened read-only; nothing was stored.")
        statement, values = _statement(batches)
        for again in (False, True):
            try:
                stored = {id for (id,) in self._link.execute(statement, values)}
                return stored | self._ids_at_head(batches) if again else stored
            except psycopg.errors.UniqueViolation:
                batch = next(filter(self._has_wrong_head, batches), batches[0])
                raise wrong_head(batch.id, batch.after.version) from None
            except psycopg.Error as error:
                if again or not self._link.is_cut:
                    raise fault_of(error, self._link.server) from None
        raise Unreachable(f"The database {self.place} cannot be reached; check that its server is running.")

    def _ids_at_head(self, batches: Sequence[Batch]) -> set[str]:
        """Return the ids of those batches whose stream has as its noted head the last event of the batch.

        These are stored already.
        """
        return {batch.id for batch in batches if self.head(batch.id) == batch.head}

    def _has_wrong_head(self, batch: Batch) -> bool:
        """Say whether the first event of a batch is stored although the head of its stream does not count it.

        The head is then missing or still the one before the batch.
        """
        triggers = self._link.rows(_IS_STORED, (batch.id, batch.after.version + 1))
        return bool(triggers) and self.head(batch.id) in (None, batch.after)

    def _rejection(self, batch: Batch) -> StoreFault:
        """Return the fault because of which a batch was not stored; it is not raised here.

        It is UnknownGame if the stream has no head, Damaged if its head has the expected version and so only the digest
        differs, and Conflict if the version differs because somebody else has written.
        """
        head = self.head(batch.id)
        if head is None:
            return UnknownGame(batch.id)
        if head.version == batch.after.version:
            return wrong_head(batch.id, head.version)
        return Conflict(batch.id, batch.after.version, head.version, opening=not batch.after.version)

    # --- reading ---

    def stream(self, id: str, cached: tuple[RecordedEvent, ...] = ()) -> tuple[RecordedEvent, ...]:
        """Return all events of a stream in order, with its chain followed to its noted head.

        All of them are read each time: unlike SQLite, the server does not say whether others wrote.

        Args:
            id: The id of the stream.
            cached: The stream as it was read before. If the same events are stored, this very tuple is returned.

        Raises:
            UnknownGame: There is no such stream.
            Damaged: What is stored is not what was written.
            StoreFault: The server cannot be reached, or cannot answer.
        """
        rows = self._link.rows(_STREAM, (id, id)) if id.isprintable() else []
        head = None
        if rows and rows[0][0] == 0:
            _, version, digest = rows.pop(0)
            head = Head(int(version), digest)
        if head is None and not rows:
            raise UnknownGame(id)
        recorded = follow_chain(id, head, [(version, topic.encode(), state.encode()) for version, topic, state in rows])
        return cached if recorded == cached else recorded

    def head(self, id: str) -> Head | None:
        """Return the noted head of a stream without reading its events; None if there is no such stream."""
        rows = [] if not id.isprintable() else self._link.rows(_HEAD, (id,))
        return Head(*rows[0]) if rows else None

    def all_ids(self) -> Iterator[str]:
        """Yield the ids of all streams, games and others, in the order in which they were begun.

        A stream whose first event is missing comes after the others, and last one of which only the head is left.
        """
        return (id for (id,) in self._link.rows(_IDS))

    def after(self, position: int) -> Iterator[Notification]:
        """Yield position, id of its stream and version for every event after a position, in order.

        The end is the oldest transaction that is still going on: it and all events after it follow in a later call,
        once it has ended. 0 asks for all events.
        """
        while page := self._link.rows(_AFTER, (position, PAGE)):
            yield from page
            position = page[-1][0]

    def last(self) -> int:
        """Return the position of the last event that ``after`` yields, 0 for none."""
        return int(self._link.rows(_LAST)[0][0])

    def mark(self, position: int) -> str:
        """Return a text that identifies the event at a position, by which a restored log is noticed; empty for none.

        It is the id of the stream and the first 76 characters of the stored body, which hold its digest.
        """
        rows = self._link.rows(_MARK, (position,))
        return str(rows[0][0]) if rows else ""

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read the log as of one moment inside the block, whatever others write meanwhile.

        Nothing may be written in it.

        Raises:
            StoreFault: The server cannot be reached, or the connection is cut inside the block.
        """
        with self._link.transaction("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"):
            yield

    def copy(self, path: Path) -> None:
        """Refuse, since this log is not in a file.

        Raises:
            Declined: Always.
        """
        raise Declined(f"{self.place} is on a server and read-only; use `backup FILE` to copy it.")

    # --- proof ---

    def guards(self) -> Iterator[str]:
        """Yield a sentence for each guard of the log as a whole that is broken; nothing if all is sound.

        The guards are the number of events (as many as the heads count), their positions (none that the server has not
        reached), the triggers that forbid changing what is stored, and the rights that nobody may have.
        """
        [[stored, noted]] = self._link.rows(
            "SELECT (SELECT count(*) FROM cartulary.stored_events), "
            "(SELECT coalesce(sum(version), 0)::bigint FROM cartulary.heads)"
        )
        if noted > stored:
            yield f"Of the {how_many(noted, 'event')} ever stored in {self.place}, {noted - stored} cannot be found."
        [[ahead]] = self._link.rows(
            "SELECT count(*) FROM cartulary.stored_events WHERE position >= "
            f"(pg_snapshot_xmax(pg_current_snapshot())::text::bigint << {_ROOM})"
        )
        if ahead:
            yield (
                f"{self.place} holds {how_many(ahead, 'event')} at places in the log that its server has not reached,"
                " as happens after pg_restore on another server. Anyone who follows the log will miss them. Restore"
                " them with `backup FILE --into URL`."
            )
        triggers = {name for (name,) in self._link.rows(_WORKING_TRIGGERS)}
        lost = [f"the trigger {name} is missing or altered" for name in sorted(set(TRIGGERS) - triggers)]
        lost += [
            f"{_RIGHTS[right]} on {table} is granted"
            for table, right in PROTECTED_TABLES
            if self._link.rows(_GRANTED, (table, _RIGHTS[right]))[0][0]
        ]
        if lost:
            yield (
                f"The log of {self.place} is no longer protected: {', '.join(lost)}. Take a `backup`, and write"
                " it to an empty database with `backup FILE --into URL`."
            )


def _statement(batches: Sequence[Batch]) -> tuple[str, tuple[object, ...]]:
    """Return the SQL statement that moves the heads of streams and stores the events of batches, and its values.

    Carried out, the statement returns a row with the id of each stream that it wrote to, one for each event where a
    stream is continued.

    Args:
        batches: One batch that continues a stream, or any number of batches that begin streams; at least one.

    Raises:
        Unfit: There are too many events to number them in one transaction: ``1 << _ROOM`` or more.
    """
    events = [event for batch in batches for event in batch.events]
    if len(events) >> _ROOM:
        raise Unfit(f"{len(events)} events cannot be stored at once; expected at most {(1 << _ROOM) - 1}.")
    stored = (
        [event.originator_id for event in events],
        [event.originator_version for event in events],
        [event.topic for event in events],
        [event.body.decode() for event in events],
    )
    first = batches[0]
    if first.after.version:
        moved = (first.head.version, first.head.digest, first.id, first.after.version, first.after.digest)
        if len(events) == 1:
            return _STORE_ONE, (*moved, *(column[0] for column in stored[1:]))
        return _STORE_MORE, (*moved, *stored)
    heads = [batch.head for batch in batches]
    new_heads = ([batch.id for batch in batches], [head.version for head in heads], [head.digest for head in heads])
    return _STORE_NEW, (*new_heads, *stored)
