"""The database file: how it is made, recognised, opened and copied, and SQLite's errors as sentences.

Nothing of events is known here.
"""

import os
import sqlite3
import stat
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import TracebackType

from cartulary.engine.deadline import DeadlineExceeded, deadline_passed
from cartulary.records.faults import (
    Damaged,
    DiskFull,
    Fault,
    Foreign,
    LockedDatabase,
    ReadOnly,
    StoreFault,
    Unreachable,
)
from cartulary.records.log.open_files import HEADER, MAGIC, MARK_OFFSET, OpenFile, beginning, check_beside, database_of
from cartulary.records.log.schema import APPLICATION_ID, EXPORT_MARK, MODEL, POSITIONS, SCHEMA, SCHEMA_VERSION, UPGRADES

# --- faults ---

_FAULTS: dict[int, Callable[[str], StoreFault]] = {
    sqlite3.SQLITE_BUSY: lambda path: LockedDatabase(
        f"The database {path} is locked, because another process is writing to it. Nothing was stored; try again."
    ),
    sqlite3.SQLITE_READONLY: lambda path: ReadOnly(f"The database {path} is read-only; nothing was stored."),
    sqlite3.SQLITE_FULL: lambda path: DiskFull(
        f"There is no room left for the database {path}; nothing was stored. Free some space and try again."
    ),
    sqlite3.SQLITE_CORRUPT: lambda path: Damaged(
        f"The database {path} is damaged, because the file was cut off or overwritten. Restore it from a backup "
        "or an export."
    ),
    sqlite3.SQLITE_NOTADB: lambda path: Foreign(f"The file {path} is not an SQLite database; it was left alone."),
}


class translate_errors:
    """A block in which errors of SQLite, also those that the library has wrapped, are raised as faults."""

    __slots__ = ("path",)

    def __init__(self, path: Path) -> None:
        """Make such a block for the database at a path, which the sentences of the faults name."""
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if value is None or isinstance(value, (Fault, DeadlineExceeded)):
            return
        cause: BaseException | None = value
        # For text in the file that is not UTF-8, the driver has no error of its own.
        while cause is not None and not isinstance(cause, (sqlite3.Error, UnicodeDecodeError)):
            cause = cause.__cause__
        if getattr(cause, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
            raise DeadlineExceeded from value
        if cause is not None:
            raise self.fault(cause) from value

    def fault(self, error: sqlite3.Error | UnicodeDecodeError) -> StoreFault:
        """Return an error of SQLite as a fault of this file; it is not raised here.

        It is LockedDatabase if another process holds the database, ReadOnly if it may not be written, DiskFull if there
        is no room, Foreign if the file is of another kind, and Damaged if the file is broken, a text in it is not UTF-8
        or a table is missing. For anything else it is Unreachable.
        """
        code = getattr(error, "sqlite_errorcode", None)
        if isinstance(error, UnicodeDecodeError) or (code is None and "UTF-8" in str(error)):
            code = sqlite3.SQLITE_CORRUPT
        if code is not None and code & 0xFF in _FAULTS:
            return _FAULTS[code & 0xFF](str(self.path))
        if str(error).startswith("no such table: ") and str(error)[15:] in (*MODEL, *POSITIONS, "behind"):
            return Damaged(f"The games list of {self.path} is missing; use `reindex` to rebuild it from the log.")
        if "no such table" in str(error):
            return Damaged(f"The database {self.path} is damaged: {error}.")
        return Unreachable(f"The database {self.path} cannot be used: {error}.")


STEPS = 10_000
"""Steps of SQLite, a few tenths of a millisecond, after which it asks whether the deadline has passed."""


def interruptible(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Let the queries of a connection end at the deadline of the current work, and return the same connection.

    A query that is ended raises sqlite3.OperationalError (``translate_errors`` makes it DeadlineExceeded), and its
    transaction is rolled back.
    """
    connection.set_progress_handler(deadline_passed, STEPS)
    return connection


# --- opening ---


def prepare(path: Path, create: bool, timeout: int, read_only: bool = False) -> OpenFile:
    """Check that a file is one of our databases, or make it, and bring it up to date.

    Args:
        path: The file.
        create: Whether it may be made if it is missing or empty.
        timeout: Seconds to wait for another writer.
        read_only: Whether nothing is written to it, not even to bring it up to date.

    Returns:
        The file, noted as open.

    Raises:
        Foreign: It was made by other software or a newer version of this program, or is an export.
        Damaged: It is one of our databases, but its beginning or its version cannot be.
        Unreachable: It cannot be opened, is a folder or the like, or is missing or empty and may not be made.
        sqlite3.Error: As SQLite raises it.
    """
    try:
        _check_is_file(path, create)
        check_beside(path)
        file = OpenFile(path)
    except OSError as error:
        raise Unreachable(f"The database {path} cannot be opened: {error.strerror}.") from error
    try:
        _open_once(path, timeout, read_only)
    except BaseException as fault:
        file.release()
        if getattr(fault, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            raise _unrecognised_file(path) from fault
        raise
    return file


def _open_once(path: Path, timeout: int, read_only: bool) -> None:
    """Open a database once: make its tables if it has none, bring them up to date, and turn on its journal.

    A file that is only read, or may not be written, is only checked; if it has no tables, SQLite's error is raised.

    Raises:
        Foreign or Damaged: As ``_has_our_tables`` says.
        sqlite3.Error: As SQLite raises it.
    """
    mode = "rw" if writable(path) and not read_only else "ro"
    uri = address(path, read_only) if mode == "ro" else f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=timeout)
    try:
        if not _has_our_tables(connection, path):
            _create_tables(connection, path)
        if mode == "rw":
            _turn_on_wal(connection, timeout)
            _upgrade(connection)
    finally:
        connection.close()


def is_game_database(path: Path) -> bool:
    """Say whether a file is a database of games, of any version, or one of the files that SQLite puts beside one.

    False for a file that is missing or cannot be read. Only the header is looked at.
    """
    try:
        start = beginning(database_of(path), len(HEADER))
    except OSError:
        return False
    return start.startswith(MAGIC) and start[MARK_OFFSET:] == HEADER[MARK_OFFSET:]


def writable(path: Path) -> bool:
    """Say whether a file exists and may be written, and its folder too, where SQLite puts the journal."""
    effective = os.access in os.supports_effective_ids
    places = (path, path.absolute().parent)
    return all(os.access(place, os.W_OK, effective_ids=effective) for place in places)


def address(path: Path, read_only: bool = False) -> str:
    """Return what SQLite is to open.

    Args:
        path: The file.
        read_only: Whether the caller only reads, even if the file may be written.

    Returns:
        The absolute path if ``read_only`` is False and the file may be written or does not exist. Otherwise a ``file:``
        address that says it is only read, and also that nobody writes to it (``immutable``) if this process could not
        even make a journal and there is none.
    """
    free = not path.exists() or writable(path)
    if free and not read_only:
        return str(path.absolute())
    still = "" if free or path.with_name(path.name + "-wal").exists() else "&immutable=1"
    return f"{path.absolute().as_uri()}?mode=ro{still}"


def copy(path: Path, to: Path) -> None:
    """Copy a database to another file, which is overwritten. Others may write to the first one meanwhile.

    Raises:
        sqlite3.Error: The one cannot be read or the other cannot be written.
    """
    with closing(sqlite3.connect(address(path, True), uri=True)) as here, closing(sqlite3.connect(to)) as there:
        here.backup(there)


def make_single_file(path: Path) -> None:
    """Turn a database that nobody has open into a single file without a journal, so that it can be moved.

    Raises:
        sqlite3.Error: Somebody has it open, or it cannot be written.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as own:
        own.execute("PRAGMA journal_mode=DELETE")


_KINDS = {
    stat.S_IFDIR: "folder",
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
}


def _check_is_file(path: Path, create: bool) -> None:
    """Check, without opening it, that a path may lead to a database. If ``create`` is True, make its folder.

    The file itself is not made.

    Raises:
        Unreachable: It is a folder, a device or the like; or there is no file, or an empty one, and none may be made.
        OSError: The folder cannot be made, or the file cannot be looked at.
    """
    if create:
        path.absolute().parent.mkdir(parents=True, exist_ok=True)
    try:
        found = path.stat()
    except FileNotFoundError:
        if create:
            return
        raise Unreachable(f"There is no database {path} yet; `new` or `import` creates one.") from None
    kind = _KINDS.get(stat.S_IFMT(found.st_mode))
    if kind:
        raise Unreachable(f"{path} is a {kind}, not a database.")
    if not found.st_size and not create:
        raise Unreachable(f"The database {path} is empty; `new` or `import` fills it.")


def _unrecognised_file(path: Path) -> StoreFault:
    """Return the fault of a file that SQLite does not take for a database; it is not raised here.

    It is Damaged if the file begins as a database does, and Foreign otherwise.
    """
    if beginning(path, len(MAGIC)) == MAGIC:
        return Damaged(f"The database {path} is damaged: its beginning cannot be read.")
    return Foreign(f"The file {path} is not an SQLite database; it was left alone.")


_MARKS = """
SELECT application_id, user_version, (SELECT COUNT(*) FROM sqlite_master)
FROM pragma_application_id, pragma_user_version
"""
"""A single query, so that tables which another process is making are seen all or not at all."""


def _has_our_tables(connection: sqlite3.Connection, path: Path) -> bool:
    """Say whether a database has our tables; False if it has no tables at all.

    Raises:
        Foreign: The tables are those of other software, of an export, or of a newer version of this program.
        Damaged: The tables are ours, but the version noted is below 1.
    """
    mark, version, tables = connection.execute(_MARKS).fetchone()
    if mark == APPLICATION_ID:
        if version > SCHEMA_VERSION:
            raise Foreign(f"The database {path} was made by a newer version of this program; install that version.")
        if version < 1:
            raise Damaged(f"The database {path} is damaged: no version of this program has the number {version}.")
        return True
    if not (mark or version or tables):
        return False
    if any(name == "about" for [name] in connection.execute("SELECT name FROM sqlite_master")) and any(
        EXPORT_MARK in row for row in connection.execute("SELECT * FROM about")
    ):
        raise Foreign(f"{path} is an export; use `import` to put its games into a database.")
    raise Foreign(f"The database {path} was made by other software; it was left alone.")


def _create_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables of an empty database in one transaction, unless another process has made them meanwhile.

    Raises:
        Foreign or Damaged: What another process has made is not ours; see ``_has_our_tables``.
        sqlite3.Error: The file cannot be written, or another process writes for too long.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have made them while this one waited.
        if not _has_our_tables(connection, path):
            for statement in SCHEMA:
                connection.execute(statement)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _upgrade(connection: sqlite3.Connection) -> None:
    """Bring the tables of an older version up to date, in one transaction; do nothing if they are.

    The stored events stay as they are.
    """
    if _version(connection) >= SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have done it while this one waited.
        for version in range(_version(connection), SCHEMA_VERSION):
            for statement in UPGRADES[version]:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _version(connection: sqlite3.Connection) -> int:
    """Return the version of the schema that is noted in a database; 0 if none is."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _turn_on_wal(connection: sqlite3.Connection, timeout: int) -> None:
    """Turn on write-ahead logging, by which readers and a writer do not block each other.

    SQLite does not wait for other processes here, so this function does.

    Args:
        connection: A connection that may write.
        timeout: The seconds after which SQLite's error "busy" is raised. Other errors are raised at once.
    """
    deadline = time.monotonic() + timeout
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone()[0].lower() != "wal":
                connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
