"""What of a live game or a score sheet a viewer is shown: its disputes and rulings, and the sheets kept with it."""

from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import Record, dumps, examine, loads, read_heading
from cartulary.notation.arbiter.compare import Comparison, compare
from cartulary.notation.arbiter.ruling_commands import scoring
from cartulary.notation.arbiter.score_in_force import ScoreLine
from cartulary.notation.arbiter.seen import as_seen
from cartulary.notation.cgn.controls import isolate
from cartulary.notation.viewer import EVERYTHING, Everything, Viewer
from cartulary.records.faults import Declined
from cartulary.records.log.contract import Log
from cartulary.records.log.fields import UNTOLD
from cartulary.records.log.proof import count_withheld
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.agreements import agreements_of
from cartulary.records.state.book import KeptSheet
from cartulary.records.state.disputes_and_rulings import disputes_of, entries_on_sheet, rulings_of
from cartulary.records.state.docket import PlacedDispute, PlacedRuling, TimeCorrection
from cartulary.records.state.event_words import LINE, moment, say
from cartulary.records.state.fold import LiveGame, finished
from cartulary.records.state.games import load
from cartulary.records.state.masks import Reader, mask
from cartulary.records.state.people import NOBODY_MERGED, People
from cartulary.records.state.seat_view import (
    everybody,
    hidden_from,
    muted,
    reader,
    seen_game,
    seen_sheet,
    seen_version,
    told_number,
)
from cartulary.records.state.seen_game import DocketText, SeenGame
from cartulary.records.state.times import seen_times, time_corrections


class DocketEntries(Struct, frozen=True):
    """What was disputed, ruled and corrected in a game.

    Attributes:
        disputes: The disputes, in the order they were raised.
        rulings: The rulings, in the order they were given.
        times: The corrected times, in the order of the plies.
        score: How the score in force comes about, if rulings changed it or tags alone state it; empty otherwise.
    """

    disputes: tuple[PlacedDispute, ...] = ()
    rulings: tuple[PlacedRuling, ...] = ()
    times: tuple[TimeCorrection, ...] = ()
    score: tuple[ScoreLine, ...] = ()


def docket_entries(game: LiveGame, viewer: Viewer = EVERYTHING) -> DocketEntries:
    """Return what was disputed, ruled and corrected on the log of a game, as a viewer may read it.

    A viewer from whom cards are hidden reads no claims, reasons and words. The score is left out if verdicts are
    withheld.

    Raises:
        Unfit: The game has no such seat.
    """
    seat = hidden_from(game, viewer)
    score = () if muted(game, viewer) else seen_game(game, seat).examined.score
    if seat is not None:
        return DocketEntries(seen_disputes(game), seen_rulings(game), seen_times(game), score)
    return DocketEntries(disputes_of(game), rulings_of(game), time_corrections(game), score)


def docket_entries_on_paper(sheet: Record, viewer: Viewer = EVERYTHING) -> DocketEntries:
    """Return what the comments of a score sheet say was disputed and ruled, as a viewer may read it; a sheet has no
    times.

    Args:
        sheet: The score sheet.
        viewer: Who reads it. A seat or the rail reads no claims, reasons and words, even if all cards lie face up.
    """
    disputes, rulings = entries_on_sheet(sheet.line)
    score = examine(as_seen(sheet, viewer.seat)).score if scoring(sheet.line) or not sheet.line.words else ()
    if viewer.seat is None:
        return DocketEntries(disputes, rulings, (), score)
    names = everybody(sheet)
    return DocketEntries(
        tuple(seen_dispute(dispute, names) for dispute in disputes), tuple(map(seen_ruling, rulings)), (), score
    )


def seen_dispute(dispute: PlacedDispute, names: Collection[str], events: Sequence[RecordedEvent] = ()) -> PlacedDispute:
    """Return a dispute as any seat may read it: that it was raised, by whom and about which ply, but not the claim.

    Args:
        dispute: The dispute.
        names: The names of the players. Whoever raised it is shown if it is a seat, a role or one of these, else ``~``.
        events: The events of the log that it stands on, if there is one; its numbers become those that seats count.
    """
    return mask(dispute, Reader(names, events))


def seen_ruling(ruling: PlacedRuling, events: Sequence[RecordedEvent] = ()) -> PlacedRuling:
    """Return a ruling as any seat may read it: what was decided and under which rules, without cards and free text.

    Args:
        ruling: The ruling.
        events: The events of the log that it stands on, if there is one; its numbers become those that seats count.
    """
    return mask(ruling, Reader(events=events))


def seen_disputes(game: LiveGame) -> tuple[PlacedDispute, ...]:
    """Return every dispute of a game as any seat may read it (see ``seen_dispute``), in the order they were raised."""
    names = everybody(game.record)
    return tuple(seen_dispute(dispute, names, game.recorded) for dispute in disputes_of(game))


def seen_rulings(game: LiveGame) -> tuple[PlacedRuling, ...]:
    """Return every ruling on a game as any seat may read it (see ``seen_ruling``), in the order they were given."""
    return tuple(seen_ruling(ruling, game.recorded) for ruling in rulings_of(game))


def see_game(game: LiveGame, viewer: Viewer = EVERYTHING, people: People = NOBODY_MERGED) -> SeenGame:
    """Return a live game as a viewer has it: score sheet, docket and state, and nothing that the viewer may not see.

    Args:
        game: The game, with everything on record.
        viewer: Who looks.
        people: The people of the archive, under whose names the players are shown.

    Raises:
        Unfit: The game has no such seat.
    """
    seat = hidden_from(game, viewer)
    reading = reader(game, viewer)
    sees_everything = isinstance(reading, Everything)
    [sheet] = loads(dumps(finished(game, quiet=reading.quiet)))
    return SeenGame(
        record=seen_sheet(game, sheet, reading),
        viewer=reading,
        docket=docket_on_the_log(game, reading),
        walk=seen_game(game, hidden_from(game, reading)).examined.walk,
        id=game.id,
        version=seen_version(game, seat),
        head=str(game.head) if sees_everything else "",
        closed=game.book.closed,
        result=game.book.result if game.book.closed else "",
        last_written=game.book.last_written,
        withheld=count_withheld(game.recorded),
        agreements=agreements_of(game, reading),
        let=game.let if sees_everything else (),
        people=people.seen_by(viewer),
    )


def docket_on_the_log(game: LiveGame, viewer: Viewer) -> DocketText:
    """Return the docket of a live game as a viewer may read it, for sentences and JSON.

    It has the disputes, the rulings, the corrected times, the score, the sheets kept with the game, and whether that is
    set aside. A viewer from whom cards are hidden is not shown the sheets.

    Raises:
        Unfit: The game has no such seat.
    """
    sheets = sheets_kept(game) if hidden_from(game, viewer) is None else ()
    return replace(_docket(docket_entries(game, viewer), sheets, live=True), aside=_aside_text(game, viewer))


def _aside_text(game: LiveGame, viewer: Viewer) -> str:
    """Return the sentence that a game is set aside, as a viewer may read it; empty if it counts.

    ``set aside: REASON (2026-11-22 20:15 UTC, by p1); lists and standings leave it out``
    """
    if not game.book.set_aside:
        return ""
    event = game.recorded[game.book.set_aside - 1].event
    if not isinstance(viewer, Everything):
        event = mask(event, Reader(everybody(game.record), game.recorded))
    by = f", by {isolate(event.by)}" if event.by not in ("", UNTOLD) else ""
    return f"{say(event, LINE)} ({moment(event.at)}{by}); lists and standings leave it out"


def docket_on_paper(record: Record, viewer: Viewer = EVERYTHING) -> DocketText:
    """Return the docket in the comments of a score sheet, as a viewer may read it: disputes, rulings and the score.

    Args:
        record: The score sheet.
        viewer: Who reads them; this makes a difference only in a game with hidden cards.
    """
    heading = read_heading(record)
    open_to_all = heading.game is not None and heading.game.hidden.face_up
    return _docket(docket_entries_on_paper(record, EVERYTHING if open_to_all else viewer))


def _docket(docket: DocketEntries, sheets: tuple[tuple[int, str, int], ...] = (), live: bool = False) -> DocketText:
    """Return entries of a docket as what is printed of them, as of a game that is not set aside.

    Args:
        docket: The disputes, rulings, corrected times and score.
        sheets: The sheets kept with the game, as ``sheets_kept`` returns them.
        live: True if the entries stand in a log, so that rulings take effect; False if a score sheet only reports them.
    """
    return DocketText(docket.disputes, docket.rulings, docket.times, docket.score, sheets, live)


# --- kept sheets ---


class NamedSheet(Struct, frozen=True):
    """A sheet kept with a game.

    Attributes:
        record: The sheet.
        name: What it is called: ``sheet 9, table-b.cgn``.
    """

    record: Record
    name: str


def kept_sheet(store: Log, id: str, number: int | None = None, viewer: Viewer = EVERYTHING) -> NamedSheet:
    """Return one of the sheets kept with a game.

    Args:
        store: Where the game is kept.
        id: The game.
        number: The number of the sheet, which is that of the event that stored it as the viewer counts events; None for
            the last one.
        viewer: Who reads it. A seat is shown kept sheets only once the game is closed.

    Returns:
        The sheet with all its words, and its name: ``sheet 9, table-b.cgn``. A viewer from whom cards are hidden is not
        shown the name of the file.

    Raises:
        Declined: There is no such sheet, or a seat asks before the game is closed.
        Unfit: The game has no such seat, or cannot be set up by the rules installed here.
        UnknownGame: There is no such game.
        Damaged: Its events are not what was written, or make no game.
    """
    game = load(store, id)
    seat = hidden_from(game, viewer)
    if seat is not None and not game.book.closed:
        raise Declined(f"Sheets kept with {id} are shown to seats once the game is closed; until then ask the arbiter.")
    if number is None and not game.book.sheets:
        raise Declined(f"{id} has no other sheet; use `import FILE --second {id}` to keep one.")
    [event_number] = cited_sheets(game, (number,), seat) if number is not None else (game.book.sheets[-1].number,)
    kept_with_game = next(sheet for sheet in game.book.sheets if sheet.number == event_number)
    name = f"sheet {told_number(game, seat, event_number)}"
    return NamedSheet(
        loads(kept_with_game.cgn)[0],
        f"{name}, {kept_with_game.source}" if kept_with_game.source and seat is None else name,
    )


def sheets_kept(game: LiveGame) -> tuple[tuple[int, str, int], ...]:
    """Return the other sheets of the same game that are kept with it, in the order in which they were stored.

    Returns:
        For each the number of the event that stored it, the name of its file (empty if unknown), and the first ply that
        differs from the game, 0 for none.
    """
    return tuple((sheet.number, sheet.source, compared_with(game, sheet).first) for sheet in game.book.sheets)


def compared_with(game: LiveGame, sheet: KeptSheet) -> Comparison:
    """Return how a game as it stands differs from a sheet kept with it, word by word and tag by tag.

    Its ``first`` is the ply of the first difference, 0 for none.

    Args:
        game: The game.
        sheet: The sheet, as the game has it in ``book.sheets``.
    """
    return compare(game.examined, examine(loads(sheet.cgn)[0]))


def cited_sheets(game: LiveGame, numbers: Sequence[int], seat: int | None) -> tuple[int, ...]:
    """Return the true numbers of the events that stored some sheets, in the given order, each once.

    Args:
        game: The game.
        numbers: The numbers by which whoever asks knows these events.
        seat: The seat that asks, 0 for the rail; None is somebody who counts all events.

    Raises:
        Declined: No sheet of such a number is kept. The message names those that are.
    """
    event_by_number = {told_number(game, seat, sheet.number): sheet.number for sheet in game.book.sheets}
    for number in numbers:
        if number not in event_by_number:
            advice = (
                f"it has {'sheets' if len(event_by_number) > 1 else 'sheet'} {', '.join(map(str, event_by_number))}"
                if event_by_number
                else "use `import FILE --second` to keep one"
            )
            raise Declined(f"{game.id} has no sheet {number}; {advice}.")
    return tuple(dict.fromkeys(event_by_number[number] for number in numbers))
