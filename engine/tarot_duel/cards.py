"""The cards of Tarot duel, the decks that the seats bring, and the state before the first word.

A card is a code, one byte: 0 to 55 are the suits D S C W, each from ace to king; 56 to 77 the Majors T01 to T22. In an
area the Empress and the Emperor stand for a suit card: that is a code of its own. Higher codes are slots and blank
cards (``engine.slots``).
"""

from collections.abc import Iterator

from msgspec import Struct

from cartulary.engine.cards.deck import naming
from cartulary.engine.contract import Refused, Sheet
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import BLANK, BLANKS, UNKNOWN
from cartulary.engine.tarot_duel.clauses import DECK_COPIES, DECK_MAJORS, DECK_SIZE, SEAT_COUNT, Rule
from cartulary.engine.tarot_duel.state import IDLE, SEATS, Marks, Options, Side, State, Unseen

SUITS = "DSCW"
RANKS = "123456789XJNQK"
NAMES = (*(rank + suit for suit in SUITS for rank in RANKS), *(f"T{number:02}" for number in range(1, 23)))
NOTHING = 254
"""In a challenge, the face-up card of an empty deck."""

MAJOR = 56
KINDS = 78
_EMPRESS_AS, _EMPEROR_AS = 78, 134


def major(number: int) -> int:
    """Return the code of the Major with a number from 1 to 22: ``1 -> 56``."""
    return MAJOR - 1 + number


EMPRESS, EMPEROR = major(4), major(5)
JUSTICE, TEMPERANCE, WORLD = major(12), major(15), major(22)
COPIES = (EMPRESS, EMPEROR)


def standing(card: int, name: int) -> int:
    """Return the code that the Empress or Emperor (``card``) has in an area where it stands for the suit card
    ``name``.
    """
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
    """Return the codes, as bits, under which a card may lie unseen: its own, standing for any card, or blank."""
    return 1 << card | _STANDING.get(card, 0) | BLANKS


def blank(seat: int) -> int:
    """Return the code that stands for any card of a seat's deck that the tags do not name."""
    return BLANK - 1 + seat


name_of, listed = naming(tuple(NAMES[code] if code < KINDS else "~" for code in ITSELF))
"""The name of a card, ``~`` for one that is not known, and of several as words list them."""


def points(zone: bytes) -> int:
    """Return the points of the cards of an area: aces 1, up to 10 for a ten and above; Majors and unseen cards none.

    The Empress and the Emperor count as the card for which they stand.
    """
    return sum(zone.translate(WORTH))


def whole_suits(zone: bytes) -> int:
    """Return how many complete suits, ace to king, lie in an area; one that lies there twice counts twice.

    The Empress and the Emperor count as the card for which they stand; unseen cards do not count.
    """
    as_cards = zone.translate(COUNTS_AS)
    return sum(min(as_cards.count(card) for card in range(suit, suit + 14)) for suit in range(0, MAJOR, 14))


# --- decks: what one may hold, and what is known of one ---


def faults(deck: bytes) -> Iterator[tuple[Rule, str]]:
    """Yield (rule, end of a sentence about the deck) for each rule a deck breaks whatever its unknown cards are.

    Example: ``(DECK_SIZE, "has 12 cards, expected 16 or more, a multiple of eight")``. Nothing is yielded for a deck
    without fault.
    """
    size = len(deck)
    if size < 16 or size % 8:
        yield DECK_SIZE, f"has {how_many(size)}, expected 16 or more, a multiple of eight"
    majors = [card for card in deck if MAJOR <= card < KINDS]
    twice = next((card for card in majors if majors.count(card) > 1), None)
    if twice is not None:
        yield DECK_MAJORS, f"has {NAMES[twice]} more than once"
    elif len(majors) > size // 4:
        yield DECK_MAJORS, f"has {how_many(len(majors), 'Major')} among {how_many(size)}, expected at most {size // 4}"
    for card in sorted(set(deck)):
        if card < MAJOR and deck.count(card) > 5:
            yield DECK_COPIES, f"has {NAMES[card]} {deck.count(card)} times, expected at most 5"
            return


def known_deck(options: Options, cards: bytes, seat: int) -> bytes:
    """Return a seat's deck, sorted, with cards that came to light in the place of blank ones.

    Args:
        options: The options, with the decks of the tags.
        cards: The cards of the deck that the tags do not name and that have come to light.
        seat: The seat.
    """
    deck = options.decks[seat - 1]
    at = len(deck) - deck.count(blank(seat))
    return bytes(sorted(deck[:at] + cards + deck[at + len(cards) :]))


# --- the set-up: what the tags bring ---


UNNAMED_SIZE = 40
"""How many cards, all unknown, a deck has that no tag tells of."""


class DeckTags(Struct, frozen=True):
    """What the tags bring: each seat's deck, UNKNOWN for an unknown card, and the points that win, 0 for none."""

    decks: tuple[bytes, ...]
    total: int = 0


def unnamed_decks(seats: int) -> DeckTags:
    """Return the decks of a record whose tags name none: UNNAMED_SIZE unknown cards for each seat, and no points that
    win.
    """
    return DeckTags((bytes((UNKNOWN,)) * UNNAMED_SIZE,) * seats)


def setup(sheet: Sheet[DeckTags]) -> State | Refused:
    """Return the state before the first word, or the refusal of a wrong number of seats or the first faulty deck.

    Without tags each deck has UNNAMED_SIZE unknown cards. Opening hands are not dealt yet.
    """
    if sheet.seats not in SEATS:
        return Refused(f"The game has {how_many(sheet.seats, 'seat')}, expected two to ten", True, SEAT_COUNT)
    own = sheet.own or unnamed_decks(sheet.seats)
    decks: list[bytes] = []
    for seat, brought in enumerate(own.decks, 1):
        deck = bytes(sorted(brought))
        if deck and deck[-1] >= BLANK:
            deck = bytes(sorted(blank(seat) if card >= BLANK else card for card in deck))
        for clause, because in faults(deck):
            return Refused(f"Deck{seat} {because}", True, clause)
        decks.append(deck)
    seats = sheet.seats
    options = Options(seats, tuple(decks), own.total, sum(map(len, decks)))
    marks = Marks((b"",) * seats, (b"",) * seats, ((0, 0),) * seats)
    loose = tuple((seat, 0) for seat in range(1, seats + 1))
    unseen = Unseen(revealed_cards=(b"",) * seats)
    return State(options, tuple(map(Side, decks)), 1, 0, 0, 0, 0, 0, (), IDLE, loose, True, marks, unseen)
