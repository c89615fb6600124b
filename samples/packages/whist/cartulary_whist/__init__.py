"""English whist: four seats in two partnerships, 52 cards, the last one turned up for trumps."""

from cartulary.engine import Place
from cartulary.notation import About, Game, guide_beside

from .rules import DECK, HIDDEN, RULES, TURNS, key
from .words import POINTS, SHEET, WORDS

__all__ = ["GAME"]

SEATS = ("North", "East", "South", "West")
SAYS = (__doc__ or "").partition(": ")[2]
GUIDE = guide_beside(__file__, DECK.names)
PARTNERSHIPS = (1, 2, 1, 2)
ABOUT = About(
    "whist",
    "Whist",
    "whist-1864",
    (4,),
    SAYS,
    lambda seats: SEATS,
    load_guide=GUIDE,
    teams=lambda seats: PARTNERSHIPS,
)
GAME = Game(ABOUT, RULES, WORDS, TURNS, SHEET, POINTS, HIDDEN, Place(key))
