"""A fair scheduler: a few places for work, shared among links and tables; work is dropped if its client goes away.

Work is whatever takes a thread and a processor: reading a game, judging words, searching. It holds a *place* while it
runs. No link and no table holds more places than its share, so others always find one, however much is asked about one
table or by one link. Of the requests that wait, that of the user with the least recent processor time is next.

Everything but the work itself runs in the one thread of the event loop.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from time import monotonic, thread_time
from typing import Any, TypeVar

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive

from cartulary.engine.deadline import set_deadline
from cartulary.web.visitors import OPERATOR, Visitor

T = TypeVar("T")

READS, WRITES, FINDS = 4, 4, 3
"""Places for reading, for writing, and for looking up who asks."""
OF_OPERATOR = OF_TABLE = 2
"""How many places of each kind the holder of the server's key may hold, and how many one table; a link holds one."""
SHARED, OWN = "shared", "link"
"""Prefixes of the names under which the work of links is counted."""
LONGEST_WAIT = 10.0
"""Seconds to wait for a place."""
MOST_WAITING = 4000
"""How many requests may wait for a place."""
MOST_ALIKE = 600
"""How many of them may wait for the same users, as when a whole club opens the rail's link at once."""
HALF_LIFE = 10.0
"""Seconds after which half of what somebody used is forgotten."""
MOST_USERS = 10_000
"""How many users' processor time is remembered."""


class Busy(Exception):
    """No place becomes free in time."""


class ClientGone(Exception):
    """The client went away before its work began."""


class Client:
    """The client of a request.

    Attributes:
        is_gone: Whether the connection has ended; any thread may read it.
        disconnection: The same as an event that the event loop can wait for.
    """

    def __init__(self) -> None:
        self.is_gone = False
        self.disconnection = asyncio.Event()

    async def watch(self, receive: Receive) -> None:
        """Wait for the connection to end, then set ``is_gone``.

        The body of the request must have been read before. It also returns, with ``is_gone`` unchanged, for a server
        that never reports the end of a connection.

        Args:
            receive: The function with which the server gives the messages of the request.
        """
        ended = False
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.is_gone = True
                self.disconnection.set()
                return
            if ended:  # a server that never reports the end of a connection, such as a test client
                return
            ended = not message.get("more_body", False)


@asynccontextmanager
async def client_of(receive: Receive) -> AsyncIterator[Client]:
    """Watch the client of a request for as long as the block lasts.

    The block gets a Client, which knows whether it is gone.
    """
    client = Client()
    watching = asyncio.create_task(client.watch(receive))
    try:
        yield client
    finally:
        watching.cancel()


class Usage:
    """The processor seconds that each user has spent lately; the number halves every ``HALF_LIFE`` seconds."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock = clock
        self._used: dict[str, tuple[float, float]] = {}

    def of(self, user: str) -> float:
        """Return the processor seconds a user has spent lately.

        What was spent ``HALF_LIFE`` seconds ago counts half.
        """
        seconds, since = self._used.get(user, (0.0, 0.0))
        return seconds * 0.5 ** ((self.clock() - since) / HALF_LIFE) if seconds else 0.0

    def add(self, user: str, seconds: float) -> None:
        """Add to the processor seconds of a user.

        If there are too many users, those not seen for long are forgotten; if there are still too many, all are.
        """
        if len(self._used) >= MOST_USERS and user not in self._used:
            recent = self.clock() - 10 * HALF_LIFE
            self._used = {name: used for name, used in self._used.items() if used[1] > recent}
            if len(self._used) >= MOST_USERS:
                self._used.clear()
        self._used[user] = (self.of(user) + seconds, self.clock())


class _Ticket(Struct, eq=False):
    """Work that waits for a place.

    Attributes:
        shares: Its users, each with how many places that user may hold at once.
        begins: Resolved when the work may begin.
    """

    shares: Mapping[str, int]
    begins: asyncio.Future[None]


class Scheduler:
    """Runs work in threads, a limited number at once. Each piece of work names its users: a link, and a table."""

    def __init__(self, places: int, meter: Callable[[str, float], None]) -> None:
        """Make a scheduler.

        Args:
            places: How many pieces of work may run at once.
            meter: Called after each piece of work with each of its users and the processor seconds it took.
        """
        self.places, self.meter = places, meter
        self.usage = Usage()
        self._held: Counter[str] = Counter()
        self._running = 0
        self._queues: dict[tuple[str, ...], deque[_Ticket]] = {}

    async def run(self, work: Callable[[], T], shares: Mapping[str, int], client: Client | None = None) -> T:
        """Run work in a thread as soon as a place is free, and return its result.

        Args:
            work: What to run.
            shares: The users it is for, the one who asks first, each with how many places it may hold at once.
            client: Whoever waits for the result; once that client is gone, the work's deadline has passed.

        Raises:
            Busy: No place became free in time.
            ClientGone: The client went away before the work began.
        """
        ticket = _Ticket(shares, asyncio.get_running_loop().create_future())
        await self._begin(ticket, client)
        took = 0.0

        def timed() -> T:
            """Do the work, return its result, and note the processor seconds it took, even if it fails."""
            nonlocal took
            start = thread_time()
            try:
                with set_deadline(lambda: client is not None and client.is_gone):
                    return work()
            finally:
                took = thread_time() - start

        try:
            return await run_in_threadpool(timed)
        finally:
            for user in shares:
                self.usage.add(user, took)
                self.meter(user, took)
            self._end(ticket)

    async def _begin(self, ticket: _Ticket, client: Client | None) -> None:
        """Queue a ticket and wait until it has a place, for at most ``LONGEST_WAIT`` seconds.

        Raises:
            Busy: The queue is full, or no place became free in time.
            ClientGone: The client went away meanwhile.
        """
        users = tuple(ticket.shares)
        queue = self._queues.get(users, deque())
        if len(queue) >= MOST_ALIKE or sum(map(len, self._queues.values())) >= MOST_WAITING:
            raise Busy
        self._queues[users] = queue
        queue.append(ticket)
        self._admit()
        if ticket.begins.done():
            return
        disconnect = asyncio.ensure_future(client.disconnection.wait()) if client is not None else None
        waited: list[asyncio.Future[Any]] = [ticket.begins, *([disconnect] if disconnect is not None else [])]
        try:
            await asyncio.wait(waited, timeout=LONGEST_WAIT, return_when=asyncio.FIRST_COMPLETED)
            if not ticket.begins.done():
                raise ClientGone if client is not None and client.is_gone else Busy
        except BaseException:
            if ticket.begins.done():
                self._end(ticket)
            else:
                self._leave(users, ticket)
            raise
        finally:
            if disconnect is not None:
                disconnect.cancel()

    def _admit(self) -> None:
        """Give free places to waiting tickets, that is, to requests for a place.

        Next is always the one whose users have used least processor time lately and may hold one more place.
        """
        while self._running < self.places:
            free = [users for users, queue in self._queues.items() if self._fits(queue[0])]
            if not free:
                return
            users = min(free, key=lambda group: max(map(self.usage.of, group), default=0.0))
            ticket = self._queues[users][0]
            self._leave(users, ticket)
            self._running += 1
            self._held.update(users)
            ticket.begins.set_result(None)

    def _fits(self, ticket: _Ticket) -> bool:
        """Say whether each user of a waiting ticket may hold one more place now."""
        return all(self._held[user] < most for user, most in ticket.shares.items())

    def _leave(self, users: tuple[str, ...], ticket: _Ticket) -> None:
        """Take a ticket out of the queue of its users, and remove the queue if it is empty then."""
        queue = self._queues[users]
        queue.remove(ticket)
        if not queue:
            del self._queues[users]

    def _end(self, ticket: _Ticket) -> None:
        """Free the place of a ticket whose work has ended, and let waiting ones begin."""
        self._running -= 1
        for user in ticket.shares:
            self._held[user] -= 1
            if not self._held[user]:
                del self._held[user]
        self._admit()


class Schedulers:
    """The schedulers of a server: for reading, for writing, and for looking up visitors.

    They are separate because a writer may have to wait for another program that holds the log, and readers should not.

    Attributes:
        meter: Called after each piece of work, as ``Scheduler`` says; whoever counts work sets it.
    """

    def __init__(self) -> None:
        self.meter: Callable[[str, float], None] = lambda user, seconds: None
        self.reads, self.writes, self.lookups = (Scheduler(places, self._measured) for places in (READS, WRITES, FINDS))

    def _measured(self, user: str, seconds: float) -> None:
        """Pass on to ``meter`` that a user has worked so many seconds.

        ``meter`` may be set later than the schedulers.
        """
        self.meter(user, seconds)


def user_of(visitor: Visitor) -> str:
    """Return the name under which a visitor's work is counted.

    It is the operator's role, or for a link ``OWN`` and its number, with ``SHARED`` instead if many people use it.
    """
    if not visitor.link:
        return visitor.role
    return f"{SHARED if visitor.shared else OWN} {visitor.link}"


def shares_of(visitor: Visitor, id: str = "", address: str = "") -> dict[str, int]:
    """Return the users of a visitor's work, each with how many places of the scheduler it may hold at once.

    They are the visitor, ``address 10.0.0.7`` for somebody unknown, and ``table g`` for the game ``g``.

    Args:
        visitor: Who asks.
        id: The game that the work is about, empty for none.
        address: Where a visitor without link and key asks from.
    """
    known = bool(visitor.role)
    shares = {user_of(visitor) if known else f"address {address}": OF_OPERATOR if visitor.role == OPERATOR else 1}
    return shares | ({f"table {id}": OF_TABLE} if id else {})
