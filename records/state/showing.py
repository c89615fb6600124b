"""Live games and sheets as a viewer has them, with what was disputed and ruled."""

from cartulary.notation import Record, dumps, loads, read_heading
from cartulary.notation.viewer import EVERYTHING, Everything, Viewer
from cartulary.records.log.proof import left_out
from cartulary.records.state.agreements import agreements_of
from cartulary.records.state.docket_text import DocketText
from cartulary.records.state.fold import LiveGame, finished
from cartulary.records.state.kept_sheets import sheets_kept
from cartulary.records.state.seat_view import hidden_from, reader, seen_game, seen_sheet, seen_version
from cartulary.records.state.seen_docket import Contested, contested, contested_on_paper
from cartulary.records.state.seen_game import SeenGame


def see_game(game: LiveGame, viewer: Viewer = EVERYTHING) -> SeenGame:
    """Return a live game as a viewer has it.

    Args:
        game: The game, with everything on record.
        viewer: Who looks.

    Raises:
        Unfit: The game has no such seat.
    """
    seat = hidden_from(game, viewer)
    by = reader(game, viewer)
    whole = isinstance(by, Everything)
    [sheet] = loads(dumps(finished(game, quiet=by.quiet)))
    return SeenGame(
        record=seen_sheet(game, sheet, by),
        viewer=by,
        docket=docket_on_the_log(game, by),
        walk=seen_game(game, hidden_from(game, by)).examined.walk,
        id=game.id,
        version=seen_version(game, seat),
        head=str(game.head) if whole else "",
        closed=game.book.closed,
        result=game.book.result if game.book.closed else "",
        last_written=game.book.updated,
        withheld=left_out(game.recorded),
        agreements=agreements_of(game, by),
        let=game.let if whole else (),
    )


def docket_on_the_log(game: LiveGame, viewer: Viewer) -> DocketText:
    """Return the disputes and rulings of a live record, as a viewer may read them."""
    sheets = sheets_kept(game) if hidden_from(game, viewer) is None else ()
    return _docket(contested(game, viewer), sheets, live=True)


def docket_on_paper(whole: Record, viewer: Viewer = EVERYTHING) -> DocketText:
    """Return the disputes and rulings the comments of a score sheet tell of.

    Args:
        whole: The record as it was read.
        viewer: Who reads them; it makes a difference where anything is hidden.
    """
    heading = read_heading(whole)
    open_to_all = heading.game is not None and heading.game.hidden.face_up
    return _docket(contested_on_paper(whole, EVERYTHING if open_to_all else viewer))


def _docket(told: Contested, sheets: tuple[tuple[int, str, int], ...] = (), live: bool = False) -> DocketText:
    return DocketText(told.disputes, told.rulings, told.times, told.score, sheets, live)
