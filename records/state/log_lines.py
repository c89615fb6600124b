"""Everything that was ever written of a game, in order, as whoever asks may read it."""

from collections.abc import Sequence

from cartulary.records.answers import LogLine
from cartulary.records.log.recorded import Recorded
from cartulary.records.log.store import Store
from cartulary.records.state.event_words import told
from cartulary.records.state.fold import LiveGame, load, recorded_of
from cartulary.records.state.seat_view import check_seat, reader, seen_log


def log(store: Store, id: str, seat: int | None = None, *, quiet: bool = False) -> tuple[LogLine, ...]:
    """Return everything that was ever written of the game, in order; nothing is left out.

    seat: as this seat may read it, its cards known, no digest told
    quiet: who asks is not to be told what the rules say of a quiet record
    Raises UnknownGame, and Damaged where the log is not what was written.
    """
    if seat is None and not quiet:
        return _lines(recorded_of(store, id))
    game = load(store, id)
    check_seat(game, seat)
    return lines_of(game, reader(game, seat, quiet))


def lines_of(game: LiveGame, seat: int | None, muted: bool = False) -> tuple[LogLine, ...]:
    """Return the events of a game as lines, as a seat may read them. muted: as in ``seen_log``"""
    return _lines(game.recorded) if seat is None else seen_log(game, seat, muted)


def _lines(recorded: Sequence[Recorded]) -> tuple[LogLine, ...]:
    return tuple(
        LogLine(
            each.originator_version,
            each.event.at,
            each.event.by,
            each.topic.partition("/")[0],
            told(each.event),
            each.event,
            each.digest,
        )
        for each in recorded
    )
