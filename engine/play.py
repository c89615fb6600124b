"""Playing by the rules of any game: one word, the legal moves of a position, counts of them."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Generic, Protocol

from cartulary.engine.calls import CALL_CLAUSES, NO_CALLS, OVER, SEAT, Call, CallResult, Calls
from cartulary.engine.contract import LEGAL, Outcome, PlayResult, Refused, Undecided, Verdict
from cartulary.engine.numbers import seats_named
from cartulary.engine.parts import M, Rules, S, T, Turns, W


class Playable(Protocol, Generic[S, M, W, T]):
    """A game without its notation: the two parts that ``play`` and ``judge`` need."""

    @property
    def rules(self) -> Rules[S, M, W, T]:
        """The part ``Rules`` of the game, which judges moves and carries them out."""

    @property
    def turns(self) -> Turns[S, M]:
        """The part ``Turns`` of the game, which says who may speak."""


def play(
    game: Playable[S, M, W, Any], state: S, word: W, calls: Calls = NO_CALLS, exactly: bool = False
) -> PlayResult[S, M]:
    """Judge a word and carry it out, from the state alone.

    It is what a referee, a law or a search plays with. A record plays its words in ``notation.arbiter.replay``, which
    does the same and reads the text as well.

    If a seat speaks that may not, and the game has ended, the refusal names the end: the game's ``over``, or the rule
    that ended it. So a game need not search for an end that leaves no legal move.

    Args:
        game: the game that is played.
        state: the state before the word.
        word: the word as the game's notation has read it.
        calls: the calls before it.
        exactly: True to try every deal that fits before a question is left open. That is slower, and needed only for
            one ply at a time.

    Returns:
        The move that the word means, its verdict, and the state after it.
    """
    return before_the_end(game, state, game.rules.play(state, word, exactly), calls)


def before_the_end(
    game: Playable[S, M, Any, Any], state: S, answer: PlayResult[S, M], calls: Calls
) -> PlayResult[S, M]:
    """Return the answer to a word, or the refusal of any move if the game had ended before it.

    The end is looked up only after a refusal: a legal move proves that the game goes on, and the look-up is slow.

    Args:
        game: the game that is played.
        state: the state before the word.
        answer: the answer of the game's rules.
        calls: the calls before the word.
    """
    if calls.outcome is not None:
        return PlayResult(answer.move, refused_after(game.rules, calls.outcome), None)
    if type(answer.verdict) is Refused and answer.move.seat not in actors(game, state):
        end = game.rules.outcome(game.turns.settle(state))
        if end:
            return PlayResult(answer.move, refused_after(game.rules, end), None)
    return answer


def refused_after(rules: Rules[Any, Any, Any, Any], end: Outcome) -> Refused:
    """Return the refusal of a move that is made after the game has ended in this way; it blocks.

    Its clause is the game's own for that (``Rules.over``), else the one that ended the game, else ``call.over``.
    """
    ending = (clause for clause in (*rules.clauses, *CALL_CLAUSES) if clause.key == end.key)
    return Refused(end.because, True, rules.over(end) or next(ending, OVER))


def judge(game: Playable[S, M, M, Any], state: S, move: M, calls: Calls = NO_CALLS) -> Verdict:
    """Return the verdict on a move, without the state after it. This is faster than ``play`` for lists of moves.

    A move after the end by the rules gets an ordinary refusal here; only ``play`` names the end.

    Args:
        game: the game that is played.
        state: the state before the move.
        move: a move, such as one of the candidates.
        calls: the calls before it.
    """
    if calls.outcome is not None:
        return refused_after(game.rules, calls.outcome)
    by = game.rules.judge
    return by(state, move) if by is not None else game.rules.play(state, move).verdict


def legal_moves(game: Playable[S, M, M, Any], state: S, calls: Calls = NO_CALLS) -> Iterator[M]:
    """Yield the candidates that no rule refuses, in their fixed order; an open question does not refuse.

    Args:
        game: the game that is played.
        state: the position.
        calls: the calls before it; after a call that ended the game there are no moves.
    """
    if calls.outcome is not None:
        return
    rules = game.rules
    by, plays = rules.judge, rules.play
    for move in rules.candidates(state):
        verdict = by(state, move) if by is not None else plays(state, move).verdict
        if type(verdict) is not Refused:
            yield move


def perft(game: Playable[S, M, M, Any], state: S, depth: int) -> int:
    """Count the legal sequences of plies from a position, to compare with another program.

    Args:
        game: the game that is played.
        state: the position.
        depth: the number of plies.

    Raises:
        ValueError: the candidates of a position are only a sample (``complete`` says no).
    """

    # Positions that transpose into one another are counted once. The cache is bounded, so that memory does not grow
    # with the depth; a position that falls out is counted again.
    @lru_cache(1 << 16)
    def counted(state: S, depth: int) -> int:
        """Return the number of legal sequences of ``depth`` plies from a position.

        Raises:
            ValueError: The candidates of a position are only a sample.
        """
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
    """Return every seat that may speak now, first the one whose words have no prefix; 0 is the table.

    () after the end. A game may have several: then any of them may speak.
    """
    turns = game.turns
    if turns.actors is not None:
        return turns.actors(state)
    return () if game.rules.outcome(turns.settle(state)) else (turns.first(state),)


def speakers(game: Playable[S, Any, Any, Any], state: S) -> tuple[int, ...]:
    """Return every seat that may say a word now, for itself or for another seat, as declarer does for dummy;
    each once.
    """
    turns = game.turns
    return tuple(dict.fromkeys(turns.speaks_for(state, seat) for seat in actors(game, state)))


def as_displayed(verdict: Verdict) -> Verdict:
    """Return a verdict as people are shown it.

    It is Legal in place of Undecided if none of its questions is to be shown before it is answered; any other verdict
    stays.
    """
    if isinstance(verdict, Undecided) and not any(question.asks for question in verdict.opens):
        return LEGAL
    return verdict


def call(game: Playable[S, M, W, Any], state: S, word: Call, calls: Calls, seats: int) -> CallResult:
    """Judge a call, and return the calls after it.

    A call after the end is refused under ``call.over``, which blocks. A call by a seat that the game does not have is
    refused under ``call.seat``. The game judges all others.

    Args:
        game: the game that is played.
        state: the state before the call.
        word: the call.
        calls: the calls before it.
        seats: how many seats the game has.
    """
    end = calls.outcome or game.rules.outcome(game.turns.settle(state))
    if end is not None:
        return CallResult(Refused(end.because, True, OVER), calls)
    if not 1 <= word.seat <= seats:
        own = "its only seat is" if seats == 1 else "its seats are"
        because = f"p{word.seat} is not a seat of this game: {own} {seats_named(seats, 'and')}"
        return CallResult(Refused(because, clause=SEAT), calls)
    return game.turns.call(state, word, calls, seats)
