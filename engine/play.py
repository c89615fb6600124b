"""Playing by the rules of any game: judge, apply, count, and the four calls every game shares.

Calls (``Resign Draw Agree Timeout``) are plies but no candidates and do not change the turn, so they are judged
here once. What they have done so far is carried in ``Calls`` beside the game's own state.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from cartulary.engine.contract import (
    LEGAL,
    Clause,
    M,
    Open,
    Outcome,
    Refused,
    Rules,
    S,
    Undecided,
    Verdict,
)

# --- types ---

WORDS = ("Resign", "Draw", "Agree", "Timeout")


class Call(Struct, frozen=True):
    """A seat's call: ``word`` is one of WORDS."""

    seat: int
    word: str


class Calls(Struct, frozen=True):
    """What the calls have done: who offers a draw (0 nobody), who has agreed, how a call ended the game."""

    offer: int = 0
    agreed: tuple[int, ...] = ()
    ended: Outcome | None = None


NO_CALLS = Calls()

OVER: Clause[Any, Any] = Clause("call.over", "No call is made after the game has ended.", "house ruling")
SEAT: Clause[Any, Any] = Clause(
    "call.seat", "A call is made by one of the seats of the game; the table calls nothing.", "house ruling"
)
NO_OFFER: Clause[Any, Any] = Clause(
    "call.no-offer",
    "A draw is agreed only while another seat's offer stands; a move by a seat that was offered it declines it.",
    "house ruling",
)
RESIGN: Clause[Any, Any] = Clause(
    "call.resign",
    "Who resigns loses and ends the game for all, however many play: the other seats share it.",
    "house ruling",
)
TIMEOUT: Clause[Any, Any] = Clause(
    "call.timeout",
    "Whose time runs out loses and ends the game for all, however many play: the other seats share it.",
    "house ruling",
)
AGREED: Clause[Any, Any] = Clause(
    "call.agree", "The game is drawn when every other seat has agreed to an offer.", "house ruling"
)
CALL_CLAUSES = (OVER, SEAT, NO_OFFER, RESIGN, TIMEOUT, AGREED)


# --- moves ---


def judge(rules: Rules[S, M, Any], state: S, move: M, calls: Calls = NO_CALLS, *, exactly: bool = False) -> Verdict:
    """Return what the clauses say of the move, asked in order: the first refusal wins, else all questions.

    Before a refusal is given to a seat that may not speak, the game is asked whether it has ended: then that is the
    reason, under the game's ``OVER``, or the rule that ended it. So a clause need not search for an end that leaves no
    legal move.
    exactly: ask every deal that fits before a question is left open; slower, and needed only of one ply at a time

    Source: architecture, "A game is a module".
    """
    if calls.ended is not None:
        return _over(rules, calls.ended)
    opens: tuple[Open, ...] = ()
    for clause in rules.asked(state, move):
        answer = clause.check(state, move)
        if exactly and type(answer) is Open:
            answer = rules.exact(state, Open(answer.needs, answer.asks, clause))
        if answer is None:
            continue
        if type(answer) is Refused:
            ended = None if move.seat in rules.actors(state) else rules.outcome(rules.settle(state))
            if ended:
                return _over(rules, ended)
            left = tuple(Open(asked.needs, asked.asks, asked.clause, True) for asked in opens)
            return Refused(answer.because, answer.blocks, clause, left)
        assert isinstance(answer, Open)
        opens += (Open(answer.needs, answer.asks, clause),)
    return Undecided(opens) if opens else LEGAL


def _over(rules: Rules[S, M, Any], ended: Outcome) -> Refused:
    """Return the refusal of a move that is made after the game has ended so."""
    ending = (clause for clause in (*rules.CLAUSES, *CALL_CLAUSES) if clause.key == ended.key)
    return Refused(ended.because, True, rules.OVER or next(ending, OVER))


def legal_moves(rules: Rules[S, M, Any], state: S, calls: Calls = NO_CALLS) -> Iterator[M]:
    """Yield the candidates no clause refuses, in their fixed order; an open question does not refuse."""
    if calls.ended is None:
        for move in rules.candidates(state):
            if type(judge(rules, state, move)) is not Refused:
                yield move


def perft(rules: Rules[S, M, Any], state: S, depth: int) -> int:
    """Return the number of legal sequences of ``depth`` plies from here.

    Raises ValueError where candidates are only a sample (COMPLETE is false).
    """
    if not rules.COMPLETE(state):
        raise ValueError("the legal moves of this position cannot all be listed, so they cannot be counted")
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in legal_moves(rules, state))
    return sum(perft(rules, rules.apply(state, move), depth - 1) for move in legal_moves(rules, state))


def shown(verdict: Verdict) -> Verdict:
    """Return the verdict as it is told: what asks nothing before it is answered is legal so far."""
    if isinstance(verdict, Undecided) and not any(asked.asks for asked in verdict.opens):
        return LEGAL
    return verdict


# --- calls ---


def judge_call(rules: Rules[S, M, Any], state: S, call: Call, seats: int, calls: Calls) -> Verdict:
    """Return Legal, or the refusal under ``call.over``, ``call.seat`` or ``call.no-offer``.

    Only a call after the end blocks; the others can stand, and then nothing comes of them.
    """
    ended = calls.ended or rules.outcome(rules.settle(state))
    if ended is not None:
        return Refused(ended.because, True, OVER)
    if not 1 <= call.seat <= seats:
        because = f"p{call.seat} is not a seat of this game: its seats are p1 to p{seats}"
        return Refused(because, clause=SEAT)
    if call.word == "Agree":
        if calls.offer in (0, call.seat):
            return Refused("No other seat has an offer of a draw standing", clause=NO_OFFER)
        if call.seat in calls.agreed:
            return Refused(f"p{call.seat} has agreed already", clause=NO_OFFER)
    return LEGAL


def apply_call(call: Call, seats: int, calls: Calls) -> Calls:
    """Return what stands after a legal call. A new offer replaces the one before it."""
    if call.word == "Draw":
        return Calls(offer=call.seat)
    if call.word == "Agree":
        agreed = (*calls.agreed, call.seat)
        if len(agreed) < seats - 1:
            return Calls(calls.offer, agreed)
        return Calls(ended=Outcome((1,) * seats, AGREED.key, "The game was drawn by agreement"))
    shares = tuple(0 if seat == call.seat else 1 for seat in range(1, seats + 1))
    if call.word == "Resign":
        return Calls(ended=Outcome(shares, RESIGN.key, f"p{call.seat} resigned"))
    return Calls(ended=Outcome(shares, TIMEOUT.key, f"p{call.seat} ran out of time"))


def after_move(calls: Calls, seat: int) -> Calls:
    """Return what stands after a move of the seat: a move by a seat that was offered a draw declines it."""
    return calls if calls.offer in (0, seat) or seat in calls.agreed else NO_CALLS
