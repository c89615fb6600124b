"""Everything a seat or the table may say in Zarcana, and the places and minions that it names.

A *play* is the use of one card's power: where the card comes from, what it is named as, the minion that uses it, and
*parts*, what it does, one after the other. Cards in a word are codes in order, unknown ones last.

A *place* is an int: steps east from the first centre, and ROW for each step south. A minion is an int below 90: fifteen
for its seat, five for its size, and one for where it points; without the last it is a *group*, seat * 3 + size.
"""

from functools import cache
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple

# --- places and minions ---


ROW = 1024
MOST_STEPS = 400
"""How far a word may reach; more than all cards in one line."""

POINTS = "unesw"
"""Where a minion points: up, standing, or lying north, east, south, west; its place here is its number."""

STEP = (0, -ROW, 1, ROW, -1)
AROUND = STEP[1:]
SIZES = "SML"
GROUPS = tuple(f"p{owner}{size}" for owner in range(6) for size in SIZES)
SMALL = 0
FIRST_NINE = (-ROW - 1, -ROW, -ROW + 1, -1, 0, 1, ROW - 1, ROW, ROW + 1)
"""The places of the first nine cards, row by row from the north west."""


class Ref(Struct, frozen=True, gc=False):
    """A minion as a word names it; ``point`` is where it points, -1 if the word need not say."""

    place: int
    group: int
    point: int = -1


def steps_of(place: int) -> tuple[int, int]:
    """Return (east, south): how many steps a place is from the centre; negative is west and north. ``ROW + 3 -> (3,
    1)``.
    """
    south = (place + ROW // 2) // ROW
    return place - south * ROW, south


@cache
def place_name(place: int) -> str:
    """Return a place as words name it: ``o`` for the centre, ``n2`` for two steps north, ``s1w3`` for one south and
    three west.
    """
    east, south = steps_of(place)
    name = f"{'s' if south > 0 else 'n'}{abs(south)}" if south else ""
    name += f"{'e' if east > 0 else 'w'}{abs(east)}" if east else ""
    return name or "o"


def place_of(north: int, east: int) -> int:
    """Return the number of the place so many steps north and east of the centre; negative is south and west."""
    return east - north * ROW


def minion(group: int, point: int) -> int:
    """Return the code of a minion.

    Args:
        group: Whose it is and how large, seat * 3 + size, where size is 0, 1 or 2.
        point: Where it points, an index of POINTS: 0 if it stands, 1 to 4 for north, east, south, west.
    """
    return group * 5 + point


def target_of(place: int, code: int) -> int:
    """Return the place of the space a minion points at: a neighbour of ``place``, or ``place`` itself if it stands."""
    return place + STEP[code % 5]


def owner_of(code: int) -> int:
    """Return the seat, from 1, that a minion belongs to, given its code."""
    return code // 15


def ref_name(ref: Ref, seat: int) -> str:
    """Return a minion as a word of the seat names it: ``Mo`` for an own one, ``p2Se1'w`` for another seat's.

    The letter after the apostrophe, where it points, is left out if the name does not say.
    """
    group, point = ref.group, ref.point
    name = (SIZES[group % 3] if group // 3 == seat else GROUPS[group]) + place_name(ref.place)
    return f"{name}'{POINTS[point]}" if point >= 0 else name


def find_minion(men: bytes, ref: Ref) -> int:
    """Return the code of the minion that a word names among those of its space (codes), -1 if there is none.

    If the name does not say where it points, it is the first of the group.
    """
    if ref.point >= 0:
        code = ref.group * 5 + ref.point
        return code if code in men else -1
    for code in men:
        if code // 5 == ref.group:
            return code
    return -1


def shortest_name(men: bytes, ref: Ref) -> Ref | None:
    """Return the shortest name for the minion a word names.

    Args:
        men: The minions in its space.
        ref: The name in the word.

    Returns:
        The name; None if it could be two minions that point differently.
    """
    points = {code % 5 for code in men if code // 5 == ref.group}
    if len(points) > 1:
        return None if ref.point < 0 else ref
    return Ref(ref.place, ref.group) if ref.point in points else ref


def name_for(men: bytes, place: int, code: int) -> Ref:
    """Return the shortest name of a minion in a space: where it points is left out unless others of its group point
    elsewhere.

    Args:
        men: The codes of the minions in the space.
        place: The space.
        code: The minion, one of them.
    """
    several = any(other != code and other // 5 == code // 5 for other in men)
    return Ref(place, code // 5, code % 5 if several else -1)


# --- parts of a play ---


class Grow(Struct, frozen=True, gc=False):
    """``=L``: the user becomes this size."""

    size: int


class Clone(Struct, frozen=True, gc=False):
    """``@S'n``: another minion in the user's space; ``man`` is its code."""

    man: int


class Go(Struct, frozen=True, gc=False):
    """``>e1``: the user, or its whole space, goes there."""

    place: int


class HitMinion(Struct, frozen=True, gc=False):
    """``:p2Se1``: a minion is attacked."""

    ref: Ref


class HitPlace(Struct, frozen=True, gc=False):
    """``:e1``, ``:e1^7C``: a space is aimed at; ``shown_card`` is the face-down card that leaves, -1 if it is not
    named.
    """

    place: int
    shown_card: int = -1


class Build(Struct, frozen=True, gc=False):
    """``@e1*5C``: the deck's top card is laid; ``card`` is UNKNOWN for ``~``, -1 if the word leaves it out."""

    place: int
    card: int = -1


class BuildFrom(Struct, frozen=True, gc=False):
    """``@e1=5C``: a card of the hand is laid."""

    place: int
    card: int


class Create(Struct, frozen=True, gc=False):
    """``@Sn2'w``: a minion appears; ``man`` is its code."""

    man: int
    place: int


class Turn(Struct, frozen=True, gc=False):
    """``Mo=n``: a minion points elsewhere."""

    ref: Ref
    point: int


class Toward(Struct, frozen=True, gc=False):
    """``>p2``: at a seat."""

    seat: int


class DrawnCards(Struct, frozen=True, gc=False):
    """``*7C,8C``: cards drawn."""

    cards: bytes


class RaisedCards(Struct, frozen=True, gc=False):
    """``:7C,8C``: cards taken from the discards."""

    cards: bytes


class Away(Struct, frozen=True, gc=False):
    """``-7C,8C``: cards of the hand discarded."""

    cards: bytes


class Flip(Struct, frozen=True, gc=False):
    """``*5W>Mo>e1``: the deck's top card turned up and used; bare if it has no use."""

    play: "Play"


Part: TypeAlias = (
    Grow
    | Clone
    | Go
    | HitMinion
    | HitPlace
    | Build
    | BuildFrom
    | Create
    | Turn
    | Toward
    | DrawnCards
    | RaisedCards
    | Away
    | Flip
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
    """``*7C,8C``: a seat draws one to three cards."""

    seat: int
    cards: bytes


class DiscardHand(Struct, frozen=True, gc=False):
    """``DiscardHand``, ``DiscardHand^7C,8C``; ``cards`` is None if the word does not show them."""

    seat: int
    cards: bytes | None = None


class Pass(Struct, frozen=True, gc=False):
    """``Pass``: a seat does nothing in its turn."""

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
    """``p0/b*…``, ``p0/p2*…``, ``p0/*…``; ``to`` is NINE, a seat, or REST, the deck from the top; ``seat`` is 0."""

    seat: int
    to: int
    cards: bytes


class Reveal(Struct, frozen=True, gc=False):
    """``p0/^e1=7C&n1=5D``: face-down cards at the end, (place, card) in ASCII order; ``seat`` is 0."""

    seat: int
    cards: tuple[tuple[int, int], ...]


Move: TypeAlias = Use | Place | Reorient | Draw | DiscardHand | Pass | Final | Gift | Deal | Reveal


class Word(Struct, frozen=True, gc=False):
    """What stands on the paper.

    Attributes:
        moves: One move for each seat whose word it may be, that of the first to speak in front.
        columns: The minions named, distinguished by identity, each with the column where its name begins.
    """

    moves: tuple[Move, ...]
    columns: tuple[tuple[Ref, int], ...] = ()


# --- minions named otherwise ---

Renames: TypeAlias = tuple[tuple[Ref, Ref | None], ...]
"""Minions, distinguished by identity, with the names they should have, None where none is to be named."""


def rename_minions(value: Any, names: Renames) -> Any:
    """Return a move, or whatever it holds, with some of its minions renamed.

    ``names`` has (old name, new name); an old name is found by identity, and of several for one the last counts.
    """
    if isinstance(value, Ref):
        return next((new for old, new in reversed(names) if old is value), value)
    if isinstance(value, tuple):
        return tuple(rename_minions(item, names) for item in value)
    return type(value)(*rename_minions(astuple(value), names)) if isinstance(value, Struct) else value
