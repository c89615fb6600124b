"""Playing by the rules of any game: one word, the legal moves of a position, counts of them."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Generic, Protocol

from cartulary.engine.calls import CALL_CLAUSES, NO_CALLS, OVER, SEAT, Call, Called, Calls
from cartulary.engine.contract import LEGAL, Outcome, Played, Refused, Undecided, Verdict
from cartulary.engine.numbers import seats_named
from cartulary.engine.parts import M, Rules, S, T, Turns, W


class Playable(Protocol, Generic[S, M, W, T]):
    """A game as far as it is rules."""

    @property
    def rules(self) -> Rules[S, M, W, T]: ...
    @property
    def turns(self) -> Turns[S, M]: ...


def play(
    game: Playable[S, M, W, Any], state: S, word: W, calls: Calls = NO_CALLS, exactly: bool = False
) -> Played[S, M]:
    """Return what a word means and what comes of it.

    Before a seat that may not speak is refused, the game is asked whether it has ended. If it has, that is the reason,
    under the game's ``over`` or the rule that ended it. So a game need not search for an end that leaves no legal move.
    exactly: ask every deal that fits before a question is left open; slower, and needed only of one ply at a time

    Source: games.md, "One door".
    """
    return before_the_end(game, state, game.rules.play(state, word, exactly), calls)


def before_the_end(game: Playable[S, M, Any, Any], state: S, answer: Played[S, M], calls: Calls) -> Played[S, M]:
    """Return what was played, its refusal where the game has ended; only a refusal and calls can show that.

    calls: what stood before it
    """
    if calls.ended is not None:
        return Played(answer.move, refused_after(game.rules, calls.ended), None)
    if type(answer.verdict) is Refused and answer.move.seat not in actors(game, state):
        ended = game.rules.outcome(game.turns.settle(state))
        if ended:
            return Played(answer.move, refused_after(game.rules, ended), None)
    return answer


def refused_after(rules: Rules[Any, Any, Any, Any], ended: Outcome) -> Refused:
    """Return the refusal of a move that is made after the game has ended so."""
    ending = (clause for clause in (*rules.clauses, *CALL_CLAUSES) if clause.key == ended.key)
    return Refused(ended.because, True, rules.over(ended) or next(ending, OVER))


def judge(game: Playable[S, M, M, Any], state: S, move: M, calls: Calls = NO_CALLS) -> Verdict:
    """Return what the rules say of a move, carrying nothing out where the game can say so without.

    Of a move after the end it says no more than that: which rule that is, ``play`` tells.
    """
    if calls.ended is not None:
        return refused_after(game.rules, calls.ended)
    by = game.rules.judge
    return by(state, move) if by is not None else game.rules.play(state, move).verdict


def legal_moves(game: Playable[S, M, M, Any], state: S, calls: Calls = NO_CALLS) -> Iterator[M]:
    """Yield the candidates no rule refuses, in their fixed order; an open question does not refuse."""
    if calls.ended is not None:
        return
    rules = game.rules
    by, plays = rules.judge, rules.play
    for move in rules.candidates(state):
        verdict = by(state, move) if by is not None else plays(state, move).verdict
        if type(verdict) is not Refused:
            yield move


def perft(game: Playable[S, M, M, Any], state: S, depth: int) -> int:
    """Return the number of legal sequences of ``depth`` plies from here.

    Equal positions that as many plies lead to are counted once, as long as they are remembered: so many at a time that
    memory does not grow with the depth.
    Raises ValueError where candidates are only a sample (``complete`` says no).
    """

    @lru_cache(1 << 16)
    def counted(state: S, depth: int) -> int:
        if not game.rules.complete(state):
            raise ValueError("the legal moves of this position cannot all be listed, so they cannot be counted")
        if depth == 0:
            return 1
        if depth == 1:
            return sum(1 for _ in legal_moves(game, state))
        after = (game.rules.play(state, move).after for move in legal_moves(game, state))
        return sum(counted(state, depth - 1) for state in after if state is not None)

    return counted(state, depth)


def actors(game: Playable[S, Any, Any, Any], state: S) -> tuple[int, ...]:
    """Return every seat that may speak now, the first in front; nobody after the end."""
    turns = game.turns
    if turns.actors is not None:
        return turns.actors(state)
    return () if game.rules.outcome(turns.settle(state)) else (turns.first(state),)


def speakers(game: Playable[S, Any, Any, Any], state: S) -> tuple[int, ...]:
    """Return every seat that may say a word now, its own or that of the seat it speaks for, each once."""
    turns = game.turns
    return tuple(dict.fromkeys(turns.speaks_for(state, seat) for seat in actors(game, state)))


def shown(verdict: Verdict) -> Verdict:
    """Return the verdict as it is shown: a question that is not shown until it is answered counts as legal so far."""
    if isinstance(verdict, Undecided) and not any(question.asks for question in verdict.opens):
        return LEGAL
    return verdict


def call(game: Playable[S, M, W, Any], state: S, word: Call, calls: Calls, seats: int) -> Called:
    """Return what the rules say of a call and what stands after it.

    A call after the end is refused under ``call.over``, which blocks, and one that is no seat's under ``call.seat``;
    the game says the rest.
    """
    ended = calls.ended or game.rules.outcome(game.turns.settle(state))
    if ended is not None:
        return Called(Refused(ended.because, True, OVER), calls)
    if not 1 <= word.seat <= seats:
        own = "its only seat is" if seats == 1 else "its seats are"
        because = f"p{word.seat} is not a seat of this game: {own} {seats_named(seats, 'and')}"
        return Called(Refused(because, clause=SEAT), calls)
    return game.turns.call(state, word, calls, seats)
