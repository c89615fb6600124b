"""The 78 cards of the tarot deck: four suits of fourteen, twenty-one trumps and the fool.

A card is an int, 0 to 77, in the order in which words list cards: the suits of the deck in turn, 1 to K, then T00, the
fool, to T21. A set of cards is an int with one bit a card.
"""

from collections.abc import Iterable, Iterator

RANKS = "123456789XJNQK"
CARDS = range(78)
FOOL = 56
"""T00; trump number n is FOOL + n."""

DECK = (1 << 78) - 1
SUIT = tuple(0b11111111111111 << 14 * suit for suit in range(4))
"""The cards of each suit, in the deck's order of suits."""

TRUMPS = ((1 << 21) - 1) << FOOL + 1
"""T01 to T21; the fool is none of them."""


def names(suits: str) -> tuple[str, ...]:
    """Return the names of all cards in a deck whose suits have these letters: ``1C`` … ``KS``, ``T00`` … ``T21``."""
    return (*(rank + suit for suit in suits for rank in RANKS), *(f"T{number:02}" for number in range(22)))


def cards_of(held: int) -> Iterator[int]:
    """Yield the cards of a set in order."""
    while held:
        low = held & -held
        yield low.bit_length() - 1
        held ^= low


def set_of(cards: Iterable[int]) -> int:
    """Return the set of these cards."""
    held = 0
    for card in cards:
        held |= 1 << card
    return held


def suit_of(card: int) -> int:
    """Return the suit's place in the deck's order, 4 for trumps and the fool."""
    return min(card // 14, 4)


def is_trump(card: int) -> bool:
    """Say whether the card is one of T01 to T21."""
    return card > FOOL


def higher_trumps(card: int) -> int:
    """Return the trumps above a trump."""
    return TRUMPS >> card + 1 << card + 1
