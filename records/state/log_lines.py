"""Everything that was ever written of a game, in order, as whoever asks may read it."""

from collections.abc import Sequence

from cartulary.records.answers import LogLine
from cartulary.records.log.recorded import Recorded
from cartulary.records.log.store import Store
from cartulary.records.state.event_words import told
from cartulary.records.state.fold import load, recorded_of
from cartulary.records.state.seat_view import check_seat, reader, seen_log


def log(store: Store, id: str, seat: int | None = None, *, quiet: bool = False) -> tuple[LogLine, ...]:
    """Return everything that was ever written of the game, in order; nothing is left out.

    seat: as this seat may read it, its cards known, no digest told
    quiet: who asks is not to be told what the rules say of a quiet record
    Raises UnknownGame, and Damaged where the log is not what was written.
    """
    if seat is not None or quiet:
        game = load(store, id)
        check_seat(game, seat)
        seat = reader(game, seat, quiet)
        recorded = game.recorded
    else:
        recorded = recorded_of(store, id)
    return lines_of(id, recorded, seat)


def lines_of(id: str, recorded: Sequence[Recorded], seat: int | None, muted: bool = False) -> tuple[LogLine, ...]:
    """Return events of a game as lines, as a seat may read them. muted: as in ``seen_log``"""
    if seat is not None:
        return seen_log(id, recorded, seat, muted)
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
