"""Setting a game aside as a duplicate or a mistake, and counting it again."""

from typing import Annotated

from msgspec import Struct

from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.commands.request import GameRequest, Reason, carry_out, field
from cartulary.records.faults import Unfit
from cartulary.records.log.contract import Log
from cartulary.records.log.events import GameSetAside
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import hidden_from, seen_version
from cartulary.records.texts import clean_name, now, plain


class AsideRequest(GameRequest, frozen=True):
    """A game to be set aside, or to be counted again.

    Attributes:
        reason: Why; it is needed to set a game aside.
        back: Whether the game is to count again.
    """

    reason: Reason = ""
    back: Annotated[bool, field("Count the game again.")] = False


class AsideAnswer(Struct, frozen=True):
    """A game was set aside, or counts again; it may have been so before, and then nothing was written.

    Attributes:
        id: The id of the game.
        version: The version of the game now.
        counts: Whether the game counts now.
    """

    id: str
    version: int
    counts: bool


def set_aside(store: Log, id: str, request: AsideRequest, viewer: Viewer = EVERYTHING) -> AsideAnswer:
    """Set a game aside: lists, searches and standings leave it out until it counts again; the record stays as it is.

    Args:
        store: Where the game is kept.
        id: The game.
        request: Why, or that the game counts again. Saying the same again writes nothing.
        viewer: From whose view it is answered.

    Returns:
        Whether the game counts now, with its id and version.

    Raises:
        Unfit: A game is to be set aside without a reason.
        Fault: As ``execute`` says.
    """
    reason = plain(request.reason, "The reason")
    if not (reason or request.back):
        raise Unfit(f'Say why {id} is set aside, such as --reason "entered twice".')

    def decide(game: LiveGame) -> tuple[GameSetAside, ...]:
        if bool(game.book.set_aside) != request.back:
            return ()
        by = clean_name(request.by)
        return (GameSetAside(at=now(), by=by, command=request.command, counts=request.back, reason=reason),)

    _, done = carry_out(store, id, request, viewer, decide, GameSetAside)
    return AsideAnswer(id, seen_version(done, hidden_from(done, viewer)), not done.book.set_aside)
