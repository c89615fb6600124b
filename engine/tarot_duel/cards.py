"""The cards of the duel as codes: one byte a card, and what each is worth.

0 to 55 are the suits D S C W, each from ace to king; 56 to 77 the Majors T01 to T22. In an area the Empress and the
Emperor stand for a suit card: that is a code of its own. Higher codes are slots and blank cards (``engine.slots``).
"""

from cartulary.engine.cards.deck import naming
from cartulary.engine.slots import BLANK, BLANKS

SUITS = "DSCW"
RANKS = "123456789XJNQK"
NAMES = (*(rank + suit for suit in SUITS for rank in RANKS), *(f"T{number:02}" for number in range(1, 23)))
NOTHING = 254
"""In a challenge, the face-up card of an empty deck."""

MAJOR = 56
KINDS = 78
_EMPRESS_AS, _EMPEROR_AS = 78, 134


def major(number: int) -> int:
    """Return the code of a Major by its number."""
    return MAJOR - 1 + number


EMPRESS, EMPEROR = major(4), major(5)
JUSTICE, TEMPERANCE, WORLD = major(12), major(15), major(22)
COPIES = (EMPRESS, EMPEROR)


def standing(card: int, name: int) -> int:
    """Return the code of the Empress or Emperor in an area, standing for a suit card."""
    return (_EMPRESS_AS if card == EMPRESS else _EMPEROR_AS) + name


_STOOD = range(_EMPRESS_AS, _EMPEROR_AS + MAJOR)
_AS = {code: (code - _EMPRESS_AS) % MAJOR for code in _STOOD}

ITSELF = bytes(code if code not in _STOOD else EMPRESS if code < _EMPEROR_AS else EMPEROR for code in range(256))
"""By code, the card itself: of a standing Empress T04."""

COUNTS_AS = bytes(_AS.get(code, code) for code in range(256))
"""By code, the card it counts as in an area."""

WORTH = bytes(min(card % 14 + 1, 10) if (card := _AS.get(code, code)) < MAJOR else 0 for code in range(256))
"""By code, its points."""

_STANDING = {card: sum(1 << code for code in _STOOD if ITSELF[code] == card) for card in COPIES}


def likes(card: int) -> int:
    """Return the codes, as a bit mask, under which a card may lie unseen: its own, standing, or blank."""
    return 1 << card | _STANDING.get(card, 0) | BLANKS


def blank(seat: int) -> int:
    """Return the code of a card of a seat's deck that no tag names."""
    return BLANK - 1 + seat


name_of, listed = naming(tuple(NAMES[code] if code < KINDS else "~" for code in ITSELF))
"""The name of a card, ``~`` for one that is not known, and of several as words list them."""


def points(zone: bytes) -> int:
    """Return the points of the cards of an area; slots count nothing."""
    return sum(zone.translate(WORTH))


def whole_suits(zone: bytes) -> int:
    """Return how many complete suits lie in an area, one lying twice counted twice."""
    as_cards = zone.translate(COUNTS_AS)
    return sum(min(as_cards.count(card) for card in range(suit, suit + 14)) for suit in range(0, MAJOR, 14))
