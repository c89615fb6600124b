"""Making a record quiet, so that seats are not shown verdicts, and revealing it."""

from msgspec import Struct

from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.commands.request import GameRequest, carry_out, still_open, write
from cartulary.records.faults import Declined
from cartulary.records.log.contract import Log
from cartulary.records.log.events import MadeQuiet, RecordRevealed
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.games import load
from cartulary.records.state.seat_view import hidden_from, seen_version
from cartulary.records.texts import clean_name, now


class RevealAnswer(Struct, frozen=True):
    """A quiet record was revealed; ``version`` is its version now, as the viewer counts it."""

    id: str
    version: int


def make_quiet(store: Log, id: str, *, by: str = "") -> None:
    """Make an open record quiet; nothing is stored if it is quiet already.

    In a quiet record the seats and the rail are shown no verdicts until it is revealed or closed.

    Args:
        store: Where the game is kept.
        id: The game.
        by: Who asks for it.

    Raises:
        Declined: The record is closed.
        UnknownGame: There is no such game.
        Conflict: Somebody wrote to it at the same time.
    """
    game = load(store, id)
    still_open(game)
    if not game.book.quiet:
        write(store, game, (MadeQuiet(at=now(), by=clean_name(by)),))


class RevealRequest(GameRequest, frozen=True):
    """A quiet record to be revealed."""


def reveal(store: Log, id: str, request: RevealRequest, viewer: Viewer = EVERYTHING) -> RevealAnswer:
    """Reveal a quiet record, to every seat and from the first ply on.

    Args:
        store: Where the game is kept.
        id: The game.
        request: By whom.
        viewer: From whose view it is answered.

    Returns:
        The answer with the version after that. With ``dry``, nothing is stored.

    Raises:
        Declined: The record is closed or not quiet.
        Fault: As ``execute`` says.
    """

    def decide(game: LiveGame) -> tuple[RecordRevealed]:
        still_open(game)
        if not game.book.quiet:
            raise Declined(f"{id} is not quiet; its verdicts are already shown.")
        return (RecordRevealed(at=now(), by=clean_name(request.by), command=request.command),)

    _, done = carry_out(store, id, request, viewer, decide, RecordRevealed)
    return RevealAnswer(id, seen_version(done, hidden_from(done, viewer)))
