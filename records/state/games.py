"""The games of a log, with those loaded last kept in memory, so that a word that was judged is not judged again."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock

from cartulary.notation import read_heading
from cartulary.records.faults import UnknownGame
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import Log
from cartulary.records.log.recorded import Batch, Notification, RecordedEvent, is_game
from cartulary.records.state.fold import LiveGame, fold


class RecentGames:
    """The games that were loaded last. Threads may share them, whichever connection each of them reads through."""

    def __init__(self, most: int = 1) -> None:
        """Begin without games. Of more than ``most``, the one that was used longest ago is forgotten."""
        self.most = most
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._turn = Lock()

    def get(self, id: str) -> LiveGame | None:
        """Return a game as it was loaded or written last, and count it as used now; None if it was not, or was
        forgotten.
        """
        with self._turn:
            if id in self._games:
                self._games.move_to_end(id)
            return self._games.get(id)

    def put(self, game: LiveGame) -> None:
        """Keep a game in place of what was kept under its id. If there are too many, forget the one used
        longest ago.
        """
        with self._turn:
            self._games[game.id] = game
            self._games.move_to_end(game.id)
            if len(self._games) > self.most:
                self._games.popitem(last=False)


class Games(Log):
    """A log together with the games loaded from it. Everything that is asked of the log itself is passed on to it.

    Attributes:
        log: The log.
        recent: The games. ``load`` looks for them here, and a command leaves the game here as it has changed it.
    """

    def __init__(self, log: Log, recent: RecentGames | None = None) -> None:
        """Wrap a log; without ``recent`` only the last game is kept."""
        self.log, self.recent = log, RecentGames() if recent is None else recent
        self.place, self.timeout, self.read_only, self.index = log.place, log.timeout, log.read_only, log.index

    @property
    def writable(self) -> bool:
        """Whether events may be written to the log."""
        return self.log.writable

    @property
    def index_writable(self) -> bool:
        """Whether the index of the log may be written."""
        return self.log.index_writable

    def close(self) -> None:
        """Close the log; closing twice is harmless."""
        self.log.close()

    def write(self, batch: Batch) -> Head:
        """Append the sealed events of a batch to the log and return the new head, the number of events and the last
        one's digest.

        Raises:
            Conflict: Somebody else has appended since the head that the batch follows.
            UnknownGame: There is no such stream.
        """
        return self.log.write(batch)

    def write_new(self, batches: Sequence[Batch]) -> set[str]:
        """Store new streams in one transaction; return the ids of those that existed before and were left alone."""
        return self.log.write_new(batches)

    def stream(self, id: str, cached: tuple[RecordedEvent, ...] = ()) -> tuple[RecordedEvent, ...]:
        """Return all events of a stream in order, after its chain of digests was followed.

        Args:
            id: The id of the stream.
            cached: The stream as it was read before. If nothing was written since, the same tuple is returned.

        Raises:
            UnknownGame: There is no such stream.
            Damaged: What is stored is not what was written.
        """
        return self.log.stream(id, cached)

    def head(self, id: str) -> Head | None:
        """Return the noted head of a stream, the number of events and the last one's digest; None if there is no such
        stream.
        """
        return self.log.head(id)

    def all_ids(self) -> Iterator[str]:
        """Yield the ids of all streams, games or not, in the order in which they were begun."""
        return self.log.all_ids()

    def after(self, position: int) -> Iterator[Notification]:
        """Yield a notification for every event of every stream that was stored after a position, in order; 0 yields
        all.
        """
        return self.log.after(position)

    def last(self) -> int:
        """Return the position of the last event of all streams, 0 for none."""
        return self.log.last()

    def copy(self, path: Path) -> None:
        """Write the database as it stands to a file, which is overwritten. Raises Declined if the log is on a
        server.
        """
        self.log.copy(path)

    def guards(self) -> Iterator[str]:
        """Yield a sentence for each guard of the log as a whole that is broken; none if all is well.

        The guards: what is stored can be read, nothing stored is missing, and nothing stored can be changed.
        """
        return self.log.guards()


def load(log: Log, id: str) -> LiveGame:
    """Return a game as it stands now, and keep it in memory if ``log`` is a ``Games``.

    Args:
        log: Where its events are. Of ``Games``, only what was written since the game was loaded last is judged.
        id: The game.

    Raises:
        UnknownGame: There is no such game.
        Damaged: Its events are not what was written, or make no game.
        UninstalledGame: Its rules are not installed here.
        Unfit: The rules installed here cannot set it up.
    """
    cached = log.recent.get(id) if isinstance(log, Games) else None
    recorded = events_of(log, id, cached.recorded if cached else ())
    # The rules of a game may have been installed anew since; then its heading is read differently.
    if cached and recorded is cached.recorded and read_heading(cached.record) == cached.examined.heading:
        return cached
    game = fold(id, recorded, cached)
    if isinstance(log, Games):
        log.recent.put(game)
    return game


def events_of(log: Log, id: str, cached: tuple[RecordedEvent, ...] = ()) -> tuple[RecordedEvent, ...]:
    """Return the events of a game in order.

    Args:
        log: The log.
        id: The game.
        cached: The events as they were read before. If nothing was written since, the same tuple is returned.

    Raises:
        UnknownGame: There is no such game, or the stream of this id is not a game.
        Damaged: What is stored is not what was written.
    """
    if not is_game(id):
        raise UnknownGame(id)
    return log.stream(id, cached)
