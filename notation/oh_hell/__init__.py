"""Oh Hell: three to seven seats, 52 cards, and a bid of tricks that has to come true exactly."""

from cartulary.engine.oh_hell import TRICKS
from cartulary.notation.tricks import trick_game

ALSO = ("Oh Hell!", "Contract Whist", "Nomination Whist", "Stiche raten")
GAME = trick_game(TRICKS, __file__, "Oh Hell", "oh-hell-2026", __doc__, also=ALSO)
