"""Streams of server-sent events: each view of a game is made once per change and sent to all who follow it.

At every change each follower's right is checked again, in the same reading of the log: a link may have been revoked. If
the record became quiet, or is no longer quiet or closed, events that still wait are made again before they are sent.

Followers who keep up get every event once and in order. A follower who is too slow gets the event ``skipped`` and the
newest state. One poller asks the log four times a second whether anybody wrote, in this process or another; a write of
this process wakes it.
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
from cartulary.records.state.people import NOBODY_MERGED
from cartulary.web.compression import STREAM_HEAD, compress_piece, compress_shared
from cartulary.web.following import StreamEvent, events_since
from cartulary.web.pages import Pages
from cartulary.web.rates import LONGEST, time_limit
from cartulary.web.scheduling import OF_TABLE, OWN, SHARED, Busy, Scheduler, Schedulers, shares_of, user_of
from cartulary.web.stores import Stores
from cartulary.web.visitors import Visitor, still_leads

POLL = 0.25
"""Seconds between two looks at the log."""
PAUSE = 1.0
"""Seconds after which a look that failed is taken again."""
HEARTBEAT = 15.0
"""Seconds after which a silent stream sends an event, so that neither a proxy nor a page takes it for dead."""
HEARTBEAT_EVENT = b"event: here\ndata: {}\n\n"
BACKLOG = 64
"""How many events wait for one follower at most; a slower follower gets only the newest."""
MOST_RECENT = 256
"""How many recent events of a view are held for followers whose connection was cut."""
UNREACHABLE_EVENT = b"event: away\ndata: {}\n\n"
REACHABLE_EVENT = b"event: back\ndata: {}\n\n"
"""What every follower is sent when the log cannot be reached, and when it can be reached again."""
LINKS_STREAM = "@links"
"""The id of the stream of the log that holds the events of links."""
MOST = 5000
"""How many may follow at once."""
MOST_BY = {OWN: 20, SHARED: 2000}
"""How many of them by one link, or one that many share."""
MOST_FROM = 2500
"""How many of them by links from one address: a whole club may share it."""

ViewKey = tuple[str, str, Viewer, int]


class Follower:
    """One stream, of one client, which may follow several games.

    Attributes:
        games: As whom each game is followed, by its id.
        boards: Whether the last event of each game comes with its board.
        users: The names under which the stream is counted: its links and its address; none for the operator.
        last_versions: The version up to which each game was sent, by its id.
        joining: The games for which it is not yet known whether the visitor may see them.
        waiting: The events to be sent, each with the id of its game.
        wake: Set when there is something to send.
        has_gap: Whether events were left out, which the client does not know yet.
        is_over: Whether the stream has to end.
        knows_unreachable: Whether the client has been sent ``UNREACHABLE_EVENT``.
    """

    def __init__(self, games: Mapping[str, Visitor], address: str = "", *, boards: bool = True) -> None:
        """Make a stream to which nothing was sent yet."""
        self.games, self.boards = games, boards
        links = {user_of(visitor) for visitor in games.values() if visitor.link}
        self.users = (*links, address) if links else ()
        self.last_versions: dict[str, int] = {}
        self.joining = set(games)
        self.waiting: deque[tuple[str, StreamEvent]] = deque()
        self.wake = asyncio.Event()
        self.has_gap = self.is_over = self.knows_unreachable = False

    def put(self, id: str, events: Sequence[StreamEvent]) -> None:
        """Queue events of a game to be sent, and wake the stream; nothing happens once the stream has ended.

        If more than ``BACKLOG`` events wait, only the newest of each game stays, and the client learns that there is a
        gap.

        Args:
            id: The game.
            events: The events, in order.
        """
        if self.is_over:
            return
        self.waiting.extend((id, event) for event in events)
        if len(self.waiting) > BACKLOG:
            newest = dict(self.waiting)
            self.waiting = deque(newest.items())
            self.has_gap = True
        self.wake.set()

    def put_revised(self, id: str, events: Sequence[StreamEvent]) -> None:
        """Replace the queued events of a game by new ones of the same version.

        The viewer may now know more, or less. A queued event for which there is no new one is dropped, and the client
        learns that there is a gap. New events for which none is queued are not added.
        """
        revised = {event.version: event for event in events}
        replaced = ((game, revised.get(event.version) if game == id else event) for game, event in self.waiting)
        waiting = [(game, event) for game, event in replaced if event is not None]
        self.has_gap = self.has_gap or len(waiting) < len(self.waiting)
        self.waiting = deque(waiting)

    def end(self) -> None:
        """End the stream at once and drop what waits to be sent, because the client may no longer read it."""
        self.is_over = True
        self.waiting.clear()
        self.wake.set()


class SharedView:
    """What one kind of visitor sees of a game, and everybody who follows it.

    Attributes:
        visitor: One of those who follow; all have the same view.
        name: The name under which the scheduler counts its work.
        version: The version up to which events were made, as the viewer counts.
        events: How many events of the log they were made from.
        terms: Whether the record was quiet, and whether it was closed, when the recent events were made.
        last_game: The game as of those events.
        log: The log as the viewer has read it so far, to be read on from.
        lock: Held by the task that updates the view.
        is_queued: Whether an update is about to begin.
        retry: Whether the last update failed, so that it is tried again at ``retry_at``.
        followers: The streams that follow it.
        recent: The last events, for streams that join.
    """

    def __init__(self, visitor: Visitor, name: str = "") -> None:
        """Make a view that nobody follows yet."""
        self.visitor, self.name, self.version, self.events = visitor, name, 0, 0
        self.terms: tuple[bool, bool] | None = None
        self.last_game: api.LiveGame | None = None
        self.log: ReadLog | None = None
        self.lock = asyncio.Lock()
        self.is_queued = self.retry = False
        self.retry_at = 0.0
        self.followers: set[Follower] = set()
        self.recent: deque[StreamEvent] = deque(maxlen=MOST_RECENT)


class Look(Struct, frozen=True):
    """What one reading of a game gave for a view.

    Attributes:
        events: The events to send, in order.
        barred_visitors: The visitors who may no longer see the game.
        revised: Whether the events replace the recent ones, because a viewer may now know more, or less.
        rights_known: Whether the visitors' rights could be checked.
        failed: Whether the reading failed, so that there may be more events.
        replaced: Whether the log is another than before, as after a backup was put in its place.
    """

    events: tuple[StreamEvent, ...] = ()
    barred_visitors: frozenset[Visitor] = frozenset()
    revised: bool = False
    rights_known: bool = True
    failed: bool = False
    replaced: bool = False


class Streams:
    """All streams of one server, and the poller that feeds them."""

    def __init__(self, stores: Stores, pages: Pages, scheduler: Scheduler | None = None) -> None:
        """Begin without a stream; the poller runs only while there is one.

        Args:
            stores: The pool of the log.
            pages: The templates, for the boards in events.
            scheduler: Where views are made; None makes one.
        """
        self.scheduler = scheduler or Schedulers().reads
        self._counts: Counter[str] = Counter()
        self._updates: set[asyncio.Task[None]] = set()
        self.stores, self.pages = stores, pages
        self.views: dict[ViewKey, SharedView] = {}
        self.followers: set[Follower] = set()
        self._wake_poller: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._poller: asyncio.Task[None] | None = None
        self._unreachable = False
        self._links: api.Links | None = None
        self._people = NOBODY_MERGED

    def wake(self) -> None:
        """Make the poller look at the log at once, because this process has written to it.

        Any thread may call it. Without followers nothing happens.
        """
        loop, poller = self._loop, self._wake_poller
        if loop is not None and poller is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(poller.set)

    def is_full(self, visitor: Visitor, address: str) -> bool:
        """Say whether another stream would be one too many: in all, for this link, or from this address.

        The operator is only refused if there are too many in all.
        """
        if len(self.followers) >= MOST:
            return True
        user = user_of(visitor)
        most = MOST_BY.get(user.partition(" ")[0], MOST)
        return bool(visitor.link) and (self._counts[user] >= most or self._counts[address] >= MOST_FROM)

    async def follow(
        self,
        games: Mapping[str, Visitor],
        since: Mapping[str, int],
        address: str = "",
        *,
        packed: bool = False,
        boards: bool = True,
    ) -> AsyncIterator[bytes]:
        """Yield a stream of server-sent events, as bytes to be sent, until its client goes or one of its links ends.

        While nothing happens a short event comes every ``HEARTBEAT`` seconds.

        Args:
            games: The games to follow: as whom, by id.
            since: The version of each game that the client has already; a game not in it starts now.
            address: The address of the client.
            packed: Whether the stream is compressed.
            boards: Whether the last event of each game comes with its board.
        """
        follower = Follower(games, address, boards=boards)
        pack = compress_piece if packed else bytes
        pack_shared = compress_shared if packed else bytes
        self.followers.add(follower)
        self._counts.update(follower.users)
        self._start_poller()
        try:
            yield (STREAM_HEAD if packed else b"") + pack(b"retry: 2000\n\n")
            follower.last_versions.update(since)
            for id, visitor in games.items():
                await self._join(id, visitor, follower)
            while True:
                follower.wake.clear()
                for own, shared in self._chunks(follower):
                    yield (pack(own) + pack_shared(shared) + pack(b"\n\n")) if shared else pack(own)
                if follower.is_over:
                    return
                try:
                    await asyncio.wait_for(follower.wake.wait(), HEARTBEAT)
                except TimeoutError:
                    yield pack(HEARTBEAT_EVENT)
        finally:
            self._leave(follower)

    def _chunks(self, follower: Follower) -> Iterator[tuple[bytes, bytes]]:
        """Yield the text of what waits for a follower, and take it off the queue; events it already has are left out.

        Before them it says whether the log can be reached, if that has changed, and that there is a gap, if there is
        one. Each text is given in two parts, of which the second is the same for all followers of a view, and may be
        empty. The id of an event holds the version of each game, so that a client can go on after a cut: ``id: 12,7``.
        """
        if follower.knows_unreachable != self._unreachable:
            follower.knows_unreachable = self._unreachable
            yield UNREACHABLE_EVENT if self._unreachable else REACHABLE_EVENT, b""
        if follower.has_gap:
            follower.has_gap = False
            yield b'event: skipped\ndata: {"because":"You fell behind; this is how the game stands."}\n\n', b""
        while follower.waiting:
            id, event = follower.waiting.popleft()
            if event.version > follower.last_versions.get(id, 0):
                follower.last_versions[id] = event.version
                place = ",".join(str(follower.last_versions.get(game, 0)) for game in follower.games)
                yield b"id: %b\ndata: " % place.encode(), event.data if follower.boards else event.brief or event.data

    async def _join(self, id: str, visitor: Visitor, follower: Follower) -> None:
        """Let a follower join the view of a game that it shares with others of the same kind.

        The view is made if need be. The follower gets its first events once its right is checked. If the scheduler is
        too busy, that is tried again later.
        """
        key = (id, visitor.role if visitor.own else "", visitor.viewer, visitor.delay)
        view = self.views.get(key)
        if view is None:
            view = self.views[key] = SharedView(visitor, repr(key))
        self.views[key] = view
        view.followers.add(follower)
        async with view.lock:
            try:
                visitors = {other.games[id] for other in view.followers}
                await self._refresh(id, view, visitors, shares_of(visitor, id))
            except Busy:
                view.retry = True

    def _admit(self, id: str, view: SharedView, follower: Follower) -> None:
        """Queue for a follower whose right was checked the recent events of a view that it does not have.

        If older ones are missing, the client learns that there is a gap. A follower that named no version gets none of
        the past.
        """
        follower.joining.discard(id)
        last = follower.last_versions.setdefault(id, view.version)
        if last < view.version:
            first = view.recent[0].version if view.recent else view.version + 1
            if first > last + 1:
                follower.has_gap = True
            follower.put(id, [event for event in view.recent if event.version > last])

    def _leave(self, follower: Follower) -> None:
        """Forget a follower whose stream has ended, its place in the counts, and views that nobody else follows."""
        self.followers.discard(follower)
        self._counts.subtract(follower.users)
        self._counts += Counter()  # drops names whose count is 0
        for key, view in [*self.views.items()]:
            view.followers.discard(follower)
            if not view.followers:
                self.views.pop(key, None)

    # --- the poller ---

    def _start_poller(self) -> None:
        """Start the task that looks at the log again and again, if it does not run.

        Must be called in the event loop.
        """
        if self._poller is None or self._poller.done():
            self._loop = asyncio.get_running_loop()
            self._wake_poller = asyncio.Event()
            self._poller = asyncio.create_task(self._poll())

    async def _poll(self) -> None:
        """Look at the log every ``POLL`` seconds, or once woken, and update the views of games that have changed.

        It returns when nobody follows any more. A fault is reported to standard error and does not end it.
        """
        assert self._wake_poller is not None
        position = 0
        while self.followers:
            try:
                position = await self._check_log(position)
            except Exception as fault:  # all streams depend on this one task
                sys.stderr.write(f"cartulary: The log could not be followed: {visible(repr(fault))}\n")
                position = 0
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake_poller.wait(), POLL)
            self._wake_poller.clear()

    async def _check_log(self, position: int) -> int:
        """Read what was written after a position, and start an update of each view that it changes.

        Returns:
            The last position of the log, to go on from.
        """
        before = self._unreachable
        position, changed = await run_in_threadpool(self._read_changes, position)
        if self._unreachable != before:
            for follower in self.followers:
                follower.wake.set()
        if LINKS_STREAM in changed:
            await self._end_revoked()
        for key, view in [*self.views.items()]:
            retries = view.retry and monotonic() >= view.retry_at
            if (key[0] in changed or view.visitor.delay or retries) and not view.is_queued:
                self._start_update(key[0], view)
        return position

    def _read_changes(self, position: int) -> tuple[int, set[str]]:
        """Return the last position of the log, and the ids of the streams written to after a position.

        Position 0 stands for a log of which nothing is known: then all followed games count as changed. If the log
        cannot be reached, the answer is position 0 and no stream.
        """
        try:
            with self.stores.checkout() as store:
                last = store.last()
                events = [*store.after(position)] if last != position and position else []
        except Fault as fault:
            self._note_unreachable(True, f"The log cannot be followed: {visible(str(fault))}")
            return 0, set()
        self._note_unreachable(False, "The log is followed again.")
        if not position:
            return last, {LINKS_STREAM, *(key[0] for key in [*self.views])}  # a copy: the loop goes on changing it
        return (events[-1][0] if events else position), {id for _, id, _ in events}

    def _note_unreachable(self, unreachable: bool, sentence: str) -> None:
        """Note whether the log can be reached, and write a sentence to standard error if that has changed.

        Args:
            unreachable: Whether the log cannot be reached now.
            sentence: What to write.
        """
        if unreachable != self._unreachable:
            sys.stderr.write(f"cartulary: {datetime.now():%Y-%m-%d %H:%M:%S} {sentence}\n")
        self._unreachable = unreachable

    def _start_update(self, id: str, view: SharedView) -> None:
        """Start a task that updates the view of the game with this id, so that a slow one delays no other.

        It returns at once; until the task begins the view counts as queued.
        """
        view.is_queued = True
        task = asyncio.create_task(self._update(id, view))
        self._updates.add(task)
        task.add_done_callback(self._updates.discard)

    async def _update(self, id: str, view: SharedView) -> None:
        """Bring a view up to date and queue its new events for all who follow it.

        If the scheduler is too busy, ``view.retry`` asks the poller to try again.
        """
        async with view.lock:
            view.is_queued = view.retry = False
            try:
                visitors = {follower.games[id] for follower in view.followers}
                await self._refresh(id, view, visitors, {f"view {view.name}": 1, f"table {id}": OF_TABLE})
            except Busy:
                view.retry = True

    def _restart(self, view: SharedView) -> None:
        """Set a view back to its beginning, because its log was replaced, and end its streams.

        Their pages then load again.
        """
        view.version = view.events = 0
        view.terms = view.last_game = view.log = None
        view.recent.clear()
        for follower in view.followers:
            follower.end()

    async def _refresh(self, id: str, view: SharedView, visitors: Set[Visitor], shares: Mapping[str, int]) -> None:
        """Bring a view and its followers up to date; the caller holds the lock of the view.

        Args:
            id: The game.
            view: The view.
            visitors: The visitors whose right is to be checked: all that follow the view.
            shares: The users that the work is for, each with how many places it may hold at once.

        Raises:
            Busy: There is no place for the work.
        """
        look = await self.scheduler.run(lambda: self._look_at_game(id, view, visitors), shares)
        if look.failed:
            view.retry, view.retry_at = True, monotonic() + PAUSE
        if look.replaced:
            self._restart(view)
            return
        new = [event for event in look.events if event.version > view.version]
        if look.revised:
            view.recent.clear()
        if look.events:
            view.version = max(view.version, look.events[-1].version)
            view.recent.extend(look.events)
        for follower in view.followers:
            if follower.games[id] in look.barred_visitors:
                follower.end()
            elif id in follower.joining:
                if look.rights_known and not look.failed and follower.games[id] in visitors:
                    self._admit(id, view, follower)
            else:
                if look.revised:
                    follower.put_revised(id, look.events)
                if new:
                    follower.put(id, new)

    def _look_at_game(self, id: str, view: SharedView, visitors: Set[Visitor]) -> Look:
        """Read a game, check whether each visitor may still see it, and return the events that are new to a view.

        The view's record of how far it has read is moved on. Nothing is raised; if the game cannot be read there are no
        events and ``failed`` is true, and the game's page says why.

        Args:
            id: The game.
            view: The view to be brought up to date.
            visitors: The visitors to check.
        """
        barred_visitors, revised, rights_known = frozenset[Visitor](), False, False
        try:
            with time_limit(LONGEST):
                with self.stores.checkout() as store:
                    now = api.load(store, id)
                    # The links are read after the game, so that a link revoked before an event never gets that event.
                    links = self._links = api.links_of(store, self._links)
                    people = self._people = api.people_of(store, self._people)
                    barred_visitors = frozenset(
                        visitor for visitor in visitors if not still_leads(store, visitor, links, now)
                    )
                rights_known = True
                if view.last_game is not None and not begins_with(now.recorded, view.last_game.head):
                    return Look(barred_visitors=barred_visitors, replaced=True)
                terms, count = (now.book.quiet, now.book.closed), count_as_of(now, view.visitor.delay)
                revised = view.terms not in (None, terms)
                if count == view.events and not revised:
                    return Look(barred_visitors=barred_visitors)
                past = past_of(now, count, view.last_game)
                game = as_quiet(past, now)
                since = max(0, view.version - MOST_RECENT) if revised else view.version
                log = read_log(game, view.visitor.viewer, view.log)
                before = None if revised else view.last_game
                new = events_since(self.pages, game, view.visitor, since, people=people, log=log, before=before)
                events = tuple(new)
                view.events, view.terms, view.last_game, view.log = count, terms, past, log
                return Look(events, barred_visitors, revised)
        except (Fault, DeadlineExceeded):
            pass
        except Exception as fault:
            sys.stderr.write(f"cartulary: {visible(id)} cannot be followed: {visible(repr(fault))}\n")
        # If the terms have changed, the recent events may say too much; they are dropped though no new ones were made.
        return Look((), barred_visitors, revised, rights_known, failed=True)

    async def _end_revoked(self) -> None:
        """End the streams of links that were revoked; none are ended if the links cannot be read now."""

        def read_revoked() -> set[int]:
            """Return the numbers of all revoked links; none if they cannot be read."""
            with suppress(Fault), self.stores.checkout() as store:
                return {link.number for link in api.links_of(store).by_number.values() if link.revoked_at}
            return set()

        revoked = await run_in_threadpool(read_revoked)
        for follower in self.followers:
            if any(visitor.link in revoked for visitor in follower.games.values() if visitor.link):
                follower.end()
