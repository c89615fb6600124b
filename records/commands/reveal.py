"""A quiet record revealed: what the rules say of it is told again."""

from msgspec import Struct

from cartulary.records.commands.request import carry_out, still_open
from cartulary.records.faults import Declined
from cartulary.records.log.events import Revealed
from cartulary.records.log.store import Store
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import seen_version, viewer
from cartulary.records.texts import named, now


class RevealAnswer(Struct, frozen=True):
    """A quiet record was revealed; version as whoever asked counts it."""

    id: str
    version: int


def reveal(
    store: Store,
    id: str,
    *,
    by: str = "",
    command: str = "",
    expected: int | None = None,
    seat: int | None = None,
) -> RevealAnswer:
    """Reveal a quiet record, to every seat and from the first ply on. seat: from whose view it is answered

    Raises Declined for one that is closed or not quiet.
    """

    def draft(game: LiveGame) -> tuple[Revealed]:
        still_open(game)
        if not game.book.quiet:
            raise Declined(f"{id} is not quiet: no word was written quietly since it began or was revealed.")
        return (Revealed(at=now(), by=named(by), command=command),)

    _, done = carry_out(store, id, expected, command, Revealed, draft, seat)
    return RevealAnswer(id, seen_version(done, viewer(done, seat)))
