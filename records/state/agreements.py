"""Agreements as whoever asks may read them: which seats agreed with a record, and with which head."""

from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.state.book import Agreement
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.masks import Reader, mask
from cartulary.records.state.seat_view import hidden_from


def agreements_of(game: LiveGame, viewer: Viewer = EVERYTHING) -> tuple[Agreement, ...]:
    """Return the last agreement of each seat, in the order of the seats.

    To whom cards are hidden they are told without the heads, which would prove a guess at those.
    Raises Unfit for a seat the game has not.
    """
    if hidden_from(game, viewer) is None:
        return game.book.agreements
    return tuple(mask(each, Reader(recorded=game.recorded)) for each in game.book.agreements)
