"""Times on the clock that were corrected, as they stand and as a seat may read them."""

from collections.abc import Collection, Sequence
from typing import Annotated as Field

from msgspec import Struct

from cartulary.records.log.fields import ENTRY, UNTOLD, Free, Name, Public, Secret
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.masks import Reader, mask
from cartulary.records.state.seat_view import players


class Retimed(Struct, frozen=True):
    """A corrected time, with the ply as it stands now.

    Attributes:
        number: The event that corrected it.
        ply: The ply.
        word: Its word.
        left: The new time left.
        was: The time until then.
        by: Who corrected it.
        reason: Why.
        at: When.
    """

    number: Field[int, Public(refers=ENTRY)]
    ply: Field[int, Public()]
    word: Field[str, Secret(instead=UNTOLD)]
    left: Field[str, Public()]
    was: Field[str, Public()]
    by: Field[str, Name()]
    reason: Field[str, Free()]
    at: Field[str, Public()]


def retimed(game: LiveGame) -> tuple[Retimed, ...]:
    """Return every correction of a time, in the order of the plies as they stand."""
    return tuple(
        Retimed(
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


def seen_time(time: Retimed, names: Collection[str], recorded: Sequence[RecordedEvent] = ()) -> Retimed:
    """Return a corrected time as any seat may read it, without cards and free text; ``names`` are the players'."""
    return mask(time, Reader(names, recorded))


def seen_times(game: LiveGame) -> tuple[Retimed, ...]:
    """Return every correction of a time as any seat may read it."""
    names = players(game.record)
    return tuple(seen_time(one, names, game.recorded) for one in retimed(game))
