"""The shape of a log: what whoever keeps events guarantees, wherever they are kept.

Everything above asks a log by these names and by no others. What stands in it is streams of events, each with an id of
its own. Nearly all are games; one whose id begins with ``@`` is none and is kept for the house: whoever asks for games
is not told of it, and it is proved like every other.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

from cartulary.records.log.chain import Head
from cartulary.records.log.events import Event
from cartulary.records.log.recorded import Batch, RecordedEvent
from cartulary.records.log.schema import Lines

Notification: TypeAlias = tuple[int, str, int]
"""What a log tells of an event that was stored: its position, the id of its stream, and its version in it."""

ASIDE = "@"
"""How the id of a stream begins that is no game."""


def is_game(id: str) -> bool:
    """Say whether the stream of this id is a game."""
    return not id.startswith(ASIDE)


class Log(Protocol):
    """Streams of events, appended to and never changed.

    Every method raises the faults of the store in ``records.faults``, and nothing else of what lies beneath.

    cached: what was made of the stream that was read last, for who reads it next; the log does not look at it
    """

    cached: Any

    # --- writing ---

    def append(self, id: str, after: Head, events: Iterable[Event], row: Lines | None = None) -> Head:
        """Add events after the head the caller has seen, all or none, durably; return the new head.

        Of two who write after the same head one succeeds and the other gets a Conflict. What the read model says of
        the game then, ``row``, is written in the same transaction or not at all.
        after: ``origin(id)`` for a new stream
        Raises Conflict where the stream stands elsewhere, UnknownGame where there is none.
        """
        ...

    def write(self, batch: Batch) -> Head:
        """Store one sealed batch as ``append`` does, byte for byte."""
        ...

    def write_new(self, batches: Sequence[Batch]) -> set[str]:
        """Store whole new streams, all or none of them; return the ids that were there before and were left alone."""
        ...

    # --- reading ---

    def stream(self, id: str, cached: tuple[RecordedEvent, ...] = ()) -> tuple[RecordedEvent, ...]:
        """Return every event of a stream in order, as of one moment, the chain followed and the noted head reached.

        cached: the stream as it was read before and as the caller has written it since; the same tuple comes back where
        it stands so still. Where nobody else has written, what was proved is not proved again
        Raises UnknownGame, and Damaged where what is stored is not what was written.
        """
        ...

    def head(self, id: str) -> Head | None:
        """Return the noted head of a stream, None if there is no such stream; its chain is not followed."""
        ...

    def ids(self) -> tuple[str, ...]:
        """Return the id of every game that has a head or an event, in the order they were begun."""
        ...

    def asides(self) -> tuple[str, ...]:
        """Return the ids of the streams that are no games, likewise."""
        ...

    def after(self, position: int) -> Iterator[Notification]:
        """Yield (position, id, version) of every event of every stream stored after a position, in that order.

        Positions begin at 1, grow, and are never given twice; nothing that is stored later gets one that was passed.
        So whoever notes how far they came and asks again is told of every event once. The events themselves are not
        read, so that one that cannot be stops nobody: who follows asks for the ``stream``, whose chain is followed.
        """
        ...

    def last(self) -> int:
        """Return the position of the last event that ``after`` tells of, 0 for none: who follows asks this often."""
        ...

    # --- proof ---

    def guards(self) -> Iterator[str]:
        """Yield a sentence for each guard of the log as a whole that is broken; none where all of them stand.

        The guards: what is stored can be read, nothing ever stored is missing, nothing stored can be changed.
        """
        ...
