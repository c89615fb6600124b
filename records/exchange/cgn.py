"""Score sheets in and out: imported by the thousand as live records, and exported so that anyone can prove them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from operator import itemgetter
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import (
    Examination,
    Finding,
    Line,
    Record,
    Report,
    canonical,
    dumps,
    examine,
    format_record,
    loads,
)
from cartulary.notation.arbiter.examine import with_rulings
from cartulary.notation.arbiter.files import sorted_tags
from cartulary.notation.arbiter.heading import spelled_deal
from cartulary.notation.cgn.controls import encodable, visible, visible_lines
from cartulary.notation.cgn.writer import escape_tag
from cartulary.notation.contract import AnyGame
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.commands.new import LETTERS, id_begins
from cartulary.records.exchange.copies import SheetTrace, copies
from cartulary.records.exchange.unknown_game import DescribedTitles, described_titles, keep_unjudged
from cartulary.records.faults import Damaged
from cartulary.records.library.duplicates import older_with_same_moves
from cartulary.records.library.listing import has_docket_comments, index_rows, index_rows_of_sheet
from cartulary.records.log import chain
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event, GameImported, Pairs, PlayerSeated, SourceKept, TagsChanged, new_salt
from cartulary.records.log.recorded import Batch, seal_events
from cartulary.records.state.book import OWN_TAGS
from cartulary.records.state.cgn_rulings import arbiter_of_result, arbiters_of_plies
from cartulary.records.state.fold import LiveGame, finished, fold
from cartulary.records.state.games import load
from cartulary.records.state.notes import without_seatings
from cartulary.records.state.seat_view import check_seat, reader, seen_record
from cartulary.records.texts import clean_name, now

BATCH, BATCH_WORDS = 4_000, 40_000
"""Games stored in one transaction, and about as many words as they may have: few enough that another writer never
waits long.
"""

GROUP, GROUP_WORDS = 64, 1_000
"""Score sheets that are drafted together, and about as many words as they may have, so that their walks need little
memory.
"""

_LETTER_OF_BYTE = bytes(ord(LETTERS[byte % len(LETTERS)]) for byte in range(256))
HEAD = " cartulary "
"""The beginning of the escape line that names an exported record and its head."""
_HEAD_LINE = re.compile(rf"%{HEAD}(\S+) (\d{{1,18}}):([0-9a-f]{{64}})\s*$")

# --- score sheets in ---


class ImportedGame(Struct, frozen=True):
    """The answer to the import of a score sheet.

    Attributes:
        id: The id of the game, empty if the sheet was declined.
        status: ``new``, ``known`` (it was here already) or ``declined``.
        report: What the rules say of it, with the places in the file.
        because: Why it was declined; or, of the changed copy of a game that is here, in what it differs from that game.
        same_moves: The ids of older games with the same moves, the oldest first.
    """

    id: str
    status: str
    report: Report
    because: str = ""
    same_moves: tuple[str, ...] = ()


class DraftedSheet(Struct, frozen=True):
    """A score sheet that is to be imported.

    Attributes:
        answer: The answer to its import if it is new.
        batch: What is to be stored, None for nothing.
        exported_from: The record that it names as the one it was exported from, with the head of that record; None if
            it names none.
    """

    answer: ImportedGame
    batch: Batch | None
    exported_from: tuple[str, Head] | None = None


def import_records(
    store: Log,
    records: Iterable[Record],
    *,
    path: str = "",
    by: str = "",
    batch: int = BATCH,
    keep_source: bool = True,
) -> Iterator[ImportedGame]:
    """Import score sheets in their order, and yield the answer to each once it is stored.

    The id is computed from the sheet, so importing a file again stores nothing. Control characters are stored in their
    visible form. A sheet of a game without rules becomes a record that nobody judges, with a remark.

    Args:
        store: The store.
        records: The sheets.
        path: The name of the file in reports. Its last part is stored with each game.
        by: Who imports them.
        batch: Games stored in one transaction.
        keep_source: Whether the text of a game in another format is stored with it.

    Raises:
        StoreFault: The log cannot be read or written. What was yielded before is stored.
    """
    drafts = draft_sheets(records, path, by, keep_source, descriptions=described_titles(store))
    yield from take_sheets(store, drafts, batch)


def draft_sheets(
    records: Iterable[Record],
    path: str,
    by: str,
    keep_source: bool,
    at: str = "",
    descriptions: DescribedTitles = MappingProxyType({}),
) -> Iterator[DraftedSheet]:
    """Yield a draft of each score sheet, for ``take_sheets`` to store. Nothing is stored yet.

    A sheet of a game without rules becomes a record that nobody judges, with a remark. A sheet that has to be declined
    is yielded too; its answer says why.

    Args:
        records: The sheets.
        path: The name of the file in reports. Its last part is stored with each game.
        by: Who imports them.
        keep_source: Whether the text of a game in another format is stored with it.
        at: When they are imported, as events have it; empty for now.
        descriptions: The games that the log has descriptions of, as ``described_titles`` returns them.
    """
    by, source = clean_name(by), visible(path.replace("\\", "/").rpartition("/")[2])
    origin_of_sheets = _Origin(encodable(path), source, by, keep_source, at)
    for group in _groups(records):
        yield from _draft_group(group, origin_of_sheets, descriptions)


def _groups(records: Iterable[Record]) -> Iterator[list[Record]]:
    """Yield score sheets, in their order, in lists of at most GROUP; one ends early once it has GROUP_WORDS words."""
    group: list[Record] = []
    words = 0
    for record in records:
        group.append(record)
        words += len(record.line.words)
        if len(group) == GROUP or words >= GROUP_WORDS:
            yield group
            group, words = [], 0
    if group:
        yield group


def _draft_group(
    records: Sequence[Record], origin: "_Origin", descriptions: DescribedTitles = MappingProxyType({})
) -> list[DraftedSheet]:
    """Return the drafts of some score sheets, as ``draft_sheets`` yields them.

    Each step is taken for all of them before the next one. So the processor finds the code of a step in its cache,
    which makes a sheet without moves a fifth faster.
    """
    at = origin.at or now()
    sheets = [keep_unjudged(record, descriptions) for record in records]
    examined = [examine(record, origin.path) for record, _ in sheets]
    spelled = [_spell(record, each) for (record, _), each in zip(sheets, examined, strict=True)]
    sealed = [
        None if text is None else _seal(record, each.report, text, origin, at)
        for (record, _), each, text in zip(sheets, examined, spelled, strict=True)
    ]
    return [
        _declined(each) if text is None or batch is None else _draft(record, each, text, batch, remark)
        for (record, remark), each, text, batch in zip(sheets, examined, spelled, sealed, strict=True)
    ]


def with_report(sheet: DraftedSheet, report: Report) -> DraftedSheet:
    """Return a copy of a draft with another report in its answer; nothing else changes.

    It serves for a report in which the numbers of games and lines are those of the whole file.
    """
    return replace(sheet, answer=replace(sheet.answer, report=report))


def take_sheets(store: Log, drafts: Iterable[DraftedSheet], batch: int = BATCH) -> Iterator[ImportedGame]:
    """Store drafts of score sheets in their order and yield the answer to each once it is stored.

    Of equal sheets the first one is stored, and the others are known. A sheet that was exported from a game that is
    here is known. If it was changed since, or its game went on elsewhere, it is stored, and the answer names that game.

    Args:
        store: The store.
        drafts: What ``draft_sheets`` has yielded.
        batch: The largest number of games stored in one transaction.

    Raises:
        StoreFault: The log cannot be read or written. What was yielded before is stored.
    """
    for sheets in _batches(drafts, batch):
        traces = [trace for sheet in sheets if (trace := _trace_of(sheet)) is not None]
        of_games_here = copies(store, traces, _identify) if traces else {}
        batches: dict[str, Batch] = {}
        for sheet in sheets:
            copy = of_games_here.get(sheet.answer.id)
            if sheet.batch is not None and (copy is None or copy.because):
                batches.setdefault(sheet.batch.id, sheet.batch)
        existing = store.write_new(list(batches.values())) if batches else set()
        new = dict.fromkeys(id for id in batches if id not in existing)
        moved = [id for id in new if (row := batches[id].row) is not None and row.moves is not None]
        same_moves = older_with_same_moves(store, moved) if moved else {}
        for answer in (sheet.answer for sheet in sheets):
            copy = of_games_here.get(answer.id)
            if answer.id in new:
                del new[answer.id]  # an equal sheet that follows is known
                because, same = copy.because if copy is not None else "", same_moves.get(answer.id, ())
                yield replace(answer, same_moves=same, because=because) if because or same else answer
            elif copy is not None and not copy.because:
                yield replace(answer, id=copy.id, status="known")
            else:
                yield replace(answer, status="known") if answer.id else answer


def _batches(drafts: Iterable[DraftedSheet], most: int) -> Iterator[list[DraftedSheet]]:
    """Yield drafts, in their order, in lists of at most ``most``; a list ends early once it has BATCH_WORDS words."""
    sheets: list[DraftedSheet] = []
    words = 0
    for sheet in drafts:
        sheets.append(sheet)
        words += sheet.answer.report.plies
        if len(sheets) >= most or words >= BATCH_WORDS:
            yield sheets
            sheets, words = [], 0
    if sheets:
        yield sheets


def _trace_of(sheet: DraftedSheet) -> SheetTrace | None:
    """Return what shows whether a sheet is a copy of a game that is here; None if the sheet cannot be stored."""
    batch = sheet.batch
    if batch is None or batch.row is None:
        return None
    return SheetTrace(batch.id, sheet.answer.report.format, sheet.exported_from, batch.row)


def _identify(record: Record) -> str:
    """Return the id that a sheet would be imported under, which is computed from its text; empty if it would be
    declined.
    """
    [drafted] = _draft_group([record], _Origin("", "", "", keep_source=False))
    return drafted.answer.id


class _Origin(Struct, frozen=True):
    """Where score sheets come from.

    Attributes:
        path: The name of their file in reports.
        source: The name of the file as it is stored.
        by: Who imports them.
        keep_source: Whether the text of a game in another format is stored with it.
        at: When they are imported, as events have it; empty for now.
    """

    path: str
    source: str
    by: str
    keep_source: bool
    at: str = ""


class _SpelledSheet(Struct, frozen=True):
    """A score sheet as it is to be stored.

    Attributes:
        seats: The number of seats.
        tags: The tags that the rules do not need.
        cgn: The rest of the sheet in CGN.
        seated: Ply, seat and name of whoever took over a seat.
        digest: The SHA-256 of all of it.
        as_written: Whether no control character had to be made visible.
    """

    seats: int
    tags: Pairs
    cgn: str
    seated: tuple[tuple[int, int, str], ...]
    digest: bytes
    as_written: bool


def _spell(record: Record, examined: Examination) -> _SpelledSheet | None:
    """Return a score sheet as it is to be stored; None if it cannot be set up."""
    heading, line = examined.heading, record.line
    if examined.state is None or heading.game is None or heading.sheet is None:
        return None
    spelled = record
    if line.notes and any(note.variations for note in line.notes.values()):
        spelled = canonical(record)
    elif examined.words != line.words:
        spelled = replace(record, line=replace(line, words=examined.words))
    spelled, seated = _without_seatings(spelled, heading.sheet.seats)
    escapes = tuple(text for text in record.escapes if not _HEAD_LINE.match(f"%{text}")) if record.escapes else ()
    rules, written = _parted(spelled.tags, heading.game)
    if spelled.tags != record.tags:
        written = _parted(record.tags, heading.game)[1]
    if not line.words:
        written = _with_spelled_deal(written, spelled_deal(heading.game, heading.sheet, record.by_name))
    names = written
    if not "".join(map(itemgetter(1), written)).isprintable():
        names = tuple((name, visible(value)) for name, value in written)
    text = _sheet_text(spelled, rules, escapes, heading.game)
    cgn = visible_lines(text)
    seat_text = "".join(f"{ply} p{seat} {name}\n" for ply, seat, name in seated) if seated else ""
    digest = sha256((_tag_text(sorted_tags(names, heading.game)) + cgn + seat_text).encode()).digest()
    return _SpelledSheet(heading.sheet.seats, names, cgn, seated, digest, (names, cgn) == (written, text))


def _seal(record: Record, report: Report, sheet: _SpelledSheet, origin: _Origin, at: str) -> Batch:
    """Return the sealed events of a score sheet, written at a time, without its rows in the index.

    The id is computed from the text, so that the same sheet always gets the same id.
    """
    by = origin.by
    events: list[Event] = [
        GameImported(
            at=at,
            by=by,
            game=report.game,
            seats=sheet.seats,
            cgn=sheet.cgn,
            plies=report.plies,
            result=report.result,
            verdict=report.verdict,
            source=origin.source,
            digest=sheet.digest.hex(),
            salt=new_salt(),
        ),
        TagsChanged(at=at, by=by, put=sheet.tags, dropped_tags=(), salt=new_salt()),
    ]
    for ply, seat, name in sheet.seated:
        seating = PlayerSeated(at=at, by=by, seat=seat, event=min(ply, 1), word=max(ply - 1, 0), name=name)
        events.append(seating)
    if origin.keep_source and record.source.format:
        text = visible_lines(record.source.text)
        events.append(SourceKept(at=at, by=by, format=record.source.format, text=text, results=record.source.results))
    id = f"{id_begins(report.game)}-{sheet.digest[:10].translate(_LETTER_OF_BYTE).decode()}"
    start = chain.origin(id)
    return Batch(id, start, seal_events(id, start, events))


def _draft(
    record: Record, examined: Examination, sheet: _SpelledSheet, batch: Batch, remark: Finding | None
) -> DraftedSheet:
    """Return the draft of a score sheet whose events are sealed: with its rows in the index, and the answer.

    It is declined if its stored text would be read differently. That is checked where something in the sheet casts
    doubt on it.

    Args:
        record: The sheet.
        examined: What the rules say of it.
        sheet: The sheet as it is stored.
        batch: Its events.
        remark: That it was made a record that nobody judges; None if it was not.
    """
    id, report, head = batch.id, examined.report, batch.head
    if (
        remark is not None
        or not sheet.as_written
        or sheet.seated
        or (report.findings and any(map(_is_about_writing, report.findings)))
        or (record.line.notes and has_docket_comments(record.line))
    ):
        try:
            game = fold(id, batch.events)
        except Damaged:  # its text would be read in another way
            because = "It cannot be kept, because the text after its moves would be read as a game of its own."
            return DraftedSheet(ImportedGame("", "declined", report, because), None)
        rows, report = index_rows(game), _report_as_listed(examined, game)
        if remark is not None:
            report = replace(report, findings=(remark, *report.findings))
    else:
        at, closed = batch.events[-1].event.at, report.result != "*"
        rows = index_rows_of_sheet(id, record, examined, report.result, sheet.seats, closed, head, at)
    exported_from = next(heads_in(f"%{text}" for text in record.escapes), None) if record.escapes else None
    return DraftedSheet(ImportedGame(id, "new", report), Batch(id, batch.after, batch.events, rows), exported_from)


def _declined(examined: Examination) -> DraftedSheet:
    """Return the draft of a score sheet that cannot be set up: it is declined, and the answer says why."""
    findings = examined.report.findings
    faults = [finding.because for finding in findings if finding.severity == "error" and finding.ply == 0]
    because = f"It cannot be set up: {faults[-1] if faults else 'its tags name no game'}."
    return DraftedSheet(ImportedGame("", "declined", examined.report, because), None)


def _parted(tags: Pairs, game: AnyGame) -> tuple[Pairs, Pairs]:
    """Return the tags that the rules of a game need and the others, as two tuples that keep their order."""
    needed = _needed_tags(game)
    return tuple([tag for tag in tags if tag[0] in needed]), tuple([tag for tag in tags if tag[0] not in needed])


@lru_cache(64)
def _needed_tags(game: AnyGame) -> frozenset[str]:
    """Return the names of the tags that the rules of a game need."""
    return OWN_TAGS.union(game.sheet.names)


def _with_spelled_deal(tags: Pairs, spelled: dict[str, str]) -> Pairs:
    """Return tags with other values for those that ``spelled`` has by name, if any differs; their order stays."""
    if not [name for name, value in tags if name in spelled and spelled[name] != value]:
        return tags
    return tuple((name, spelled.get(name, value)) for name, value in tags)


def _sheet_text(record: Record, tags: Pairs, escapes: tuple[str, ...], game: AnyGame) -> str:
    """Return the text of a sheet in CGN as ``format_record`` does, with these tags and escape lines for its own.

    Many sheets without moves have the same text.
    """
    if record.line.words or record.line.notes or record.tail or escapes:
        return format_record(replace(record, tags=tags, escapes=escapes), game)
    return _bare_text(tags, record.result, game)


@lru_cache(256)
def _bare_text(tags: Pairs, result: str, game: AnyGame) -> str:
    """Return the text in CGN of a sheet that has nothing but tags and a result."""
    return format_record(Record(tags, Line(result=result)), game)


def _without_seatings(record: Record, seats: int) -> tuple[Record, tuple[tuple[int, int, str], ...]]:
    """Return a sheet without its ``[%seat]`` commands, and ply, seat and name of each, since events of their own hold
    them.

    The answer is the sheet itself and an empty tuple if it has none, names a seat that the game has not, or has a seat
    without a name.
    """
    seatings = record.seatings if record.line.notes else {}
    seated = tuple((ply, seat, clean_name(name)) for ply in sorted(seatings) for seat, name in seatings[ply])
    if not seated or any(seat > seats or not name for _, seat, name in seated):
        return record, ()
    notes = {ply: without_seatings(note) for ply, note in record.line.notes.items()}
    notes = {ply: note for ply, note in notes.items() if note.items or note.glyphs}
    return replace(record, line=replace(record.line, notes=notes)), seated


def _is_about_writing(finding: Finding) -> bool:
    """Say whether a finding is about how a sheet is written: its key begins with ``cgn.`` or ``record.``.

    The canonical text that is stored may not have it.
    """
    return finding.key.startswith(("cgn.", "record."))


def _report_as_listed(examined: Examination, game: LiveGame) -> Report:
    """Return the report on a sheet as the game is listed: plies that a ruling on it lets stand have remarks only."""
    stand = {ply: arbiter for ply, arbiter in arbiters_of_plies(game.book).items() if ply <= game.plies_reached}
    return with_rulings(examined, stand, arbiter_of_result(game.book))[0].report


def _tag_text(tags: Pairs) -> str:
    """Return tags as lines of a score sheet, ``[Event "Cup"]``, in their order; quotation marks and backslashes are
    escaped.
    """
    values = "".join([value for _, value in tags])
    if '"' in values or "\\" in values:
        tags = tuple((name, escape_tag(value)) for name, value in tags)
    return "".join([f'[{name} "{value}"]\n' for name, value in tags])


# --- score sheets out ---


def export_cgn(store: Log, id: str, viewer: Viewer = EVERYTHING, *, log: bool = False, headed: bool = True) -> Record:
    """Return a game as it stands as a canonical score sheet; ``notation.dump_all`` writes many to a file.

    For whoever sees everything, an escape line names the record and its head, so that the sheet identifies the log it
    was made from.

    Args:
        store: The store.
        id: The id of the game.
        viewer: For whom the sheet is. A seat or the rail, and whoever asks to be quiet in a quiet record, gets no
            escape lines. If the game has hidden cards, only clock times and who sat down are left of the comments; of
            a game whose cards all lie face up, they stay.
        log: Whether take-backs, corrections, disputes and rulings are in the comments, as commands, where play went on.
            Without it there are no disputes, and only what depends on a ruling is marked. It counts for whoever sees
            everything.
        headed: Whether the escape line is added for whoever sees everything.

    Raises:
        UnknownGame: There is no such game.
        Damaged: Its log is damaged.
        Unfit: The game has no such seat, or the rules installed here cannot set it up; as UninstalledGame, its rules
            are not installed.
    """
    game = load(store, id)
    viewer = reader(game, viewer)
    if viewer.seat is not None:
        check_seat(game, viewer)
        return replace(seen_record(game, viewer), escapes=())
    record = finished(game, log)
    return replace(record, escapes=(*record.escapes, f"{HEAD}{id} {game.head}")) if headed else record


def heads_in(lines: Iterable[str]) -> Iterator[tuple[str, Head]]:
    """Yield the id and the head, which is the last event, of every record that is named in an escape line of exported
    sheets.

    Such a line is ``% cartulary ID 4:bd70…``, with the number and the digest of the event. Other lines are skipped.
    """
    for text in lines:
        match = _HEAD_LINE.match(text)
        if match:
            yield match[1], Head(int(match[2]), match[3])


def record_of(store: Log, id: str) -> Record:
    """Return a game as if it had been read from its exported score sheet, so that places are lines and columns of that
    text.

    Raises:
        UnknownGame: There is no such game.
        Damaged: Its log is damaged.
        UninstalledGame: Its rules are not installed.
    """
    [record] = loads(dumps(finished(load(store, id))))
    return record
