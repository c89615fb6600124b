"""Links: who may come to a game, and as what, as their own stream of the log has it.

What opens a link is never stored, only its digest. Whatever a link may do is worked out here and in ``web``'s table of
routes, from its role and from how the game stands.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.numbers import seat_number
from cartulary.notation.viewer import RAIL, SPECTATOR, Seat, Viewer, viewer_of_seat
from cartulary.records.log.aside_events import LinkMade, LinkRevoked, LinkTaken
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event, GameClosed, GameImported, GameReopened, RulingGiven
from cartulary.records.log.field_checks import fault_of
from cartulary.records.log.fields import StreamPlace
from cartulary.records.log.recorded import ASIDE
from cartulary.records.state.fold import LiveGame, book_of, fold

STREAM = f"{ASIDE}links"
SCRIBE, ARBITER, READER = "scribe", "arbiter", "reader"
SHARED = (RAIL, READER)
"""The roles whose links many people use; the others are for whoever takes them up first."""
AFTERWARDS = timedelta(hours=24)
"""How long after the close a link other than a reader's leads to the game."""


class Link(Struct, frozen=True):
    """A link. number: from 1; game: its id; role: as in ``LinkMade``, which has the rest; made: when

    hashed, taken: digests of what opens it and of what the browser keeps that took it up, empty for none
    revoked: when, empty for never; revoked_by: by whom, empty where the log has no name
    made_by, command: who made it, and by which command, empty for none
    """

    number: int
    game: str
    role: str
    plays: int
    delay: int
    made: str
    hashed: str
    taken: str = ""
    revoked: str = ""
    revoked_by: str = ""
    made_by: str = ""
    command: str = ""

    @property
    def viewer(self) -> Viewer:
        """Who looks by it: the arbiter, a reader and a scribe who does not play see everything."""
        if self.role == RAIL:
            return SPECTATOR
        return viewer_of_seat(seat_in(self.role) or self.plays or None)

    @property
    def by(self) -> str:
        """Who writes by it, as the log has it."""
        return self.viewer.name if isinstance(self.viewer, Seat) else self.role

    @property
    def shared(self) -> bool:
        """Whether many may use it."""
        return self.role in SHARED

    @property
    def state(self) -> str:
        """How it stands: revoked, shared, opened, or not yet."""
        if self.revoked:
            return "revoked"
        return "shared" if self.shared else "opened" if self.taken else "not opened yet"


class Links(Struct, frozen=True):
    """All links as of one head of their stream. by_number: in their order"""

    head: Head | None = None
    by_number: Mapping[int, Link] = {}

    def opened_by(self, number: int, secret: str) -> Link | None:
        """Return the link with this number where a browser keeps what opens it, None where it opens nothing."""
        link = self.by_number.get(number)
        if link is None or link.revoked or not (link.shared or link.taken):
            return None
        return link if digest(secret) == (link.hashed if link.shared else link.taken) else None


def link_fields(link: Link) -> dict[str, object]:
    """Return a link as JSON has it, without what opens it."""
    return {
        "link": link.number,
        "game": link.game,
        "role": link.role,
        "plays": link.plays,
        "delay": link.delay,
        "made": link.made,
        "state": link.state,
        "revoked": link.revoked,
        "revoked_by": link.revoked_by,
    }


def seat_in(role: str) -> int:
    """Return the seat a role names, 0 for a role that is no seat's."""
    return seat_number(role)


def digest(secret: str) -> str:
    """Return what is kept of a secret."""
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def links_of(store: Log, known: Links | None = None) -> Links:
    """Return all links. known: as they were read before, which come back where nothing was written since.

    Raises the faults of the store.
    """
    head = store.head(STREAM)
    if known is not None and head == known.head:
        return known
    if head is None:
        return Links()
    found: dict[int, Link] = {}
    recorded = store.stream(STREAM)
    for each in recorded:
        event, number = each.event, each.originator_version
        if fault_of(event, StreamPlace(number, 0)):
            continue  # it opens nothing and revokes nothing; `verify` names it
        if isinstance(event, LinkMade):
            made = (event.game, event.role, event.plays, event.delay, event.at, event.hashed)
            found[number] = Link(number, *made, made_by=event.by, command=event.command)
        elif isinstance(event, (LinkTaken, LinkRevoked)) and event.link not in found:
            continue  # it names what is no link
        elif isinstance(event, LinkTaken):
            found[event.link] = replace(found[event.link], taken=event.hashed)
        elif isinstance(event, LinkRevoked):
            found[event.link] = replace(found[event.link], revoked=event.at, revoked_by=event.by)
    return Links(Head(recorded[-1].originator_version, recorded[-1].digest), found)


def closed_at(game: LiveGame) -> datetime | None:
    """Return when a game was closed, None for one that is open."""
    if not game.book.closed:
        return None
    events = (each.event for each in reversed(game.recorded))
    return next(datetime.fromisoformat(event.at) for event in events if _closes(event))


def _closes(event: Event) -> bool:
    return isinstance(event, (GameClosed, GameImported)) or (isinstance(event, RulingGiven) and bool(event.result))


def as_of(game: LiveGame, delay: int, now: datetime | None = None) -> LiveGame:
    """Return the game as it stood some seconds ago, its beginning at least; as it stands once it is closed.

    What may be told of it is asked of the game as it is now: it is quiet if it has become quiet since. What a close has
    shown stays shown, so a game that was opened again is not shown as it stood before that.
    """
    return as_quiet(past_of(game, count_as_of(game, delay, now)), game)


def past_of(game: LiveGame, count: int, kept: LiveGame | None = None) -> LiveGame:
    """Return the game as its first so many events made it. kept: as this returned it before, for fewer of them"""
    return game if count == len(game.recorded) else fold(game.id, game.recorded[:count], kept or game)


def as_quiet(past: LiveGame, game: LiveGame) -> LiveGame:
    """Return a game as it stood, quiet where it has become quiet since. game: as it stands now"""
    if past is game or past.book.quiet or not game.book.quiet:
        return past
    return replace(past, book=replace(past.book, quiet=True))


def count_as_of(game: LiveGame, delay: int, now: datetime | None = None) -> int:
    """Return how many events the game of ``as_of`` has, which is soon said."""
    if not delay or game.book.closed:
        return len(game.recorded)
    until = (now or datetime.now(UTC)) - timedelta(seconds=delay)
    # What was left out has no time; it was written before what comes after it.
    timed = ((n, each.event.at) for n, each in enumerate(game.recorded) if each.event.at)
    later = (n for n, at in timed if datetime.fromisoformat(at) > until)
    count = next(later, len(game.recorded))
    return count if count == len(game.recorded) else max(1, _opened_again(game), count)


def _opened_again(game: LiveGame) -> int:
    """Return the number of the last event, a reopening or a ruling, that opened a closed game; 0 for none."""
    for number in range(len(game.recorded), 1, -1):
        if isinstance(game.recorded[number - 1].event, (GameReopened, RulingGiven)):
            before, after = (book_of(game.id, game.recorded[:upto]) for upto in (number - 1, number))
            if before.closed and not after.closed:
                return number
    return 0


def is_at_hand(game: LiveGame, now: datetime | None = None) -> bool:
    """Say whether a game is open, or was closed less than ``AFTERWARDS`` ago."""
    closed = closed_at(game)
    return closed is None or (now or datetime.now(UTC)) - closed < AFTERWARDS


def leads_to(link: Link, game: LiveGame, now: datetime | None = None) -> bool:
    """Say whether a link leads to its game as it stands: a reader's from the close on, others until a day after it."""
    if link.revoked or link.game != game.id or (seat_in(link.role) or link.plays) > game.book.seats:
        return False
    return game.book.closed if link.role == READER else is_at_hand(game, now)
