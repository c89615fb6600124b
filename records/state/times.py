"""Times that were corrected, as they stand and as a seat may read them."""

from collections.abc import Collection, Sequence
from typing import Annotated as Field

from msgspec import Struct

from cartulary.records.log.fields import ENTRY, UNTOLD, Free, Name, Public, Secret
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.masks import Reader, mask
from cartulary.records.state.seat_view import players


class Retimed(Struct, frozen=True):
    """A correction of a time. number: the event that holds it; ply, word: as they stand now

    left, was: what it wrote, and what stood there before; by, reason, at: of the correction
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
        Retimed(one.number, ply, word, one.clock, one.was, one.by, one.reason, one.at)
        for ply, (entry, word) in enumerate(zip(game.book.plies, game.words, strict=True), 1)
        for one in entry.corrections
    )


def seen_time(time: Retimed, names: Collection[str], recorded: Sequence[RecordedEvent] = ()) -> Retimed:
    """Return a correction of a time as any seat may read it: no card, no free words.

    names: of those who played; recorded: the log it stands on, where there is one
    """
    return mask(time, Reader(names, recorded))


def seen_times(game: LiveGame) -> tuple[Retimed, ...]:
    """Return every correction of a time as any seat may read it."""
    names = players(game.record)
    return tuple(seen_time(one, names, game.recorded) for one in retimed(game))
