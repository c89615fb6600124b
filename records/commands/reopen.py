"""Opening a closed game again."""

from cartulary.records.answers import Closed
from cartulary.records.commands.request import GameRequest, carry_out
from cartulary.records.faults import Declined
from cartulary.records.log.events import GameReopened
from cartulary.records.log.store import Store
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import seen_version, viewer
from cartulary.records.texts import named, now, plain


def reopen(
    store: Store,
    id: str,
    *,
    reason: str = "",
    by: str = "",
    command: str = "",
    expected: int | None = None,
    seat: int | None = None,
) -> Closed:
    """Open a closed game again. seat: from whose view it is answered

    Raises Declined for one that is not closed.
    """

    def draft(game: LiveGame) -> tuple[GameReopened]:
        if not game.book.closed:
            raise Declined(f"{game.id} is not closed.")
        who, why = named(by), plain(reason, "The reason")
        return (GameReopened(at=now(), by=who, command=command, reason=why),)

    _, done = carry_out(store, id, GameRequest(command=command, expected=expected), seat, draft, GameReopened)
    seat = viewer(done, seat)
    return Closed(id, seen_version(done, seat), "", "")
