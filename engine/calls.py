"""The four calls every game shares: ``Resign Draw Agree Timeout``.

Calls are plies but no candidates and do not change the turn, so they are judged here once, unless a game says otherwise
(``Turns.call``). What they have done so far is carried in ``Calls`` beside the game's own state.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from cartulary.engine.contract import LEGAL, Clause, Outcome, Refused, Verdict

WORDS = ("Resign", "Draw", "Agree", "Timeout")


class Call(Struct, frozen=True):
    """A call that a seat makes.

    Attributes:
        seat: the seat that calls.
        word: one of WORDS.
    """

    seat: int
    word: str


class Calls(Struct, frozen=True):
    """The effect of all calls so far, beside the game's own state.

    Attributes:
        offer: the seat whose offer of a draw is open, 0 if there is none.
        agreeing_seats: the seats that have agreed to it.
        outcome: how a call ended the game, None while it goes on.
    """

    offer: int = 0
    agreeing_seats: tuple[int, ...] = ()
    outcome: Outcome | None = None


NO_CALLS = Calls()

OVER: Clause[Any, Any] = Clause("call.over", "No call is made after the game has ended.", "house ruling")
SEAT: Clause[Any, Any] = Clause(
    "call.seat", "A call is made by one of the seats of the game; the table makes no calls.", "house ruling"
)
NO_OFFER: Clause[Any, Any] = Clause(
    "call.no-offer",
    "A draw is agreed only while another seat's offer is open; a seat that was offered a draw declines it by moving.",
    "house ruling",
)
RESIGN: Clause[Any, Any] = Clause(
    "call.resign",
    "A player who resigns loses, any partner too, and ends the game for everybody, however many play: the other seats"
    " share the win.",
    "house ruling",
)
TIMEOUT: Clause[Any, Any] = Clause(
    "call.timeout",
    "A player whose time runs out loses, any partner too, and ends the game for everybody, however many play: the other"
    " seats share the win.",
    "house ruling",
)
AGREEMENT: Clause[Any, Any] = Clause(
    "call.agree", "The game is drawn when every other seat has agreed to an offer.", "house ruling"
)
CALL_CLAUSES = (OVER, SEAT, NO_OFFER, RESIGN, TIMEOUT, AGREEMENT)


class CallResult(Struct, frozen=True):
    """The verdict on a call and its effect; a refused call that is let stand has no effect.

    Attributes:
        verdict: what the rules say of the call.
        calls: the calls after it.
    """

    verdict: Verdict
    calls: Calls


def judge_call(state: Any, call: Call, calls: Calls, seats: int, teams: Sequence[int] = ()) -> CallResult:
    """Judge a call as CGN defines it, for games that have no rule of their own about it.

    Args:
        state: the state of the game, which these rules do not look at.
        call: the call, made by a seat of the game.
        calls: the calls before it.
        seats: how many seats the game has.
        teams: the number of each seat's team, in seat order; empty if everybody plays alone.

    Returns:
        The calls after it; an agreement without an open offer is refused under ``call.no-offer``.
    """
    if call.word == "Agree":
        if calls.offer in (0, call.seat):
            return CallResult(Refused(_no_offer(call, calls), clause=NO_OFFER), calls)
        if call.seat in calls.agreeing_seats:
            return CallResult(Refused(f"p{call.seat} has already agreed", clause=NO_OFFER), calls)
    return CallResult(LEGAL, _calls_after(call, calls, seats, teams))


def _no_offer(call: Call, calls: Calls) -> str:
    """Return the sentence why a seat cannot agree to a draw: there is no open offer, or it is the seat's own."""
    if not calls.offer:
        return "There is no open offer of a draw"
    other = 2 if call.seat == 1 else 1
    return f"The open offer is p{call.seat}'s own; another seat must agree to it, as p{other}/Agree"


def _calls_after(call: Call, calls: Calls, seats: int, teams: Sequence[int]) -> Calls:
    """Return the calls after a legal one.

    Draw opens a new offer in place of the one before. Agree ends the game drawn once every other seat has agreed.
    Resign and Timeout end it, and all other seats that are not of the same team share the win.
    """
    if call.word == "Draw":
        return Calls(offer=call.seat)
    if call.word == "Agree":
        agreeing_seats = (*calls.agreeing_seats, call.seat)
        if len(agreeing_seats) < seats - 1:
            return Calls(calls.offer, agreeing_seats)
        return Calls(outcome=Outcome((1,) * seats, AGREEMENT.key, "The game was drawn by agreement"))
    sides = teams or range(1, seats + 1)
    shares = tuple(int(side != sides[call.seat - 1]) for side in sides)
    if call.word == "Resign":
        return Calls(outcome=Outcome(shares, RESIGN.key, f"p{call.seat} resigned"))
    return Calls(outcome=Outcome(shares, TIMEOUT.key, f"p{call.seat} ran out of time"))


def after_move(calls: Calls, seat: int) -> Calls:
    """Return the calls after a move of a seat: a seat that was offered a draw declines it by moving.

    Args:
        calls: the calls before the move.
        seat: the seat that has moved.
    """
    return calls if calls.offer in (0, seat) or seat in calls.agreeing_seats else NO_CALLS
