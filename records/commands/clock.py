"""Times left on the clock: written or corrected after any ply; the log keeps the earlier time."""

from typing import Annotated

from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import ClockAnswer
from cartulary.records.commands.request import GameRequest, Reason, carry_out, field, plies_of
from cartulary.records.commands.tried_words import check_time
from cartulary.records.faults import Declined
from cartulary.records.log.contract import Log
from cartulary.records.log.events import ClockCorrected
from cartulary.records.state.book import time_left
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import hidden_from, seen_version
from cartulary.records.texts import clean_name, now, plain


class ClockRequest(GameRequest, frozen=True):
    """The time left after a ply, to be written or corrected.

    Attributes:
        ply: The ply, from 1.
        clock: Hours, minutes and seconds, or minutes and seconds.
        reason: Why it is corrected.
    """

    ply: Annotated[int, field("The ply; plies count from 1.", "PLY")]
    clock: Annotated[str, field("The time left after it.", "H:MM:SS")] = ""
    reason: Reason = ""


def set_clock(store: Log, id: str, request: ClockRequest, viewer: Viewer = EVERYTHING) -> ClockAnswer:
    """Write the time left after a ply, or correct it, in a closed game too.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The ply and its time.
        viewer: From whose view it is answered.

    Returns:
        The answer with the time now and the time until then, empty for none. With ``dry``, nothing is stored.

    Raises:
        Declined: The game has no such ply.
        Unfit: The time is none.
        Fault: As ``execute`` says.
    """
    check_time(request.clock)

    def decide(game: LiveGame) -> tuple[ClockCorrected]:
        if not 1 <= request.ply <= game.plies:
            raise Declined(f"There is no ply {request.ply} in {id}; it has {plies_of(game)}.")
        event, word = game.book.ref(request.ply)
        who, why = clean_name(request.by), plain(request.reason, "The reason")
        at, left = now(), request.clock
        return (ClockCorrected(at=at, by=who, command=request.command, event=event, word=word, clock=left, reason=why),)

    before, done = carry_out(store, id, request, viewer, decide, ClockCorrected)
    version = seen_version(done, hidden_from(done, viewer))
    return ClockAnswer(id, version, request.ply, request.clock, time_left(before.book.plies[request.ply - 1]))
