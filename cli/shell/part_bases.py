"""A part of `import` or `reindex`: a database of its own, with notes of what it is and a mark at its end."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import asdict

from cartulary.cli.shell.console import FINDINGS, USAGE, fail, leave, say
from cartulary.cli.shell.cuts import cuts, line_ends, moved
from cartulary.cli.shell.filters import told
from cartulary.cli.shell.parts import Header, PartNumber, Share, digest_of, in_order, shares
from cartulary.cli.shell.places import db_place
from cartulary.cli.shell.progress import Advancing, Bar
from cartulary.cli.shell.sources import HEAD
from cartulary.cli.shell.taking import Taking, files_of
from cartulary.notation import load_range
from cartulary.records import desk
from cartulary.records.faults import StoreFault

if TYPE_CHECKING:
    Found = list[tuple[str, Header]]

YES, NO = "yes", "no"
POSITIONS = "--positions"
MADE_BY = {"import": "`import --part K/N --db FILE`", "reindex": "`reindex --part K/N --into FILE`"}


# --- writing ---


@contextmanager
def part_base(file: str, header: Header) -> Iterator["desk.Store"]:
    """Hold a new database open for a part; at the end of the block, and only then, it is marked as whole."""
    place = desk.place_of(file)
    if not isinstance(place, Path):
        fail("A part is written to a file of its own, not to a server; name a file, and `merge` writes to the server.")
    if place.exists():
        fail(f"{file} already exists; name a new file for the part.")
    with desk.open_store(place) as store:
        desk.note_part(store, {"header": asdict(header)})
        yield store
        desk.note_part(store, {"end": str(header.part)})


class Dividing(Taking):
    """Taking in one part: what became of each game is noted and said when the parts are merged."""

    def taken(self, answer: "desk.Imported") -> None:
        """Count a score sheet."""
        self.counts[answer.status] += 1
        report = answer.report
        told = not self.seen or desk.face_up(report.game, report.verdict)
        if answer.status == "declined" or (told and report.verdict in ("unreadable", "irregular")):
            self.worst(FINDINGS)

    def share(self, share: Share, bar: Advancing) -> None:
        """Take in the games of a range."""
        desk.note_part(self.store, {"share": asdict(share)})
        before = self.games
        records = load_range(share.path, share.start, share.stop)
        for answer in desk.import_part(self.store, records, path=share.path, by=self.by, keep_source=self.keep_source):
            self.taken(answer)
        ends = 0
        for start, stop in cuts(share.path, start=share.start, end=share.stop):
            ends += line_ends(share.path, start, stop)
            bar.advance(stop - start)
        desk.note_part(self.store, {"rangecounts": {"games": self.games - before, "lines": ends}})


def divide_import(paths: list[str], part: PartNumber, taken: dict[str, str], file: str) -> None:
    """Take one part of the score sheets in, into a database of its own. taken: how it was asked for"""
    files = list(enumerate(files_of(paths)))
    faults = tuple((number, fault) for number, (_, fault) in files if fault)
    sheets = [(number, path) for number, (path, fault) in files if not fault]
    for _, path in sheets:
        if desk.is_published(Path(path)) or desk.beginning(Path(path), HEAD).lstrip()[:1] == b"{":
            fail(f"{path} is an archive, and --part divides score sheets; import it without --part.")
    had = list(shares(sheets, part))
    header = Header(part.number, part.parts, "import", digest_of(sheets), taken, faults)
    size = sum(share.stop - share.start for share in had)
    with part_base(file, header) as store, Bar("import", size) as bar:
        taking = Dividing(store, taken["--by"], True, False, False, taken["seat"] == YES, taken["--source"] == YES)
        for _, fault in faults:
            say(f"cartulary: {fault}")
            taking.worst(USAGE)
        for share in had:
            taking.share(share, bar)
    say(taking.summary())
    leave(taking.code)


def divide_reindex(store: "desk.Store", part: PartNumber, file: str, positions: bool) -> int:
    """Work one part of the games out, into a database of its own; return how many there are.

    positions: what stood in them too
    """
    ids = store.ids()
    first, stop = (len(ids) * number // part.parts for number in (part.number - 1, part.number))
    digest = sha256("\n".join(ids).encode("utf-8", "surrogateescape")).hexdigest()
    options = {POSITIONS: desk.encodings()} if positions else {}
    header = Header(part.number, part.parts, "reindex", digest, options)
    with part_base(file, header) as into, told("games") as progress:
        for done in desk.note_worked_out(store, into, first, stop, positions):
            if progress:
                progress(done, stop - first)
    return stop - first


# --- reading ---


def bases_merged(command: str, names: Sequence[str], db: str | None) -> "Found":
    """Return the parts in their order, each with what it says of itself; the first is like all others but for that.

    Ends the program where they are not all the parts of one whole.
    """
    target = db_place(db)
    found: Found = []
    faults: list[str] = []
    for name in names:
        if isinstance(target, Path) and target.exists() and Path(name).exists() and target.samefile(name):
            fail(f"{name} is the database that parts are merged into; name only the parts.")
        try:
            found.append((name, _proved(command, name)))
        except StoreFault as fault:
            faults.append(str(fault))
        except ValueError as fault:
            faults.append(str(fault))
    return list(in_order(found, faults))


def notes_of(name: str) -> Iterator[tuple["desk.Store", dict[str, Any]]]:
    """Yield what a part notes, with its database open."""
    with desk.open_store(Path(name), create=False, read_only=True) as store:
        for note in desk.part_notes(store):
            yield store, note


def _proved(command: str, name: str) -> Header:
    """Return what a part says of itself, if it is whole. Raises StoreFault, and ValueError with the reason."""
    first: dict[str, Any] | None = None
    last: dict[str, Any] = {}
    for _, note in notes_of(name):
        first, last = first or note, note
    if first is None:
        raise ValueError(f"{name} is not a part of `{command}`; {MADE_BY[command]} writes one.")
    header = msgspec.convert(first["header"], Header)
    if header.command != command:
        raise ValueError(f"{name} is a part of `{header.command}`, not of `{command}`; use `merge {header.command}`.")
    if "end" not in last:
        raise ValueError(f"{name} was cut short; make part {header.part} again.")
    return header


def sheets_of(names: Sequence[str]) -> "Iterator[tuple[Share, desk.DraftedSheet | None]]":
    """Yield every score sheet of parts of `import` in order, with its true number and line.

    Before the first one of each range comes None.
    """
    share = Share(0, "", 0, 0)
    games = lines = 0
    for name in names:
        for store, note in notes_of(name):
            if "share" in note:
                share = msgspec.convert(note["share"], Share)
                if not share.start:
                    games = lines = 0
                yield share, None
            elif "sheets" in note:
                for sheet in desk.noted_sheets(store, note):
                    yield share, desk.told_again(sheet, moved(sheet.answer.report, games, lines))
            elif "rangecounts" in note:
                games, lines = games + note["rangecounts"]["games"], lines + note["rangecounts"]["lines"]


def lines_of(names: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Yield what parts of `reindex` say of each game, in the order of the log."""
    for name in names:
        for _, note in notes_of(name):
            if "lines" in note:
                yield from desk.noted_lines(note)


def marks_of(names: Sequence[str]) -> "Iterator[desk.Marked]":
    """Yield the marks that parts of `reindex --positions` hold, in the order of the log."""
    for name in names:
        for _, note in notes_of(name):
            if "marked" in note:
                yield desk.noted_marks(note)
