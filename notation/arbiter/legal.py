"""The legal moves of a position as words."""

from typing import Any

from msgspec import Struct

from cartulary.engine import LEGAL, Call, Calls, Refused, judge
from cartulary.engine.deadline import check_deadline
from cartulary.engine.play import as_displayed
from cartulary.notation.arbiter.gapped import after_gaps
from cartulary.notation.arbiter.replay import Step, write_word
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


class PlayableWord(Struct, frozen=True):
    """A move that is legal, or that hidden cards leave undecided.

    Attributes:
        word: Its canonical word.
        path: What is tapped to write it, in the form of ``Touch.path``.
    """

    word: str
    path: tuple[str, ...]


def touched_items(game: AnyGame, step: Step) -> tuple[str, ...]:
    """Return the ids of the items of the drawing that a ply touched.

    Empty for a call such as Resign, and for a ply that could not be applied or that nobody wrote.
    """
    if not step.applied or isinstance(step.move, Call):
        return ()
    return after_gaps(game, (step.word,), step.state).words.touch.path(step.move, step.state)


def judged_words(
    game: AnyGame, state: Any, calls: Calls, exactly: bool = True
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the legal moves as canonical words, and the moves that hidden cards leave undecided, both as tuples.

    Both are empty after a call that ended the game. Every verdict is exact, which takes longer; if ``exactly`` is
    False, some moves that are legal may be among the undecided ones.
    """
    legal, undecided = playable_words(game, state, calls, exactly)
    return tuple(move.word for move in legal), tuple(move.word for move in undecided)


def playable_words(
    game: AnyGame, state: Any, calls: Calls, exactly: bool = True
) -> tuple[tuple[PlayableWord, ...], tuple[PlayableWord, ...]]:
    """Return the legal moves, and the moves that hidden cards leave undecided, each with what is tapped to write it.

    They are in the order in which the game lists its moves. Both are empty after a call that ended the game.
    ``exactly`` asks for exact verdicts, which takes longer.
    """
    game = after_gaps(game, (), state)
    legal: list[PlayableWord] = []
    undecided: list[PlayableWord] = []
    by_judge = game.hidden.face_up or not exactly
    for move in () if calls.outcome else game.rules.candidates(state):
        check_deadline()
        verdict = judge(game, state, move) if by_judge else game.rules.play(state, move, True).verdict
        verdict = as_displayed(verdict)
        if type(verdict) is not Refused:
            playable = PlayableWord(write_word(game, move, state), game.words.touch.path(move, state))
            (legal if verdict is LEGAL else undecided).append(playable)
    return tuple(legal), tuple(undecided)
