"""Everything a seat or the table may say in Zarcana.

A *play* is the use of one card's power: where the card comes from, what it is named as, the minion that uses it, and
*parts*, what it does, one after the other. Cards in a word are codes in order, unknown ones last.
"""

from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple

from cartulary.engine.zarcana.place_names import Ref

# --- parts of a play ---


class Grow(Struct, frozen=True, gc=False):
    """``=L``: the user becomes this size."""

    size: int


class Clone(Struct, frozen=True, gc=False):
    """``@S'n``: another minion in the user's space. man: its code."""

    man: int


class Go(Struct, frozen=True, gc=False):
    """``>e1``: the user, or its whole space, goes there."""

    place: int


class HitMinion(Struct, frozen=True, gc=False):
    """``:p2Se1``: a minion is attacked."""

    ref: Ref


class HitPlace(Struct, frozen=True, gc=False):
    """``:e1``, ``:e1^7C``: a space is aimed at. shown: the face-down card that leaves, -1 where none is told."""

    place: int
    shown: int = -1


class Build(Struct, frozen=True, gc=False):
    """``@e1*5C``: the deck's top card is laid. card: UNKNOWN for ``~``, -1 where the word leaves it out."""

    place: int
    card: int = -1


class BuildFrom(Struct, frozen=True, gc=False):
    """``@e1=5C``: a card of the hand is laid."""

    place: int
    card: int


class Create(Struct, frozen=True, gc=False):
    """``@Sn2'w``: a minion appears. man: its code."""

    man: int
    place: int


class Turn(Struct, frozen=True, gc=False):
    """``Mo=n``: a minion points elsewhere."""

    ref: Ref
    point: int


class Toward(Struct, frozen=True, gc=False):
    """``>p2``: at a seat."""

    seat: int


class Drawn(Struct, frozen=True, gc=False):
    """``*7C,8C``: cards drawn."""

    cards: bytes


class Raised(Struct, frozen=True, gc=False):
    """``:7C,8C``: cards taken from the discards."""

    cards: bytes


class Away(Struct, frozen=True, gc=False):
    """``-7C,8C``: cards of the hand discarded."""

    cards: bytes


class Flip(Struct, frozen=True, gc=False):
    """``*5W>Mo>e1``: the deck's top card turned up and used; bare if it has no use."""

    play: "Play"


Part: TypeAlias = (
    Grow | Clone | Go | HitMinion | HitPlace | Build | BuildFrom | Create | Turn | Toward | Drawn | Raised | Away | Flip
)

HAND, BOARD, TURNED, DECK = range(4)
"""Where a played card comes from: the hand, the user's space, that space face down, the deck's top."""


class Play(Struct, frozen=True, gc=False):
    """The use of a power.

    Attributes:
        origin: HAND, BOARD, TURNED or DECK.
        card: The card, -1 where it is played from the board, UNKNOWN for ``~``.
        names: What the card is named as, in order: cards, and suits as SUIT_NAME + suit.
        user: The minion that uses it, None where none is named.
        parts: What it does, in order.
    """

    origin: int
    card: int = -1
    names: tuple[int, ...] = ()
    user: Ref | None = None
    parts: tuple[Part, ...] = ()


# --- words ---


class Use(Struct, frozen=True, gc=False):
    """``5W>Mo>e1``, ``>Mo>e1``, ``^5C>Mo=L``: a power is used."""

    seat: int
    play: Play


class Place(Struct, frozen=True, gc=False):
    """``S@n1e1'u``: a first minion."""

    seat: int
    man: int
    place: int


class Reorient(Struct, frozen=True, gc=False):
    """``Mo=e&Sn1=u``: minions point elsewhere, all at once; the parts stand in ASCII order."""

    seat: int
    turns: tuple[Turn, ...]


class Draw(Struct, frozen=True, gc=False):
    """``*7C,8C``."""

    seat: int
    cards: bytes


class DiscardHand(Struct, frozen=True, gc=False):
    """``DiscardHand``, ``DiscardHand^7C,8C``. cards: None where the word does not show them."""

    seat: int
    cards: bytes | None = None


class Pass(Struct, frozen=True, gc=False):
    """``Pass``."""

    seat: int


class Final(Struct, frozen=True, gc=False):
    """``Final``: the last round begins."""

    seat: int


class Gift(Struct, frozen=True, gc=False):
    """``p2/7C,8C>p1``: what an Emperor has demanded."""

    seat: int
    cards: bytes
    to: int


NINE, REST = 0, -1


class Deal(Struct, frozen=True, gc=False):
    """``p0/b*…``, ``p0/p2*…``, ``p0/*…``. to: NINE, a seat, or REST, the deck from the top. seat: 0."""

    seat: int
    to: int
    cards: bytes


class Reveal(Struct, frozen=True, gc=False):
    """``p0/^e1=7C&n1=5D``: face-down cards at the end, (place, card) in ASCII order. seat: 0."""

    seat: int
    cards: tuple[tuple[int, int], ...]


Move: TypeAlias = Use | Place | Reorient | Draw | DiscardHand | Pass | Final | Gift | Deal | Reveal


class Word(Struct, frozen=True, gc=False):
    """What stands on the paper.

    Attributes:
        moves: One move for each seat whose word it may be, that of the first to speak in front.
        columns: The minions named, told apart by identity, each with the column where its name begins.
    """

    moves: tuple[Move, ...]
    columns: tuple[tuple[Ref, int], ...] = ()


# --- minions named otherwise ---

Renamed: TypeAlias = tuple[tuple[Ref, Ref | None], ...]
"""Minions, told apart by identity, with the names they should have, None where none is to be named."""


def rename_minions(value: Any, names: Renamed) -> Any:
    """Return a move, or whatever it holds, with some of its minions named otherwise; of two names the later."""
    if isinstance(value, Ref):
        return next((new for old, new in reversed(names) if old is value), value)
    if isinstance(value, tuple):
        return tuple(rename_minions(item, names) for item in value)
    return type(value)(*rename_minions(astuple(value), names)) if isinstance(value, Struct) else value
