"""Chess: two seats, the FIDE Laws of Chess in force from 2023, standard and chess960.

State: 64 letters, a1 first (``position``). ``clauses`` decides what is legal, and ``play`` which piece a word means.
Chance: none; a chess960 array stands in the sheet.
"""

from typing import Any

from msgspec.structs import replace

from cartulary.engine.calls import Call, CallResult, Calls, judge_call
from cartulary.engine.chess.clauses import ORDER, OVER, clauses_for
from cartulary.engine.chess.play import (
    CHECKMATE,
    DEAD_POSITION,
    FIFTY,
    FIVE_TIMES,
    SEVENTY_FIVE_MOVES,
    STALEMATE,
    THREEFOLD,
    candidates,
    claims,
    judge,
    outcome,
    play,
    remedies,
)
from cartulary.engine.chess.position import Claim, Layout, Move, San, State, Word, cannot_win, mark_of
from cartulary.engine.chess.setups import SETUP, setup
from cartulary.engine.contract import Clause, Legal, Option, Outcome, Refused
from cartulary.engine.parts import Place, Rules, Turns, always_complete, count_ply, number_pairs

__all__ = ["OPTIONS", "PLACE", "RULES", "TURNS", "Claim", "Layout", "Move", "San", "State", "Word"]

OPTIONS = (
    Option(
        "claims-only",
        "A draw by repetition or by the fifty-move rule must be claimed; article 9.6 (five times, 75 moves) does not"
        " apply.",
    ),
)
AGREEMENT: Clause[State, Any] = Clause(
    "chess.agreement", "A draw can be agreed only after both players have made a move.", "FIDE 5.2.3"
)
CANNOT_WIN: Clause[State, Any] = Clause(
    "chess.cannot-win",
    "A game that a player resigns or loses on time is drawn if no series of moves would let the opponent's men mate.",
    "FIDE 5.1.2, 6.9",
)
"""Only the men are counted. A seat cannot win with a bare king; with a lone knight if the other seat has no pawn,
knight, bishop or rook; or with bishops on squares of one colour if the other seat has no pawn or knight."""
CLAUSES: tuple[Clause[State, Any], ...] = (
    OVER,
    *ORDER,
    THREEFOLD,
    FIFTY,
    AGREEMENT,
    CHECKMATE,
    STALEMATE,
    DEAD_POSITION,
    FIVE_TIMES,
    SEVENTY_FIVE_MOVES,
    CANNOT_WIN,
    SETUP,
)
_OWN_ENDS = {rule.key: rule for rule in (CHECKMATE, STALEMATE, DEAD_POSITION, FIVE_TIMES, SEVENTY_FIVE_MOVES)}


def over(end: Outcome) -> Clause[State, Any]:
    """Return the clause that a move after the end breaks.

    It is the clause by which the position itself ended the game, or OVER if a call or a claim ended it.
    """
    return _OWN_ENDS.get(end.key, OVER)


def call(state: State, word: Call, calls: Calls, seats: int) -> CallResult:
    """Judge a call by the rules of chess.

    A wrong claim of a draw stands as an offer. No draw is agreed before both seats have moved. A player who resigns or
    loses on time draws if the opponent cannot win.

    Args:
        state: the state before the call.
        word: the call.
        calls: the calls before it.
        seats: how many seats there are, always two.

    Returns:
        The verdict, and the calls after it; those before it if it is refused.
    """
    standing = replace(calls, offer=state.offer) if state.offer and not calls.offer else calls
    answer = judge_call(state, word, standing, seats)
    if type(answer.verdict) is not Legal:
        return CallResult(answer.verdict, calls)
    if word.word == "Agree" and len(state.seats_moved) < 2:
        idle = next(seat for seat in (1, 2) if seat not in state.seats_moved)
        return CallResult(Refused(f"p{idle} has not made a move", clause=AGREEMENT), calls)
    if word.word in ("Resign", "Timeout") and cannot_win(state.board, 3 - word.seat):
        did = "resigned" if word.word == "Resign" else "ran out of time"
        because = f"p{word.seat} {did}, and p{3 - word.seat} cannot win"
        return CallResult(answer.verdict, Calls(outcome=Outcome((1, 1), CANNOT_WIN.key, because)))
    return answer


def place(state: State) -> list[object]:
    """Return all that decides how play can go on, for ``Place.key``: the board, the rest of ``mark`` in hex, and what
    ended it.
    """
    return [state.board.decode(), mark_of(state)[64:].hex(), state.end_key]


RULES: Rules[State, Any, Word, Layout] = Rules(
    setup=setup,
    play=play,
    clauses=CLAUSES,
    judge=judge,
    candidates=candidates,
    complete=always_complete,
    outcome=outcome,
    over=over,
    clauses_for=clauses_for,
    remedies=remedies,
)
TURNS: Turns[State, Any] = Turns(skip=count_ply, number=number_pairs, claims=claims, call=call)
PLACE: Place[State] = Place(key=place)
