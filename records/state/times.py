"""Times on the clock that were corrected, as they stand and as a seat may read them."""

from collections.abc import Collection, Sequence

from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.docket import TimeCorrection
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.masks import Reader, mask
from cartulary.records.state.seat_view import everybody


def time_corrections(game: LiveGame) -> tuple[TimeCorrection, ...]:
    """Return every correction of a time, in the order of the plies as they stand, and of one ply in the order of the
    events.

    Corrections on plies that are gone are not among them.
    """
    return tuple(
        TimeCorrection(
            correction.number,
            ply,
            word,
            correction.clock,
            correction.was,
            correction.by,
            correction.reason,
            correction.at,
        )
        for ply, (entry, word) in enumerate(zip(game.book.plies, game.words, strict=True), 1)
        for correction in entry.corrections
    )


def seen_time(time: TimeCorrection, names: Collection[str], events: Sequence[RecordedEvent] = ()) -> TimeCorrection:
    """Return a corrected time as any seat may read it, without the word of its ply and the reason.

    Args:
        time: The corrected time.
        names: The names of the players. Whoever corrected it is shown if it is a seat, a role or one of these, else
            ``~``.
        events: The events of the log that it stands on, if there is one; its number becomes the one that seats count.
    """
    return mask(time, Reader(names, events))


def seen_times(game: LiveGame) -> tuple[TimeCorrection, ...]:
    """Return every correction of a time as any seat may read it (see ``seen_time``), in the order of the plies."""
    names = everybody(game.record)
    return tuple(seen_time(one, names, game.recorded) for one in time_corrections(game))
