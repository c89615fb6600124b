"""The database file itself: made once, recognised, opened; SQLite's errors put into sentences.

This module knows files and SQLite's codes, and nothing of events.
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
    Locked,
    ReadOnly,
    StoreFault,
    Unreachable,
)
from cartulary.records.log.open_files import HEADER, MAGIC, MARKED, OpenFile, beginning, check_beside, database_of
from cartulary.records.log.schema import APPLICATION_ID, MODEL, POSITIONS, PUBLISHED, SCHEMA, SCHEMA_VERSION, UPGRADES

# --- faults ---

_FAULTS: dict[int, Callable[[str], StoreFault]] = {
    sqlite3.SQLITE_BUSY: lambda path: Locked(
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


class speaking:
    """Turn SQLite's errors inside the block, the library's wrapping included, into faults with sentences."""

    __slots__ = ("path",)

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if value is None or isinstance(value, (Fault, DeadlineExceeded)):
            return
        cause: BaseException | None = value
        # The driver has no error of its own for text of the file that is no UTF-8, its own messages included.
        while cause is not None and not isinstance(cause, (sqlite3.Error, UnicodeDecodeError)):
            cause = cause.__cause__
        if getattr(cause, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
            raise DeadlineExceeded from value
        if cause is not None:
            raise self.fault(cause) from value

    def fault(self, error: sqlite3.Error | UnicodeDecodeError) -> StoreFault:
        """Return the fault an error of SQLite means for this file."""
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
"""Steps of SQLite, some tenths of a millisecond, after which it asks whether anybody still waits for the answer."""


def interruptible(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return a connection whose questions end where whoever waits has had enough; a transaction is rolled back then."""
    connection.set_progress_handler(deadline_passed, STEPS)
    return connection


# --- opening ---


def prepare(path: Path, create: bool, timeout: int, read_only: bool = False) -> OpenFile:
    """Make sure the file is a database of ours, making it if it is absent or empty and ``create`` says so.

    Return it noted as open. read_only: nothing is written to it, not even to bring it up to date
    Raises Foreign, Unreachable, Damaged, or SQLite's own errors.
    """
    try:
        _look(path, create)
        check_beside(path)
        held = OpenFile(path)
    except OSError as error:
        raise Unreachable(f"The database {path} cannot be opened: {error.strerror}.") from error
    try:
        _prepared(path, timeout, read_only)
    except BaseException as fault:
        held.release()
        if getattr(fault, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            raise _no_database(path) from fault
        raise
    return held


def _prepared(path: Path, timeout: int, read_only: bool) -> None:
    mode = "rw" if writable(path) and not read_only else "ro"
    uri = address(path, read_only) if mode == "ro" else f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=timeout)
    try:
        if not _ours(connection, path):
            _make(connection, path)
        if mode == "rw":
            _ahead(connection, timeout)
            _up_to_date(connection)
    finally:
        connection.close()


def is_kept(path: Path) -> bool:
    """Say whether a file is a database in which games are kept, of whatever version, or SQLite's journal of one."""
    try:
        start = beginning(database_of(path), len(HEADER))
    except OSError:
        return False
    return start.startswith(MAGIC) and start[MARKED:] == HEADER[MARKED:]


def writable(path: Path) -> bool:
    """Say whether the file and its folder, where SQLite keeps its journal, may be written."""
    effective = os.access in os.supports_effective_ids
    places = (path, path.absolute().parent)
    return all(os.access(place, os.W_OK, effective_ids=effective) for place in places)


def address(path: Path, read_only: bool = False) -> str:
    """Return what SQLite is to open: the path, or for what may only be read an address that says so."""
    free = not path.exists() or writable(path)
    if free and not read_only:
        return str(path.absolute())
    still = "" if free or path.with_name(path.name + "-wal").exists() else "&immutable=1"
    return f"{path.absolute().as_uri()}?mode=ro{still}"


def copy(path: Path, to: Path) -> None:
    """Write a database as it stands to another file, in the place of what is there."""
    with closing(sqlite3.connect(address(path, True), uri=True)) as here, closing(sqlite3.connect(to)) as there:
        here.backup(there)


def sole_file(path: Path) -> None:
    """Let a database be one file without a journal, as it is put somewhere else; nobody may have it open."""
    with closing(sqlite3.connect(path, isolation_level=None)) as own:
        own.execute("PRAGMA journal_mode=DELETE")


_KINDS = {
    stat.S_IFDIR: "folder",
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
}


def _look(path: Path, create: bool) -> None:
    """Raise Unreachable where there is no file that could be a database; it is not opened for that."""
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


def _no_database(path: Path) -> StoreFault:
    """Return what is wrong with a file that SQLite takes for no database, and that nobody here has open as one."""
    if beginning(path, len(MAGIC)) == MAGIC:
        return Damaged(f"The database {path} is damaged: its beginning cannot be read.")
    return Foreign(f"The file {path} is not an SQLite database; it was left alone.")


_MARKS = """
SELECT application_id, user_version, (SELECT COUNT(*) FROM sqlite_master)
FROM pragma_application_id, pragma_user_version
"""
"""One question, so that what another process makes meanwhile is seen whole or not at all."""


def _ours(connection: sqlite3.Connection, path: Path) -> bool:
    """Say whether the database has our tables; False for one with no tables at all."""
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
        PUBLISHED in row for row in connection.execute("SELECT * FROM about")
    ):
        raise Foreign(f"{path} is an export; use `import` to put its games into a database.")
    raise Foreign(f"The database {path} was made by other software; it was left alone.")


def _make(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have made them while this one waited.
        if not _ours(connection, path):
            for statement in SCHEMA:
                connection.execute(statement)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _up_to_date(connection: sqlite3.Connection) -> None:
    """Bring a database of an older version up to this one's, whole or not at all; its log stays as it is."""
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
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _ahead(connection: sqlite3.Connection, timeout: int) -> None:
    """Set write-ahead logging. SQLite does not wait for others here, so this does."""
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
