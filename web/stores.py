"""A pool of open stores of one log, one for each request that is being answered."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, LifoQueue
from tempfile import TemporaryDirectory
from threading import Lock

from cartulary.records import api
from cartulary.records.faults import Unreachable
from cartulary.records.state.games import RecentGames

MOST_OPEN = 14
"""How many stores are open at most: one for each place of the schedulers, and some for the streams."""
MOST_CACHED = 64
"""How many games are cached as they were last read."""
TIMEOUT = 5
"""Seconds to wait for another writer."""
LONGEST_QUERY = 8
"""Seconds that a database server may take for one query; a phone has stopped waiting by then."""


class Stores:
    """A pool of open stores of one log, with a cache of games that all of them share. Close it after use.

    Attributes:
        writable: Whether the log can be written to.
    """

    def __init__(self, place: "Path | api.Server", *, read_only: bool = False, create: bool = False) -> None:
        """Open the log once, so that a file that is none is found out at once.

        Args:
            place: The database file, or the address of a server.
            read_only: Whether nothing may be written to it; what must be indexed is then indexed in a copy.
            create: Whether to create the log if it does not exist.

        Raises:
            StoreFault: It cannot be opened.
        """
        self.place, self.read_only = place, read_only
        self._games = RecentGames(MOST_CACHED)
        self._free: LifoQueue[api.Log | None] = LifoQueue()
        for _ in range(MOST_OPEN - 1):
            self._free.put(None)
        first = self._open(create)
        self.writable = first.writable
        self._free.put(first)
        self._closed = False
        self._copy_lock, self._copied_position = Lock(), 0
        self._folder: TemporaryDirectory[str] | None = None

    def _open(self, create: bool = False) -> "api.Log":
        """Open the log once more, and return the new store; what cannot be opened is raised as a Fault.

        Args:
            create: Whether to make the log if it is not there.
        """
        return api.open_store(
            self.place,
            create=create,
            timeout=TIMEOUT,
            read_only=self.read_only,
            longest=LONGEST_QUERY,
            recent=self._games,
        )

    @contextmanager
    def checkout(self) -> "Iterator[api.Log]":
        """Check a store out of the pool for the block. All stores share the games that any of them has loaded.

        If the log cannot be reached, all idle stores are closed too and opened again when they are needed, because by
        then another file may be in the place of the old one. The fault is raised all the same.

        Raises:
            StoreFault: The log cannot be opened once more.
        """
        store = self._free.get()
        try:
            if store is None:
                store = self._open()
            yield store
        except Unreachable:
            if store is not None:
                store.close()
                store = None
            self._close_idle()  # they have the same file open, which can be opened anew only once all have closed it
            raise
        finally:
            self._free.put(store)
            if self._closed:
                self._close_idle()

    def _close_idle(self) -> None:
        """Close the stores that nobody has checked out; each is opened again when it is needed."""
        idle: list[api.Log | None] = []
        with suppress(Empty):
            while True:
                idle.append(self._free.get_nowait())
        for store in idle:
            if store is not None:
                store.close()
            self._free.put(None)

    @contextmanager
    def indexable(self, store: "api.Log") -> "Iterator[api.Log]":
        """Hold a log whose positions may be indexed: this one, or an up-to-date copy if it may only be read.

        The copy is kept until ``close``, and made again once the log has grown; one block at a time can use it.
        """
        if store.index_writable:
            yield store
            return
        with self._copy_lock:
            if self._folder is None:
                self._folder = TemporaryDirectory(prefix="cartulary-")
            copy, position = Path(self._folder.name) / "indexed.db", store.last()
            if position != self._copied_position:
                store.copy(copy)
                self._copied_position = position
            with api.Store(copy, create=False, timeout=TIMEOUT) as copied:
                yield copied

    def close(self) -> None:
        """Close every store: an idle one now, one that is checked out when its block ends. The copy is removed."""
        self._closed = True
        self._close_idle()
        if self._folder is not None:
            self._folder.cleanup()
