"""What stands behind a ply of the book: its note as events keep it, and the board stated there."""

from msgspec.structs import replace

from cartulary.notation import Line, Note, Record, format_record, loads
from cartulary.notation.cgn.commands import format_command, without
from cartulary.records.log.events import Pairs

NO_NOTE = Note()
_ANY = "~"


def note_text(note: Note) -> str:
    """Return a note as it stands behind a word of CGN; ``note_of`` reads it. Raises NotationError."""
    sheet = format_record(Record((), Line((_ANY,), {1: note}, result="*")))
    return sheet.strip().removeprefix(_ANY).removesuffix("*").strip()


def note_of(text: str, tags: Pairs = ()) -> Note:
    """Return the note that stands behind a word. tags: of its record, which say what is a move in a variation"""
    [record] = loads(f"{_ANY}{text}\n*", tags=tags)
    return record.line.notes.get(1, NO_NOTE)


def with_board(note: Note, board: str) -> Note:
    """Return a note with the board stated where it stands, none where that is empty."""
    return replace(note, then=(format_command("board", board), *note.then)) if board else note


def without_board(note: Note) -> Note:
    """Return a note without the boards stated in it."""
    then = (without(item, {"board"}) if isinstance(item, str) and "board" in item else item for item in note.then)
    kept = tuple(item for item in then if item)
    return note if kept == note.then else replace(note, then=kept)
