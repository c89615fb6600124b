"""The decks the seats bring: what a deck may hold, and what is known of one."""

from collections.abc import Iterator

from cartulary.engine.numbers import how_many
from cartulary.engine.tarot_duel.cards import KINDS, MAJOR, NAMES, blank
from cartulary.engine.tarot_duel.clauses import DECK_COPIES, DECK_MAJORS, DECK_SIZE, Rule
from cartulary.engine.tarot_duel.state import House


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


def known_deck(house: House, cards: bytes, seat: int) -> bytes:
    """Return a seat's deck as far as known: cards that came to light in the place of blank ones."""
    deck = house.decks[seat - 1]
    at = len(deck) - deck.count(blank(seat))
    return bytes(sorted(deck[:at] + cards + deck[at + len(cards) :]))
