"""The database files that this process has open. They are guarded against three ways of losing data.

*A second descriptor.* Under POSIX, a process that closes a file gives up all its locks on it, whichever descriptor took
them. SQLite takes care of that among its own connections, but it does not know of a file that was opened beside it.
Another process would then see no lock, and delete the journal that is being written to. So nothing opens such a file
while a store has it open (``beginning``).

*A fork.* The child has the files without their locks, and SQLite in the child does not notice. So the child may not use
them (``OpenFile.check``).

*The journal.* What was written last is in the file ``-wal`` beside the database. SQLite does not notice if it is
deleted while it is open, and all further writes are lost. Nor does it notice if it belongs to another database, whose
pages then replace those of this one. Both are checked (``OpenFile.check_wal``, ``check_beside``).

Source: https://sqlite.org/howtocorrupt.html, 1.3, 1.4, 2.2 and 2.6
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TypeAlias
from weakref import WeakSet

from cartulary.records.faults import Unreachable
from cartulary.records.log.schema import APPLICATION_ID

MAGIC = b"SQLite format 3\x00"
MARK_OFFSET = 68
"""The place in SQLite's header of the mark of the program that made the file."""
HEADER = MAGIC.ljust(MARK_OFFSET, b"\0") + APPLICATION_ID.to_bytes(4)
"""The beginning of a database of ours."""
WAL = "-wal"
BESIDE = (WAL, "-shm", "-journal")
"""The endings of the files that SQLite puts beside a database."""

_Key: TypeAlias = tuple[int, int]

_lock = Lock()
_inherited_keys: set[_Key] = set()


class OpenFile:
    """A database file that a store has open.

    Attributes:
        path: The file.
        is_inherited: True in the child of a fork that took the open file along.
        connections: The connections to it, which must never be closed in the child of a fork.
    """

    def __init__(self, path: Path) -> None:
        """Note a file as open, before SQLite opens it. An empty file is made if there is none.

        Raises:
            OSError: The file cannot be read.
            Unreachable: This is the child of a fork that took the open file along.
        """
        self.path, self.is_inherited = path, False
        self._name = os.path.abspath(path)  # stat is faster with a text than with a Path
        self._wal = f"{os.path.realpath(path)}{WAL}"
        self._wal_key: _Key | None = None
        self.connections: object = None
        with _lock:
            if not path.exists():
                make_private(path)
            self.key = _key(path)
            self.is_inherited = self.key in _inherited_keys
            self.check()
            for file in tuple(_open_files):
                if file.key == self.key:
                    file.check()  # or SQLite would begin a second journal beside the one in use
            _open_files.add(self)

    def check(self) -> None:
        """Raise Unreachable if the open file is no longer the one at its path, or was taken along by a fork.

        What is written to a file that was moved away is lost to whoever opens the path next.
        """
        try:
            there = _key(self._name) == self.key
        except OSError:
            there = False
        if not there:
            raise Unreachable(
                f"The database {self.path} was moved, deleted or replaced while it was open; nothing was stored. "
                "Put it back, or open the new one."
            )
        self.check_wal()
        if self.is_inherited:
            raise Unreachable(
                f"The database {self.path} was open when this process was forked, and its locks were lost. "
                "Close it before a fork, or start processes with spawn."
            )

    def check_wal(self) -> None:
        """Raise Unreachable if the journal beside the database is no longer the one SQLite has open.

        Nothing is checked until ``watch_wal`` has noted a journal, and after ``unwatch_wal``.
        """
        if self._wal_key is not None and not self._has_wal():
            raise Unreachable(
                f"The file {self.path}{WAL}, which holds what was written last, was moved, deleted or replaced "
                "while the database was open; nothing was stored. Close the database everywhere; what was stored "
                "before is then written to it."
            )

    def watch_wal(self) -> None:
        """Note the journal that SQLite opens with the first query, so that ``check_wal`` compares it from then on.

        If one is noted already, or there is none, nothing changes. A database that may only be read has none, unless
        somebody else writes to it.
        """
        if self._wal_key is None:
            with suppress(OSError):
                self._wal_key = _key(self._wal)

    def unwatch_wal(self) -> None:
        """Stop checking the journal, because SQLite deletes it when the last connection is closed.

        Another thread that opens the file at that moment would otherwise report it as lost.
        """
        with _lock:
            self._wal_key = None

    def _has_wal(self) -> bool:
        """Say whether the journal at its path is still the one that ``watch_wal`` noted. False if there is none."""
        try:
            return _key(self._wal) == self._wal_key
        except OSError:
            return False

    def release(self) -> None:
        """Note the file as closed, so that it may be opened in other ways again. Doing so twice is harmless."""
        with _lock:
            _open_files.discard(self)


_open_files: "WeakSet[OpenFile]" = WeakSet()


def make_private(path: Path) -> None:
    """Make an empty file that only its owner may read or write, if there is none. An existing file stays as it is.

    SQLite gives the files beside it the same mode. A file that exists already, which this process may have open, is not
    opened here (O_EXCL), since closing it would give up the locks on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(os.path.realpath(path), os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def database_of(path: Path) -> Path:
    """Return the database to which a file of SQLite's own belongs, else the path itself: ``a.db-wal`` -> ``a.db``.

    Only the name is looked at.
    """
    end = next((end for end in BESIDE if path.name.endswith(end) and path.name != end), "")
    return path.with_name(path.name.removesuffix(end))


def beginning(path: Path, length: int) -> bytes:
    """Return the first bytes of a file, fewer if it is shorter.

    A file that this process has open as a database, or beside one, is not opened; ``HEADER`` is returned for it
    instead, whatever is in it, at most as long as that.

    Args:
        path: The file.
        length: The number of bytes.

    Raises:
        OSError: The file cannot be read.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        return _read(path, length)
    with _lock:
        if is_open(path):
            return HEADER[:length]
        return _read(path, length)


def check_beside(path: Path, *, is_new: bool = False) -> None:
    """Raise Unreachable if a journal that is not empty lies beside a file and belongs to another database.

    A database of ours says in its header that it uses a journal (bytes 19 and 20 are 2), even before there is one; a
    backup says that it uses none. Nothing is checked if this process has the file open, or if it cannot be read.

    Args:
        path: The file.
        is_new: True if another file is to be put there, to which no journal can belong.

    Raises:
        Unreachable: There is such a journal.

    Source: the database file format of SQLite, 1.3.3
    """
    wal = Path(f"{os.path.realpath(path)}{WAL}")
    try:
        if not wal.stat().st_size or is_open(path):
            return
        header = beginning(path, 20) if path.exists() else b""
    except OSError:
        return  # whoever opens it says why it cannot be
    if not is_new and header.startswith(MAGIC) and header[18:20] == b"\x02\x02":
        return
    done = "made" if is_new or not header else "used"
    raise Unreachable(
        f"The database {path} cannot be {done}: {wal} beside it belongs to another database. What was written last to "
        f"that one is in it. Put that one back, or move {wal.name} away."
    )


def is_open(path: Path) -> bool:
    """Say whether this process has a file open as a database, or as one of the files beside one.

    False if it is missing.
    """
    try:
        key = _key(database_of(path))
    except OSError:
        return False
    return any(file.key == key for file in tuple(_open_files))


def _read(path: Path, length: int) -> bytes:
    """Return the first bytes of a file, at most ``length``. Raises OSError if it cannot be read."""
    with path.open("rb") as file:
        return file.read(length)


def _key(path: Path | str) -> _Key:
    """Return the device and the inode of a file, which identify it whatever its name is.

    Raises OSError if it is missing.
    """
    found = os.stat(path)
    return found.st_dev, found.st_ino


# --- forks ---


def _disown_in_child() -> None:
    """Mark every open file as inherited, in the child of a fork, which may not use them.

    Python calls it after a fork. The list of open files is empty afterwards, and the lock that was held over the fork
    is released.
    """
    for file in tuple(_open_files):
        file.is_inherited = True
        _inherited_keys.add(file.key)
        _never_close(file.connections)
    _open_files.clear()
    _lock.release()


def _never_close(connections: object) -> None:
    """Keep connections from being closed when nobody refers to them any more, until the process ends.

    Closing them would let SQLite delete a journal that is in use.
    """
    import ctypes

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(connections))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_disown_in_child)
