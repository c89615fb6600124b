"""Which seats agreed with a record, and with which head, as a viewer may read it."""

from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.state.book import Agreement
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.masks import Reader, mask
from cartulary.records.state.seat_view import hidden_from


def agreements_of(game: LiveGame, viewer: Viewer = EVERYTHING) -> tuple[Agreement, ...]:
    """Return the last agreement of each seat with the record, in the order of the seats; empty if none agreed.

    A viewer from whom cards are hidden is shown no heads, which say where the log stood: with a head a guess at the
    cards could be proved. Its events are numbered as seats count them.

    Raises:
        Unfit: The game has no such seat.
    """
    if hidden_from(game, viewer) is None:
        return game.book.agreements
    return tuple(mask(agreement, Reader(events=game.recorded)) for agreement in game.book.agreements)
