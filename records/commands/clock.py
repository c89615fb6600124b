"""Times left on the clock: written or corrected behind any ply; the log keeps what stood there before."""

from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cartulary.records.answers import Timed
from cartulary.records.commands.play import check_time
from cartulary.records.commands.request import begin, repeated, write
from cartulary.records.faults import Declined
from cartulary.records.log.events import ClockCorrected
from cartulary.records.log.recorded import Recorded
from cartulary.records.log.store import Store
from cartulary.records.state.book import time_left
from cartulary.records.state.fold import Game
from cartulary.records.state.seeing import UNTOLD, counted, players, seen_version, told_of, viewer
from cartulary.records.texts import now, plain


class Retimed(Struct, frozen=True):
    """A correction of a time. number: the event that holds it; ply, word: as they stand now

    left, was: what it wrote, and what stood there before; by, reason, at: of the correction
    """

    number: int
    ply: int
    word: str
    left: str
    was: str
    by: str
    reason: str
    at: str


def retimed(game: Game) -> tuple[Retimed, ...]:
    """Return every correction of a time, in the order of the plies as they stand."""
    return tuple(
        Retimed(one.number, ply, word, one.clock, one.was, one.by, one.reason, one.at)
        for ply, (entry, word) in enumerate(zip(game.book.plies, game.words, strict=True), 1)
        for one in entry.timed
    )


def seen_time(time: Retimed, names: Collection[str], recorded: Sequence[Recorded] = ()) -> Retimed:
    """Return a correction of a time as any seat may read it: no card, no free words.

    names: of those who played; recorded: the log it stands on, where there is one
    """
    by, number = told_of(time.by, names), counted(recorded, time.number)
    return replace(time, number=number, word=UNTOLD, by=by, reason=time.reason and UNTOLD)


def seen_times(game: Game) -> tuple[Retimed, ...]:
    """Return every correction of a time as any seat may read it."""
    names = players(game.record)
    return tuple(seen_time(one, names, game.recorded) for one in retimed(game))


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
    seat: int = 0,
) -> Timed:
    """Write the time left after a ply, or correct it, in a closed game too.

    time: hours, minutes and seconds, or only the last two; seat: from whose view it is answered
    Raises Declined for a ply that is not there, Unfit for a time that is none.
    """
    check_time(time)

    def draft(game: Game) -> tuple[ClockCorrected]:
        if not 1 <= ply <= game.plies:
            raise Declined(f"There is no ply {ply} in {game.id}: it has {game.plies}.")
        event, word = game.book.ref(ply)
        who, why = plain(by, "The name"), plain(reason, "The reason")
        at = now()
        return (ClockCorrected(at=at, by=who, command=command, event=event, word=word, clock=time, reason=why),)

    game, done = begin(store, id, expected, command, ClockCorrected, seat=seat)
    seat = viewer(game, seat)
    if done is not None:
        game = repeated(done, command, draft)
    else:
        done = write(store, game, draft(game))
    return Timed(id, seen_version(done, seat), ply, time, time_left(game.book.plies[ply - 1]))
