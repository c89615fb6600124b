"""A game as it is shown to whoever asks."""

from msgspec import Struct

from cartulary.notation import Record
from cartulary.notation.arbiter.walk import Walk
from cartulary.records.state.docket_text import DocketText


class Shown(Struct, frozen=True):
    """A game as it is shown to whoever asked.

    record: as if read from its text; whose: the seat whose view it is, 0 the bystander, None nobody's
    quiet: whoever asked is not told what the rules say of it
    docket: its disputes and rulings; kept: a walk through the record where one is known, that of a live game
    """

    record: Record
    whose: int | None
    docket: DocketText
    kept: Walk | None = None
    quiet: bool = False


def quiet_text(id: str, reveal: str = "") -> str:
    """Return that a record is quiet and how it ends, as a sentence.

    reveal: the command that reveals it, by default the one for the usual database
    """
    how = f"once it is closed, or revealed by the arbiter ({reveal or f'`cartulary reveal {id}`'})"
    return f"{id} is quiet: its verdicts are shown {how}."
