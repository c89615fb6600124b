"""The note on a ply as events store it, the board stated there, and who sat down after it."""

from collections.abc import Iterable

from msgspec.structs import replace

from cartulary.notation.arbiter.files import format_record, loads
from cartulary.notation.cgn.commands import Command, format_command, rewritten, without
from cartulary.notation.cgn.record import Line, Note, Record, format_seatings, seating_in
from cartulary.records.log.events import Pairs

NO_NOTE = Note()
_ANY = "~"


def note_text(note: Note) -> str:
    """Return a note as it follows a word in CGN: ``! {a comment} (8Dj2)``; empty for an empty note.

    Raises:
        NotationError: It cannot be written so that it is read back as the same note.
    """
    sheet = format_record(Record((), Line((_ANY,), {1: note}, result="*")))
    return sheet.strip().removeprefix(_ANY).removesuffix("*").strip()


def note_of(text: str, tags: Pairs = ()) -> Note:
    """Return the note that a text such as ``! {a comment} (8Dj2)`` makes; ``NO_NOTE`` if the text is empty.

    What cannot be read as a note does not raise here; it is left out.

    Args:
        text: What follows a word in CGN: glyphs, comments and variations.
        tags: The tags of the record, on which the reading of words in it depends.

    Raises:
        ValueError: The text makes more than one record.
    """
    [record] = loads(f"{_ANY}{text}\n*", tags=tags)
    return record.line.notes.get(1, NO_NOTE)


def with_board(note: Note, board: str) -> Note:
    """Return a note that begins with the command for a board, ``[%board TEXT]``; the note itself if the board
    is empty.
    """
    return replace(note, items=(format_command("board", board), *note.items)) if board else note


def with_seatings(note: Note, seatings: Iterable[tuple[int, str]]) -> Note:
    """Return a note that begins with a command for each seat at which somebody sat down: ``[%seat p4 Fay]``.

    The note itself is returned if there is none.

    Args:
        note: The note.
        seatings: Pairs of a seat and a name.
    """
    commands = format_seatings(seatings)
    return replace(note, items=(commands, *note.items)) if commands else note


def without_seatings(note: Note) -> Note:
    """Return a note without its ``[%seat p4 Fay]`` commands; the note itself if it has none. Those that cannot be read
    remain.

    In a comment with a command of any kind all white space becomes single blanks; comments left empty are removed.
    """

    def leave(command: Command) -> str:
        """Return a blank in place of a ``[%seat]`` command that can be read, and any other command as it is."""
        return command.source if seating_in(command) is None else " "

    items = (
        " ".join(rewritten(item, leave).split()) if isinstance(item, str) and "[%" in item else item
        for item in note.items
    )
    others = tuple(item for item in items if item)
    return note if others == note.items else replace(note, items=others)


def without_board(note: Note) -> Note:
    """Return a note without its ``[%board …]`` commands and the comments that are empty without them.

    The note itself is returned if it has none.
    """
    items = (without(item, {"board"}) if isinstance(item, str) and "board" in item else item for item in note.items)
    others = tuple(item for item in items if item)
    return note if others == note.items else replace(note, items=others)
