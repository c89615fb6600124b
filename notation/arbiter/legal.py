"""The legal moves of a position as words."""

from typing import Any

from cartulary.engine import LEGAL, Calls, Refused, judge
from cartulary.engine.deadline import check_deadline
from cartulary.engine.play import as_displayed
from cartulary.notation.arbiter.gapped import after_gaps
from cartulary.notation.arbiter.replay import write_word
from cartulary.notation.contract import AnyGame


def legal_words(game: AnyGame, state: Any, calls: Calls, most: int | None = None) -> tuple[str, ...]:
    """Return the legal moves of a position as canonical words.

    A move that only some deals of the hidden cards allow is not among them: see ``judged_words``.

    Args:
        game: The game.
        state: The position.
        calls: The calls so far; after one that ended the game no move is legal.
        most: The largest number of words to return; None for all.
    """
    game = after_gaps(game, (), state)
    texts: list[str] = []
    for move in () if calls.outcome else game.rules.candidates(state):
        if most is not None and len(texts) == most:
            break
        check_deadline()
        if as_displayed(judge(game, state, move)) is LEGAL:
            texts.append(write_word(game, move, state))
    return tuple(texts)


def judged_words(game: AnyGame, state: Any, calls: Calls) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the legal moves as canonical words, and the moves that hidden cards leave undecided.

    Every verdict is exact, which takes longer than ``legal_words``.
    """
    game = after_gaps(game, (), state)
    legal: list[str] = []
    undecided: list[str] = []
    open_to_all = game.hidden.face_up
    for move in () if calls.outcome else game.rules.candidates(state):
        check_deadline()
        verdict = judge(game, state, move) if open_to_all else game.rules.play(state, move, True).verdict
        verdict = as_displayed(verdict)
        if type(verdict) is not Refused:
            (legal if verdict is LEGAL else undecided).append(write_word(game, move, state))
    return tuple(legal), tuple(undecided)
