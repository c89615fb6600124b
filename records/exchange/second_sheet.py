"""A second sheet of a game is stored with it, as evidence."""

from hashlib import sha256

from msgspec import Struct

from cartulary.notation import Record, examine, format_record
from cartulary.notation.arbiter.compare import different_games
from cartulary.notation.cgn.controls import visible, visible_lines
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.commands.request import GameRequest, carry_out
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.contract import Log
from cartulary.records.log.events import SheetKept
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import for_everybody, hidden_from, seen_version, told_number
from cartulary.records.state.showing import compared_with
from cartulary.records.texts import clean_name, now


class SheetAnswer(Struct, frozen=True):
    """A sheet was stored with a game.

    Attributes:
        id: The id of the game.
        version: The version of the game then.
        number: The number by which the sheet is cited.
        first: The first ply in which it differs from the game, 0 for none.
    """

    id: str
    version: int
    number: int
    first: int


def keep_sheet(
    store: Log,
    id: str,
    record: Record,
    path: str = "",
    *,
    by: str = "",
    command: str = "",
    expected: int | None = None,
    viewer: Viewer = EVERYTHING,
) -> SheetAnswer:
    """Store another sheet of a game with it, such as that of the other player. The game itself does not change.

    The game may be closed.

    Args:
        store: The store.
        id: The id of the game.
        record: The sheet.
        path: The file of the sheet, whose last part is stored; it may be empty.
        by: Whose sheet it is, or who brought it.
        command: The key that makes it harmless to repeat the command; empty for none.
        expected: The version of the game that the caller has seen; None if that does not matter.
        viewer: Who asks. A seat may not do so while the game holds cards that it has not seen.

    Raises:
        Unfit: The sheet cannot be set up, or is of another game.
        Declined: The game has this sheet already, or holds cards that the seat has not seen.
        Fault: As ``execute`` says.
    """
    source = visible(path.replace("\\", "/").rpartition("/")[2])
    text = visible_lines(format_record(record))

    def draft(game: LiveGame) -> tuple[SheetKept]:
        """Return the event that stores the sheet, after checking that it can be set up, is of this game and is not here
        yet.

        Raises:
            Unfit: It cannot be set up, or is of another game.
            Declined: The game has it already, or holds cards that the viewer has not seen.
        """
        for_everybody(game, hidden_from(game, viewer), "Another sheet")
        sheet = examine(record)
        if sheet.walk is None:
            errors = [finding.because for finding in sheet.report.findings if finding.severity == "error"]
            raise Unfit(f"The sheet cannot be kept: {errors[0] if errors else 'it cannot be set up'}.")
        because = different_games(game.examined, sheet)
        if because:
            raise Unfit(f"The sheet is not of the game {id}: {because}.")
        known = next((other.number for other in game.book.sheets if other.cgn == text), 0)
        if known:
            raise Declined(f"{id} already has this sheet, as sheet {known}.")
        digest = sha256(text.encode()).hexdigest()
        return (SheetKept(at=now(), by=clean_name(by), command=command, cgn=text, source=source, digest=digest),)

    _, done = carry_out(store, id, GameRequest(command=command, expected=expected), viewer, draft, SheetKept)
    stored = done.book.sheets[-1]
    seat = hidden_from(done, viewer)
    first = compared_with(done, stored).first
    return SheetAnswer(id, seen_version(done, seat), told_number(done, seat, stored.number), first)
