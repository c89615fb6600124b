"""Annotating a score sheet in its file: one game is rewritten, and the others stay as they are, byte for byte."""

import os
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import NotationError, Note, Record, as_seen, canonical, examine, format_record, loads
from cartulary.notation.arbiter.files import replace_game
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.commands.annotation import NotePlace, Noting, Within, annotate_note
from cartulary.records.commands.request import not_by_the_rail
from cartulary.records.exchange.outfile import is_stream, replace_files
from cartulary.records.faults import Declined


class SheetFile(Struct, frozen=True):
    """A file of score sheets as it was read.

    Attributes:
        path: The file.
        digest: The digest of its bytes, empty for a pipe, which cannot be read again.
    """

    path: Path
    digest: bytes


def sheet_file(path: Path) -> SheetFile:
    """Return a file as it is now: its path, and the digest by which a later change is noticed. It may be no score
    sheet.

    Raises:
        OSError: It cannot be read.
    """
    return SheetFile(path, b"" if is_stream(path) else sha256(path.read_bytes()).digest())


def annotate_on_paper(
    file: SheetFile, index: int, ply: int, noting: Noting, within: Within = (), viewer: Viewer = EVERYTHING
) -> tuple[SheetFile, Record]:
    """Annotate a game in a file, as ``annotate`` annotates a stored one. The file is replaced completely or not at all.

    Args:
        file: The file as it was read.
        index: Which of its games, from 1.
        ply: The ply, 0 for the game as a whole.
        noting: What is added or removed.
        within: The variation that the ply is in; empty for the main line.
        viewer: From whose view variations are read.

    Returns:
        The file with its new digest, for the next annotation, and the game as it is then.

    Raises:
        Declined: The file has changed since it was read, is read-only or a pipe, or has a game that would lose
            something; there is no such game or ply, the viewer may not annotate, or the note cannot be written there.
        Unread: A word of a variation is no move there, or the variations hold something else.
        OSError: The file cannot be read or replaced.
    """
    not_by_the_rail(viewer)
    data = _unchanged_bytes(file)
    try:
        changed, record = replace_game(data, index, lambda old: _annotate(file, old, ply, noting, within, viewer))
    except NotationError as fault:
        raise Declined(f"{file.path} cannot be written back: {_why_not_written(data, index, viewer, fault)}.") from None
    with replace_files(file.path, over=True) as (spare,):
        spare.write_bytes(changed)
        _unchanged_bytes(file)
    return SheetFile(file.path, sha256(changed).digest()), record


def _why_not_written(data: bytes, index: int, viewer: Viewer, fault: NotationError) -> str:
    """Return why the game with this number in the file, from 1, cannot be written back, as the end of a sentence.

    A seat that does not see all of the game gets no details, because what could not be read may name a card.
    """
    if any(as_seen(record, viewer.seat) is not record for record in loads(data)[index - 1 : index]):
        return "not all of it could be read. Nothing was written"
    place = f"line {fault.line}, column {fault.column}: " if fault.line > 1 else ""
    return f"{place}{fault.because}. Nothing was written"


def _unchanged_bytes(file: SheetFile) -> bytes:
    """Return the bytes of a file, which must be the ones that were read before.

    Raises:
        Declined: They have changed since, may not be replaced, or cannot be read twice.
    """
    if not file.digest:
        raise Declined(f"{file.path} cannot be read again, so it cannot be annotated; name a file.")
    data = file.path.read_bytes()
    if sha256(data).digest() != file.digest:
        raise Declined(f"{file.path} has changed since it was read. Nothing was written; open it again.")
    if not os.access(file.path, os.W_OK):
        raise Declined(f"{file.path} is read-only. Nothing was written.")
    return data


def _annotate(file: SheetFile, record: Record, ply: int, noting: Noting, within: Within, viewer: Viewer) -> Record:
    """Return a record with an annotation added or removed; the file is not changed. Variations are read as the viewer
    sees them.

    Args:
        file: The file that the record is in, for messages.
        record: The record.
        ply: The ply, 0 for the game as a whole.
        noting: What is added or removed.
        within: The variation that the ply is in; empty for the main line.
        viewer: Who annotates.

    Raises:
        Declined: There is no such ply, or it is in a variation that the viewer may not see.
    """
    id = f"{file.path.name}#{record.index}"
    if not 0 <= ply <= len(record.line.words):
        raise Declined(f"There is no ply {ply} in {id}.")
    seen = as_seen(record, viewer.seat)
    if within and seen is not record:
        raise Declined("Notes and variations are not shown to seats; ask without a seat.")
    note = annotate_note(NotePlace(id, examine(seen), ply, record.line.notes.get(ply, Note())), noting, within)
    notes = {at: each for at, each in {**record.line.notes, ply: note}.items() if each != Note()}
    new = replace(record, line=replace(record.line, notes=notes))
    # What was in its one spelling stays so: after a comment a number may be due.
    return canonical(new) if format_record(canonical(record)) == format_record(record) else new
