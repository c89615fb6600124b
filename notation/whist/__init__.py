"""Whist: four seats in two partnerships, 52 cards, the last one turned up for trumps."""

from cartulary.engine.whist import TRICKS
from cartulary.notation.tricks import trick_game

SEATS = ("North", "East", "South", "West")
GAME = trick_game(TRICKS, __file__, "Whist", "whist-1864", __doc__, to=range(1, 11), seat_tags=lambda _: SEATS)
