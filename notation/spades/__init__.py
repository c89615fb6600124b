"""Spades: four seats in two partnerships, 52 cards, and a bid of tricks from everybody."""

from cartulary.engine import Option
from cartulary.engine.spades import TRICKS
from cartulary.notation.tricks import trick_game

TO = Option("to", "The game ends when a side has so many points.", tuple(map(str, range(100, 1001))))
GAME = trick_game(TRICKS, __file__, "Spades", "spades-2026", __doc__, options=(TO,))
