"""Zarcana's cards, the power each carries, its value, and the option that shuffles in extra cards.

A card is a code: 0 to 77 as in ``engine.cards.deck`` with the suits S W C D, 78 to 85 the extra cards E1 to E8. A power
is an int too: 0 to 3 the suits, 4 to 25 the trumps, 26 to 33 the extra cards.
"""

from cartulary.engine.cards import deck
from cartulary.engine.slots import UNKNOWN, codes_of

SUITS = "SWCD"
EXTRAS = ("doppelganger", "gateway", "assassin", "evil-eye", "harvest", "miser", "plague", "holy-grail")
NAMES = (*deck.names(SUITS), *(f"E{number}" for number in range(1, 9)))
CODES = codes_of(NAMES)
TRUMP = deck.FOOL
"""The code of T00; trump number n is TRUMP + n."""

EXTRA = 78
"""The code of E1."""

SUIT_NAME = 100
"""SUIT_NAME + suit is how a word names a suit instead of a card."""

MAGICIAN, HIGH_PRIESTESS, WHEEL, JUSTICE, STAR, WORLD = (TRUMP + number for number in (1, 2, 10, 11, 17, 21))
DOPPELGANGER, EVIL_EYE = EXTRA, EXTRA + 3

COPIES = frozenset({MAGICIAN, WORLD, DOPPELGANGER})
"""Cards that are always named as others."""

_ARCANA = (
    "fool magician high-priestess empress emperor hierophant lovers chariot strength hermit wheel justice hanged-man"
    " death temperance devil tower star moon sun judgement world"
)
TITLES = ("swords", "wands", "cups", "discs", *_ARCANA.split(" "), *EXTRAS)
"""By power, its title: what follows ``zarcana.`` in its key."""

FREE = frozenset({"fool", "high-priestess", "lovers", "justice", "star", "judgement", "miser"})
"""Powers that need no particular minion."""

POWER_OF = tuple(code // 14 if code < TRUMP else code - TRUMP + 4 for code in range(EXTRA + 8))


def is_royal(card: int) -> bool:
    """Say whether a card is a jack, knight, queen or king of a suit."""
    return card < TRUMP and card % 14 >= 10


def is_trump(card: int) -> bool:
    """Say whether a card is one of T00 to T21; the extra cards are not."""
    return TRUMP <= card < EXTRA


def _value_of(card: int) -> int:
    """Return what a card counts on the board: its pips, 11 for royalty, a trump its number (0 to 21), an
    extra card 0.
    """
    if card >= TRUMP:
        return card - TRUMP if card < EXTRA else 0
    return min(card % 14 + 1, 11)


VALUE = tuple(map(_value_of, range(EXTRA + 8)))
"""By card: pips 1 to 10, royalty 11, a trump its number, an extra card 0."""

_WRITTEN = (*NAMES, *"~" * (SUIT_NAME - len(NAMES)), *SUITS, *"~" * (UNKNOWN - SUIT_NAME - 3))
name_of, listed = deck.naming(_WRITTEN)
"""A card's name, a named suit's letter, ``~`` for a card nobody on record has seen, and several as words list them."""


class Several(tuple[str, ...]):
    """An option's values of which some or all may be said at once, separated by commas, each once and in any order."""

    def __contains__(self, value: object) -> bool:
        """Say whether a text names some of the values, none twice."""
        names = str(value).split(",")
        return len(set(names)) == len(names) and all(tuple.__contains__(self, name) for name in names)
