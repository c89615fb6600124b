"""Closing a game with its result."""

from typing import Annotated

from cartulary.notation.cgn.result import TERMINATIONS, format_result, points_fault, read_result, result_fault
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import Closed
from cartulary.records.commands.request import GameRequest, carry_out, field, still_open
from cartulary.records.faults import Declined, NoResult, Unfit
from cartulary.records.log.contract import Log
from cartulary.records.log.events import GameClosed
from cartulary.records.state.fold import LiveGame, result_of
from cartulary.records.state.seat_view import for_everybody, hidden_from, seen_version
from cartulary.records.texts import clean_name, now, plain


class CloseRequest(GameRequest, frozen=True):
    """A game to be closed. termination, score: as in the tags of these names"""

    result: Annotated[str, field("The result, such as 1-0; by default what the moves say.", "[RESULT]")] = ""
    termination: Annotated[str, field("How it ended, as in the Termination tag.", "TEXT")] = ""
    score: Annotated[str, field("The score, as in the Score tag.", "TEXT")] = ""


def close(store: Log, id: str, request: CloseRequest, viewer: Viewer = EVERYTHING) -> Closed:
    """Close the game; then it can be amended, annotated, disputed and ruled on only, until it is opened again.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The result; needed where neither the moves nor the points decide.
        viewer: From whose view it is answered; it closes no game that holds cards it has not seen.

    Raises:
        Declined: The result contradicts the moves, and the termination does not say who decided otherwise.
        NoResult: Nobody says the result, and nothing decides it.
        Unfit: The result, the score or the termination cannot be.
    """

    def decide(game: LiveGame) -> tuple[GameClosed]:
        result, how = closing(game, request.result, request.termination, request.score)
        who, points = clean_name(request.by), plain(request.score, "The score")
        return (GameClosed(at=now(), by=who, command=request.command, result=result, termination=how, score=points),)

    def check(game: LiveGame) -> None:
        for_everybody(game, hidden_from(game, viewer), "The result")

    _, done = carry_out(store, id, request, viewer, decide, GameClosed, check=check)
    return Closed(id, seen_version(done, hidden_from(done, viewer)), done.book.result, done.book.termination)


def closing(game: LiveGame, result: str, termination: str, score: str = "") -> tuple[str, str]:
    """Return result and termination of a game that is closed with what the asker says of them; nothing is stored.

    Raises as ``close``.
    """
    still_open(game)
    decided, outcome = _stands_at(game), game.examined.outcome
    result = spelled_result(result, game.book.seats) or decided
    if result == "*" and not termination:
        raise NoResult(game.id, *_possible(game, decided))
    fault = result_fault(result, game.book.seats)
    if fault:
        raise Unfit(f"The result cannot be kept: {fault}.")
    wrong = points_fault(score, game.book.seats) if score else ""
    if wrong:
        raise Unfit(f"The score cannot be kept: {wrong}.")
    if termination and termination not in TERMINATIONS:
        raise Unfit(f"{termination!r} is not a termination; expected one of: {', '.join(TERMINATIONS)}.")
    if termination not in ("adjudication", "rules infraction"):
        _uncontradicted(game, result, decided, score)
    return result, termination or _termination(outcome.key if outcome else "")


def spelled_result(text: str, seats: int) -> str:
    """Return a result that somebody typed as it is written: ``draw`` and ``½-½`` share the game among all seats."""
    if not text or not result_fault(text, seats):
        return text
    read = read_result(text)
    if read == format_result((1, 1)):
        return format_result((1,) * seats)
    return read if read and seats == 2 else text


def _possible(game: LiveGame, decided: str) -> tuple[str, str]:
    """Return a result that an undecided game may be closed with, and the termination it needs, empty for none."""
    result = format_result((1,) + (0,) * (game.book.seats - 1))
    try:
        _uncontradicted(game, result, decided, "")
    except Declined:
        return result, "adjudication"
    return result, ""


def _stands_at(game: LiveGame) -> str:
    """Return the result as the moves have it: decided, or how the points stand."""
    decided, played = result_of(game), game.examined.heading.game
    if played is None or decided != "*":
        return decided
    standing = played.points.shares(game.examined.settled, game.examined.ruled)
    return format_result(standing) if standing else decided


def _uncontradicted(game: LiveGame, result: str, decided: str, score: str) -> None:
    """Raise Declined for a result or a score that the moves contradict."""
    outcome, played = game.examined.outcome, game.examined.heading.game
    only = "To keep another result, give 'adjudication' or 'rules infraction' as the termination."
    if outcome and result != decided:
        raise Declined(f"{game.id} is {decided}: {outcome.because}. {only}")
    if played is None:
        return
    tags = {"Score": score} if score else {}
    for _, key, because in played.points.misstated(
        tags, "*" if outcome else result, game.examined.settled, game.examined.ruled
    ):
        raise Declined(f"{game.id}: {because} ({key}). {only}")


def _termination(key: str) -> str:
    """Return how a game ended whose end this key cites; nothing where the moves do not say."""
    calls = {"call.resign": "resignation", "call.agree": "agreement", "call.timeout": "time forfeit"}
    return calls.get(key, "normal" if key else "")
