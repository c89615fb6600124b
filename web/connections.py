"""Connections: how many a server holds, how long it waits for each, and which it closes so that others can come in.

A connection that says nothing costs an open file, of which a process may have so many; when they are all in use, nobody
can come in. So a request must have come within seconds however slowly it is sent, an answer must be read, and the
connection that has been idle longest makes room for a new one.
"""

import asyncio
import errno
import sys
from contextlib import suppress
from time import monotonic
from typing import Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if sys.platform != "win32":
    import resource

HEADERS = 10.0
"""Seconds from the beginning of a request, or of a connection, until all its headers must have come."""
UNREAD = 30.0
"""Seconds for which whoever is sent an answer may read none of it."""
BACKLOG = 128
"""How many connections the system keeps until they are accepted."""
FILES = 128
"""Open files for everything but connections: the log, its readers, what Python loads."""
MOST = 8_192
"""Open files that are asked of the system at most: enough for all who follow, and not too much memory."""
LEAST = 32
"""How many connections there are room for on the smallest system."""
SILENCE = 60.0
"""Seconds for which it is said once that there is no room for another connection."""


class Connection(H11Protocol):
    """A connection that is closed where nothing comes of it. idle: those that wait for a request, oldest first"""

    most: ClassVar[int] = MOST
    idle: ClassVar[dict["Connection", None]] = {}
    _late: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.most:
            oldest = next(iter(self.idle), self)
            oldest.transport.abort()
            self.idle.pop(oldest, None)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._timed(False)
        self._drained()
        self.idle.pop(self, None)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._drained()

    def _look(self) -> None:
        """Wait for the headers of a request unless one is being answered."""
        waits = self.cycle is None or self.cycle.response_complete
        self._timed(waits and not self.transport.is_closing())

    def _timed(self, waits: bool) -> None:
        if waits and self._late is None:
            self._late = self.loop.call_later(HEADERS, self.transport.abort)
            self.idle[self] = None
        elif not waits and self._late is not None:
            self._late.cancel()
            self._late = None
            self.idle.pop(self, None)

    def _drained(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class HttpServer(uvicorn.Server):
    """A server that says in one sentence, once a minute, when it has no room for another connection."""

    _said = -SILENCE

    async def startup(self, sockets: Any = None) -> None:
        """Begin to listen."""
        asyncio.get_running_loop().set_exception_handler(self._fault)
        await super().startup(sockets)

    def _fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        fault = context.get("exception")
        if not (isinstance(fault, OSError) and fault.errno in (errno.EMFILE, errno.ENFILE)):
            loop.default_exception_handler(context)
        elif monotonic() - self._said > SILENCE:
            self._said = monotonic()
            sys.stderr.write("cartulary: No more files can be opened, so new connections have to wait.\n")


def bounded_connections() -> type[Connection]:
    """Return connections of which there are no more than this process has files for, after it was allowed more."""

    class Bounded(Connection):
        most: ClassVar[int] = max(LEAST, allowed_files() - BACKLOG - FILES)
        idle: ClassVar[dict[Connection, None]] = {}

    return Bounded


def allowed_files() -> int:
    """Let this process open as many files as the system allows it to ask for; return how many that is."""
    if sys.platform == "win32":  # which has no such limit
        return MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or hard > MOST:
        hard = MOST
    if soft == resource.RLIM_INFINITY or soft >= hard:
        return hard if soft == resource.RLIM_INFINITY else soft
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        return hard
    return soft
