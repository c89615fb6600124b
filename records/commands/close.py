"""Closing a game with its result."""

from typing import Annotated

from cartulary.notation.cgn.result import (
    TERMINATIONS,
    format_result,
    points_fault,
    read_result,
    result_fault,
)
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import CloseAnswer
from cartulary.records.commands.request import GameRequest, carry_out, field, still_open
from cartulary.records.faults import Declined, NoResult, Unfit
from cartulary.records.log.contract import Log
from cartulary.records.log.events import GameClosed
from cartulary.records.state.fold import LiveGame, result_of
from cartulary.records.state.seat_view import for_everybody, hidden_from, seen_version
from cartulary.records.texts import clean_name, now, plain


class CloseRequest(GameRequest, frozen=True):
    """A game to be closed.

    Attributes:
        result: The result, such as 1-0; empty for what the moves or the points decide.
        termination: How it ended, as in the tag Termination.
        score: The score, as in the tag Score.
    """

    result: Annotated[str, field("The result, such as 1-0; by default what the moves say.", "[RESULT]")] = ""
    termination: Annotated[str, field("How it ended, as in the Termination tag.", "TEXT")] = ""
    score: Annotated[str, field("The score, as in the Score tag.", "TEXT")] = ""


def close(store: Log, id: str, request: CloseRequest, viewer: Viewer = EVERYTHING) -> CloseAnswer:
    """Close the game; then no more is played or taken back until it is opened again.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The result; needed where neither the moves nor the points decide.
        viewer: From whose view it is answered; it closes no game that holds cards it has not seen.

    Returns:
        The answer with the result and the termination. With ``dry``, nothing is stored.

    Raises:
        Declined: The result contradicts the moves, and the termination does not say who decided otherwise; the game is
            closed already; or it holds cards that the viewer has not seen.
        NoResult: Nobody says the result or the termination, and nothing decides it.
        Unfit: The result, the score or the termination cannot be.
        Fault: As ``execute`` says.
    """

    def decide(game: LiveGame) -> tuple[GameClosed]:
        result, how = closing(game, request.result, request.termination, request.score)
        who, points = clean_name(request.by), plain(request.score, "The score")
        return (GameClosed(at=now(), by=who, command=request.command, result=result, termination=how, score=points),)

    def check(game: LiveGame) -> None:
        for_everybody(game, hidden_from(game, viewer), "The result")

    _, done = carry_out(store, id, request, viewer, decide, GameClosed, check=check)
    return CloseAnswer(id, seen_version(done, hidden_from(done, viewer)), done.book.result, done.book.termination)


def closing(game: LiveGame, result: str, termination: str, score: str = "") -> tuple[str, str]:
    """Return the result and the termination that a game would be closed with; nothing is stored.

    Args:
        game: The game.
        result: The result that was asked for, empty for what the moves or the points decide.
        termination: The termination that was asked for, empty for what the moves say.
        score: The score that was stated.

    Returns:
        The result and the termination, such as ``("1-0", "normal")``.

    Raises:
        Declined: The game is closed, or the result contradicts the moves and no termination says who decided.
        NoResult: Nobody says the result or the termination, and nothing decides it.
        Unfit: The result, the score or the termination cannot be.
    """
    still_open(game)
    current, outcome = _current_result(game), game.examined.outcome
    result = spelled_result(result, game.book.seats) or current
    if result == "*" and not termination:
        raise NoResult(game.id, *_example_result(game, current))
    fault = result_fault(result, game.book.seats)
    if fault:
        raise Unfit(f"The result cannot be kept: {fault}.")
    score_fault = points_fault(score, game.book.seats) if score else ""
    if score_fault:
        raise Unfit(f"The score cannot be kept: {score_fault}.")
    if termination and termination not in TERMINATIONS:
        raise Unfit(f"{termination!r} is not a termination; expected one of: {', '.join(TERMINATIONS)}.")
    if termination not in ("adjudication", "rules infraction"):
        _check_uncontradicted(game, result, current, score)
    return result, termination or _termination(outcome.key if outcome else "")


def spelled_result(text: str, seats: int) -> str:
    """Return a result as it is stored: ``½-½`` -> ``1/2-1/2``, ``1 : 0`` -> ``1-0``.

    In a game for more than two, a draw means equal shares of all. A text that is no result is returned as it is, and so
    is an empty one.

    Args:
        text: The result as somebody wrote it, such as ``draw``.
        seats: The number of seats.
    """
    if not text or not result_fault(text, seats):
        return text
    result = read_result(text)
    if result == format_result((1, 1)):
        return format_result((1,) * seats)
    return result if result and seats == 2 else text


def _example_result(game: LiveGame, current: str) -> tuple[str, str]:
    """Return a result that an undecided game may be closed with, and the termination that it needs.

    The result is a win of the first seat. The termination is ``adjudication`` if moves or points contradict that, else
    empty.

    Args:
        game: The game.
        current: The result by the moves or the points.
    """
    result = format_result((1,) + (0,) * (game.book.seats - 1))
    try:
        _check_uncontradicted(game, result, current, "")
    except Declined:
        return result, "adjudication"
    return result, ""


def _current_result(game: LiveGame) -> str:
    """Return the result of a game by its moves; if they decide none, that by the points; ``*`` if neither does."""
    result, played = result_of(game), game.examined.heading.game
    if played is None or result != "*":
        return result
    standing = played.points.shares(game.examined.settled_state, game.examined.ruled_score)
    return format_result(standing) if standing else result


def _check_uncontradicted(game: LiveGame, result: str, current: str, score: str) -> None:
    """Raise Declined if the moves contradict a result or a score.

    Args:
        game: The game.
        result: The result that is to be kept.
        current: The result by the moves or the points, ``*`` for none.
        score: The score that was stated, empty for none.
    """
    outcome, played = game.examined.outcome, game.examined.heading.game
    only = "To keep another result, give 'adjudication' or 'rules infraction' as the termination."
    if outcome and result != current:
        raise Declined(f"{game.id} is {current}: {outcome.because}. {only}")
    if played is None:
        return
    tags = {"Score": score} if score else {}
    for _, key, because in played.points.tag_faults(
        tags, "*" if outcome else result, game.examined.settled_state, game.examined.ruled_score
    ):
        raise Declined(f"{game.id}: {because} ({key}). {only}")


def _termination(key: str) -> str:
    """Return how a game ended, as the tag Termination has it, by the key of its end.

    ``call.resign`` -> ``resignation``, ``call.agree`` -> ``agreement``, ``call.timeout`` -> ``time forfeit``;
    ``normal`` for any other key, and empty for an empty one.
    """
    calls = {"call.resign": "resignation", "call.agree": "agreement", "call.timeout": "time forfeit"}
    return calls.get(key, "normal" if key else "")
