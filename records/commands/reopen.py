"""Opening a closed game again."""

from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import CloseAnswer
from cartulary.records.commands.request import GameRequest, Reason, carry_out
from cartulary.records.faults import Declined
from cartulary.records.log.contract import Log
from cartulary.records.log.events import GameReopened
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import hidden_from, seen_version
from cartulary.records.texts import clean_name, now, plain


class ReopenRequest(GameRequest, frozen=True):
    """A closed game to be opened again."""

    reason: Reason = ""


def reopen(store: Log, id: str, request: ReopenRequest, viewer: Viewer = EVERYTHING) -> CloseAnswer:
    """Open a closed game again, so that play can go on; its result counts no more, and the log keeps it.

    Args:
        store: Where the game is kept.
        id: The game.
        request: Why.
        viewer: From whose view it is answered.

    Returns:
        The answer with the version after that, and an empty result and termination. With ``dry``, nothing is stored.

    Raises:
        Declined: The game is not closed.
        Fault: As ``execute`` says.
    """

    def decide(game: LiveGame) -> tuple[GameReopened]:
        if not game.book.closed:
            raise Declined(f"{game.id} is not closed.")
        who, why = clean_name(request.by), plain(request.reason, "The reason")
        return (GameReopened(at=now(), by=who, command=request.command, reason=why),)

    _, done = carry_out(store, id, request, viewer, decide, GameReopened)
    return CloseAnswer(id, seen_version(done, hidden_from(done, viewer)), "", "")
