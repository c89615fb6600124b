"""The decks the seats bring: what a deck may hold, and how the first state is made of the tags."""

from collections.abc import Iterator

from msgspec import Struct

from cartulary.engine.cards.deck import how_many
from cartulary.engine.contract import Refused, Sheet
from cartulary.engine.slots import BLANK, UNKNOWN
from cartulary.engine.tarot_duel.cards import KINDS, MAJOR, NAMES, blank
from cartulary.engine.tarot_duel.clauses import DECK_COPIES, DECK_MAJORS, DECK_SIZE, SEATED, Rule
from cartulary.engine.tarot_duel.state import IDLE, SEATS, House, Marks, Side, State, Unseen

UNTOLD = 40
"""How many cards, all unknown, a deck has that no tag tells of."""


class Brought(Struct, frozen=True):
    """What the tags bring: each seat's deck, UNKNOWN for an unknown card, and the points that win, 0 for none."""

    decks: tuple[bytes, ...]
    total: int = 0


def faults(deck: bytes) -> Iterator[tuple[Rule, str]]:
    """Yield what is wrong with a deck whatever its unknown cards are: each clause with its reason, without its seat."""
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


def known_deck(house: House, found: bytes, seat: int) -> bytes:
    """Return a seat's deck as far as known: cards that came to light in the place of blank ones."""
    deck = house.decks[seat - 1]
    at = len(deck) - deck.count(blank(seat))
    return bytes(sorted(deck[:at] + found + deck[at + len(found) :]))


def is_copy(house: House, unseen: Unseen, seat: int, name: int) -> bool | None:
    """Say whether a seat's deck has the card that a copy stands for; None while only its unknown cards can be it."""
    doubted = unseen.doubt >> seat & 1
    deck = house.decks[seat - 1] if doubted else known_deck(house, unseen.found[seat - 1], seat)
    return True if name in deck else None if blank(seat) in deck else False


def untold_sheet(seats: int) -> Brought:
    """Return what a sheet brings whose tags tell nothing."""
    return Brought((bytes((UNKNOWN,)) * UNTOLD,) * seats)


def setup(sheet: Sheet[Brought]) -> State | Refused:
    """Return the state before the first word, or the refusal of the first deck that breaks a rule."""
    if sheet.seats not in SEATS:
        return Refused(f"The game has {how_many(sheet.seats, 'seat')}, expected two to ten", True, SEATED)
    own = sheet.own or untold_sheet(sheet.seats)
    decks: list[bytes] = []
    for seat, brought in enumerate(own.decks, 1):
        deck = bytes(sorted(blank(seat) if card >= BLANK else card for card in brought))
        for clause, because in faults(deck):
            return Refused(f"Deck{seat} {because}", True, clause)
        decks.append(deck)
    seats = sheet.seats
    house = House(seats, tuple(decks), own.total, sum(map(len, decks)))
    marks = Marks((b"",) * seats, (b"",) * seats, ((0, 0),) * seats)
    loose = tuple((seat, 0) for seat in range(1, seats + 1))
    unseen = Unseen(found=(b"",) * seats)
    return State(house, tuple(map(Side, decks)), 1, 0, 0, 0, 0, 0, (), IDLE, loose, True, marks, unseen)
