"""Cardmate's cards and positions, and the facts a position carries along.

A card is suit << 4 | rank, a code seat << 6 | card; 0 is no code.
"""

from msgspec import Struct

from cartulary.engine.cardmate.reach import BETWEEN, CAPTURES
from cartulary.engine.occurrences import Occurrences
from cartulary.engine.sets import members, set_of

RANKS = "123456789XJQKA"
SUITS = "CDHS"
ONE, NINE, KING, ACE = 0, 8, 12, 13

OFF = 255
"""Where a card stands that is not on the board, or not its seat's."""

AT = 100
"""``board[AT + code]`` is where a seat's card stands; ``board[AT]`` is always 0."""

PALACE = (0, set_of((4, 5)), set_of((94, 95)))
"""The palace of each seat, by seat."""

Pair = tuple[int, int, int, int, int, int]
"""A card that could take a lower one of its suit.

A square that was occupied between them (AT if none was), all squares between, its square and the victim's, both codes.
"""

Pairs = tuple[tuple[Pair, ...], tuple[Pair, ...]]

MANY = 6
"""How many pairs a seat may carry before those that have dissolved are cleared out."""


class State(Struct, frozen=True, gc=False):
    """A position with the facts that the clauses need.

    Attributes:
        board: 100 codes, a0 b0 … j9, 0 for an empty square; after them, at AT + code, where each seat's card stands.
        mover: the seat to move.
        round: the move number of its next move.
        occupied: every square with a card, as a set.
        suits: the squares of each seat's suits, as sets: C D H S of p1, then of p2.
        pairs: for p1 and p2, the captures that the suit order would demand if nothing stood between. Some of the pairs
            may have dissolved, because it costs less to notice that a card is gone than to remove its pairs (``live``).
        won: the seat that has won, 0 while nobody has.
        aim: the key of the rule by which it won.
        seen: the positions since the last capture or promotion, by their ``mark``; None without repetition=loss.
    """

    board: bytes
    mover: int
    round: int
    occupied: int
    suits: tuple[int, ...]
    pairs: Pairs
    won: int = 0
    aim: str = ""
    seen: Occurrences | None = None


def mark(board: bytes, mover: int) -> bytes:
    """Return what makes a position the same as another: what stands where, and the seat to move."""
    return board[:AT] + bytes((mover,))


class Move(Struct, frozen=True, gc=False):
    """A card goes to a square; ``code`` is the card as if the mover owned it."""

    seat: int
    code: int
    to: int
    promotes: bool = False


class Layout(Struct, frozen=True):
    """A set-up as a sheet gives it: the board's codes and the seat to move, 0 where the sheet does not say."""

    board: bytes
    mover: int = 0


def card_name(card: int) -> str:
    """Return a card or code as the notation writes it."""
    return RANKS[card & 15] + SUITS[card >> 4 & 3]


def card_code(name: str) -> int:
    """Return suit << 4 | rank for a name such as ``8H``; raises ValueError for anything else."""
    if len(name) != 2:
        raise ValueError(name)
    return SUITS.index(name[1]) << 4 | RANKS.index(name[0])


def with_squares(board: bytes) -> bytes:
    """Return 100 codes followed by where each seat's cards stand, OFF for those that do not."""
    places = bytearray([0] * 64 + [OFF] * 128)
    for square, code in enumerate(board):
        if code:
            places[code] = square
    return board + bytes(places)


def worked_out(board: bytes) -> tuple[int, tuple[int, ...], Pairs]:
    """Return (occupied, suits, pairs) of a board from its 100 codes, every pair live."""
    suits = [0] * 8
    for square, code in enumerate(board[:AT]):
        if code:
            suits[(code >> 4) - 4] |= 1 << square
    occupied = 0
    for bits in suits:
        occupied |= bits
    pairs: tuple[list[Pair], list[Pair]] = ([], [])
    for index, bits in enumerate(suits):
        prey = suits[(index + 4) % 8]
        for square in members(bits):
            for victim in members(CAPTURES[board[square]][square] & prey):
                if board[victim] & 15 < board[square] & 15:
                    between = BETWEEN[square][victim]
                    blockers = between & occupied
                    witness = blockers.bit_length() - 1 if blockers else AT
                    pairs[index // 4].append((witness, between, square, victim, board[square], board[victim]))
    return occupied, tuple(suits), (tuple(pairs[0]), tuple(pairs[1]))


def live(pairs: tuple[Pair, ...], board: bytes) -> tuple[Pair, ...]:
    """Return the pairs whose two cards still stand where they stood, each once."""
    by_squares: dict[tuple[int, int], Pair] = {}
    for pair in pairs:
        _, _, square, partner, taker, victim = pair
        if board[square] == taker and board[partner] == victim:
            by_squares[square, partner] = pair
    return tuple(by_squares.values())


def duties(state: State, seat: int) -> list[tuple[int, int]]:
    """Return (from, to) of every capture of a lower card of the capturing card's own suit, in square order."""
    standing = live(state.pairs[seat - 1], state.board)
    return sorted({pair[2:4] for pair in standing if not pair[1] & state.occupied})
