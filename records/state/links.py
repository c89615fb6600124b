"""Links: who may come to a game, and as what. They are kept in a stream of the log of their own.

A link for a person at an evening names no game. It amounts to a link to each seat that the person has there.

The secret that opens a link is never stored, only its digest. What a link allows is worked out here and in the table
of routes of ``web``, from its role and from how the game stands.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.numbers import seat_number
from cartulary.notation.viewer import RAIL, SPECTATOR, Seat, Viewer, viewer_of_seat
from cartulary.records.log.aside_events import EveningLinkMade, LinkMade, LinkRevoked, LinkTaken
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event, GameClosed, GameImported, GameReopened, RulingGiven
from cartulary.records.log.field_checks import fault_of
from cartulary.records.log.fields import StreamPlace
from cartulary.records.log.recorded import ASIDE
from cartulary.records.state.evening_seats import load_seats
from cartulary.records.state.evenings import PREFIX, fold_evening
from cartulary.records.state.fold import LiveGame, book_of, fold
from cartulary.records.state.people import people_of

STREAM = f"{ASIDE}links"
SCRIBE, ARBITER, READER = "scribe", "arbiter", "reader"
PERSON = "person"
"""The role of a link for a person at an evening, while it leads to no seat."""
SHARED_ROLES = (RAIL, READER)
"""The roles whose links many people use; the others are for whoever takes them up first."""
AFTERWARDS = timedelta(hours=24)
"""How long after the close a link other than a reader's leads to the game."""


class Link(Struct, frozen=True):
    """A link to a game, or for a person at an evening.

    Attributes:
        number: Its number, from 1.
        game: The id of the game; empty for a person's link.
        role: ``scribe``, ``p1`` and so on, ``rail``, ``arbiter`` or ``reader``; ``person`` for a person's link.
        plays: The seat that a scribe plays, 0 for none.
        delay: How many seconds later the rail sees what happens.
        made_at: When it was made.
        secret_digest: The digest of the secret that opens it.
        browser_digest: The digest of the secret in the browser that took it up; empty if none did.
        revoked_at: When it was revoked, empty for never.
        revoked_by: Who revoked it.
        made_by: Who made it.
        command: The id of the command that made it.
        evening: The key of the evening, empty for a link to one game.
        person: The name of the person at the evening.
        quiet: Whether it makes the games of the evening quiet.
    """

    number: int
    game: str
    role: str
    plays: int
    delay: int
    made_at: str
    secret_digest: str
    browser_digest: str = ""
    revoked_at: str = ""
    revoked_by: str = ""
    made_by: str = ""
    command: str = ""
    evening: str = ""
    person: str = ""
    quiet: bool = False

    @property
    def viewer(self) -> Viewer:
        """Who looks by this link: a spectator for the rail and for a person's link, otherwise a seat or somebody who
        sees everything.

        A seat is that of the role, ``p1``, or the one that a scribe plays. The arbiter, a reader, and a scribe who does
        not play see everything.
        """
        if self.role in (RAIL, PERSON):
            return SPECTATOR
        return viewer_of_seat(seat_in(self.role) or self.plays or None)

    @property
    def by(self) -> str:
        """What the log calls whoever writes by it: a seat, ``p1``, if the role is one or the scribe plays; otherwise
        the role.
        """
        return self.viewer.name if isinstance(self.viewer, Seat) else self.role

    @property
    def shared(self) -> bool:
        """Whether many people may use it: true for the rail (spectators) and for readers; any other is for one
        browser.
        """
        return self.role in SHARED_ROLES

    @property
    def state(self) -> str:
        """``revoked``; ``shared`` for a link that many may use; otherwise ``opened`` once a browser took it up, or
        ``not opened yet``.
        """
        if self.revoked_at:
            return "revoked"
        return "shared" if self.shared else "opened" if self.browser_digest else "not opened yet"


class Links(Struct, frozen=True):
    """All links at one head of their stream.

    Attributes:
        head: The head, None if no link was ever made.
        by_number: The links by their numbers, in order.
    """

    head: Head | None = None
    by_number: Mapping[int, Link] = {}

    def opened_by(self, number: int, secret: str) -> Link | None:
        """Return the link of this number if a browser's secret opens it; None if not, or if it was revoked or does not
        exist.

        A shared link is opened by its own secret; any other only by the secret of the browser that took it up.
        """
        link = self.by_number.get(number)
        if link is None or link.revoked_at or not (link.shared or link.browser_digest):
            return None
        return link if digest(secret) == (link.secret_digest if link.shared else link.browser_digest) else None


def link_fields(link: Link) -> dict[str, object]:
    """Return a link as fields for JSON, without the digests.

    They are ``link`` (the number), ``game``, ``role``, ``plays``, ``delay`` (in seconds), ``made``, ``state``,
    ``revoked`` and ``revoked_by``; before them ``evening`` and ``person`` if it is a person's link.
    """
    whose = {"evening": link.evening, "person": link.person} if link.evening else {}
    return whose | {
        "link": link.number,
        "game": link.game,
        "role": link.role,
        "plays": link.plays,
        "delay": link.delay,
        "made": link.made_at,
        "state": link.state,
        "revoked": link.revoked_at,
        "revoked_by": link.revoked_by,
    }


def seat_in(role: str) -> int:
    """Return the seat that a role names, ``p2`` -> 2; 0 for a role that is not a seat, such as ``scribe`` or
    ``rail``.
    """
    return seat_number(role)


def digest(secret: str) -> str:
    """Return the SHA-256 digest of a secret, 64 hex digits; only this is stored, never the secret."""
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def links_of(store: Log, earlier: Links | None = None) -> Links:
    """Return all links of a log. An impossible event is passed over, and so is one that names a link that is not there.

    Args:
        store: The log.
        earlier: The links as they were read before; they are returned if nothing was written since.

    Raises:
        Damaged: The stream of the links is not what was written.
    """
    head = store.head(STREAM)
    if earlier is not None and head == earlier.head:
        return earlier
    if head is None:
        return Links()
    links: dict[int, Link] = {}
    recorded = store.stream(STREAM)
    for entry in recorded:
        event, number = entry.event, entry.originator_version
        if fault_of(event, StreamPlace(number, 0)):
            continue  # it opens nothing and revokes nothing; `verify` names it
        if isinstance(event, LinkMade):
            fields = (event.game, event.role, event.plays, event.delay, event.at, event.secret_hash)
            links[number] = Link(number, *fields, made_by=event.by, command=event.command)
        elif isinstance(event, EveningLinkMade):
            links[number] = Link(
                number,
                "",
                PERSON,
                0,
                0,
                event.at,
                event.secret_hash,
                made_by=event.by,
                command=event.command,
                evening=event.evening,
                person=event.person,
                quiet=event.quiet,
            )
        elif isinstance(event, (LinkTaken, LinkRevoked)) and event.link not in links:
            continue  # it names what is no link
        elif isinstance(event, LinkTaken):
            links[event.link] = replace(links[event.link], browser_digest=event.secret_hash)
        elif isinstance(event, LinkRevoked):
            links[event.link] = replace(links[event.link], revoked_at=event.at, revoked_by=event.by)
    return Links(Head(recorded[-1].originator_version, recorded[-1].digest), links)


def seat_links(store: Log, link: Link) -> tuple[Link, ...]:
    """Return the links to seats that a person's link amounts to, that of the last table first.

    Args:
        store: The log.
        link: The link. One to a game is returned as it is. Whoever sits out has no seat, and a seat that somebody took
            over is that person's.

    Returns:
        Copies of the link with the game and the role of each seat, ``p2``; empty if the evening is not there or the
        person has no seat.

    Raises:
        Damaged: The stream of the evening is not what was written.
    """
    if not link.evening:
        return (link,)
    stream = f"{PREFIX}{link.evening}"
    if store.head(stream) is None:
        return ()
    people = people_of(store)
    evening = fold_evening(link.evening, store.stream(stream), people)
    tables = (load_seats(store, table).table for table in reversed(evening.tables))
    seats = ((table.game, table.seat_of(people.display_name(link.person))) for table in tables)
    return tuple(replace(link, game=game, role=f"p{seat}") for game, seat in seats if seat)


def needs_quiet(store: Log, evening: str) -> bool:
    """Say whether the games of an evening are quiet: a person there has a link, not revoked, that makes them so.

    Args:
        store: The log.
        evening: The key of the evening, such as ``spring-2026``.
    """
    links = links_of(store).by_number.values()
    return any(link.evening == evening and link.quiet and not link.revoked_at for link in links)


def closed_at(game: LiveGame) -> datetime | None:
    """Return when a game was closed, with the zone of the time; None if it is open.

    It is the time of the last event that may close a game: a close, an import, or a ruling with a result.
    """
    if not game.book.closed:
        return None
    events = (entry.event for entry in reversed(game.recorded))
    return next(datetime.fromisoformat(event.at) for event in events if _is_closing(event))


def _is_closing(event: Event) -> bool:
    """Say whether an event may close a game: a close, an import, or a ruling with a result. The import may be of an
    open game.
    """
    return isinstance(event, (GameClosed, GameImported)) or (isinstance(event, RulingGiven) and bool(event.result))


def as_of(game: LiveGame, delay: int, now: datetime | None = None) -> LiveGame:
    """Return a game as it stood some seconds ago, with its first event at least; a closed game as it stands.

    If the game has become quiet since, the earlier state is quiet too. What a close has shown stays shown: a game that
    was opened again is not returned as it stood before that.

    Args:
        game: The game as it stands now.
        delay: How many seconds; 0 returns the game itself.
        now: The present time with its zone, by default that of the clock.
    """
    return as_quiet(past_of(game, count_as_of(game, delay, now)), game)


def past_of(game: LiveGame, count: int, earlier: LiveGame | None = None) -> LiveGame:
    """Return a game as its first ``count`` events made it; the game itself if that is all of them.

    Args:
        game: The game as it stands now.
        count: The number of events, at least 1.
        earlier: What this returned for a smaller number; it is not judged again.
    """
    return game if count == len(game.recorded) else fold(game.id, game.recorded[:count], earlier or game)


def as_quiet(past: LiveGame, game: LiveGame) -> LiveGame:
    """Return a past state of a game, made quiet if the game is quiet now: verdicts are then withheld from seats."""
    if past is game or past.book.quiet or not game.book.quiet:
        return past
    return replace(past, book=replace(past.book, quiet=True))


def count_as_of(game: LiveGame, delay: int, now: datetime | None = None) -> int:
    """Return how many events the game of ``as_of`` has, at least 1; this judges nothing, so it is cheap.

    Args:
        game: The game as it stands now.
        delay: How many seconds ago; 0 counts all events, and so does a closed game.
        now: The present time with its zone, by default that of the clock.
    """
    if not delay or game.book.closed:
        return len(game.recorded)
    until = (now or datetime.now(UTC)) - timedelta(seconds=delay)
    # What was left out has no time; it was written before what comes after it.
    times = ((index, entry.event.at) for index, entry in enumerate(game.recorded) if entry.event.at)
    later = (index for index, at in times if datetime.fromisoformat(at) > until)
    count = next(later, len(game.recorded))
    return count if count == len(game.recorded) else max(1, _last_reopening(game), count)


def _last_reopening(game: LiveGame) -> int:
    """Return the number, from 1, of the last event that opened a closed game again; 0 if none did.

    It is a reopening, or a ruling that took back one which had given the result.
    """
    for number in range(len(game.recorded), 1, -1):
        if isinstance(game.recorded[number - 1].event, (GameReopened, RulingGiven)):
            before, after = (book_of(game.id, game.recorded[:length]) for length in (number - 1, number))
            if before.closed and not after.closed:
                return number
    return 0


def is_played(game: LiveGame) -> bool:
    """Say whether whoever sits at a game is still busy with it: it is open, and was not set aside."""
    return not (game.book.closed or game.book.set_aside)


def is_at_hand(game: LiveGame, now: datetime | None = None) -> bool:
    """Say whether a game is open, or was closed less than a day (``AFTERWARDS``) ago."""
    closed = closed_at(game)
    return closed is None or (now or datetime.now(UTC)) - closed < AFTERWARDS


def leads_to(link: Link, game: LiveGame, now: datetime | None = None) -> bool:
    """Say whether a link leads to its game now: a reader's once the game is closed, others until a day after the close.

    False if the link was revoked, is to another game, or names a seat that the game has not.

    Args:
        link: The link.
        game: The game.
        now: The present time with its zone, by default that of the clock.
    """
    if link.revoked_at or link.game != game.id or (seat_in(link.role) or link.plays) > game.book.seats:
        return False
    return game.book.closed if link.role == READER else is_at_hand(game, now)
