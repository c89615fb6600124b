"""Arcanoid's cards: codes, names, the order in which words list them.

A card is a code of ``engine.cards`` in a deck of swords, staves, cups and coins; a field is the place of its suit.
"""

from collections.abc import Iterable

from cartulary.engine.cards.deck import FOOL, names, naming

SUITS = "SWCD"
FIELDS = "swcd"
SUITED = ("swords", "staves", "cups", "coins")
NAMES = names(SUITS)
JACK, KNIGHT, QUEEN, KING = 10, 11, 12, 13
MAGICIAN, PRIESTESS, EMPRESS, EMPEROR, HIEROPHANT, LOVERS, CHARIOT, JUSTICE, HERMIT, WHEEL, STRENGTH = range(
    FOOL + 1, FOOL + 12
)
HANGED, DEATH, TEMPERANCE, DEVIL, TOWER, STAR, MOON, SUN, JUDGMENT, WORLD = range(FOOL + 12, FOOL + 22)
name_of, names_of = naming((*NAMES, *"~" * (256 - len(NAMES))))
"""A card's name, ``~`` for one nobody can name, and several as a sentence and a word list them."""

_ORDER = bytes((code + 22 if code < FOOL else code - FOOL) if code < 78 else code for code in range(256))
_BACK = bytes(_ORDER.index(code) for code in range(256))


def listed(cards: Iterable[int]) -> bytes:
    """Return cards as words list them: trumps rising, then suit by suit, unknown ones last."""
    zone = bytes(cards)
    return zone if len(zone) < 2 else bytes(sorted(zone.translate(_ORDER))).translate(_BACK)
