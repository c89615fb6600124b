"""Everything that was ever written of a game, in order, as whoever asks may read it."""

from msgspec import Struct

from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import LogLine
from cartulary.records.log.contract import Log
from cartulary.records.log.events import WordDeclined
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.event_words import describe
from cartulary.records.state.fold import LiveGame, begins_with
from cartulary.records.state.games import events_of, load
from cartulary.records.state.seat_view import SeenEvents, check_seat, players, reader, seen_events, seen_line


def log(store: Log, id: str, viewer: Viewer = EVERYTHING) -> tuple[LogLine, ...]:
    """Return everything that was ever written of the game, in order, as a viewer may read it.

    Args:
        store: Where the game is kept.
        id: The game.
        viewer: Who reads. A seat is shown no digests and no declined words, and of each other event what it may know.

    Raises:
        UnknownGame: There is no such game.
        Damaged: The log is not what was written.
        Unfit: The game has no such seat, or the rules installed here cannot set it up for a viewer who does not see
            everything.
    """
    if viewer == EVERYTHING:
        return tuple(map(_line, events_of(store, id)))
    game = load(store, id)
    check_seat(game, viewer)
    return lines_of(game, viewer)


def lines_of(game: LiveGame, viewer: Viewer = EVERYTHING) -> tuple[LogLine, ...]:
    """Return the events of a game as lines, as a viewer may read them."""
    return read_log(game, viewer).lines


class ReadLog(Struct, frozen=True, eq=False):
    """The log of a game as one view has read it, to be read on from when more was written.

    game: as it was read; viewer: who reads it, as ``reader`` has it; lines: as far as the view is told of events
    seen: the events as the seat may read them, None for a view of everything
    names, quietly: what the lines depend on beside them: who played, and whether what the rules say is left out
    """

    game: LiveGame
    viewer: Viewer
    lines: tuple[LogLine, ...]
    seen: SeenEvents | None = None
    names: tuple[str, ...] = ()
    quietly: bool = False

    def is_of(self, game: LiveGame, viewer: Viewer) -> bool:
        """Say whether this is what a viewer has of a game."""
        return self.game is game and self.viewer == reader(game, viewer)

    def continues_in(self, game: LiveGame, viewer: Viewer) -> bool:
        """Say whether the log of a game begins with what the viewer has read. viewer: as ``reader`` has it"""
        before = (self.game.id, self.viewer.seat, self.viewer.muted)
        alike = before == (game.id, viewer.seat, viewer.muted)
        return alike and begins_with(game.recorded, self.game.head)


def read_log(game: LiveGame, viewer: Viewer, kept: ReadLog | None = None) -> ReadLog:
    """Return the log of a game as a viewer reads it: the events it is told of, in their order.

    Args:
        game: The game.
        viewer: Who reads it; whoever does not see everything is told no digests.
        kept: What the viewer had read before; only what was written since is worked out.
    """
    recorded, viewer = game.recorded, reader(game, viewer)
    if viewer.seat is None:
        there = kept.lines if kept is not None and kept.continues_in(game, viewer) else ()
        return ReadLog(game, viewer, (*there, *map(_line, recorded[len(there) :])))
    names, quietly = players(game.record), viewer.quiet or (viewer.muted and not game.book.closed)
    seen = seen_events(game, viewer.seat, kept.seen if kept is not None else None)
    lines: list[LogLine] = []
    first = 0
    if kept is not None and kept.continues_in(game, viewer) and (kept.names, kept.quietly) == (names, quietly):
        lines, first = list(kept.lines) if seen.same else [], seen.same
    for each, known in zip(recorded[first:], seen.known[first:], strict=True):
        if not isinstance(each.event, WordDeclined):
            lines.append(seen_line(len(lines) + 1, each, known, recorded, names, quietly))
    return ReadLog(game, viewer, tuple(lines), seen, names, quietly)


def _line(each: RecordedEvent) -> LogLine:
    """Return an event as a line of the log, nothing left out."""
    event, kind = each.event, each.topic.partition("/")[0]
    return LogLine(each.originator_version, event.at, event.by, kind, describe(event), event, each.digest)
