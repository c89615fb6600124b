"""Whist: four seats in two partnerships, 52 cards, the last one turned up for trumps."""

from cartulary.engine.whist import TRICKS
from cartulary.notation.tricks import trick_game

SEATS, TEAMS = ("North", "East", "South", "West"), (1, 2, 1, 2)
GAME = trick_game(TRICKS, __file__, "Whist", "whist-1864", __doc__, seat_tags=lambda _: SEATS, teams=lambda _: TEAMS)
