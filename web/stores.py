"""The database while pages are read from it: a few connections, one for each page that is being made."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, LifoQueue
from tempfile import TemporaryDirectory
from threading import Lock

from cartulary.records import api
from cartulary.records.faults import Unreachable

MOST = 14
"""How many connections there are at most: one for every place where work is done, and some for who follows the log."""
KEPT = 64
"""How many games are kept as they were read; more are read again."""
TIMEOUT = 5
"""Seconds to wait for another writer."""
LONGEST_QUESTION = 8
"""Seconds a database server may take for one question; a phone has stopped waiting by then."""


class Stores:
    """A log, opened as often as pages are made at once. Close it. writable: whether it may be written to"""

    def __init__(self, place: "Path | api.Server", *, read_only: bool = False, create: bool = False) -> None:
        """Open the file once, so that it is known to be one. Raises the faults of the store.

        read_only: nothing is written to it; what must be indexed goes into a copy
        create: make it where there is none
        """
        self.place, self.read_only = place, read_only
        self._games = api.RecentGames(KEPT)
        self._free: LifoQueue[api.Log | None] = LifoQueue()
        for _ in range(MOST - 1):
            self._free.put(None)
        first = self._opened(create)
        self.writable = first.writable
        self._free.put(first)
        self._copying, self._copied = Lock(), 0
        self._folder: TemporaryDirectory[str] | None = None

    def _opened(self, create: bool = False) -> "api.Log":
        log = api.open_store(
            self.place, create=create, timeout=TIMEOUT, read_only=self.read_only, longest=LONGEST_QUESTION
        )
        return api.Games(log, self._games)

    @contextmanager
    def one(self) -> "Iterator[api.Log]":
        """Hold a store that nobody else holds. All of them know the games that were read last through any of them.

        One through which the log could not be reached is opened anew: its file may be another by then.
        """
        store = self._free.get()
        try:
            if store is None:
                store = self._opened()
            yield store
        except Unreachable:
            if store is not None:
                store.close()
                store = None
            self._close_idle()  # their file is the same; it cannot be opened anew while they have it open
            raise
        finally:
            self._free.put(store)

    def _close_idle(self) -> None:
        """Close the stores nobody holds; each is opened anew when it is needed."""
        idle: list[api.Log | None] = []
        with suppress(Empty):
            while True:
                idle.append(self._free.get_nowait())
        for store in idle:
            if store is not None:
                store.close()
            self._free.put(None)

    @contextmanager
    def indexed(self, store: "api.Log") -> "Iterator[api.Log]":
        """Hold a store whose positions may be indexed: this one, or a copy of what may only be read."""
        if store.index_writable:
            yield store
            return
        with self._copying:
            if self._folder is None:
                self._folder = TemporaryDirectory(prefix="cartulary-")
            copy, there = Path(self._folder.name) / "indexed.db", store.last()
            if there != self._copied:
                store.copy(copy)
                self._copied = there
            with api.Store(copy, create=False, timeout=TIMEOUT) as opened:
                yield opened

    def close(self) -> None:
        """Close every connection."""
        while not self._free.empty():
            store = self._free.get()
            if store is not None:
                store.close()
        if self._folder is not None:
            self._folder.cleanup()
