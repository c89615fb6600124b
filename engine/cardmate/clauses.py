"""Cardmate's rules: the candidates, the clauses that judge a move in the order they are asked, and the ends.

A later clause relies on the earlier ones having passed: after ``own_card`` the card stands where its code is.
"""

from collections.abc import Iterator

from cartulary.engine.cardmate.position import (
    ACE,
    AT,
    OFF,
    ONE,
    Move,
    State,
    card_name,
    duties,
)
from cartulary.engine.cardmate.reach import BETWEEN, HOW, NEAR, REACH, RETREAT
from cartulary.engine.cardmate.setups import SETUP
from cartulary.engine.contract import Clause, Outcome, Refused, clause
from cartulary.engine.grid import NAMES
from cartulary.engine.sets import members

_MOVES = "I. Derzhanski, Cardmate (2000), Moves"
_CAPTURES = "I. Derzhanski, Cardmate (2000), Captures"
_VICTORY = "I. Derzhanski, Cardmate (2000), Victory"
_RULES = "I. Derzhanski, Cardmate (2000), Rules"

# --- candidates ---


def candidates(state: State) -> Iterator[Move]:
    """Yield every move the ranks allow to the seat to move, by square from a0, then by target, plain first."""
    seat, board, occupied = state.mover, state.board, state.occupied
    if state.won:
        return
    for square in members(occupied):
        code = board[square]
        if code >> 6 != seat:
            continue
        between = BETWEEN[square]
        for to in REACH[code][square]:
            if not between[to] & occupied:
                yield Move(seat, code, to)
                if code & 15 == ONE and enters(seat, square, to):
                    yield Move(seat, code, to, True)


def enters(seat: int, square: int, to: int) -> bool:
    """Say whether a move crosses the midline out of the seat's own half."""
    return square < 50 <= to if seat == 1 else square >= 50 > to


def stands(state: State, code: int) -> int:
    """Return where a card stands, the seat's or the other's; OFF when it is off the board."""
    square = state.board[AT + code]
    return square if square != OFF else state.board[AT + (code ^ 192)]


# --- clauses ---


@clause("cardmate.over", "No move is made after the game has ended.", _VICTORY)
def over(state: State, move: Move) -> Refused | None:
    return Refused(f"p{state.won} has won", blocks=True) if state.won else None


@clause("cardmate.turn", "Forehand moves first, and the sides move in turn.", _RULES)
def turn(state: State, move: Move) -> Refused | None:
    if move.seat != state.mover:
        return Refused(f"It is p{state.mover}'s turn, not p{move.seat}'s", blocks=stands(state, move.code) == OFF)
    return None


@clause("cardmate.own-card", "A side moves one of its own cards that is on the board.", _MOVES)
def own_card(state: State, move: Move) -> Refused | None:
    if state.board[AT + move.code] != OFF:
        return None
    square = state.board[AT + (move.code ^ 192)]
    if square == OFF:
        return Refused(f"{card_name(move.code)} is not on the board", blocks=True)
    return Refused(f"{card_name(move.code)} on {NAMES[square]} is p{3 - move.seat}'s, not p{move.seat}'s")


@clause("cardmate.reach", "A card goes only where its rank lets it go.", _MOVES)
def reach(state: State, move: Move) -> Refused | None:
    code, to = move.code, move.to
    square = state.board[AT + code]
    if to in REACH[code][square]:
        return None
    if square == to:
        return Refused(f"{card_name(code)} is already on {NAMES[to]}")
    return Refused(f"{card_name(code)} on {NAMES[square]} does not reach {NAMES[to]}: {HOW[code & 15]}")


@clause(
    "cardmate.path",
    "No card may be in the way of a sliding card, or on the first square of a Jack's double step.",
    _MOVES,
)
def path(state: State, move: Move) -> Refused | None:
    square = state.board[AT + move.code]
    blockers = BETWEEN[square][move.to] & state.occupied
    if not blockers:
        return None
    first = next(members(blockers)) if square < move.to else blockers.bit_length() - 1
    return Refused(
        f"{card_name(state.board[first])} on {NAMES[first]} stands in the way of {card_name(move.code)}"
        f" from {NAMES[square]} to {NAMES[move.to]}"
    )


@clause("cardmate.own-square", "A card does not move to a square that holds a card of its own side.", _CAPTURES)
def own_square(state: State, move: Move) -> Refused | None:
    victim = state.board[move.to]
    if victim and victim >> 6 == move.seat:
        return Refused(f"{NAMES[move.to]} holds p{move.seat}'s own {card_name(victim)}")
    return None


@clause("cardmate.quiet-retreat", "The straight step back of ranks 1 to 9 does not capture.", _MOVES)
def quiet_retreat(state: State, move: Move) -> Refused | None:
    victim = state.board[move.to]
    if victim:
        square = state.board[AT + move.code]
        if RETREAT[move.code][square] == move.to:
            return Refused(
                f"{card_name(move.code)} would capture {card_name(victim)} by its step back from"
                f" {NAMES[square]} to {NAMES[move.to]}"
            )
    return None


@clause("cardmate.suit-order", "A card does not capture a card of its suit that ranks above it.", _CAPTURES)
def suit_order(state: State, move: Move) -> Refused | None:
    victim, code = state.board[move.to], move.code
    if victim and not (victim ^ code) & 48 and victim & 15 > code & 15:
        return Refused(f"{card_name(code)} ranks below {card_name(victim)} on {NAMES[move.to]}, a card of its own suit")
    return None


@clause(
    "cardmate.follow-suit",
    "A side that can capture a lower card of the capturing card's own suit must do so before any other move.",
    _CAPTURES,
)
def follow_suit(state: State, move: Move) -> Refused | None:
    board, code = state.board, move.code
    victim = board[move.to]
    if victim and not (victim ^ code) & 48:
        return None
    for pair in state.pairs[move.seat - 1]:
        if board[pair[0]]:
            continue
        if board[pair[2]] == pair[4] and board[pair[3]] == pair[5] and not pair[1] & state.occupied:
            break
    else:
        return None
    captures = [f"{card_name(state.board[a])}:{NAMES[b]}" for a, b in duties(state, move.seat)]
    return Refused(f"p{move.seat} must capture a lower card of the same suit: {' or '.join(captures)}")


@clause(
    "cardmate.promotion",
    "Only a One may become the Ace of its suit, and only on a move from its own half into the other.",
    _MOVES,
)
def promotion(state: State, move: Move) -> Refused | None:
    if not move.promotes:
        return None
    ace = card_name(move.code & ~15 | ACE)
    if move.code & 15 != ONE:
        return Refused(f"{card_name(move.code)} is not a One, so it does not become {ace}")
    if stands(state, move.code & ~15 | ACE) != OFF:
        return Refused(f"{ace} is on the board already", blocks=True)
    square = state.board[AT + move.code]
    if not enters(move.seat, square, move.to):
        return Refused(
            f"{card_name(move.code)} does not cross the midline from {NAMES[square]} to {NAMES[move.to]},"
            f" so it does not become {ace}"
        )
    return None


BOTH_KINGS: Clause[State, Move] = Clause(
    "cardmate.both-kings", "A side wins when it has captured every King of the other side.", _VICTORY
)
PALACE_ENTRY: Clause[State, Move] = Clause(
    "cardmate.palace", "A side wins when a King of its own enters the other side's palace.", _VICTORY
)
NO_MOVE: Clause[State, Move] = Clause(
    "cardmate.no-move", "The game is drawn when the side to move has no legal move.", "house ruling"
)
REPETITION: Clause[State, Move] = Clause(
    "cardmate.repetition",
    "With repetition=loss, the side that brings back an earlier position loses.",
    f"{_VICTORY} (optional)",
)
OVER = over
CLAUSES: tuple[Clause[State, Move], ...] = (
    over,
    turn,
    own_card,
    reach,
    path,
    own_square,
    quiet_retreat,
    suit_order,
    follow_suit,
    promotion,
    SETUP,
    BOTH_KINGS,
    PALACE_ENTRY,
    NO_MOVE,
    REPETITION,
)

# --- ends ---

_LIVELY = tuple(
    tuple(seat << 6 | suit << 4 | rank for rank in (7, 10, 6, 4, 5, 3, 2, 1, 8, 9, 11, 13, 12, 0) for suit in range(4))
    if seat
    else ()
    for seat in range(3)
)
"""By seat, its codes in the order in which a free step is looked for: jumpers first."""


def can_move(state: State) -> bool:
    """Say whether the seat to move has a legal move.

    A step to a vacant square is legal unless there is a duty to capture, and a duty is a legal move itself; only
    where there is no such step are all candidates judged.
    """
    board, occupied = state.board, state.occupied
    for code in _LIVELY[state.mover]:
        square = board[AT + code]
        if square != OFF and NEAR[code][square] & ~occupied:
            return True
    return any(all(rule.check(state, move) is None for rule in CLAUSES) for move in candidates(state))


def outcome(state: State) -> Outcome | None:
    """Return who won and by which rule, a draw where the seat to move has no legal move, else None."""
    if state.won:
        loser = 3 - state.won
        because = {
            BOTH_KINGS.key: f"p{loser} has lost both Kings",
            PALACE_ENTRY.key: f"p{state.won}'s King has entered p{loser}'s palace",
            REPETITION.key: f"p{loser} brought back an earlier position",
        }[state.aim]
        return Outcome((int(state.won == 1), int(state.won == 2)), state.aim, because)
    if can_move(state):
        return None
    return Outcome((1, 1), NO_MOVE.key, f"p{state.mover} has no legal move")
