"""Cardmate: two seats, 52 cards on a board of ten by ten, suits that must be followed.

Rules: I. Derzhanski, Cardmate (2000).
State: the board as bytes, a0 first, rank by rank (``position``). Which cards could take which lower card of their
suit if nothing stood between is carried along and updated by each move, because the duty to capture is asked at
every ply; ``board_facts`` computes the same from the board alone.
Chance: none; a dealt set-up stands in the sheet.
"""

from operator import attrgetter

from cartulary.engine.cardmate.clauses import (
    BOTH_KINGS,
    CLAUSES,
    OVER,
    PALACE_ENTRY,
    REPETITION,
    candidates,
    follow_suit,
    outcome,
    path,
    promotion,
    reach,
    square_of,
)
from cartulary.engine.cardmate.position import (
    ACE,
    AT,
    KING,
    MANY,
    NINE,
    OFF,
    PALACE,
    RANKS,
    Layout,
    Move,
    Pairs,
    State,
    board_facts,
    card_code,
    card_name,
    duties,
    live_pairs,
    mark,
)
from cartulary.engine.cardmate.reach import AMAZON, BETWEEN, BIT, CAPTURES
from cartulary.engine.cardmate.setups import PREDEFINED_BOARD, VARIANTS, differ, resume_from_board, setup
from cartulary.engine.contract import Clause, Option, Outcome
from cartulary.engine.occurrences import times, with_one_more
from cartulary.engine.parts import Place, Rules, Turns, always_complete, by_clauses, number_pairs

__all__ = [
    "AT",
    "CLAUSES",
    "KING",
    "OFF",
    "OPTIONS",
    "OVER",
    "PALACE",
    "PLACE",
    "PREDEFINED_BOARD",
    "RANKS",
    "RULES",
    "TURNS",
    "VARIANTS",
    "Layout",
    "Move",
    "State",
    "apply",
    "board_facts",
    "candidates",
    "card_code",
    "card_name",
    "clauses_for",
    "differ",
    "duties",
    "live_pairs",
    "outcome",
    "resume_from_board",
    "setup",
]

OPTIONS = (Option("repetition", "A player who brings back an earlier position loses.", ("loss",)),)

# --- apply ---


def apply(state: State, move: Move) -> State:
    """Return the position after a move, legal or not; the seat that did not make it is to move.

    It may end the game: with the last King captured, a King in the other palace, or, under the option, a repetition.
    The card must be on the board; a promotion to an Ace that is there already leaves the card as it is.
    """
    before, to, seat = state.board, move.to, move.seat
    square = before[AT + move.code]
    if square == OFF:
        square = square_of(state, move.code)
    code = before[square]
    victim = before[to] if to != square else 0
    board, becomes = bytearray(before), code
    if move.promotes:
        becomes = _promoted(state, code)
        board[AT + code] = OFF
    board[square] = 0
    board[to] = becomes
    board[AT + becomes] = to
    origin_bit, goal_bit, winner, win_key = BIT[square], BIT[to], 0, ""
    suits, occupancy, mine = list(state.suits), state.occupancy ^ origin_bit, (code >> 4) - 4
    suits[mine] ^= origin_bit ^ goal_bit
    if becomes & 15 == KING and PALACE[3 - (becomes >> 6)] & goal_bit:
        winner, win_key = becomes >> 6, PALACE_ENTRY.key
    if victim:
        board[AT + victim] = OFF
        suits[(victim >> 4) - 4] ^= goal_bit
        if victim & 15 == KING and not _has_king(board, victim >> 6):
            winner, win_key = 3 - (victim >> 6), BOTH_KINGS.key
    else:
        occupancy ^= goal_bit
    after, pairs, near = bytes(board), state.pairs, suits[mine ^ 4] & AMAZON[to]
    if near:
        pairs = _paired(pairs, after, to, near, occupancy)
    occurrences = state.occurrences
    if occurrences is not None:
        marked = mark(after, 3 - seat)
        if not winner and times(occurrences, marked):
            winner, win_key = 3 - seat, REPETITION.key
        occurrences = with_one_more(() if victim or move.promotes else occurrences, marked, 1)
    return State(after, 3 - seat, state.round + seat - 1, occupancy, tuple(suits), pairs, winner, win_key, occurrences)


def _promoted(state: State, code: int) -> int:
    """Return the code of the Ace that a card becomes (same suit and seat), or its own if that Ace is on the board
    already.
    """
    ace = code & ~15 | ACE
    return ace if square_of(state, ace) == OFF else code


def _has_king(board: bytearray, seat: int) -> bool:
    """Say whether a seat has at least one King on the board."""
    return any(board[AT + (seat << 6 | suit << 4 | KING)] != OFF for suit in range(4))


def _paired(pairs: Pairs, board: bytes, square: int, near: int, occupancy: int) -> Pairs:
    """Return the pairs of both seats, together with those of a card that has just come to a square.

    Args:
        pairs: the pairs before.
        board: the board after the move.
        square: the square of the card.
        near: the squares of enemy cards of its suit, as a set.
        occupancy: every square with a card, as a set.
    """
    code = board[square]
    rank, aimed, between = code & 15, CAPTURES[code][square], BETWEEN[square]
    first, second = pairs
    while near:
        partner = near.bit_length() - 1
        near ^= BIT[partner]
        partner_code = board[partner]
        if partner_code & 15 < rank:
            if not aimed & BIT[partner]:
                continue
            a, b, taker, victim = square, partner, code, partner_code
        else:
            if not CAPTURES[partner_code][partner] & BIT[square]:
                continue
            a, b, taker, victim = partner, square, partner_code, code
        blockers = between[partner] & occupancy
        pair = (blockers.bit_length() - 1 if blockers else AT, between[partner], a, b, taker, victim)
        if taker < 128:
            first = (first if len(first) < MANY else live_pairs(first, board)) + (pair,)
        else:
            second = (second if len(second) < MANY else live_pairs(second, board)) + (pair,)
    return first, second


# --- the clauses a move is held to ---

_ALL = CLAUSES[: CLAUSES.index(promotion) + 1]
_CAPTURING = CLAUSES[CLAUSES.index(reach) : CLAUSES.index(promotion)]
_SLIDING = (reach, path, follow_suit)
_STEPPING = (reach, follow_suit)


def clauses_for(state: State, move: Move) -> tuple[Clause[State, Move], ...]:
    """Return the clauses that a move can break.

    These are all for a promotion, a move out of turn, a card that is not the seat's, and after the end. Any other move
    breaks few: without a capture none about captures, and a step of one square or a jump has no path.
    """
    board = state.board
    if move.promotes or move.seat != state.mover or board[AT + move.code] == OFF or state.winner:
        return _ALL
    if board[move.to]:
        return _CAPTURING
    return _SLIDING if move.code & 15 >= NINE else _STEPPING


# --- put together ---


def over(end: Outcome) -> Clause[State, Move]:
    """Return the clause that a move after the end breaks, whatever ended the game; for ``Rules.over``."""
    return OVER


def later(state: State, move: Move) -> bool:
    """Say whether a move may be legal now or later: its card is on the board under this seat, or is an Ace, which may
    still come.

    It is for ``Rules.later``.
    """
    return move.code & 15 == ACE or state.board[AT + move.code] != OFF


_play, _judge = by_clauses(CLAUSES, apply, clauses_for=clauses_for)
RULES = Rules(
    setup=setup,
    play=_play,
    clauses=CLAUSES,
    judge=_judge,
    candidates=candidates,
    complete=always_complete,
    outcome=outcome,
    over=over,
    clauses_for=clauses_for,
    carry=apply,
    later=later,
)
TURNS: Turns[State, Move] = Turns(number=number_pairs)
PLACE: Place[State] = Place(key=attrgetter("board", "mover", "winner"))
