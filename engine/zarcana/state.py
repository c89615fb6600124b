"""What the rules of Zarcana may look at: the board, hands, deck and discards, and what is known of hidden cards."""

from msgspec import Struct

from cartulary.engine.contract import Breach
from cartulary.engine.slots import NO_SLOTS, Slots

POPULATION, HAND_LIMIT = 3, 6

DOWN, CURSED = 256, 512
"""Flags of a card on the board: it lies face down; an Evil Eye has it count 0."""

CODE = 255
"""What is left of a board card without its flags."""

OPEN_BOARD, OPEN_DECK = 1, 64
"""What the table may still tell at the start, as bits: the nine, the deck, and 1 << seat for each hand."""

BY_WORLD, BY_FOOL, BY_DOPPELGANGER, BY_ITSELF = 1, 2, 4, 8
"""How a High Priestess was used in a run of turns, as bits."""


class House(Struct, frozen=True, gc=False):
    """What holds for the whole record. every: the codes of all cards in play; highest: ``tie=highest-card``."""

    seats: int
    every: bytes
    highest: bool


class Course(Struct, frozen=True, gc=False):
    """Where the game stands apart from the table.

    opening: what may still be told of the set-up, as bits
    deck_due: the table may tell the deck, which was just shuffled
    shuffled: the discards have become the deck before
    final: who declared the last round, 0 nobody; left: how many turns are left then
    extra: this turn is a High Priestess's; run: how one was used in the turns of this run, as bits
    owed: (giver, taker) of demands an Emperor has made, in order; again: an extra turn comes once they are met
    skipped: (giver, taker) of demands in whose place another word came, until one of the two has had a word after it
    """

    opening: int = 0
    deck_due: bool = False
    shuffled: bool = False
    final: int = 0
    left: int = 0
    extra: bool = False
    run: int = 0
    owed: tuple[tuple[int, int], ...] = ()
    again: int = 0
    skipped: tuple[tuple[int, int], ...] = ()


CALM, CALM_LATER = Course(), Course(shuffled=True)
"""A plain turn, before and after the first shuffle of the discards; told by identity where speed asks for it."""


class Ask(Struct, frozen=True, gc=False):
    """A ply whose legality turns on an unknown card. code: the slot it alone has.

    wide: all it might have been, as bits; likes: the cards, as bits, with which the ply was legal
    took: those of them with which it came to this state; others came to other readings
    """

    ply: int
    key: str
    code: int
    wide: int
    likes: int
    took: int


class Either(Struct, frozen=True, gc=False):
    """A ply that was legal if one of several unknown cards is this one. codes: the slots they have alone."""

    ply: int
    key: str
    codes: bytes
    card: int


class Unseen(Struct, frozen=True, gc=False):
    """What is known of cards nobody on record saw.

    dropped: (ply, key) of questions nothing can answer any more
    """

    slots: Slots = NO_SLOTS
    asks: tuple[Ask, ...] = ()
    dropped: tuple[tuple[int, str], ...] = ()
    proved: tuple[Breach, ...] = ()
    either: tuple[Either, ...] = ()


class State(Struct, frozen=True, gc=False):
    """A record so far. The two dicts are never changed: who changes one makes it anew.

    cards: by place, what lies there from the bottom up, each a code with its flags; men: by place, the minions, sorted
    hands: by seat; deck: the top first; pile: the discards, the top last
    stash: how many of each size every seat has left, (seat - 1) * 3 + size
    known: which hand cards others than their holder know: bit (seat << 7) + card, that the seat knows where it is
    turn: whose turn it is; round: rounds of the table behind; ply: words so far
    others: the other readings, which have none of their own; whole: none was lost to the budget
    """

    house: House
    cards: dict[int, tuple[int, ...]]
    men: dict[int, bytes]
    hands: tuple[bytes, ...]
    deck: bytes
    pile: bytes
    stash: bytes
    known: int
    turn: int
    round: int
    ply: int
    course: Course
    unseen: Unseen
    others: "tuple[State, ...]" = ()
    whole: bool = True

    def __hash__(self) -> int:
        """Return a hash of all that ``==`` compares."""
        board = frozenset(self.cards.items()), frozenset(self.men.items())
        hidden = self.hands, self.deck, self.pile, self.stash, self.known, self.unseen
        return hash((self.house, board, hidden, self.turn, self.round, self.ply, self.course, self.others))


def knows(seat: int, cards: int) -> int:
    """Return the bits that say a seat knows where these cards are, which are bits too."""
    return cards << (seat << 7)


_EVERYBODY = sum(knows(seat, 1) for seat in range(1, 6))


def everybody_knows(cards: int) -> int:
    """Return the bits that say every seat knows where these cards are."""
    return _EVERYBODY * cards
