"""Streams of server-sent events: each view of a game is worked out once per change and sent to all who follow.

Whether a link still leads to the game is asked at every change, in the same reading of the log; and what was worked out
while more could be told, before a record was quiet or open again, is worked out anew before it is sent to anybody.

Whoever keeps up gets every event once and in order. Whoever does not is told so, and gets the newest state. One poller
asks the log four times a second whether somebody wrote, this process or another; a write of this process wakes it.
"""

import asyncio
import sys
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from datetime import datetime
from time import monotonic

from msgspec import Struct
from starlette.concurrency import run_in_threadpool

from cartulary.engine.deadline import DeadlineExceeded
from cartulary.notation.cgn.controls import visible
from cartulary.notation.viewer import Viewer
from cartulary.records import api
from cartulary.records.faults import Fault
from cartulary.records.state.fold import begins_with
from cartulary.records.state.links import as_quiet, count_as_of, past_of
from cartulary.records.state.log_lines import ReadLog, read_log
from cartulary.web.following import Sent, events_since
from cartulary.web.pages import Pages
from cartulary.web.rates import LONGEST, limited
from cartulary.web.scheduling import OF_TABLE, OWN, SHARED, Busy, Scheduler, Schedulers, shares_of, user_of
from cartulary.web.stores import Stores
from cartulary.web.who import Visitor, still_leads

POLL = 0.25
"""Seconds between two looks at the log."""
PAUSE = 1.0
"""Seconds after which a look that failed is taken again."""
HEARTBEAT = 15.0
"""Seconds after which a silent stream says that it is there."""
BACKLOG = 64
"""Events that wait for one follower; one who is further behind gets the newest state."""
KEPT = 256
"""Events of a view that are kept for those whose stream was cut."""
AWAY = b"event: away\ndata: {}\n\n"
BACK = b"event: back\ndata: {}\n\n"
"""What every follower is told once the log cannot be reached, and once it can be again."""
LINKS = "@links"
"""The stream of the log that tells of links."""
MOST = 5000
"""How many may follow at once."""
MOST_BY = {OWN: 20, SHARED: 2000}
"""How many of them by one link, or one that many share."""
MOST_FROM = 2500
"""How many of them by links from one address: a whole club may stand behind it."""

Key = tuple[str, str, Viewer, int]


class Follower:
    """A stream. waiting: what is still to be sent; skipped: whether something was left out; away: as it was told

    users: under which names it is counted; seen: the version each game was sent up to
    joining: the games of which it is not known yet whether it may follow them
    """

    def __init__(self, games: Mapping[str, Visitor], address: str = "") -> None:
        """games: by id, with who follows each; address: where it is followed from"""
        self.games = games
        links = {user_of(visitor) for visitor in games.values() if visitor.link}
        self.users = (*links, address) if links else ()
        self.seen: dict[str, int] = {}
        self.joining = set(games)
        self.waiting: deque[tuple[str, Sent]] = deque()
        self.woken = asyncio.Event()
        self.skipped = self.over = self.away = False

    def put(self, id: str, events: Sequence[Sent]) -> None:
        """Let events of a game wait; of a backlog that is too long the newest alone is left."""
        if self.over:
            return
        self.waiting.extend((id, event) for event in events)
        if len(self.waiting) > BACKLOG:
            newest = dict(self.waiting)
            self.waiting = deque(newest.items())
            self.skipped = True
        self.woken.set()

    def put_anew(self, id: str, events: Sequence[Sent]) -> None:
        """Let what waits of a game be as these events have it; what is not among them is left out."""
        anew = {event.version: event for event in events}
        kept = ((game, anew.get(event.version) if game == id else event) for game, event in self.waiting)
        waiting = [(game, event) for game, event in kept if event is not None]
        self.skipped = self.skipped or len(waiting) < len(self.waiting)
        self.waiting = deque(waiting)

    def end(self) -> None:
        """Let the stream end at once: what waits is not sent to somebody who may no longer read it."""
        self.over = True
        self.waiting.clear()
        self.woken.set()


class Watched:
    """A view of a game with those who follow it. version, events: as far as they were sent, and of how many

    terms: whether the record was quiet, and closed, when what is kept was worked out
    waits: whether its next news are about to be worked out; missed: whether they could not be
    not_before: when they are to be tried again
    past: the game as far as it was sent; log: what the view has read of it, to be read on from
    """

    def __init__(self, visitor: Visitor, name: str = "") -> None:
        """name: under which its work is counted"""
        self.visitor, self.name, self.version, self.events = visitor, name, 0, 0
        self.terms: tuple[bool, bool] | None = None
        self.past: api.LiveGame | None = None
        self.log: ReadLog | None = None
        self.turn = asyncio.Lock()
        self.waits = self.missed = False
        self.not_before = 0.0
        self.followers: set[Follower] = set()
        self.kept: deque[Sent] = deque(maxlen=KEPT)


class Look(Struct, frozen=True):
    """What one look at a game has found. sent: in order; barred: who may come to it no longer

    anew: whether what was sent before is among it, as it may be told now
    known: whether it could be found out who may come; failed: there may be more than was found
    replaced: the log is no longer the one that was followed, such as after a backup was put back
    """

    sent: tuple[Sent, ...] = ()
    barred: frozenset[Visitor] = frozenset()
    anew: bool = False
    known: bool = True
    failed: bool = False
    replaced: bool = False


class Streams:
    """Everybody who follows anything on one server."""

    def __init__(self, stores: Stores, pages: Pages, scheduler: Scheduler | None = None) -> None:
        """scheduler: has the places where views are made"""
        self.scheduler = scheduler or Schedulers().reads
        self._counts: Counter[str] = Counter()
        self._advancing: set[asyncio.Task[None]] = set()
        self.stores, self.pages = stores, pages
        self.views: dict[Key, Watched] = {}
        self.followers: set[Follower] = set()
        self._woken: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._polling: asyncio.Task[None] | None = None
        self._away = False
        self._links: api.Links | None = None

    def wake(self) -> None:
        """Look at the log at once: this process has written. Called from any thread."""
        loop, woken = self._loop, self._woken
        if loop is not None and woken is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(woken.set)

    def full(self, visitor: Visitor, address: str) -> bool:
        """Say whether there is no room for another stream of a visitor from an address."""
        if len(self.followers) >= MOST:
            return True
        user = user_of(visitor)
        most = MOST_BY.get(user.partition(" ")[0], MOST)
        return bool(visitor.link) and (self._counts[user] >= most or self._counts[address] >= MOST_FROM)

    async def follow(
        self, games: Mapping[str, Visitor], since: Mapping[str, int], address: str = ""
    ) -> AsyncIterator[bytes]:
        """Yield a stream, until its client goes or a link of it is over. since: the version each game was seen at

        games: by id, with who follows each; address: where they follow it from
        """
        follower = Follower(games, address)
        self.followers.add(follower)
        self._counts.update(follower.users)
        self._begin()
        try:
            yield b"retry: 2000\n\n"
            follower.seen.update(since)
            for id, visitor in games.items():
                await self._join(id, visitor, follower)
            while True:
                follower.woken.clear()
                for piece in self._pieces(follower):
                    yield piece
                if follower.over:
                    return
                try:
                    await asyncio.wait_for(follower.woken.wait(), HEARTBEAT)
                except TimeoutError:
                    yield b": here\n\n"
        finally:
            self._leave(follower)

    def _pieces(self, follower: Follower) -> Iterator[bytes]:
        """Yield what waits for a follower, each piece when it is to be sent; what it has already is left out."""
        if follower.away != self._away:
            follower.away = self._away
            yield AWAY if self._away else BACK
        if follower.skipped:
            follower.skipped = False
            yield b'event: skipped\ndata: {"because":"You fell behind; this is how the game stands."}\n\n'
        while follower.waiting:
            id, event = follower.waiting.popleft()
            if event.version > follower.seen.get(id, 0):
                follower.seen[id] = event.version
                place = ",".join(str(follower.seen.get(each, 0)) for each in follower.games)
                yield b"id: %b\ndata: %b\n\n" % (place.encode(), event.data)

    async def _join(self, id: str, visitor: Visitor, follower: Follower) -> None:
        """Follow a view; nothing is sent before it is known that the visitor may come to the game."""
        key = (id, visitor.role if visitor.own else "", visitor.viewer, visitor.delay)
        view = self.views.get(key)
        if view is None:
            view = self.views[key] = Watched(visitor, repr(key))
        self.views[key] = view
        view.followers.add(follower)
        async with view.turn:
            try:
                visitors = {each.games[id] for each in view.followers}
                await self._look(id, view, visitors, shares_of(visitor, id))
            except Busy:
                view.missed = True

    def _admit(self, id: str, view: Watched, follower: Follower) -> None:
        """Send somebody who may follow a view what is kept of it and was not seen."""
        follower.joining.discard(id)
        have = follower.seen.setdefault(id, view.version)
        if have < view.version:
            first = view.kept[0].version if view.kept else view.version + 1
            if first > have + 1:
                follower.skipped = True
            follower.put(id, [event for event in view.kept if event.version > have])

    def _leave(self, follower: Follower) -> None:
        self.followers.discard(follower)
        self._counts.subtract(follower.users)
        self._counts += Counter()  # without those nobody follows by
        for key, view in [*self.views.items()]:
            view.followers.discard(follower)
            if not view.followers:
                self.views.pop(key, None)

    # --- the poller ---

    def _begin(self) -> None:
        if self._polling is None or self._polling.done():
            self._loop = asyncio.get_running_loop()
            self._woken = asyncio.Event()
            self._polling = asyncio.create_task(self._poll())

    async def _poll(self) -> None:
        """Look at the log while anybody follows, and send what is new to whom it is new."""
        assert self._woken is not None
        position = 0
        while self.followers:
            try:
                position = await self._look_at_log(position)
            except Exception as fault:  # everybody's news depend on this one task
                sys.stderr.write(f"cartulary: The log could not be followed: {visible(repr(fault))}\n")
                position = 0
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), POLL)
            self._woken.clear()

    async def _look_at_log(self, position: int) -> int:
        """Begin to work out every view of what was written since a position; return how far the log has come."""
        before = self._away
        position, changed = await run_in_threadpool(self._changed, position)
        if self._away != before:
            for follower in self.followers:
                follower.woken.set()
        if LINKS in changed:
            await self._end_revoked()
        for key, view in [*self.views.items()]:
            missed = view.missed and monotonic() >= view.not_before
            if (key[0] in changed or view.visitor.delay or missed) and not view.waits:
                self._start(key[0], view)
        return position

    def _changed(self, position: int) -> tuple[int, set[str]]:
        """Return how far the log has come, and the streams that were written to since a position."""
        try:
            with self.stores.one() as store:
                last = store.last()
                events = [*store.after(position)] if last != position and position else []
        except Fault as fault:
            self._now(True, f"The log cannot be followed: {visible(str(fault))}")
            return 0, set()  # everything is looked at again then
        self._now(False, "The log is followed again.")
        if not position:
            return last, {LINKS, *(key[0] for key in [*self.views])}  # a copy: the loop goes on changing it
        return (events[-1][0] if events else position), {id for _, id, _ in events}

    def _now(self, away: bool, says: str) -> None:
        """Note whether the log is away; when, is said once, until it is otherwise."""
        if away != self._away:
            sys.stderr.write(f"cartulary: {datetime.now():%Y-%m-%d %H:%M:%S} {says}\n")
        self._away = away

    def _start(self, id: str, view: Watched) -> None:
        """Begin to work a view out, beside the others: one that takes long keeps nobody else from news."""
        view.waits = True
        advancing = asyncio.create_task(self._advance(id, view))
        self._advancing.add(advancing)
        advancing.add_done_callback(self._advancing.discard)

    async def _advance(self, id: str, view: Watched) -> None:
        """Send what is new in a view."""
        async with view.turn:
            view.waits = view.missed = False
            try:
                visitors = {follower.games[id] for follower in view.followers}
                await self._look(id, view, visitors, {f"view {view.name}": 1, f"table {id}": OF_TABLE})
            except Busy:
                view.missed = True

    def _begin_anew(self, view: Watched) -> None:
        """End everybody's stream of a view whose log is another one now: their pages load again."""
        view.version = view.events = 0
        view.terms = view.past = view.log = None
        view.kept.clear()
        for follower in view.followers:
            follower.end()

    async def _look(self, id: str, view: Watched, visitors: Set[Visitor], shares: Mapping[str, int]) -> Look:
        """Bring a view and its followers up to date, and return what was found.

        visitors: whose right is asked for: all that follow the view; shares: for whom the work is

        Called by one task at a time. Raises Busy where there is no place for the work.
        """
        look = await self.scheduler.run(lambda: self._found(id, view, visitors), shares)
        if look.failed:
            view.missed, view.not_before = True, monotonic() + PAUSE
        if look.replaced:
            self._begin_anew(view)
            return look
        new = [event for event in look.sent if event.version > view.version]
        if look.anew:
            view.kept.clear()
        if look.sent:
            view.version = max(view.version, look.sent[-1].version)
            view.kept.extend(look.sent)
        for follower in view.followers:
            if follower.games[id] in look.barred:
                follower.end()
            elif id in follower.joining:
                if look.known and not look.failed and follower.games[id] in visitors:
                    self._admit(id, view, follower)
            else:
                if look.anew:
                    follower.put_anew(id, look.sent)
                if new:
                    follower.put(id, new)
        return look

    def _found(self, id: str, view: Watched, visitors: Set[Visitor]) -> Look:
        """Return what a look at a game finds; nothing where the game cannot be read, which its page says."""
        barred, anew, known = frozenset[Visitor](), False, False
        try:
            with limited(LONGEST):
                with self.stores.one() as store:
                    now = api.load(store, id)
                    # The links are read after the game: one that was over before an event is known to be over with it.
                    links = self._links = api.links_of(store, self._links)
                barred, known = frozenset(each for each in visitors if not still_leads(each, links, now)), True
                if view.past is not None and not begins_with(now.recorded, view.past.head):
                    return Look(barred=barred, replaced=True)
                terms, count = (now.book.quiet, now.book.closed), count_as_of(now, view.visitor.delay)
                anew = view.terms not in (None, terms)
                if count == view.events and not anew:
                    return Look(barred=barred)
                past = past_of(now, count, view.past)
                game = as_quiet(past, now)
                since = max(0, view.version - KEPT) if anew else view.version
                log = read_log(game, view.visitor.viewer, view.log)
                before = None if anew else view.past
                new = events_since(self.pages, game, view.visitor, since, log=log, before=before)
                sent = tuple(new)
                view.events, view.terms, view.past, view.log = count, terms, past, log
                return Look(sent, barred, anew)
        except (Fault, DeadlineExceeded):
            pass
        except Exception as fault:
            sys.stderr.write(f"cartulary: {visible(id)} cannot be followed: {visible(repr(fault))}\n")
        # What was worked out on other terms is told to nobody, though it could not be worked out on these.
        return Look((), barred, anew, known, failed=True)

    async def _end_revoked(self) -> None:
        """End the streams of links that are over."""

        def revoked() -> set[int]:
            with suppress(Fault), self.stores.one() as store:
                return {each.number for each in api.links_of(store).by_number.values() if each.revoked}
            return set()

        over = await run_in_threadpool(revoked)
        for follower in self.followers:
            if any(visitor.link in over for visitor in follower.games.values() if visitor.link):
                follower.end()
