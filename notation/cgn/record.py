"""What a CGN text holds, before any rule is asked: records, lines, notes, and the problems met while reading.

A *word* is one ply as written, without glyphs and move number. A *line* is a run of words with what stands around
them. Nothing here knows a game.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct, field

from cartulary.engine.numbers import seat_number
from cartulary.engine.once import once_each
from cartulary.notation.cgn.commands import Command, bare, commands_in, format_command
from cartulary.notation.cgn.scanner import Source, tag_offsets, word_offsets

MISSING_WORD = "~"
"""The character for a word nobody wrote, and for a part of a word that cannot be read."""
SPELLING = "cgn.syntax"
"""The key of a fault in the spelling of a word, whatever the position."""


class NotationError(ValueError):
    """Raised for text that cannot be read.

    Attributes:
        because: What was found and what was expected.
        column: The column, from 1, within the word or text.
        line: The line, from 1.
        key: The key of the fault, such as ``cgn.syntax`` or ``record.tag``, which a finding on it repeats.
        tag: The tag whose value is at fault, empty for none.
    """

    def __init__(self, because: str, column: int = 1, *, line: int = 1, key: str = SPELLING, tag: str = "") -> None:
        super().__init__(because)
        self.because = because
        self.column = column
        self.line = line
        self.key = key
        self.tag = tag

    def at_rest(self) -> "NotationError":
        """Return the error itself, without its traceback and causes, so that a stored error keeps no states alive."""
        self.__traceback__ = self.__context__ = self.__cause__ = None
        return self

    def behind(self, prefix: str) -> "NotationError":
        """Return the error itself, its column moved right by the length of a prefix that stands before the word."""
        self.column += len(prefix)
        return self


class Problem(Struct, frozen=True):
    """A fault in a text, with its line and column in the file, from 1, and the last ply read before it."""

    line: int
    column: int
    because: str
    key: str = SPELLING
    severity: str = "error"
    ply: int = 0


class Note(Struct, frozen=True):
    """The notes after a word: glyph codes, then comments and variations in the order written.

    A comment is text with single blanks; one that contains ``}`` was written with ``;`` and is written so again.

    Attributes:
        glyphs: The codes of the glyphs.
        items: The comments as texts and the variations as lines, in order.
    """

    glyphs: tuple[int, ...] = ()
    items: "tuple[str | Line, ...]" = field(default=(), name="then")

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments alone, as texts, in order."""
        return tuple(item for item in self.items if isinstance(item, str))

    @property
    def variations(self) -> "tuple[Line, ...]":
        """The variations alone, as lines, in order."""
        return tuple(item for item in self.items if not isinstance(item, str))


Numbers: TypeAlias = dict[int, tuple[int, int]]


class Line(Struct, frozen=True):
    """A run of plies: a main line or a variation.

    Attributes:
        words: The words, one for each ply.
        notes: The notes, by the number of the word they follow; 0 is before the first word.
        numbers: The move numbers with their dots, 1 or 3, by the index of the word they precede, from 0.
        result: The result at the end of the line, empty if none is written.
        at: The number of its opening parenthesis among the tokens of its source, from 1; 0 for the main line.
    """

    words: tuple[str, ...] = ()
    notes: dict[int, Note] = field(default_factory=dict)
    numbers: Numbers = field(default_factory=dict)
    result: str = ""
    at: int = 0


def _boards_in(note: Note) -> tuple[str, ...]:
    """Return the boards that the ``[%board …]`` commands of a note state, as written, in single blanks.

    ``[%board "a b"]`` gives ``a b``. A command without a board gives ``""``.
    """
    comments = [item for item in note.items if isinstance(item, str) and "board" in item]
    commands = (command for item in comments for command in commands_in(item) if command.name == "board")
    return (
        tuple(command.texts[0] if command.texts and not command.words else command.rest for command in commands)
        if comments
        else ()
    )


def seatings_in(note: Note) -> tuple[tuple[int, str], ...]:
    """Return the seats and names of the ``[%seat …]`` commands of a note, as pairs in their order.

    ``[%seat p4 Fay]`` gives ``(4, "Fay")``. A command that cannot be read is left out.
    """
    comments = [item for item in note.items if isinstance(item, str) and "[%" in item and "seat" in item]
    commands = (command for item in comments for command in commands_in(item))
    return tuple(seating for command in commands if (seating := seating_in(command)) is not None)


def format_seatings(seatings: Iterable[tuple[int, str]]) -> str:
    """Return pairs of a seat and a name as commands: ``[%seat p4 Fay] [%seat p2 "Gus Lee"]``; empty for none."""
    return " ".join(format_command("seat", f"p{seat}", bare(name)) for seat, name in seatings)


def seating_in(command: Command) -> tuple[int, str] | None:
    """Return seat and name of a command: ``[%seat p4 Fay] -> (4, "Fay")``; None if it is another or unreadable."""
    if command.name != "seat" or not command.words or command.pairs:
        return None
    seat, name = seat_number(command.words[0]), " ".join((*command.words[1:], *command.texts)).strip()
    return (seat, name) if seat and name else None


class Record(Struct, frozen=True, dict=True):
    """One game as its text has it, before any rule is asked.

    Attributes:
        tags: Pairs of name and value, as written and in that order; a repeated name is there twice.
        line: The main line.
        escapes: The lines that began with ``%``, without that sign.
        tail: The text after the result, which is not read.
        problems: What is wrong with the text.
        index: Its number in its file, from 1.
        source: The text it was read from.
    """

    tags: tuple[tuple[str, str], ...]
    line: Line
    escapes: tuple[str, ...] = ()
    tail: str = ""
    problems: tuple[Problem, ...] = ()
    index: int = 1
    source: Source = Source("")

    @property
    def result(self) -> str:
        """The result token at the end of the movetext; empty when there is none."""
        return self.line.result

    @property
    def at(self) -> int:
        """The line of its file, from 1, on which the record starts; blank lines before it do not count."""
        text = self.source.text
        return self.source.line + text[: len(text) - len(text.lstrip())].count("\n")

    @once_each
    def by_name(self) -> Mapping[str, str]:
        """The values of the tags by name, as a mapping; of a tag written twice, the first."""
        return dict(reversed(self.tags))

    @once_each
    def may_have_gaps(self) -> bool:
        """Whether a word of the main line has ``~`` in it, so that a word is missing there, in whole or in part.

        In some games ``~`` also names a card that nobody saw, which is no gap.
        """
        return MISSING_WORD in " ".join(self.line.words)

    @once_each
    def boards(self) -> Mapping[int, tuple[str, ...]]:
        """What is said to have lain on the table, by ply, 0 before the first: the ``[%board …]`` of the comments.

        A ply has the texts of all its boards in order; plies without one are left out.
        """
        return {ply: texts for ply, note in self.line.notes.items() if note.items and (texts := _boards_in(note))}

    @once_each
    def seatings(self) -> Mapping[int, tuple[tuple[int, str], ...]]:
        """The seats at which somebody else sat down, by the ply after which they did; 0 is before the first.

        They are the ``[%seat …]`` of the comments, each (seat, name); plies without one are left out.
        """
        return {
            ply: seatings for ply, note in self.line.notes.items() if note.items and (seatings := seatings_in(note))
        }

    def tag(self, name: str, default: str = "") -> str:
        """Return the value of a tag, ``default`` if the record does not have it; of a tag written twice, the first."""
        return self.by_name.get(name, default)

    @once_each
    def _offsets(self) -> dict[int, list[int]]:
        """The offsets of the words of every line in the text, by ``Line.at``: 0 is the main line."""
        return word_offsets(self.source)

    def place(self, ply: int, line: Line | None = None) -> tuple[int, int]:
        """Return line and column of a ply of the main line, or of another line of this record.

        Args:
            ply: The ply, from 1. 0 gives the place of the first character, a ply past the end that of the end of
                the text.
            line: A variation of the record; None for the main line.
        """
        offsets = self._offsets.get(line.at if line else 0, [])
        if ply == 0:
            return self.source.place(0)
        return self.source.place(offsets[ply - 1] if ply <= len(offsets) else len(self.source.text.rstrip()))

    @once_each
    def _tag_offsets(self) -> dict[str, int]:
        """The offsets of the tags by name; under ``""`` that of the first character."""
        return tag_offsets(self.source)

    def place_of_tag(self, name: str) -> tuple[int, int]:
        """Return line and column of a tag, both from 1; the start of the record if it does not have that tag."""
        return self.source.place(self._tag_offsets.get(name, self._tag_offsets[""]))
