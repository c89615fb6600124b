"""Hearts: four seats, 52 cards, and points that nobody wants."""

from cartulary.engine import Option
from cartulary.engine.hearts import TRICKS
from cartulary.notation.tricks import trick_game

TO = Option("to", "The game ends when somebody has so many points.", tuple(map(str, range(50, 151))))
ALSO = ("Herzen", "Black Lady", "Black Maria")
GAME = trick_game(TRICKS, __file__, "Hearts", "hearts-2026", __doc__, options=(TO,), also=ALSO)
