"""Parts of divided work in databases of their own: what each notes beside its games, in a stream that is no game."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from cartulary.notation import Record, Report
from cartulary.records.exchange.cgn import BATCH, DraftedSheet, Imported, draft_sheets, take_sheets
from cartulary.records.faults import Damaged
from cartulary.records.library.positions import RUN
from cartulary.records.library.reindex import Marked, work_out
from cartulary.records.log.chain import origin
from cartulary.records.log.contract import ASIDE
from cartulary.records.log.field_checks import first_impossible
from cartulary.records.log.part_events import PartNoted
from cartulary.records.log.recorded import Batch, Recorded
from cartulary.records.log.schema import Lines
from cartulary.records.log.store import Store
from cartulary.records.texts import now

STREAM = f"{ASIDE}part"
_SHEETS = list[tuple[Report, str, str, Lines | None]]
_LINES = list[tuple[str, Lines | None]]


def note_part(store: Store, note: dict[str, Any]) -> None:
    """Note something of the part a database is."""
    text = json.dumps(note)  # in ASCII, or what cannot be printed would be shown when it is read
    store.append(STREAM, store.head(STREAM) or origin(STREAM), [PartNoted(at=now(), text=text)])


def part_notes(store: Store) -> Iterator[dict[str, Any]]:
    """Yield what was noted of a part in order, the chain followed; nothing where the database is none.

    Raises Damaged.
    """
    if store.head(STREAM) is None:
        return
    for recorded in store.stream(STREAM):
        if not isinstance(recorded.event, PartNoted):
            raise Damaged(f"Event {recorded.originator_version} of {STREAM} is not the note of a part.", STREAM)
        note: dict[str, Any] = json.loads(recorded.event.text)
        yield note


# --- import ---


def import_part(
    store: Store, records: Iterable[Record], *, path: str, by: str = "", keep_source: bool = True
) -> Iterator[Imported]:
    """Take score sheets in as ``import_records`` does, and note what became of each."""
    drafts = draft_sheets(records, path, by, keep_source)
    while some := list(islice(drafts, BATCH)):
        answers = tuple(take_sheets(store, some))
        noted = [
            (each.answer.report, each.answer.id, each.answer.because, each.batch.row if each.batch else None)
            for each in some
        ]
        note_part(store, {"sheets": msgspec.to_builtins(noted)})
        yield from answers


def noted_sheets(store: Store, note: dict[str, Any]) -> Iterator[DraftedSheet]:
    """Yield the score sheets of a note, each with its events as the part's database has them.

    Raises Damaged where they are not what was written.
    """
    for report, id, because, lines in msgspec.convert(note["sheets"], _SHEETS):
        answer = Imported(id, "new" if id else "declined", report, because)
        batch = Batch(id, origin(id), _sound(store, id), lines) if id else None
        yield DraftedSheet(answer, batch)


def _sound(store: Store, id: str) -> tuple[Recorded, ...]:
    """Return the events of a game of a part. Raises Damaged where one of them cannot be."""
    recorded = store.stream(id)
    impossible = first_impossible(id, (each.event for each in recorded))
    if impossible:
        raise Damaged(impossible.because, id, impossible.version)
    return recorded


def told_again(sheet: DraftedSheet, report: Report) -> DraftedSheet:
    """Return a sheet with another report, its numbers put right."""
    return replace(sheet, answer=replace(sheet.answer, report=report))


# --- reindex ---


def note_worked_out(store: Store, into: Store, first: int, stop: int, positions: bool = False) -> Iterator[int]:
    """Note what is to be said of the games from ``first`` on and before ``stop``; yield how many are done.

    positions: their marks are noted too
    """
    ids = iter(store.ids()[first:stop])
    done = 0
    while some := list(islice(ids, RUN if positions else BATCH)):
        worked = work_out(store, some, positions)
        said = list(zip(some, worked.said, strict=True))
        for at in range(0, len(said), BATCH):
            note_part(into, {"lines": msgspec.to_builtins(said[at : at + BATCH])})
        if worked.marked is not None:
            note_part(into, {"marked": msgspec.to_builtins(worked.marked)})
        done += len(some)
        yield done


def noted_lines(note: dict[str, Any]) -> list[tuple[str, Lines | None]]:
    """Return what a note says of games; None of one with which something is at fault."""
    return msgspec.convert(note["lines"], _LINES)


def noted_marks(note: dict[str, Any]) -> Marked:
    """Return the marks of a note."""
    return msgspec.convert(note["marked"], Marked)
