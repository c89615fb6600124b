"""Spades: four seats in two partnerships, 52 cards, and a bid of tricks from everybody."""

from cartulary.engine.spades import TRICKS
from cartulary.notation.tricks import trick_game

GAME = trick_game(TRICKS, __file__, "Spades", "spades-2026", __doc__, to=range(100, 1001))
