"""Long whist: 52 cards, the last one turned up for trumps, ten points to win."""

from cartulary.notation.tricks import trick_game

from .rules import TRICKS

__all__ = ["GAME"]

SEATS = ("North", "East", "South", "West")
GAME = trick_game(
    TRICKS,
    __file__,
    "Long whist",
    "long-whist-1742",
    __doc__,
    seat_tags=lambda _: SEATS,
)
