"""Times left on the clock: written or corrected after any ply; the log keeps the earlier time."""

from cartulary.records.answers import Timed
from cartulary.records.commands.request import carry_out, plies_of
from cartulary.records.commands.tried_words import check_time
from cartulary.records.faults import Declined
from cartulary.records.log.events import ClockCorrected
from cartulary.records.log.store import Store
from cartulary.records.state.book import time_left
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import seen_version, viewer
from cartulary.records.texts import named, now, plain


def set_clock(
    store: Store,
    id: str,
    ply: int,
    time: str,
    *,
    by: str = "",
    reason: str = "",
    command: str = "",
    expected: int | None = None,
    seat: int | None = None,
) -> Timed:
    """Write the time left after a ply, or correct it, in a closed game too.

    time: hours, minutes and seconds, or only the last two; seat: from whose view it is answered
    Raises Declined for a ply that is not there, Unfit for a time that is none.
    """
    check_time(time)

    def draft(game: LiveGame) -> tuple[ClockCorrected]:
        if not 1 <= ply <= game.plies:
            raise Declined(f"There is no ply {ply} in {game.id}; it has {plies_of(game)}.")
        event, word = game.book.ref(ply)
        who, why = named(by), plain(reason, "The reason")
        at = now()
        return (ClockCorrected(at=at, by=who, command=command, event=event, word=word, clock=time, reason=why),)

    before, done = carry_out(store, id, expected, command, ClockCorrected, draft, seat)
    seat = viewer(done, seat)
    return Timed(id, seen_version(done, seat), ply, time, time_left(before.book.plies[ply - 1]))
