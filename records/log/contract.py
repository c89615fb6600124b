"""What a log guarantees, wherever its events are kept.

Everything above the log uses these methods and no others. A log holds streams of events, each under an id of its own.
Nearly every stream is a game. One whose id begins with ``@`` is not: lists of games leave it out, but it is proved like
every other. Links to games are kept in such a stream.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from cartulary.records.log.chain import Head
from cartulary.records.log.events import Event
from cartulary.records.log.index import Index
from cartulary.records.log.recorded import Batch, Notification, RecordedEvent, is_game, seal_events
from cartulary.records.log.schema import Lines
from cartulary.records.log.server import Server

PAGE = 1000
"""The number of events that ``after`` asks its database for at a time."""


class Log(ABC):
    """Streams of events that are appended to and never changed, and an index of them. Close it, or use it in ``with``.

    Every method raises faults of ``records.faults`` only, never an exception of the database beneath.

    Attributes:
        place: Where the log is kept.
        timeout: How many seconds it waits for another writer.
        read_only: Whether nothing is written, whoever else may write.
        index: The index, which the library asks.
    """

    place: Path | Server
    timeout: int
    read_only: bool
    index: Index

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    @abstractmethod
    def writable(self) -> bool:
        """Whether events may be written: the log was not opened read-only, and its place takes writes."""

    @property
    @abstractmethod
    def index_writable(self) -> bool:
        """Whether the index may be written. It may be writable where the log is not, if it is kept elsewhere."""

    @abstractmethod
    def close(self) -> None:
        """Close the log and its index; closing twice is harmless."""

    # --- writing ---

    def append(self, id: str, after: Head, events: Iterable[Event], row: Lines | None = None) -> Head:
        """Append events durably, all or none, and return the new head.

        Of two writers who append after the same head, one succeeds and the other gets a Conflict.

        Args:
            id: The id of the stream.
            after: The head the caller has seen, ``origin(id)`` for a new stream.
            events: The events, in order; at least one.
            row: What the index says of the game from then on. It is written in the same transaction. None for a stream
                that is not a game.

        Raises:
            Conflict: Somebody else has appended since, or the stream is to be new and exists.
            UnknownGame: There is no such stream.
            Damaged: The noted head of the stream does not fit its events.
            StoreFault: The log cannot be written; nothing is stored.
        """
        return self.write(Batch(id, after, seal_events(id, after, events), row))

    @abstractmethod
    def write(self, batch: Batch) -> Head:
        """Append the sealed events of a batch as they are, byte for byte, and return the new head.

        It raises what ``append`` raises.
        """

    @abstractmethod
    def write_new(self, batches: Sequence[Batch]) -> set[str]:
        """Store new streams in one transaction; return the ids of those that existed before and were left alone.

        An empty set means that all were stored. Each batch must begin a stream.

        Raises:
            StoreFault: The log cannot be written; nothing is stored.
        """

    # --- reading ---

    @abstractmethod
    def stream(self, id: str, cached: tuple[RecordedEvent, ...] = ()) -> tuple[RecordedEvent, ...]:
        """Return all events of a stream in order, as of one moment, with its chain followed to its noted head.

        Each event has a digest of itself and all events before it; these make the chain. The noted head is the version
        and digest of the last event, stored beside the events.

        Args:
            id: The id of the stream.
            cached: The stream as it was read before, with what the caller has written since. If that is still all, the
                same tuple is returned; if nobody else has written, what was proved is not proved again.

        Raises:
            UnknownGame: There is no such stream.
            Damaged: What is stored is not what was written.
            StoreFault: The log cannot be read.
        """

    @abstractmethod
    def head(self, id: str) -> Head | None:
        """Return the noted head of a stream, which is the version and the digest of its last event.

        None if there is no such stream. Its chain is not followed, so the head is not proved.
        """

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all games that have a head or an event, in the order in which they were begun.

        A game whose events are damaged or gone is listed too.
        """
        return tuple(id for id in self.all_ids() if is_game(id))

    def asides(self) -> tuple[str, ...]:
        """Return the ids of the streams that are not games, in the order in which they were begun."""
        return tuple(id for id in self.all_ids() if not is_game(id))

    @abstractmethod
    def all_ids(self) -> Iterator[str]:
        """Yield the ids of all streams, in the order in which they were begun.

        In a damaged id that is not UTF-8 the bytes are escaped, so that it cannot be taken for another one.
        """

    @abstractmethod
    def after(self, position: int) -> Iterator[Notification]:
        """Yield a notification for every event of every stream that was stored after a position, in order.

        Positions are at least 1, grow, and are never given twice, and an event stored later never gets one that has
        been passed. So a follower that notes its position and asks again gets every event exactly once. The events
        themselves are not read, so an unreadable one stops nobody; a follower then asks for the ``stream``.

        A notification is a triple: the position, the id of the stream, and the number of the event in it.
        """

    @abstractmethod
    def last(self) -> int:
        """Return the position of the last event that ``after`` yields, 0 for none.

        It is quick, since followers ask often.
        """

    @abstractmethod
    def copy(self, path: Path) -> None:
        """Write the database as it stands to a file, which is overwritten; others may go on writing here meanwhile.

        Args:
            path: The file that becomes the copy.

        Raises:
            Declined: The log is on a server, and not in a file.
        """

    # --- proof ---

    @abstractmethod
    def guards(self) -> Iterator[str]:
        """Yield a sentence for each guard of the log as a whole that is broken; nothing if all is sound.

        There are three guards: what is stored can be read, nothing that was ever stored is missing, and nothing that is
        stored can be changed. Single streams are not looked at; see ``proof.verify_all``.
        """
