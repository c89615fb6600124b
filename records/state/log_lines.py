"""The log of a game in lines: everything that was ever written of it, in order, as a viewer may read it."""

from msgspec import Struct

from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import LogLine
from cartulary.records.log.contract import Log
from cartulary.records.log.events import WordDeclined
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.event_words import LINE, say
from cartulary.records.state.fold import LiveGame, begins_with
from cartulary.records.state.games import events_of, load
from cartulary.records.state.seat_view import SeenEvents, check_seat, everybody, reader, seen_events, seen_line


def log(store: Log, id: str, viewer: Viewer = EVERYTHING) -> tuple[LogLine, ...]:
    """Return everything that was ever written of the game, in order, as a viewer may read it.

    Args:
        store: Where the game is kept.
        id: The game.
        viewer: Who reads. A seat is shown no digests and no declined words, and of each other event what it may know.

    Returns:
        A line for each event. A line without a digest has an empty one.

    Raises:
        UnknownGame: There is no such game.
        Damaged: The log is not what was written.
        UninstalledGame: The viewer does not see everything, and the rules of the game are not installed here.
        Unfit: The game has no such seat, or the rules installed here cannot set it up for a viewer who does not see
            everything.
    """
    if viewer == EVERYTHING:
        return tuple(map(_full_line, events_of(store, id)))
    game = load(store, id)
    check_seat(game, viewer)
    return lines_of(game, viewer)


def lines_of(game: LiveGame, viewer: Viewer = EVERYTHING) -> tuple[LogLine, ...]:
    """Return the events of a game as lines of the log, as a viewer may read them, in order; see ``log``."""
    return read_log(game, viewer).lines


class ReadLog(Struct, frozen=True, eq=False):
    """The log of a game as a viewer has read it, to go on from when more is written.

    Attributes:
        game: The game as it was read.
        viewer: Who read it; quiet if verdicts are withheld from this viewer.
        lines: The lines that the viewer may read.
        seat_events: What the seat knows of the events; None for a viewer who sees everything.
        names: The names of the players, on which the lines depend.
        quietly: Whether verdicts are left out of the lines.
    """

    game: LiveGame
    viewer: Viewer
    lines: tuple[LogLine, ...]
    seat_events: SeenEvents | None = None
    names: tuple[str, ...] = ()
    quietly: bool = False

    def is_of(self, game: LiveGame, viewer: Viewer) -> bool:
        """Say whether this is the whole log of this very object ``game``, read for this viewer; then nothing has to be
        read again.
        """
        return self.game is game and self.viewer == reader(game, viewer)

    def continues_in(self, game: LiveGame, viewer: Viewer) -> bool:
        """Say whether a game's log begins with what was read here for the same seat, and for a screen that hides
        verdicts or not.

        Args:
            game: The game as it stands now.
            viewer: Who reads it, as ``reader`` returns it.
        """
        before = (self.game.id, self.viewer.seat, self.viewer.muted)
        alike = before == (game.id, viewer.seat, viewer.muted)
        return alike and begins_with(game.recorded, self.game.head)


def read_log(game: LiveGame, viewer: Viewer, earlier: ReadLog | None = None) -> ReadLog:
    """Return the log of a game as a viewer may read it: the lines of the events that it is shown, in order.

    The lines of a seat are numbered as it counts events, without declined words.

    Args:
        game: The game.
        viewer: Who reads it. Whoever does not see everything is shown no digests and no declined words.
        earlier: What the viewer had read before; only what was written since is worked out. None works out everything.
    """
    recorded, viewer = game.recorded, reader(game, viewer)
    if viewer.seat is None:
        lines_before = earlier.lines if earlier is not None and earlier.continues_in(game, viewer) else ()
        return ReadLog(game, viewer, (*lines_before, *map(_full_line, recorded[len(lines_before) :])))
    names, quietly = everybody(game.record), viewer.quiet or (viewer.muted and not game.book.closed)
    seat_events = seen_events(game, viewer.seat, earlier.seat_events if earlier is not None else None)
    lines: list[LogLine] = []
    first = 0
    if (
        earlier is not None
        and earlier.continues_in(game, viewer)
        and (earlier.names, earlier.quietly) == (names, quietly)
    ):
        lines, first = list(earlier.lines) if seat_events.same else [], seat_events.same
    for entry, knowledge in zip(recorded[first:], seat_events.knowledge[first:], strict=True):
        if not isinstance(entry.event, WordDeclined):
            lines.append(seen_line(len(lines) + 1, entry, knowledge, recorded, names, quietly))
    return ReadLog(game, viewer, tuple(lines), seat_events, names, quietly)


def _full_line(entry: RecordedEvent) -> LogLine:
    """Return an event as a line of the log with nothing left out, with its number and its digest."""
    event, kind = entry.event, entry.topic.partition("/")[0]
    return LogLine(entry.originator_version, event.at, event.by, kind, say(event, LINE), event, entry.digest)
