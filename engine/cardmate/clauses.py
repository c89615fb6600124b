"""Cardmate's rules: the candidates, the clauses in the order in which a move is checked, and the ends.

A clause may rely on those before it: once ``own_card`` has passed, ``board[AT + code]`` is the square of the card.
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
from cartulary.engine.cardmate.reach import BETWEEN, HOW, NAMES, NEAR, REACH, RETREAT
from cartulary.engine.cardmate.setups import SETUP
from cartulary.engine.contract import Clause, Outcome, Refused, clause
from cartulary.engine.sets import members

_MOVES = "I. Derzhanski, Cardmate (2000), Moves"
_CAPTURES = "I. Derzhanski, Cardmate (2000), Captures"
_VICTORY = "I. Derzhanski, Cardmate (2000), Victory"
_RULES = "I. Derzhanski, Cardmate (2000), Rules"

# --- candidates ---


def candidates(state: State) -> Iterator[Move]:
    """Yield every move that the ranks allow the seat to move and no card between blocks, without judging it.

    They are in the order of the squares left, from a0, then of the squares reached; a promotion follows the same move
    without one. There are none after the end of the game.
    """
    seat, board, occupancy = state.mover, state.board, state.occupancy
    if state.winner:
        return
    for square in members(occupancy):
        code = board[square]
        if code >> 6 != seat:
            continue
        between = BETWEEN[square]
        for to in REACH[code][square]:
            if not between[to] & occupancy:
                yield Move(seat, code, to)
                if code & 15 == ONE and crosses_midline(seat, square, to):
                    yield Move(seat, code, to, True)


def crosses_midline(seat: int, square: int, to: int) -> bool:
    """Say whether a move leads from the seat's own half of the board into the other half.

    Squares below 50, the ranks 0 to 4, are the half of seat 1.
    """
    return square < 50 <= to if seat == 1 else square >= 50 > to


def square_of(state: State, code: int) -> int:
    """Return the square of a card, whichever seat owns it; OFF if it is not on the board.

    ``code`` names either owner.
    """
    square = state.board[AT + code]
    return square if square != OFF else state.board[AT + (code ^ 192)]


# --- clauses ---


@clause("cardmate.over", "No move is made after the game has ended.", _VICTORY)
def over(state: State, move: Move) -> Refused | None:
    """Return the refusal of any move after the game has ended, which blocks; None while it goes on."""
    return Refused(f"p{state.winner} has won", blocks=True) if state.winner else None


@clause("cardmate.turn", "Forehand moves first, and the sides move in turn.", _RULES)
def turn(state: State, move: Move) -> Refused | None:
    """Return the refusal of a move of the seat that is not to move; it blocks only if the card is not on the board.

    None for a move in turn.
    """
    if move.seat != state.mover:
        return Refused(f"It is p{state.mover}'s turn, not p{move.seat}'s", blocks=square_of(state, move.code) == OFF)
    return None


@clause("cardmate.own-card", "A side moves one of its own cards that is on the board.", _MOVES)
def own_card(state: State, move: Move) -> Refused | None:
    """Return the refusal of a card that is off the board, which blocks, or belongs to the other seat, which may stand.

    None for a card of the seat that is on the board.
    """
    if state.board[AT + move.code] != OFF:
        return None
    square = state.board[AT + (move.code ^ 192)]
    if square == OFF:
        return Refused(f"{card_name(move.code)} is not on the board", blocks=True)
    return Refused(f"{card_name(move.code)} on {NAMES[square]} is p{3 - move.seat}'s, not p{move.seat}'s")


@clause("cardmate.reach", "A card goes only where its rank lets it go.", _MOVES)
def reach(state: State, move: Move) -> Refused | None:
    """Return the refusal of a square that the rank of the card does not reach on an empty board; it may stand.

    None for any other square. The reason says how that rank moves.
    """
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
    """Return the refusal of a slide or a double step across a card; it may stand, and names the first card in the way.

    None for any other move.
    """
    square = state.board[AT + move.code]
    blockers = BETWEEN[square][move.to] & state.occupancy
    if not blockers:
        return None
    first = next(members(blockers)) if square < move.to else blockers.bit_length() - 1
    return Refused(
        f"{card_name(state.board[first])} on {NAMES[first]} stands in the way of {card_name(move.code)}"
        f" from {NAMES[square]} to {NAMES[move.to]}"
    )


@clause("cardmate.own-square", "A card does not move to a square that holds a card of its own side.", _CAPTURES)
def own_square(state: State, move: Move) -> Refused | None:
    """Return the refusal of a move to a square that holds a card of the same seat; it may stand. None for any other."""
    victim = state.board[move.to]
    if victim and victim >> 6 == move.seat:
        return Refused(f"{NAMES[move.to]} holds p{move.seat}'s own {card_name(victim)}")
    return None


@clause("cardmate.quiet-retreat", "The straight step back of ranks 1 to 9 does not capture.", _MOVES)
def quiet_retreat(state: State, move: Move) -> Refused | None:
    """Return the refusal of a capture by the step straight back of ranks 1 to 9; it may stand. None for any
    other move.
    """
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
    """Return the refusal of the capture of a higher card of the same suit; it may stand. None for any other move."""
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
    """Return the refusal of a move while the seat can capture a lower card of the capturing card's suit.

    None for the capture of any card of the mover's own suit, and if the seat can make no such capture.
    """
    board, code = state.board, move.code
    victim = board[move.to]
    if victim and not (victim ^ code) & 48:
        return None
    for pair in state.pairs[move.seat - 1]:
        if board[pair[0]]:
            continue
        if board[pair[2]] == pair[4] and board[pair[3]] == pair[5] and not pair[1] & state.occupancy:
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
    """Return the refusal of a promotion that the rules do not allow; None for a right one and for a move without
    promotion.

    Only a One is promoted, and only across the midline; a wrong one may stand. If the Ace is on the board, it blocks.
    """
    if not move.promotes:
        return None
    ace = card_name(move.code & ~15 | ACE)
    if move.code & 15 != ONE:
        return Refused(f"{card_name(move.code)} is not a One, so it does not become {ace}")
    if square_of(state, move.code & ~15 | ACE) != OFF:
        return Refused(f"{ace} is on the board already", blocks=True)
    square = state.board[AT + move.code]
    if not crosses_midline(move.seat, square, move.to):
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
"""By seat, its codes in the order in which ``can_move`` tries them: cards that jump come first."""


def can_move(state: State) -> bool:
    """Say whether the seat to move has a legal move; asked only while the game goes on.

    A step to an empty square is legal unless a capture must be made, and then that capture is a legal move. So the
    candidates are judged only if there is no such step.
    """
    board, occupancy = state.board, state.occupancy
    for code in _LIVELY[state.mover]:
        square = board[AT + code]
        if square != OFF and NEAR[code][square] & ~occupancy:
            return True
    return any(all(rule.check(state, move) is None for rule in CLAUSES) for move in candidates(state))


def outcome(state: State) -> Outcome | None:
    """Return who has won, and by which clause, or the draw if the seat to move has no legal move.

    None while the game goes on.
    """
    if state.winner:
        loser = 3 - state.winner
        because = {
            BOTH_KINGS.key: f"p{loser} has lost both Kings",
            PALACE_ENTRY.key: f"p{state.winner}'s King has entered p{loser}'s palace",
            REPETITION.key: f"p{loser} brought back an earlier position",
        }[state.win_key]
        return Outcome((int(state.winner == 1), int(state.winner == 2)), state.win_key, because)
    if can_move(state):
        return None
    return Outcome((1, 1), NO_MOVE.key, f"p{state.mover} has no legal move")
