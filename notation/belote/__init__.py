"""Belote: four seats in two partnerships, 32 cards, and a taker who must win more points than the others."""

from cartulary.engine.belote import TRICKS
from cartulary.notation.tricks import trick_game

GAME = trick_game(TRICKS, __file__, "Belote", "belote-2026", __doc__, to=range(1, 2001))
