"""What was disputed, ruled and corrected in a game, as whoever asks may read it."""

from msgspec import Struct

from cartulary.notation import Record
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.ruling_values import Dispute, Ruling, disputes_of, rulings_of, told_by
from cartulary.records.state.seat_view import players, seen_dispute, seen_disputes, seen_ruling, seen_rulings, viewer
from cartulary.records.state.times import Retimed, retimed, seen_times


class Contested(Struct, frozen=True):
    """The disputes and rulings of a game, each in the order it was written, and its times that were corrected."""

    disputes: tuple[Dispute, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    times: tuple[Retimed, ...] = ()


def contested(game: LiveGame, seat: int = 0) -> Contested:
    """Return what was disputed, ruled and corrected on the log of a game. seat: as this seat may read it

    Raises Unfit for a seat the game has not.
    """
    if viewer(game, seat):
        return Contested(seen_disputes(game), seen_rulings(game), seen_times(game))
    return Contested(disputes_of(game), rulings_of(game), retimed(game))


def contested_on_paper(sheet: Record, seat: int = 0) -> Contested:
    """Return what the comments of a score sheet say was disputed and ruled. seat: as any seat may read it"""
    disputes, rulings = told_by(sheet.line)
    if not seat:
        return Contested(disputes, rulings)
    names = players(sheet)
    return Contested(tuple(seen_dispute(one, names) for one in disputes), tuple(map(seen_ruling, rulings)))
