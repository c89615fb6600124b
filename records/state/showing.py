"""Live games and sheets as a viewer has them: what was disputed and ruled, and the sheets kept with a game."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from cartulary.notation import Record, dumps, examine, loads, read_heading
from cartulary.notation.arbiter.compare import Comparison, compare
from cartulary.notation.arbiter.ruling_commands import scoring
from cartulary.notation.arbiter.score_in_force import ScoreLine
from cartulary.notation.arbiter.seen import as_seen
from cartulary.notation.viewer import EVERYTHING, Everything, Viewer
from cartulary.records.faults import Declined
from cartulary.records.log.contract import Log
from cartulary.records.log.proof import left_out
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.agreements import agreements_of
from cartulary.records.state.book import KeptSheet
from cartulary.records.state.disputes_and_rulings import (
    PlacedDispute,
    PlacedRuling,
    disputes_of,
    entries_on_sheet,
    rulings_of,
)
from cartulary.records.state.fold import LiveGame, finished
from cartulary.records.state.games import load
from cartulary.records.state.masks import Reader, mask
from cartulary.records.state.seat_view import (
    hidden_from,
    muted,
    players,
    reader,
    seen_game,
    seen_sheet,
    seen_version,
    told_number,
)
from cartulary.records.state.seen_game import DocketText, SeenGame
from cartulary.records.state.times import Retimed, retimed, seen_times


class Contested(Struct, frozen=True):
    """The disputes and rulings of a game, each in the order it was written, and its times that were corrected.

    score: how the score in force comes about where rulings changed it or tags alone tell of it, empty otherwise
    """

    disputes: tuple[PlacedDispute, ...] = ()
    rulings: tuple[PlacedRuling, ...] = ()
    times: tuple[Retimed, ...] = ()
    score: tuple[ScoreLine, ...] = ()


def contested(game: LiveGame, viewer: Viewer = EVERYTHING) -> Contested:
    """Return what was disputed, ruled and corrected on the log of a game, as a viewer may read it.

    Raises Unfit for a seat the game has not.
    """
    seat = hidden_from(game, viewer)
    score = () if muted(game, viewer) else seen_game(game, seat).examined.score
    if seat is not None:
        return Contested(seen_disputes(game), seen_rulings(game), seen_times(game), score)
    return Contested(disputes_of(game), rulings_of(game), retimed(game), score)


def contested_on_paper(sheet: Record, viewer: Viewer = EVERYTHING) -> Contested:
    """Return what the comments of a score sheet say was disputed and ruled, as a viewer may read it."""
    disputes, rulings = entries_on_sheet(sheet.line)
    score = examine(as_seen(sheet, viewer.seat)).score if scoring(sheet.line) or not sheet.line.words else ()
    if viewer.seat is None:
        return Contested(disputes, rulings, (), score)
    names = players(sheet)
    return Contested(tuple(seen_dispute(one, names) for one in disputes), tuple(map(seen_ruling, rulings)), (), score)


def seen_dispute(
    dispute: PlacedDispute, names: Collection[str], recorded: Sequence[RecordedEvent] = ()
) -> PlacedDispute:
    """Return a dispute as any seat may read it: that it was raised, by whom and about which ply.

    names: of those who played; recorded: the log it stands on, where there is one
    """
    return mask(dispute, Reader(names, recorded))


def seen_ruling(ruling: PlacedRuling, recorded: Sequence[RecordedEvent] = ()) -> PlacedRuling:
    """Return a ruling as any seat may read it: what was decided, and under which rules; no card, no free words.

    recorded: the log it stands on, where there is one
    """
    return mask(ruling, Reader(recorded=recorded))


def seen_disputes(game: LiveGame) -> tuple[PlacedDispute, ...]:
    """Return every dispute of the game as any seat may read it."""
    names = players(game.record)
    return tuple(seen_dispute(one, names, game.recorded) for one in disputes_of(game))


def seen_rulings(game: LiveGame) -> tuple[PlacedRuling, ...]:
    """Return every ruling on the game as any seat may read it."""
    return tuple(seen_ruling(one, game.recorded) for one in rulings_of(game))


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
        last_written=game.book.last_written,
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


def _docket(docket: Contested, sheets: tuple[tuple[int, str, int], ...] = (), live: bool = False) -> DocketText:
    return DocketText(docket.disputes, docket.rulings, docket.times, docket.score, sheets, live)


# --- kept sheets ---


class Kept(Struct, frozen=True):
    """A sheet kept with a game, and what it is called: ``sheet 9, table-b.cgn``."""

    record: Record
    name: str


def kept_sheet(store: Log, id: str, number: int | None = None, viewer: Viewer = EVERYTHING) -> Kept:
    """Return the sheet of a number, as the viewer counts them; None: the last one kept.

    Raises Declined where there is none, and for a seat before the game is closed.
    """
    game = load(store, id)
    whose = hidden_from(game, viewer)
    if whose is not None and not game.book.closed:
        raise Declined(f"Sheets kept with {id} are shown to seats once the game is closed; until then ask the arbiter.")
    if number is None and not game.book.sheets:
        raise Declined(f"{id} has no other sheet; use `import FILE --second {id}` to keep one.")
    [at] = cited(game, (number,), whose) if number is not None else (game.book.sheets[-1].number,)
    kept = next(one for one in game.book.sheets if one.number == at)
    name = f"sheet {told_number(game, whose, at)}"
    return Kept(loads(kept.cgn)[0], f"{name}, {kept.source}" if kept.source and whose is None else name)


def sheets_kept(game: LiveGame) -> tuple[tuple[int, str, int], ...]:
    """Return number, source and the ply of the first difference, 0 for none, of every sheet kept with a game."""
    return tuple((one.number, one.source, compared_with(game, one).first) for one in game.book.sheets)


def compared_with(game: LiveGame, kept: KeptSheet) -> Comparison:
    """Return the game as it stands beside a sheet kept with it."""
    return compare(game.examined, examine(loads(kept.cgn)[0]))


def cited(game: LiveGame, numbers: Sequence[int], seat: int | None) -> tuple[int, ...]:
    """Return sheets, by the numbers the seat knows them by, as the events that kept them.

    Raises Declined for one that is not kept.
    """
    known = {told_number(game, seat, one.number): one.number for one in game.book.sheets}
    for number in numbers:
        if number not in known:
            there = (
                f"it has {'sheets' if len(known) > 1 else 'sheet'} {', '.join(map(str, known))}"
                if known
                else "use `import FILE --second` to keep one"
            )
            raise Declined(f"{game.id} has no sheet {number}; {there}.")
    return tuple(dict.fromkeys(known[number] for number in numbers))
