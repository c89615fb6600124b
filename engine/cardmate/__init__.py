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
    pairs, ends, touched = state.pairs, state.ends, from_bit | to_bit
    if ends & touched:
        pairs = (
            tuple([pair for pair in pairs[0] if not pair[0] & touched]),
            tuple([pair for pair in pairs[1] if not pair[0] & touched]),
        )
        ends &= ~touched
    near = suits >> (shift + 400) % 800 & AMAZON[to]
    if near:
        pairs, ends = _paired(pairs, ends, after, to, near)
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
    return State(after, 3 - seat, state.round + seat - 1, occupied, suits, pairs, ends, won, aim, seen)


def _has_king(board: bytes, seat: int) -> bool:
    return any(seat << 6 | suit << 4 | KING in board for suit in range(4))


def _paired(
    pairs: tuple[tuple[Pair, ...], tuple[Pair, ...]], ends: int, board: bytes, square: int, near: int
) -> tuple[tuple[tuple[Pair, ...], tuple[Pair, ...]], int]:
    """Return pairs and ends with those of the card on ``square`` and the enemy cards of its suit on ``near``."""
    code = board[square]
    while near:
        other = near.bit_length() - 1
        bit = 1 << other
        near ^= bit
        its = board[other]
        if its & 15 < code & 15:
            if not CAPTURES[code][square] & bit:
                continue
            taker, a, b = code, square, other
        else:
            if not CAPTURES[its][other] >> square & 1:
                continue
            taker, a, b = its, other, square
        both = bit | 1 << square
        ends |= both
        first, second = pairs
        pair = (both, BETWEEN[a][b], a, b)
        pairs = ((*first, pair), second) if taker < 128 else (first, (*second, pair))
    return pairs, ends


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
