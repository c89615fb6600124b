"""Cardmate's cards and positions, and the facts that a position carries along.

A card is ``suit << 4 | rank``; a code is ``seat << 6 | card``, a card with its owner. 0 is no code: an empty square.
"""

from msgspec import Struct

from cartulary.engine.cardmate.reach import BETWEEN, CAPTURES
from cartulary.engine.occurrences import Occurrences
from cartulary.engine.sets import members, set_of

RANKS = "123456789XJQKA"
SUITS = "CDHS"
ONE, NINE, KING, ACE = 0, 8, 12, 13

OFF = 255
"""The square of a card that is off the board, or that belongs to the other seat."""

AT = 100
"""``board[AT + code]`` is where a seat's card stands; ``board[AT]`` is always 0."""

PALACE = (0, set_of((4, 5)), set_of((94, 95)))
"""By seat, the squares of its palace, as a set: e0 and f0, e9 and f9."""

Pair = tuple[int, int, int, int, int, int]
"""A card that could take a lower card of its suit if no card stood between them.

It is (a square between them that was occupied, or AT if none was; all squares between, as a set; the square of the
capturing card; that of its victim; the code of the capturing card; that of its victim).
"""

Pairs = tuple[tuple[Pair, ...], tuple[Pair, ...]]

MANY = 6
"""If a seat has more pairs than this, those whose cards have moved away are removed."""


class State(Struct, frozen=True, gc=False):
    """A position with the facts that the clauses need.

    Attributes:
        board: 100 codes, a0 b0 … j9, 0 for an empty square; after them, at AT + code, where each seat's card stands.
        mover: the seat to move.
        round: the move number of its next move.
        occupancy: every square with a card, as a set.
        suits: the squares of each seat's suits, as sets: C D H S of p1, then of p2.
        pairs: for p1 and p2, the captures that the suit order would demand if nothing stood between. Some of the pairs
            may have dissolved, because it costs less to notice that a card is gone than to remove its pairs
            (``live_pairs``).
        winner: the seat that has won, 0 while nobody has.
        win_key: the key of the rule by which it won.
        occurrences: the positions since the last capture or promotion, by their ``mark``; None without repetition=loss.
    """

    board: bytes
    mover: int
    round: int
    occupancy: int
    suits: tuple[int, ...]
    pairs: Pairs
    winner: int = 0
    win_key: str = ""
    occurrences: Occurrences | None = None


def mark(board: bytes, mover: int) -> bytes:
    """Return a key of a position for repetitions: the board's 100 codes and the seat to move."""
    return board[:AT] + bytes((mover,))


class Move(Struct, frozen=True, gc=False):
    """A card goes to a square.

    Attributes:
        seat: the seat that moves.
        code: the card, with that seat as its owner.
        to: the square.
        promotes: True if a One becomes the Ace of its suit.
    """

    seat: int
    code: int
    to: int
    promotes: bool = False


class Layout(Struct, frozen=True):
    """A set-up as a sheet states it: 100 codes, a0 first, and the seat to move, 0 if the sheet does not say."""

    board: bytes
    mover: int = 0


def card_name(card: int) -> str:
    """Return a card or a code as the notation writes it, ``8H``; the owner in the code makes no difference."""
    return RANKS[card & 15] + SUITS[card >> 4 & 3]


def card_code(name: str) -> int:
    """Return the card with a name, ``suit << 4 | rank``, without an owner; ``card_name`` is the other way.

    Raises:
        ValueError: The text is not the name of a card.
    """
    if len(name) != 2:
        raise ValueError(name)
    return SUITS.index(name[1]) << 4 | RANKS.index(name[0])


def with_squares(board: bytes) -> bytes:
    """Return the bytes that ``State.board`` holds: the 100 codes given, then by code the square of each, OFF
    for none.
    """
    places = bytearray([0] * 64 + [OFF] * 128)
    for square, code in enumerate(board):
        if code:
            places[code] = square
    return board + bytes(places)


def board_facts(board: bytes) -> tuple[int, tuple[int, ...], Pairs]:
    """Return (occupancy, suits, pairs) as ``State`` has them, computed from the board alone.

    ``board`` is 100 codes or what ``State.board`` holds. Of the pairs none is out of date.
    """
    suits = [0] * 8
    for square, code in enumerate(board[:AT]):
        if code:
            suits[(code >> 4) - 4] |= 1 << square
    occupancy = 0
    for bits in suits:
        occupancy |= bits
    pairs: tuple[list[Pair], list[Pair]] = ([], [])
    for index, bits in enumerate(suits):
        prey = suits[(index + 4) % 8]
        for square in members(bits):
            for victim in members(CAPTURES[board[square]][square] & prey):
                if board[victim] & 15 < board[square] & 15:
                    between = BETWEEN[square][victim]
                    blockers = between & occupancy
                    witness = blockers.bit_length() - 1 if blockers else AT
                    pairs[index // 4].append((witness, between, square, victim, board[square], board[victim]))
    return occupancy, tuple(suits), (tuple(pairs[0]), tuple(pairs[1]))


def live_pairs(pairs: tuple[Pair, ...], board: bytes) -> tuple[Pair, ...]:
    """Return the pairs whose two cards still stand on their squares; of two pairs for the same squares the last one."""
    by_squares: dict[tuple[int, int], Pair] = {}
    for pair in pairs:
        _, _, square, partner, taker, victim = pair
        if board[square] == taker and board[partner] == victim:
            by_squares[square, partner] = pair
    return tuple(by_squares.values())


def duties(state: State, seat: int) -> list[tuple[int, int]]:
    """Return (from, to) of every capture that a seat must make, in the order of the squares: of a lower card of the
    same suit.

    [] if it can make none, so that it is free to move.
    """
    standing = live_pairs(state.pairs[seat - 1], state.board)
    return sorted({pair[2:4] for pair in standing if not pair[1] & state.occupancy})
