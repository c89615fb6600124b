"""The database files this process has open: nobody opens them beside SQLite, and no fork takes them along.

By POSIX a process that closes a file gives up every lock it has on it, whoever took the lock. SQLite minds that among
its own connections; of a file opened beside it it knows nothing, and another process would then delete the journal that
is being written to. A fork hands files on without their locks, and SQLite in the child would not know that either.

A database is two files, itself and the journal beside it, in which what was written last stands. SQLite has the journal
open for as long as anybody has the database open, and minds neither that it is deleted then, so that all that is
written is lost, nor that it is another database's, so that its pages replace those of the database. Both are minded
here.
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
MARKED = 68
"""Where in SQLite's header the mark of the program stands that made the file."""
HEADER = MAGIC.ljust(MARKED, b"\0") + APPLICATION_ID.to_bytes(4)
"""How a database of ours begins, as far as anybody asks."""
WAL = "-wal"
BESIDE = (WAL, "-shm", "-journal")
"""How the names of SQLite's own files end, which stand beside a database."""

_Key: TypeAlias = tuple[int, int]

_turn = Lock()
_inherited: set[_Key] = set()


class OpenFile:
    """A database file while a store has it open. connections: what must never be closed in a child of a fork."""

    def __init__(self, path: Path) -> None:
        """Note the file as open, before SQLite opens it; an empty one is made where there is none.

        Raises OSError, and Unreachable in the child of a fork that took the open file along.
        """
        self.path, self.inherited = path, False
        self._name = os.path.abspath(path)  # a text is found sooner than a Path, wherever the process has gone since
        self._wal = f"{os.path.realpath(path)}{WAL}"
        self._wal_key: _Key | None = None
        self.connections: object = None
        with _turn:
            if not path.exists():
                make_private(path)
            self.key = _key(path)
            self.inherited = self.key in _inherited
            self.check()
            for held in tuple(_held):
                if held.key == self.key:
                    held.check()  # SQLite would begin another journal beside the one that is still written to
            _held.add(self)

    def check(self) -> None:
        """Raise Unreachable where the open file is no longer the one at its path, or was taken along by a fork.

        What is written to a file that was moved away would be lost to whoever opens the path next.
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
        if self.inherited:
            raise Unreachable(
                f"The database {self.path} was open when this process was forked, and its locks were lost. "
                "Close it before a fork, or start processes with spawn."
            )

    def check_wal(self) -> None:
        """Raise Unreachable where the file beside the database is no longer the one SQLite has open."""
        if self._wal_key is not None and not self._has_wal():
            raise Unreachable(
                f"The file {self.path}{WAL}, which holds what was written last, was moved, deleted or replaced "
                "while the database was open; nothing was stored. Close the database everywhere; what was stored "
                "before is then written to it."
            )

    def watch_wal(self) -> None:
        """Note the journal that SQLite has open since the first question, to be checked from now on; there may be none.

        A database that may only be read has none, unless somebody else writes to it.
        """
        if self._wal_key is None:
            with suppress(OSError):
                self._wal_key = _key(self._wal)

    def unwatch_wal(self) -> None:
        """Expect no journal any longer: its connections are being closed, and SQLite deletes it with the last.

        Another thread that opens the file just then would else take it for lost.
        """
        with _turn:
            self._wal_key = None

    def _has_wal(self) -> bool:
        try:
            return _key(self._wal) == self._wal_key
        except OSError:
            return False

    def release(self) -> None:
        """Note the file as closed; doing it twice is harmless."""
        with _turn:
            _held.discard(self)


_held: "WeakSet[OpenFile]" = WeakSet()


def make_private(path: Path) -> None:
    """Make an empty file that its owner alone may read, where there is none: SQLite makes those beside it alike.

    We just created it, so this process cannot have it open; O_EXCL makes us skip a file another process created first.
    """
    with suppress(FileExistsError):
        os.close(os.open(os.path.realpath(path), os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def database_of(path: Path) -> Path:
    """Return the database a file stands beside as SQLite's own, else the path itself."""
    end = next((end for end in BESIDE if path.name.endswith(end) and path.name != end), "")
    return path.with_name(path.name.removesuffix(end))


def beginning(path: Path, length: int) -> bytes:
    """Return how a file begins, without opening it where this process has it open as a database. Raises OSError."""
    if not stat.S_ISREG(path.stat().st_mode):
        return _read(path, length)
    with _turn:
        if is_held(path):
            return HEADER[:length]
        return _read(path, length)


def check_beside(path: Path, *, anew: bool = False) -> None:
    """Raise Unreachable where a journal with something in it lies beside a file and is not its own.

    anew: another file is to be put there, whose own it cannot be

    A database of ours says in its header that it has such a journal (bytes 19 and 20 are 2) before there is one, and a
    backup that it has none.

    Source: the database file format of SQLite, 1.3.3
    """
    wal = Path(f"{os.path.realpath(path)}{WAL}")
    try:
        if not wal.stat().st_size or is_held(path):
            return
        header = beginning(path, 20) if path.exists() else b""
    except OSError:
        return  # whoever opens it says why it cannot be
    if not anew and header.startswith(MAGIC) and header[18:20] == b"\x02\x02":
        return
    done = "made" if anew or not header else "used"
    raise Unreachable(
        f"The database {path} cannot be {done}: {wal} beside it belongs to another database. What was written last to "
        f"that one is in it. Put that one back, or move {wal.name} away."
    )


def is_held(path: Path) -> bool:
    """Say whether this process has a file open as a database, or as SQLite's own beside one."""
    try:
        key = _key(database_of(path))
    except OSError:
        return False
    return any(held.key == key for held in tuple(_held))


def _read(path: Path, length: int) -> bytes:
    with path.open("rb") as file:
        return file.read(length)


def _key(path: Path | str) -> _Key:
    found = os.stat(path)
    return found.st_dev, found.st_ino


# --- forks ---


def _in_the_child() -> None:
    for held in tuple(_held):
        held.inherited = True
        _inherited.add(held.key)
        _keep(held.connections)
    _held.clear()
    _turn.release()


def _keep(connections: object) -> None:
    """Let connections live as long as the process: closed, SQLite would clear away a journal that others write to."""
    import ctypes

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(connections))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_turn.acquire, after_in_parent=_turn.release, after_in_child=_in_the_child)
