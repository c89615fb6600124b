"""Cardmate: two seats, 52 cards on a board of ten by ten, suits that must be followed.

Rules: I. Derzhanski, Cardmate (2000).
State: the board as bytes, a0 first, rank by rank (``position``). Which cards could take which lower card of their
suit if nothing stood between is carried along and updated by each move, because the duty to capture is asked at
every ply; ``worked_out`` computes the same anew.
Chance: none; a dealt set-up stands in the sheet.
"""

from cartulary.engine.cardmate.clauses import (
    BOTH_KINGS,
    CLAUSES,
    OVER,
    PALACE,
    PALACE_ENTRY,
    REPETITION,
    candidates,
    outcome,
    stands,
)
from cartulary.engine.cardmate.position import (
    ACE,
    KING,
    RANKS,
    Layout,
    Move,
    Pair,
    State,
    card_code,
    card_name,
    duties,
    worked_out,
)
from cartulary.engine.cardmate.reach import AMAZON, BETWEEN, CAPTURES
from cartulary.engine.cardmate.setups import PREDEFINED, VARIANTS, setup
from cartulary.engine.contract import Open, Option

__all__ = [
    "CLAUSES",
    "COMPLETE",
    "EDITION",
    "KEY",
    "KING",
    "OPTIONS",
    "OVER",
    "PALACE",
    "PREDEFINED",
    "RANKS",
    "SEATS",
    "TITLE",
    "VARIANTS",
    "Layout",
    "Move",
    "State",
    "actors",
    "apply",
    "breaches",
    "candidates",
    "card_code",
    "card_name",
    "duties",
    "outcome",
    "score",
    "settle",
    "setup",
    "view",
    "view_move",
    "worked_out",
]

KEY = "cardmate"
TITLE = "Cardmate"
EDITION = "cardmate-2000"
SEATS = (2,)
OPTIONS = (Option("repetition", "Who brings back an earlier position loses.", ("loss",)),)


def COMPLETE(state: State) -> bool:
    """Say that candidates always hold every legal move."""
    return True


# --- apply ---


def apply(state: State, move: Move, opens: tuple[Open, ...] = ()) -> State:
    """Return the position after the move; the turn passes to the other seat than the mover's."""
    before, to, seat = state.board, move.to, move.seat
    square = before.find(move.code)
    if square < 0:
        square = stands(state, move.code)
    code = before[square]
    victim = before[to] if to != square else 0
    placed = code & ~15 | ACE if move.promotes else code
    board = bytearray(before)
    board[square] = 0
    board[to] = placed
    after = bytes(board)
    from_bit, to_bit = 1 << square, 1 << to
    shift = 100 * ((code >> 4) - 4)
    suits = state.suits ^ from_bit << shift
    if victim:
        suits ^= to_bit << 100 * ((victim >> 4) - 4)
    suits |= to_bit << shift
    first, second = state.pairs
    touched = from_bit | to_bit
    if first:
        first = tuple([pair for pair in first if not pair[0] & touched])
    if second:
        second = tuple([pair for pair in second if not pair[0] & touched])
    near = suits >> (shift + 400) % 800 & AMAZON[to]
    if near:
        found = _pairs_of(after, to, near)
        first += found[0]
        second += found[1]
    won, aim = 0, ""
    if placed & 15 == KING and PALACE[3 - (placed >> 6)] & to_bit:
        won, aim = placed >> 6, PALACE_ENTRY.key
    if victim and victim & 15 == KING and not _has_king(after, victim >> 6):
        won, aim = 3 - (victim >> 6), BOTH_KINGS.key
    seen = state.seen
    if seen is not None:
        position = (after, 3 - seat)
        if not won and position in seen:
            won, aim = 3 - seat, REPETITION.key
        seen = frozenset({position}) if victim or move.promotes else seen | {position}
    occupied = state.occupied & ~from_bit | to_bit
    return State(after, 3 - seat, state.round + seat - 1, occupied, suits, (first, second), won, aim, seen)


def _has_king(board: bytes, seat: int) -> bool:
    return any(seat << 6 | suit << 4 | KING in board for suit in range(4))


def _pairs_of(board: bytes, square: int, near: int) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return for p1 and p2 the pairs of the card on ``square`` with the enemy cards of its suit on ``near``."""
    code = board[square]
    first: tuple[Pair, ...] = ()
    second: tuple[Pair, ...] = ()
    while near:
        other = near.bit_length() - 1
        near ^= 1 << other
        its = board[other]
        a, b, taker = (square, other, code) if its & 15 < code & 15 else (other, square, its)
        if CAPTURES[taker][a] >> b & 1:
            pair = (1 << a | 1 << b, BETWEEN[a][b], a, b)
            if taker < 128:
                first += (pair,)
            else:
                second += (pair,)
    return first, second


# --- aftermath ---


def breaches(before: State, after: State) -> tuple[()]:
    """Return nothing: no card is hidden, so no move is proved illegal later."""
    return ()


# --- turn ---


def actors(state: State) -> tuple[int, ...]:
    """Return the seat to move, nobody after the end."""
    return () if outcome(state) else (state.mover,)


def settle(state: State) -> State:
    """Return the state: nothing is left unwritten."""
    return state


# --- end: outcome stands with the clauses ---


def score(state: State) -> None:
    """Return nothing: Cardmate is not played for points."""


# --- view ---


def view(state: State, seat: int) -> State:
    """Return the state: every card lies open."""
    return state


def view_move(state: State, move: Move, seat: int) -> Move:
    """Return the move: nothing in it is hidden."""
    return move
