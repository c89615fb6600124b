"""A game as one viewer has it."""

from typing import TYPE_CHECKING

from msgspec import Struct

from cartulary.notation import Finding, Record
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.state.docket_text import NO_DOCKET, DocketText

if TYPE_CHECKING:  # a score sheet is shown without what a log needs
    from cartulary.records.state.book import Agreement


class SeenGame(Struct, frozen=True):
    """A game as one viewer has it: what is printed, drawn and sent is made of this.

    Nothing in it leads back to the whole record, so whoever is handed one cannot show too much of it by mistake. A
    ``LiveGame`` knows everything, and the checker refuses one in the place of the other.

    Attributes:
        record: The score sheet, as if read from its text.
        viewer: Who looks, as ``reader`` has it: quiet where nothing is said of what the rules say.
        docket: The disputes and rulings, as the viewer may read them.
        walk: A walk through the record where one is known, as that of a live game is.
        id: The game's id, empty for a sheet that is in no log.
        version: The version of the game as the viewer counts it.
        head: The game's VERSION:DIGEST, empty for a viewer who does not see everything.
        closed: Whether the game was closed.
        result: The result it was closed with, empty for an open game.
        last_written: When the last event was written.
        withheld: How many events were left out of the log.
        agreements: Which seats agreed with the record.
        let: The errors that a ruling lets stand, so that they are remarks; empty unless the viewer sees everything.
    """

    record: Record
    viewer: Viewer = EVERYTHING
    docket: DocketText = NO_DOCKET
    walk: Walk | None = None
    id: str = ""
    version: int = 0
    head: str = ""
    closed: bool = False
    result: str = ""
    last_written: str = ""
    withheld: int = 0
    agreements: "tuple[Agreement, ...]" = ()
    let: tuple[Finding, ...] = ()

    @property
    def quiet(self) -> bool:
        """Whether nothing is said of what the rules say."""
        return self.viewer.quiet


def quiet_text(id: str, reveal: str = "") -> str:
    """Return that a record is quiet and how it ends, as a sentence.

    reveal: the command that reveals it, by default the one for the usual database
    """
    how = f"once it is closed, or revealed by the arbiter ({reveal or f'`cartulary reveal {id}`'})"
    return f"{id} is quiet: its verdicts are shown {how}."
