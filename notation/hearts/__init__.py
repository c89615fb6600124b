"""Hearts: four seats, 52 cards, and points that nobody wants."""

from cartulary.engine.hearts import TRICKS
from cartulary.notation.tricks import trick_game

ALSO = ("Herzen", "Black Lady", "Black Maria")
GAME = trick_game(TRICKS, __file__, "Hearts", "hearts-2026", __doc__, to=range(50, 151), also=ALSO)
