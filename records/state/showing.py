"""Showing games to seats: a live one as a seat has seen it, with what was disputed and ruled."""

from cartulary.notation import Record, read_heading
from cartulary.records.state.docket_text import DocketText
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.kept_sheets import sheets_kept
from cartulary.records.state.seat_view import muted, reader, seen_game, seen_sheet, viewer
from cartulary.records.state.seen_docket import Contested, contested, contested_on_paper
from cartulary.records.state.shown import Shown


def shown_live(record: Record, game: LiveGame, seat: int | None, *, quiet: bool = False) -> Shown:
    """Return a live game as the seat has seen it. record: as if read from its exported text

    quiet: whoever asks is not to be told what the rules say of a quiet record
    Raises Unfit where the game has no such seat.
    """
    whose = reader(game, seat, quiet)
    seen = seen_game(game, viewer(game, whose))
    docket, untold = docket_on_the_log(game, whose), muted(game, whose)
    return Shown(seen_sheet(game, record, whose), whose, docket, seen.examined.walk, untold)


def docket_on_the_log(game: LiveGame, seat: int | None) -> DocketText:
    """Return the disputes and rulings of a live record, as a seat may read them."""
    sheets = sheets_kept(game) if viewer(game, seat) is None else ()
    return _docket(contested(game, seat), sheets, live=True)


def docket_on_paper(whole: Record, seat: int | None) -> DocketText:
    """Return the disputes and rulings the comments of a score sheet tell of.

    whole: the record as it was read; seat: as this seat may read them, where anything is hidden
    """
    heading = read_heading(whole)
    open_to_all = heading.game is not None and heading.game.hidden.face_up
    return _docket(contested_on_paper(whole, None if open_to_all else seat))


def _docket(told: Contested, sheets: tuple[tuple[int, str, int], ...] = (), live: bool = False) -> DocketText:
    return DocketText(told.disputes, told.rulings, told.times, told.score, sheets, live)
