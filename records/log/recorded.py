"""Events with their place in a stream: sealed before they are stored, and proved along the chain when they are read.

Every kind of log holds such events, and so do archives and exported databases.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from cartulary.engine.numbers import how_many
from cartulary.records.faults import Damaged
from cartulary.records.log import chain
from cartulary.records.log.chain import Head
from cartulary.records.log.events import WITHHOLDABLE, Event, Withheld, with_salt
from cartulary.records.log.packing import unpack
from cartulary.records.log.schema import Lines
from cartulary.records.log.topics import decode, encode

Row: TypeAlias = tuple[int, bytes, bytes]
"""An event as it is stored: its version, its topic and its body, packed or not."""
Notification: TypeAlias = tuple[int, str, int]
"""That an event was stored: its position in the log, the id of its stream, and its version in the stream."""

ASIDE = "@"
"""The beginning of the id of a stream that is not a game."""


def is_game(id: str) -> bool:
    """Say whether the stream of this id is a game: any whose id does not begin with ``@``."""
    return not id.startswith(ASIDE)


class RecordedEvent(Struct, frozen=True):
    """An event with its place in a stream.

    Attributes:
        originator_id: The id of the stream.
        originator_version: The number of the event in its stream, from 1.
        event: What the body says.
        topic: The kind of the event and the number of its schema.
        body: The sealed body, as stored.
        digest: The digest of the event, in hex.
    """

    originator_id: str
    originator_version: int
    event: Event
    topic: str
    body: bytes
    digest: str


class Batch(Struct, frozen=True):
    """Events to be appended to one stream.

    Attributes:
        id: The id of the stream.
        after: The head that the events follow.
        events: The sealed events, in order.
        row: What the index says of the game from then on.
    """

    id: str
    after: Head
    events: tuple[RecordedEvent, ...]
    row: Lines | None = None

    @property
    def head(self) -> Head:
        """The head of the stream once the batch is stored: version and digest of its last event."""
        last = self.events[-1]
        return Head(last.originator_version, last.digest)


def seal_events(id: str, after: Head, events: Iterable[Event]) -> tuple[RecordedEvent, ...]:
    """Seal events for a stream: give each its version, its salt, its digest and the bytes it is stored as.

    Nothing is stored. A salt is 16 random bytes in hex, without which a body could be guessed from its digest; an event
    that has one keeps it.

    Args:
        id: The id of the stream.
        after: The head that the first event follows, ``chain.origin(id)`` for a new stream.
        events: The events, in order.

    Returns:
        The sealed events, in the same order.
    """
    version, digest = after.version, bytes.fromhex(after.digest)
    recorded = []
    for event in events:
        version += 1
        event = event if event.salt else with_salt(event)
        topic, body = encode(event)
        digest, body = chain.seal(digest, topic.encode(), body)
        recorded.append(RecordedEvent(id, version, event, topic, body, digest.hex()))
    return tuple(recorded)


def read_events(id: str, after: Head, rows: Iterable[tuple[str, bytes]]) -> Iterator[RecordedEvent]:
    """Yield the events of a stream while following its chain.

    A body that was left out gives the event ``Withheld``; its place in the chain is proved all the same.

    Args:
        id: The id of the stream.
        after: The head that the first event follows.
        rows: The topic and the sealed body of each event, in order.

    Raises:
        Damaged: An event does not follow from the one before it. The fault has the id and the version.
    """
    version, digest = after.version, bytes.fromhex(after.digest)
    for topic, body in rows:
        version += 1
        following = chain.follow(digest, topic.encode(), body)
        if following is None:
            raise Damaged(f"Event {version} of {id} is not the one that was written there.", id, version)
        digest = following
        yield RecordedEvent(id, version, event_of(id, version, topic, body), topic, body, digest.hex())


def event_of(id: str, version: int, topic: str, body: bytes) -> Event:
    """Return the event that a sealed body says; of a body that was left out, the event ``Withheld``.

    Args:
        id: The id of the stream, for the fault.
        version: The number of the event in the stream, for the fault.
        topic: Its kind and the number of its schema, such as ``move-played/4``.
        body: The sealed body.

    Raises:
        Damaged: The body cannot be read, or was left out although its kind may not be.
    """
    body_hash = chain.hash_of_withheld(body)
    if body_hash:
        return _withheld_event(id, version, topic.partition("/")[0], body_hash)
    try:
        return decode(topic, body)
    except ValueError as fault:
        raise Damaged(f"Event {version} of {id} cannot be read. {fault}.", id, version) from None


def _withheld_event(id: str, version: int, kind: str, body_hash: str) -> Withheld:
    """Return the event in place of a body that was left out.

    It has the kind, such as ``move-played``, and the SHA-256 of the body in hex, and no time.

    Raises:
        Damaged: Events of this kind may not be left out.
    """
    if kind not in WITHHOLDABLE:
        raise Damaged(f"Event {version} of {id} was left out; none of the kind {kind} may be left out.", id, version)
    return Withheld(at="", kind=kind, body_hash=body_hash)


# --- as a database stores them ---


def follow_chain(
    id: str, head: Head | None, rows: Sequence[Row], before: tuple[RecordedEvent, ...] = ()
) -> tuple[RecordedEvent, ...]:
    """Return the events of a stream as they are stored, with its chain followed to its noted head.

    Args:
        id: The id of the stream.
        head: The noted head, None if there is none.
        rows: Version, topic and body of each stored event that follows those before, in order.
        before: The first events, which were proved already.

    Returns:
        All events, those before included; the tuple ``before`` itself if there are no rows.

    Raises:
        Damaged: An event is missing or is not what was written, or the head is missing or not that of the last event.
    """
    after = Head(len(before), before[-1].digest) if before else chain.origin(id)
    recorded = (*before, *read_events(id, after, _topics_and_bodies(id, rows, len(before)))) if rows else before
    _check_head(id, head, recorded)
    return recorded


def wrong_head(id: str, version: int) -> Damaged:
    """Return the fault of a head that does not fit the events; it is not raised here.

    No lost race leaves such a head; somebody has altered it.

    Args:
        id: The id of the stream.
        version: The version at which the head is wrong.
    """
    return Damaged(f"The head of {id} is not the one its events lead to.", id, version)


def _topics_and_bodies(id: str, rows: Iterable[Row], before: int) -> Iterator[tuple[str, bytes]]:
    """Yield topic and unpacked body of stored events, in order.

    Raises:
        Damaged: A version is not the one after that before it, the first one not ``before + 1``; or a body cannot be
            unpacked.
    """
    for expected, (version, topic, body) in enumerate(rows, before + 1):
        if version != expected:
            raise Damaged(f"Event {expected} of {id} is missing.", id, expected)
        yield topic.decode("utf-8", "replace"), unpack_body(id, version, body)


def unpack_body(id: str, version: int, body: bytes) -> bytes:
    """Return the body of an event as it was sealed, from the bytes as they are stored.

    Args:
        id: The id of the stream, for the fault.
        version: The number of the event in the stream, for the fault.
        body: The stored bytes, packed or not.

    Raises:
        Damaged: The bytes cannot be unpacked.
    """
    try:
        return unpack(body)
    except ValueError as fault:
        raise Damaged(f"Event {version} of {id} cannot be unpacked, because {fault}.", id, version) from None


def _check_head(id: str, head: Head | None, recorded: Sequence[RecordedEvent]) -> None:
    """Raise Damaged if the noted head is missing, or is not the version and digest of the last event.

    Args:
        id: The id of the stream, for the fault.
        head: The noted head, None if there is none.
        recorded: All events of the stream.
    """
    last = len(recorded)
    if head is None:
        raise Damaged(f"{id} has {how_many(last, 'event')} but no head.", id, last)
    if head.version != last:
        missing = (min(head.version, last) if isinstance(head.version, int) else last) + 1
        raise Damaged(
            f"The head of {id} says {how_many(head.version, 'event')}, but the log holds {last}.", id, missing
        )
    if recorded[-1].digest != head.digest:
        raise Damaged(f"The head of {id} is not the digest of its last event.", id, last)
