"""Everything that was ever written of a game, in order, as whoever asks may read it."""

from msgspec import Struct

from cartulary.records.answers import LogLine
from cartulary.records.log.events import WordDeclined
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.log.store import Store
from cartulary.records.state.event_words import told
from cartulary.records.state.fold import LiveGame, begins_with, load, recorded_of
from cartulary.records.state.seat_view import SeenEvents, check_seat, players, reader, seen_events, seen_line


def log(store: Store, id: str, seat: int | None = None, *, quiet: bool = False) -> tuple[LogLine, ...]:
    """Return everything that was ever written of the game, in order; nothing is left out.

    seat: as this seat may read it, its cards known, no digest told
    quiet: who asks is not to be told what the rules say of a quiet record
    Raises UnknownGame, and Damaged where the log is not what was written.
    """
    if seat is None and not quiet:
        return tuple(map(_line, recorded_of(store, id)))
    game = load(store, id)
    check_seat(game, seat)
    return lines_of(game, reader(game, seat, quiet))


def lines_of(game: LiveGame, seat: int | None, muted: bool = False) -> tuple[LogLine, ...]:
    """Return the events of a game as lines, as a seat may read them. muted: as for ``read_log``"""
    return read_log(game, seat, muted).lines


class ReadLog(Struct, frozen=True, eq=False):
    """The log of a game as one view has read it, to be read on from when more was written.

    game: as it was read; seat, muted: the view, as for ``read_log``; lines: as far as the view is told of events
    seen: the events as the seat may read them, None for a view of everything
    names, quietly: what the lines depend on beside them: who played, and whether what the rules say is left out
    """

    game: LiveGame
    seat: int | None
    muted: bool
    lines: tuple[LogLine, ...]
    seen: SeenEvents | None = None
    names: tuple[str, ...] = ()
    quietly: bool = False

    def is_of(self, game: LiveGame, seat: int | None, muted: bool) -> bool:
        """Say whether this is what a view has of a game."""
        return self.game is game and (self.seat, self.muted) == (seat, muted)

    def goes_on_in(self, game: LiveGame, seat: int | None, muted: bool) -> bool:
        """Say whether the log of a game begins with what the view has read."""
        alike = (self.game.id, self.seat, self.muted) == (game.id, seat, muted)
        return alike and begins_with(game.recorded, self.game.head)


def read_log(game: LiveGame, seat: int | None, muted: bool = False, kept: ReadLog | None = None) -> ReadLog:
    """Return the log of a game as a view reads it: the events it is told of, in their order.

    seat: as this seat may read it, without digests; None for everything
    muted: what the rules say is told of no open game
    kept: what the view had read before; only what was written since is worked out
    """
    recorded = game.recorded
    if seat is None:
        there = kept.lines if kept is not None and kept.goes_on_in(game, seat, muted) else ()
        return ReadLog(game, seat, muted, (*there, *map(_line, recorded[len(there) :])))
    names, quietly = players(game.record), game.book.quiet or (muted and not game.book.closed)
    seen = seen_events(game, seat, kept.seen if kept is not None else None)
    lines: list[LogLine] = []
    first = 0
    if kept is not None and kept.goes_on_in(game, seat, muted) and (kept.names, kept.quietly) == (names, quietly):
        lines, first = list(kept.lines) if seen.same else [], seen.same
    for each, known in zip(recorded[first:], seen.known[first:], strict=True):
        if not isinstance(each.event, WordDeclined):
            lines.append(seen_line(len(lines) + 1, each, known, recorded, names, quietly))
    return ReadLog(game, seat, muted, tuple(lines), seen, names, quietly)


def _line(each: RecordedEvent) -> LogLine:
    """Return an event as a line of the log, nothing left out."""
    event, kind = each.event, each.topic.partition("/")[0]
    return LogLine(each.originator_version, event.at, event.by, kind, told(event), event, each.digest)
