"""What the rules of Zarcana may look at: the board, hands, deck and discards, and what is known of hidden cards."""

from msgspec import Struct, field

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


class Options(Struct, frozen=True, gc=False):
    """What holds for the whole record.

    Attributes:
        seats: How many seats play.
        every: The codes of all cards in play.
        highest: Whether the option ``tie=highest-card`` is set.
    """

    seats: int
    every: bytes
    highest: bool


class Course(Struct, frozen=True, gc=False):
    """Where the game stands apart from the table.

    Attributes:
        opening: What may still be named of the set-up, as bits.
        deck_due: Whether the table may name the deck, which was just shuffled.
        shuffled: Whether the discards have become the deck before.
        final: The seat that declared the last round, 0 for nobody.
        turns_left: How many turns are left then.
        extra: Whether this turn comes from a High Priestess.
        run: How a High Priestess was used in the turns of this run, as bits.
        demands: Pairs of a giver and a taker: the demands an Emperor has made, in order.
        again: How the extra turn was won that comes once the demands are met, as the bits of ``run``; 0 for none.
        skipped_demands: Demands in whose place another word came, until giver or taker has had a word after it.
    """

    opening: int = 0
    deck_due: bool = False
    shuffled: bool = False
    final: int = 0
    turns_left: int = field(default=0, name="left")
    extra: bool = False
    run: int = 0
    demands: tuple[tuple[int, int], ...] = field(default=(), name="owed")
    again: int = 0
    skipped_demands: tuple[tuple[int, int], ...] = field(default=(), name="skipped")


CALM, CALM_LATER = Course(), Course(shuffled=True)
"""A plain turn, before and after the first shuffle of the discards; compared by identity where speed asks for it."""


class Ask(Struct, frozen=True, gc=False):
    """A ply whose legality turns on an unknown card.

    Attributes:
        ply: The ply.
        key: The key of the rule it may have broken.
        code: The slot that this card alone has.
        wide: All that the card might have been, as bits.
        likes: The cards, as bits, with which the ply was legal.
        took: Those of them with which it came to this state; the others came to other readings.
    """

    ply: int
    key: str
    code: int
    wide: int
    likes: int
    took: int


class Either(Struct, frozen=True, gc=False):
    """A ply that was legal if one of several unknown cards is this one.

    Attributes:
        ply: The ply.
        key: The key of the rule it may have broken.
        codes: The slots that those cards have alone.
        card: The card that one of them must be.
    """

    ply: int
    key: str
    codes: bytes
    card: int


class Unseen(Struct, frozen=True, gc=False):
    """What is known of cards nobody on record saw.

    Attributes:
        slots: What the cards may be.
        asks: The questions that turn on one card each.
        unanswerable: Pairs of a ply and a key: questions that nothing can answer any more.
        breaches: Breaches of earlier plies that later words have proved.
        either: The questions that turn on several cards.
    """

    slots: Slots = NO_SLOTS
    asks: tuple[Ask, ...] = ()
    unanswerable: tuple[tuple[int, str], ...] = ()
    breaches: tuple[Breach, ...] = ()
    either: tuple[Either, ...] = ()


class State(Struct, frozen=True, gc=False):
    """A record so far, on one reading. The two dicts are never changed: whoever changes one makes a new one.

    Attributes:
        cards: By place, the codes of the cards there with their flags, from the bottom up.
        men: By place, the minions there, sorted.
        hands: The hands by seat.
        deck: The deck, its top card first.
        pile: The discards, the top one last.
        stash: How many minions of each size every seat has left, at ``(seat - 1) * 3 + size``.
        knowledge: Which hand cards others than their holder know: bit ``(seat << 7) + card`` says that the seat does.
        turn: Whose turn it is.
        round: How many rounds of the table are over.
        ply: How many words there have been.
        others: The other readings, which have none of their own.
        whole: Whether no reading was dropped for the budget.
    """

    options: Options
    cards: dict[int, tuple[int, ...]]
    men: dict[int, bytes]
    hands: tuple[bytes, ...]
    deck: bytes
    pile: bytes
    stash: bytes
    knowledge: int
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
        hidden = self.hands, self.deck, self.pile, self.stash, self.knowledge, self.unseen
        return hash((self.options, board, hidden, self.turn, self.round, self.ply, self.course, self.others))


def knows(seat: int, cards: int) -> int:
    """Return the bits of ``State.knowledge`` by which a seat knows where these cards (bits) are.

    Each seat has 128 bits there, seat 0 the first.
    """
    return cards << (seat << 7)


_EVERYBODY = sum(knows(seat, 1) for seat in range(1, 6))


def everybody_knows(cards: int) -> int:
    """Return the bits of ``State.knowledge`` by which every seat knows where these cards (bits) are."""
    return _EVERYBODY * cards
