"""What a seat or the table can say. Each word is a value of its own kind; ``seat`` says whose it is, 0 the table's.

Cards in words are bytes of codes (``cards``), UNKNOWN where the word has ``~``; the first of a deck, a put-back and a
row is its top or its left.
"""

from typing import TypeAlias

from msgspec import Struct

from cartulary.engine.slots import UNKNOWN


class Spot(Struct, frozen=True, gc=False):
    """The place where a word finds a card.

    Attributes:
        place: ``h`` for a hand, ``a`` for an area, ``x`` for a discard pile, ``d`` for a deck.
        card: the code of the card, UNKNOWN if chance picks it.
        at: the place of a face-down card from the left, from 1; 0 for any other card.
    """

    place: str
    card: int = UNKNOWN
    at: int = 0


class Draw(Struct, frozen=True, gc=False):
    """A seat draws from its deck, the top card first."""

    seat: int
    cards: bytes


class End(Struct, frozen=True, gc=False):
    """A seat ends its turn."""

    seat: int


class Lay(Struct, frozen=True, gc=False):
    """A seat lays cards from its hand in its area."""

    seat: int
    cards: bytes


class Stand(Struct, frozen=True, gc=False):
    """A seat lays the Empress or the Emperor in its area, standing for a card."""

    seat: int
    card: int
    name: int


class Rename(Struct, frozen=True, gc=False):
    """A seat names another card its Empress (or Emperor) in the area stands for."""

    seat: int
    card: int
    name: int


class Discard(Struct, frozen=True, gc=False):
    """A seat puts cards on its discard pile: from its hand, or its stakes of a challenge lost."""

    seat: int
    cards: bytes


class Mill(Struct, frozen=True, gc=False):
    """A seat puts the top cards of its deck on its discard pile."""

    seat: int
    cards: bytes


class Redraw(Struct, frozen=True, gc=False):
    """A seat puts its hand on its discard pile and draws."""

    seat: int
    away: bytes
    new_cards: bytes


class Challenge(Struct, frozen=True, gc=False):
    """A seat challenges for a card in another's area.

    Attributes:
        seat: the challenger.
        target: the defender.
        spot: the card.
        ours: the challenger's face-up stake, NOTHING from an empty deck, UNKNOWN if it was not written down.
        theirs: the defender's face-up stake, likewise.
    """

    seat: int
    target: int
    spot: Spot
    ours: int
    theirs: int


class Stakes(Struct, frozen=True, gc=False):
    """The face-up stakes of a challenge that Judgment repeats."""

    seat: int
    ours: int
    theirs: int


class Show(Struct, frozen=True, gc=False):
    """The loser of a challenge shows the face-down card that was won of him."""

    seat: int
    card: int


class PutBack(Struct, frozen=True, gc=False):
    """The winner of a challenge puts his stakes on top of his deck."""

    seat: int
    cards: bytes


class Use(Struct, frozen=True, gc=False):
    """A seat activates a Major.

    Attributes:
        seat: the seat.
        card: the card that leaves the hand or, with Justice, the pile.
        number: the Major as which it counts; 4 and 5 only if the word names none.
        justice: True if Justice lies ready and does it.
        again: the Major that Judgment repeats, AGAIN_CHALLENGE for a challenge, 0 for none.
        target: the opponent that the word names, 0 for none.
        cards: the cards that the word names.
        own: the player's own card of an exchange.
        other: the other card of an exchange, or the card that is challenged for.
        count: the number that the word names, None if it names none.
    """

    seat: int
    card: int
    number: int
    justice: bool = False
    again: int = 0
    target: int = 0
    cards: bytes = b""
    own: Spot | None = None
    other: Spot | None = None
    count: int | None = None


AGAIN_CHALLENGE = 23
LOVERS, HERMIT, DEATH = 7, 10, 14
OPPONENT_MAJORS = frozenset({1, 7, 11, 13, 16, 18, 20})
"""The Majors used against one opponent."""


def acting(use: Use) -> int:
    """Return the number of the Major whose effect a use has, which differs from its own if Judgment repeats an action.

    It is AGAIN_CHALLENGE if Judgment repeats a challenge.
    """
    return use.again or use.number


class Nullify(Struct, frozen=True, gc=False):
    """A seat answers a card with Temperance; ``card`` is what leaves the hand, which may be a copy."""

    seat: int
    card: int


class Answer(Struct, frozen=True, gc=False):
    """The victim of the Hanged Man takes a card in return, or passes."""

    seat: int
    yes: bool


class Row(Struct, frozen=True, gc=False):
    """A seat's face-down cards as they now lie."""

    seat: int
    cards: bytes


class Rob(Struct, frozen=True, gc=False):
    """Who chooses by the Fool has a card of the other's hand discarded."""

    seat: int
    victim: int


class Order(Struct, frozen=True, gc=False):
    """The deck of seat ``to`` as it lies after a shuffle, as far as known."""

    seat: int
    to: int
    cards: bytes


class Pick(Struct, frozen=True, gc=False):
    """Chance picks cards of a hand."""

    seat: int
    victim: int
    cards: bytes


class Coin(Struct, frozen=True, gc=False):
    """The coin falls."""

    seat: int
    heads: bool


class Die(Struct, frozen=True, gc=False):
    """The die falls."""

    seat: int
    pips: int


Move: TypeAlias = (
    Draw
    | End
    | Lay
    | Stand
    | Rename
    | Discard
    | Mill
    | Redraw
    | Challenge
    | Stakes
    | Show
    | PutBack
    | Use
    | Nullify
    | Answer
    | Row
    | Rob
    | Order
    | Pick
    | Coin
    | Die
)
