"""Whist: four seats in two partnerships, 52 cards, the last one turned up for trumps."""

from cartulary.engine import Option
from cartulary.engine.whist import TRICKS
from cartulary.notation.tricks import trick_game

TO = Option(
    "to", "The game goes on until a side has so many points, instead of one deal.", tuple(map(str, range(1, 11)))
)
SEATS = ("North", "East", "South", "West")
GAME = trick_game(TRICKS, __file__, "Whist", "whist-1864", __doc__, options=(TO,), seat_tags=lambda _: SEATS)
