"""Agreements as whoever asks may read them: which seats agreed with a record, and with which head."""

from cartulary.records.state.book import Agreement
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.masks import Reader, mask
from cartulary.records.state.seat_view import viewer


def agreements_of(game: LiveGame, seat: int | None = None) -> tuple[Agreement, ...]:
    """Return the last agreement of each seat, in the order of the seats.

    seat: as this seat may read them: where cards are hidden without the heads, which would prove a guess at those
    Raises Unfit for a seat the game has not.
    """
    whose = viewer(game, seat)
    if whose is None:
        return game.book.agreements
    return tuple(mask(each, Reader(recorded=game.recorded)) for each in game.book.agreements)
