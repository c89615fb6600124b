"""Cardmate's cards and positions, and the facts a position carries along.

A card is suit << 4 | rank, a code seat << 6 | card; 0 is no code.
"""

from msgspec import Struct

from cartulary.engine.cardmate.reach import BETWEEN, CAPTURES
from cartulary.engine.grid import members

RANKS = "123456789XJQKA"
SUITS = "CDHS"
ONE, NINE, KING, ACE = 0, 8, 12, 13

Pair = tuple[int, int, int, int]
"""A card that could take a lower one of its suit: both squares and those between as sets, its square, the victim's."""


class State(Struct, frozen=True, gc=False):
    """A position with the facts the clauses ask for.

    board: 100 codes, a0 b0 … j9, 0 for an empty square
    mover: the seat to move; round: the move number of its next move
    occupied: every square with a card
    suits: the squares of each seat's suits, 100 bits each: C D H S of p1, then of p2
    pairs: for p1 and p2, the captures the suit order would demand if nothing stood between
    ends: at least every square at the end of a pair, so that most moves are seen to change none
    won: the seat that has won, 0 while nobody has; aim: the key of the rule it won by
    seen: the positions since the last capture or promotion, kept only under repetition=loss
    """

    board: bytes
    mover: int
    round: int
    occupied: int
    suits: int
    pairs: tuple[tuple[Pair, ...], tuple[Pair, ...]]
    ends: int
    won: int = 0
    aim: str = ""
    seen: frozenset[tuple[bytes, int]] | None = None


class Move(Struct, frozen=True, gc=False):
    """A card goes to a square. code: the card as the mover's own, whoever owns it."""

    seat: int
    code: int
    to: int
    promotes: bool = False


class Layout(Struct, frozen=True):
    """A set-up as a sheet gives it: the board's codes and the seat to move."""

    board: bytes
    mover: int = 1


def card_name(card: int) -> str:
    """Return a card or code as the notation writes it."""
    return RANKS[card & 15] + SUITS[card >> 4 & 3]


def card_code(name: str) -> int:
    """Return suit << 4 | rank for a name such as ``8H``; raises ValueError for anything else."""
    if len(name) != 2:
        raise ValueError(name)
    return SUITS.index(name[1]) << 4 | RANKS.index(name[0])


def worked_out(board: bytes) -> tuple[int, int, tuple[tuple[Pair, ...], tuple[Pair, ...]]]:
    """Return (occupied, suits, pairs) of a board from nothing else; pairs in square order."""
    groups = [0] * 8
    for square, code in enumerate(board):
        if code:
            groups[(code >> 4) - 4] |= 1 << square
    pairs: tuple[list[Pair], list[Pair]] = ([], [])
    occupied = suits = 0
    for index, bits in enumerate(groups):
        occupied |= bits
        suits |= bits << 100 * index
        prey = groups[(index + 4) % 8]
        for square in members(bits):
            for victim in members(CAPTURES[board[square]][square] & prey):
                if board[victim] & 15 < board[square] & 15:
                    pairs[index // 4].append((1 << square | 1 << victim, BETWEEN[square][victim], square, victim))
    return occupied, suits, (tuple(sorted(pairs[0])), tuple(sorted(pairs[1])))


def duties(state: State, seat: int) -> list[tuple[int, int]]:
    """Return (from, to) of every capture of a lower card of the capturing card's own suit, in square order."""
    return sorted((a, b) for _, between, a, b in state.pairs[seat - 1] if not between & state.occupied)
