"""Nine Men's Morris: two seats, nine men each, and mills of three that take a man."""

from cartulary.notation.boards import board_game

from .rules import MORRIS

__all__ = ["GAME"]

GAME = board_game(
    MORRIS,
    __file__,
    "Nine Men's Morris",
    "nine-mens-morris-1",
    __doc__,
    seat_names=("White", "Black"),
)
