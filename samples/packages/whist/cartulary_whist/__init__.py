"""English whist: four seats in two partnerships, 52 cards, the last one turned up for trumps."""

from cartulary.engine import Place
from cartulary.notation import About, Game

from .rules import HIDDEN, RULES, TURNS, key
from .words import POINTS, SHEET, WORDS

__all__ = ["GAME"]

SEATS = ("North", "East", "South", "West")
ABOUT = About("whist", "Whist", "whist-1864", (4,), (__doc__ or "").partition(": ")[2], lambda seats: SEATS)
GAME = Game(ABOUT, RULES, WORDS, TURNS, SHEET, POINTS, HIDDEN, Place(key))
