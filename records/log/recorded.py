"""Events in their place: sealed before they are stored, and followed along their chain when they are read.

No storage is known here: a log of any kind, an archive and a published database hold these.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from cartulary.records.faults import Damaged
from cartulary.records.log import chain
from cartulary.records.log.chain import Head
from cartulary.records.log.events import WITHHOLDABLE, Event, Withheld, with_salt
from cartulary.records.log.schema import Lines
from cartulary.records.log.topics import decode, encode


class RecordedEvent(Struct, frozen=True):
    """An event in its place. originator_version: from 1; body: sealed, as stored; digest: in hex."""

    originator_id: str
    originator_version: int
    event: Event
    topic: str
    body: bytes
    digest: str


class Batch(Struct, frozen=True):
    """What is to be appended to one game: after which head, sealed events, and what the read model says of it then."""

    id: str
    after: Head
    events: tuple[RecordedEvent, ...]
    row: Lines | None = None

    @property
    def head(self) -> Head:
        """The head once the batch is stored."""
        last = self.events[-1]
        return Head(last.originator_version, last.digest)


def seal_events(id: str, after: Head, events: Iterable[Event]) -> tuple[RecordedEvent, ...]:
    """Return the events with the versions, digests and bytes they will be stored with."""
    version, digest = after.version, bytes.fromhex(after.digest)
    recorded = []
    for event in events:
        version += 1
        event = event if event.salt else with_salt(event)
        topic, body = encode(event)
        digest, whole = chain.seal(digest, topic.encode(), body)
        recorded.append(RecordedEvent(id, version, event, topic, whole, digest.hex()))
    return tuple(recorded)


def read_events(id: str, after: Head, stored: Iterable[tuple[str, bytes]]) -> Iterator[RecordedEvent]:
    """Yield the events of stored (topic, body) pairs, following the chain.

    Raises Damaged, with id and version, at the first event that does not follow from the one before it.
    """
    version, digest = after.version, bytes.fromhex(after.digest)
    for topic, body in stored:
        version += 1
        following = chain.follow(digest, topic.encode(), body)
        if following is None:
            raise Damaged(f"Event {version} of {id} is not the one that was written there.", id, version)
        digest = following
        yield RecordedEvent(id, version, event_of(id, version, topic, body), topic, body, digest.hex())


def event_of(id: str, version: int, topic: str, body: bytes) -> Event:
    """Return what a stored body says, or, if the body was left out, that it was.

    Raises Damaged for one that cannot be read.
    """
    hashed = chain.held_back(body)
    if hashed:
        return _withheld(id, version, topic.partition("/")[0], hashed)
    try:
        return decode(topic, body)
    except ValueError as fault:
        raise Damaged(f"Event {version} of {id} cannot be read. {fault}.", id, version) from None


def _withheld(id: str, version: int, kind: str, hashed: str) -> Withheld:
    if kind not in WITHHOLDABLE:
        raise Damaged(f"Event {version} of {id} was left out; none of the kind {kind} may be left out.", id, version)
    return Withheld(at="", kind=kind, hashed=hashed)
