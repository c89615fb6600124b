"""Decks: cards as numbers, sets of cards as bit masks, and the deck of 78 with trumps that several games share.

A card is an int from 0, in the order in which words list cards; a set of cards is an int with one bit a card. In the
deck of 78 these are the suits in turn, 1 to K, then T00, the fool, to T21.
"""

from collections.abc import Callable, Iterable

from msgspec import Struct

from cartulary.engine.numbers import how_many as how_many
from cartulary.engine.sets import members
from cartulary.engine.sets import set_of as set_of

# --- any deck ---

cards_of = members
"""Yield the cards of a set in order."""


def join_hint(count: int, what: str = "hand") -> str:
    """Return a hint for the fault of a word with one card: perhaps a space separates the card from the others.

    Args:
        count: how many cards the word has; the hint is empty unless it is 1.
        what: the name of the group of cards.
    """
    return f"; join the cards of one {what} with commas" if count == 1 else ""


def naming(by_code: tuple[str, ...]) -> tuple[Callable[[int], str], Callable[[Iterable[int]], str]]:
    """Return two functions: one returns the name of a card, the other a list of names as words have it, ``5H,6H``.

    Args:
        by_code: the names by the code of the card, ``~`` for an unknown card.
    """
    name_of: Callable[[int], str] = by_code.__getitem__

    def list_cards(cards: Iterable[int]) -> str:
        """Return the names of cards, joined by commas, in the order given: ``5H,6H``; "" for none."""
        return ",".join(map(name_of, cards))

    return name_of, list_cards


RUN = 4
"""If a sentence lists this many consecutive cards of a suit or more, it names only the first and the last."""


class Deck(Struct, frozen=True):
    """A deck of cards with their names.

    Attributes:
        names: the name of every card, by its number.
        suits: in order, the cards of each suit, as sets; together they are the deck.
    """

    names: tuple[str, ...]
    suits: tuple[int, ...]

    @property
    def cards(self) -> int:
        """All cards of the deck, as bits."""
        return (1 << len(self.names)) - 1

    def suit_of(self, card: int) -> int:
        """Return the index, from 0, of the card's suit among ``suits``. A card that is not in the deck raises
        StopIteration.
        """
        return next(at for at, suit in enumerate(self.suits) if suit >> card & 1)

    def list_cards(self, cards: int, word: str = "and") -> str:
        """Return the names of cards as a sentence lists them: ``5H, 6H and T04``, a run of a suit as ``1C–7C``.

        Args:
            cards: a set of cards.
            word: the word before the last of them.
        """
        items: list[str] = []
        for suit in self.suits:
            rest = cards & suit
            while rest:
                first = (rest & -rest).bit_length() - 1
                end = first
                while rest >> end & 1:
                    end += 1
                run = self.names[first:end]
                items += run if len(run) < RUN else [f"{run[0]}–{run[-1]}"]
                rest &= -1 << end
        return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {word} {items[-1]}" if items else "no card"

    def some_of(self, cards: int) -> str:
        """Return ``at least one of 5H and 6H`` for a set of cards (bits); just the name for one card, ``no card`` for
        none.
        """
        return self.list_cards(cards) if cards.bit_count() < 2 else f"at least one of {self.list_cards(cards)}"


def deck_of(suits: str, ranks: str) -> Deck:
    """Return a deck in which every suit has the same ranks, numbered suit by suit: ``2C``, ``3C`` … ``AS``.

    Args:
        suits: the letters of the suits, in order.
        ranks: the letters of the ranks, from the lowest.
    """
    suit_mask = (1 << len(ranks)) - 1
    names = tuple(rank + suit for suit in suits for rank in ranks)
    return Deck(names, tuple(suit_mask << len(ranks) * at for at in range(len(suits))))


# --- the deck of 78 ---

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
    """Return the names of the 78 cards by their code; ``suits`` has the letters of the four suits: ``"CDHS"``.

    They are ``1C`` … ``KS``, then ``T00`` (the fool) to ``T21``.
    """
    return (*(rank + suit for suit in suits for rank in RANKS), *(f"T{number:02}" for number in range(22)))


def suit_of(card: int) -> int:
    """Return the index, 0 to 3, of the card's suit in the deck of 78; 4 for trumps and the fool."""
    return min(card // 14, 4)


def is_trump(card: int) -> bool:
    """Say whether a card of the deck of 78 is one of T01 to T21; the fool is none of them."""
    return card > FOOL


def higher_trumps(card: int) -> int:
    """Return the trumps above a trump, as bits; 0 for T21. Of the fool, all trumps."""
    return TRUMPS >> card + 1 << card + 1
