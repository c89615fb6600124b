"""Connections: how many a server holds, how long it waits for each, and which it closes to make room for others.

A silent connection costs an open file, and a process has a limited number of those; when all are in use, nobody else
can connect. So the headers of a request must arrive within seconds, however slowly they are sent; an answer must be
read; and the connection that has been idle longest makes room for a new one.
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
"""Seconds in which all headers must arrive, from the beginning of a request or of the connection."""
UNREAD = 30.0
"""Seconds for which a client may read nothing of the answer that is sent to it."""
BACKLOG = 128
"""How many connections the system queues until they are accepted."""
FILES = 128
"""Open files for everything but connections: the log, its readers, what Python loads."""
MOST = 8_192
"""The most open files to ask the system for: enough for every follower, without using too much memory."""
LEAST = 32
"""How many connections are accepted on the smallest system."""
SILENCE = 60.0
"""Seconds between two messages that there is no room for another connection."""


class Connection(H11Protocol):
    """A connection that is closed when it stalls.

    Attributes:
        most: How many connections may be open; one more closes the one that has been idle longest.
        idle: The connections that wait for a request, oldest first.
    """

    most: ClassVar[int] = MOST
    idle: ClassVar[dict["Connection", None]] = {}
    _late: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take up a new connection; if there are too many then, close the one that has been idle longest.

        If none is idle the new one is closed.
        """
        super().connection_made(transport)
        if len(self.connections) > self.most:
            oldest = next(iter(self.idle), self)
            oldest.transport.abort()
            self.idle.pop(oldest, None)
        self._start_or_stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers of a connection that has ended. ``exc`` is None if it ended in the usual way."""
        super().connection_lost(exc)
        self._expect_headers(False)
        self._stop_unread_timer()
        self.idle.pop(self, None)

    def data_received(self, data: bytes) -> None:
        """Take data of the client; once the headers of a request are complete, their timer stops."""
        super().data_received(data)
        self._start_or_stop_timer()

    def on_response_complete(self) -> None:
        """Start to wait for the next request on the same connection; the timer of the headers runs again."""
        super().on_response_complete()
        self._start_or_stop_timer()

    def pause_writing(self) -> None:
        """Give the client ``UNREAD`` seconds to read what it was sent, because the send buffer is full.

        If it does not, the connection is closed.
        """
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on sending, because the client has read enough; the connection is not closed then."""
        super().resume_writing()
        self._stop_unread_timer()

    def _start_or_stop_timer(self) -> None:
        """Start the timer of the headers while the connection is open and no request is being answered.

        Otherwise stop it.
        """
        waits = self.cycle is None or self.cycle.response_complete
        self._expect_headers(waits and not self.transport.is_closing())

    def _expect_headers(self, waits: bool) -> None:
        """Start the timer of the headers, or stop it; a connection counts as idle while the timer runs.

        After ``HEADERS`` seconds the connection is closed.

        Args:
            waits: Whether headers are to come. A timer that runs already is not started again.
        """
        if waits and self._late is None:
            self._late = self.loop.call_later(HEADERS, self.transport.abort)
            self.idle[self] = None
        elif not waits and self._late is not None:
            self._late.cancel()
            self._late = None
            self.idle.pop(self, None)

    def _stop_unread_timer(self) -> None:
        """Stop the timer that closes a connection whose client reads nothing; nothing happens if it does not run."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class HttpServer(uvicorn.Server):
    """A server that says in one sentence, once a minute, when it has no room for another connection."""

    _last_message = -SILENCE

    async def startup(self, sockets: Any = None) -> None:
        """Begin to listen, with ``_report_full`` as the handler of exceptions in the event loop."""
        asyncio.get_running_loop().set_exception_handler(self._report_full)
        await super().startup(sockets)

    def _report_full(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Report that no more files can be opened, so that new connections wait, at most once in ``SILENCE`` seconds.

        Other exceptions are left to the default of the event loop.
        """
        error = context.get("exception")
        if not (isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)):
            loop.default_exception_handler(context)
        elif monotonic() - self._last_message > SILENCE:
            self._last_message = monotonic()
            sys.stderr.write("cartulary: No more files can be opened, so new connections have to wait.\n")


def bounded_connections() -> type[Connection]:
    """Return a new class of connections that never uses more files than this process may open.

    The limit of the process is raised first, as far as the system allows. Connections of one such class are counted
    together.
    """

    class Bounded(Connection):
        most: ClassVar[int] = max(LEAST, allowed_files() - BACKLOG - FILES)
        idle: ClassVar[dict[Connection, None]] = {}

    return Bounded


def allowed_files() -> int:
    """Raise this process's limit of open files as far as the system allows, to ``MOST`` at most.

    Returns the limit that holds then; on Windows, which has none, ``MOST``.
    """
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
