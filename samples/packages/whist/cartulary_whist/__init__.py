"""English whist: four seats in two partnerships, 52 cards, the last one turned up for trumps."""

from cartulary.engine import Place
from cartulary.notation import About, Game, guide_beside

from .rules import DECK, HIDDEN, RULES, TURNS, key
from .words import POINTS, SHEET, WORDS

__all__ = ["GAME"]

SEATS, TEAMS = ("North", "East", "South", "West"), (1, 2, 1, 2)
SAYS = (__doc__ or "").partition(": ")[2]
GUIDE = guide_beside(__file__, DECK.names)
ABOUT = About("whist", "Whist", "whist-1864", (4,), SAYS, lambda _: SEATS, load_guide=GUIDE, teams=lambda _: TEAMS)
GAME = Game(ABOUT, RULES, WORDS, TURNS, SHEET, POINTS, HIDDEN, Place(key))
