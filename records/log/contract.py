"""What a log guarantees, wherever its events are kept.

Everything above the log uses these methods and no others. A log holds streams of events, each under an id of its own.
Nearly every stream is a game. One whose id begins with ``@`` is not: lists of games leave it out, but it is proved like
every other. Links to games are kept in such a stream.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

from cartulary.records.log.chain import Head
from cartulary.records.log.events import Event
from cartulary.records.log.recorded import Batch, RecordedEvent
from cartulary.records.log.schema import Lines

Notification: TypeAlias = tuple[int, str, int]
"""That an event was stored: its position in the log, the id of its stream, and its version in the stream."""

ASIDE = "@"
"""The beginning of the id of a stream that is not a game."""


def is_game(id: str) -> bool:
    """Say whether the stream of this id is a game."""
    return not id.startswith(ASIDE)


class Log(Protocol):
    """Streams of events that are appended to and never changed.

    Every method raises faults of ``records.faults`` only, never an exception of the database beneath.

    Attributes:
        cached: What a caller has made of the stream it read last, for the next one who reads it. The log itself does
            not look at it.
    """

    cached: Any

    # --- writing ---

    def append(self, id: str, after: Head, events: Iterable[Event], row: Lines | None = None) -> Head:
        """Append events durably, all or none, and return the new head.

        Of two writers who append after the same head, one succeeds and the other gets a Conflict.

        Args:
            id: The id of the stream.
            after: The head the caller has seen, ``origin(id)`` for a new stream.
            events: The events, in order.
            row: What the index says of the game from then on. It is written in the same transaction.

        Raises:
            Conflict: Somebody else has appended since.
            UnknownGame: There is no such stream.
        """
        ...

    def write(self, batch: Batch) -> Head:
        """Append the sealed events of a batch as they are, byte for byte; see ``append``."""
        ...

    def write_new(self, batches: Sequence[Batch]) -> set[str]:
        """Store new streams in one transaction; return the ids of those that existed before and were left alone."""
        ...

    # --- reading ---

    def stream(self, id: str, cached: tuple[RecordedEvent, ...] = ()) -> tuple[RecordedEvent, ...]:
        """Return all events of a stream in order, as of one moment, with its chain followed to its noted head.

        Args:
            id: The id of the stream.
            cached: The stream as it was read before, with what the caller has written since. If that is still all,
                the same tuple is returned; if nobody else has written, what was proved is not proved again.

        Raises:
            UnknownGame: There is no such stream.
            Damaged: What is stored is not what was written.
        """
        ...

    def head(self, id: str) -> Head | None:
        """Return the noted head of a stream without following its chain; None if there is no such stream."""
        ...

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all games that have a head or an event, in the order in which they were begun."""
        ...

    def asides(self) -> tuple[str, ...]:
        """Return the ids of the streams that are not games, in the same order."""
        ...

    def after(self, position: int) -> Iterator[Notification]:
        """Yield a notification for every event of every stream that was stored after a position, in order.

        Positions begin at 1, grow, and are never given twice, and an event stored later never gets one that has been
        passed. So a follower that notes its position and asks again gets every event exactly once. The events
        themselves are not read, so an unreadable one stops nobody; a follower then asks for the ``stream``.
        """
        ...

    def last(self) -> int:
        """Return the position of the last event that ``after`` yields, 0 for none. Followers ask this often."""
        ...

    # --- proof ---

    def guards(self) -> Iterator[str]:
        """Yield a sentence for each guard of the log as a whole that is broken.

        There are three guards: what is stored can be read, nothing that was ever stored is missing, and nothing that is
        stored can be changed.
        """
        ...
