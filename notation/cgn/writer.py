"""Writing CGN in its canonical layout, byte for byte.

Words are written as they stand in the record; ``canonical`` in ``replay`` gives them their canonical spelling first.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from cartulary.notation.cgn.record import Line, NotationError, Note, Record
from cartulary.notation.cgn.scanner import PLAIN, RESULT, SUFFIXES, read_token, stands_alone

HEADER = "% CGN 1.0\n"
_FIRST = ("Game", "Event", "Site", "Date", "Round")
_SEAT = re.compile(r"Seat\d+")
TagOrder: TypeAlias = Callable[[tuple[str, str]], tuple[int, int, str]]
"""Gives the place of a tag among those of a record."""


class Layout(Struct, frozen=True):
    """How movetext is laid out.

    Attributes:
        width: The longest line, in characters.
        suffixes: The text of each glyph that has one, by its code.
    """

    width: int = 80
    suffixes: tuple[str, ...] = SUFFIXES


USUAL = Layout()
CODES = Layout(79, SUFFIXES[:1])
"""Every glyph is its code, and every line shorter than 80 characters."""

_BREAK = "\n"
_SIGNS = re.compile(r"[\n\[%]")


def format_game(record: Record, order: TagOrder, layout: Layout = USUAL) -> str:
    """Return one game: escape lines, tags, a blank line, wrapped movetext, a newline.

    Args:
        record: The game.
        order: The order of its tags.
        layout: How the movetext is laid out.

    Raises:
        NotationError: A tag value has a line break, or no form of comment can hold a comment.
    """
    tags = "".join(f'[{name} "{escape_tag(value)}"]\n' for name, value in sorted(record.tags, key=order))
    escapes = "".join(f"%{text}\n" for text in record.escapes)
    result = record.result or record.tag("Result")
    atoms = [*_line_atoms(record.line, layout.suffixes), result if RESULT.fullmatch(result) else "*"]
    tail = record.tail + "\n" if record.tail else ""
    return f"{escapes}{tags}\n{wrap(atoms, layout.width)}{tail}"


def escape_tag(value: str) -> str:
    """Return a tag value with a backslash before each quote and backslash.

    Raises:
        NotationError: If it has a line break.
    """
    if "\n" in value or "\r" in value:
        raise NotationError(f"a tag value cannot hold a line break: {value!r}")
    return value.replace("\\", "\\\\").replace('"', '\\"')


def tag_order(seats: Iterable[str]) -> TagOrder:
    """Return a sort key for tags: Game Event Site Date Round, the seats, Result, the rest in ASCII order.

    Args:
        seats: The tags of the seats, in seat order; Seat1, Seat2 … are known without being named.
    """
    others = [name for name in dict.fromkeys(seats) if not _SEAT.fullmatch(name)]
    named = {name: at for at, name in enumerate(others, -len(others))}

    @lru_cache(256)
    def place(name: str) -> tuple[int, int, str]:
        """Return the sort key of a tag of this name: (group, place in the group, name)."""
        if name in _FIRST:
            return 0, _FIRST.index(name), ""
        if name in named or _SEAT.fullmatch(name):
            return 1, named[name] if name in named else int(name[4:14]), name
        return (2, 0, "") if name == "Result" else (3, 0, name)

    return lambda tag: place(tag[0])


def check_comment(text: str) -> None:
    """Check that a comment has no ``}`` in it, which would end the comment.

    Raises:
        NotationError: If it has, with the column of the first.
    """
    if "}" in text:
        raise NotationError("it holds }, which ends a comment", text.index("}") + 1)


def _line_atoms(line: Line, suffixes: tuple[str, ...], variation: bool = False) -> Iterator[str]:
    """Yield the pieces of a line that wrapping never breaks: numbers, words, glyphs, the words of comments.

    A piece that ends in a line break is a comment after ``;``. A word that would be read as something else, such as
    ``1.6``, has its move number stuck to it.

    Args:
        line: The line.
        suffixes: The glyphs that are written as marks on the word, by code.
        variation: Whether the line is a variation, whose result is written too.
    """
    notes, numbers = line.notes, line.numbers
    interrupted, last = True, -1
    if 0 in notes:
        yield from _note_atoms(notes[0], suffixes)
    for index, word in enumerate(line.words):
        number = numbers.get(index)
        note = notes.get(index + 1)
        suffix = suffixes[note.glyphs[0]] if note and note.glyphs and note.glyphs[0] < len(suffixes) else ""
        if read_token(word)[0] != PLAIN and not stands_alone(word + suffix):
            last, dots = number or (max(last, 0), 1)
            word = f"{last}{'.' * dots}{word}"
        elif number is not None and (interrupted or (number[1] == 1 and number[0] != last)):
            last = number[0]
            yield f"{last}." if number[1] == 1 else f"{last}..."
        yield word + suffix
        if note is None:
            interrupted = False
            continue
        yield from _note_atoms(note, suffixes, 1 if suffix else 0)
        interrupted = bool(note.items)
    if variation and line.result:
        yield line.result


def _note_atoms(note: Note, suffixes: tuple[str, ...], skip: int = 0) -> Iterator[str]:
    """Yield the glyphs, comments and variations of a note in pieces that wrapping never breaks.

    Its first ``skip`` glyphs are left out.

    Raises:
        NotationError: For a comment of two lines with ``}`` in it, which no form of comment can hold.
    """
    for code in note.glyphs[skip:]:
        yield f"${code}"
    for item in note.items:
        if isinstance(item, Line):
            yield from _variation_atoms(item, suffixes)
        elif "}" in item:
            if "\n" in item:
                raise NotationError("a comment that contains } cannot have a second line")
            yield f"; {item}{_BREAK}"
        elif words := item.split():
            words[0] = "{" + words[0]
            words[-1] += "}"
            yield from words


def format_note(note: Note) -> str:
    """Return the note of a word on one line, as after that word on a sheet: ``!? {a comment} (2. d4)``.

    It is empty for an empty note, and raises NotationError for a comment that no form can hold.
    """
    suffix = SUFFIXES[note.glyphs[0]] if note.glyphs and note.glyphs[0] < len(SUFFIXES) else ""
    return " ".join((*((suffix,) if suffix else ()), *_note_atoms(note, SUFFIXES, 1 if suffix else 0))).replace(
        _BREAK, ""
    )


def _variation_atoms(line: Line, suffixes: tuple[str, ...]) -> Iterator[str]:
    """Yield a variation in parentheses, in pieces that wrapping never breaks; an empty one is ``()``."""
    atoms = list(_line_atoms(line, suffixes, True))
    if not atoms:
        yield "()"
        return
    if atoms[0].startswith("; "):
        yield "("
    else:
        atoms[0] = "(" + atoms[0]
    if atoms[-1].endswith(_BREAK):
        atoms.append(")")
    else:
        atoms[-1] += ")"
    yield from atoms


def wrap(atoms: Iterable[str], width: int = USUAL.width) -> str:
    """Return pieces of movetext with blanks between them, in lines of at most ``width`` characters, if pieces allow.

    Each line ends in a line break. A word that would make its line look like a tag or an escape line gets a blank
    before it.
    """
    atoms = list(atoms)
    text = " ".join(atoms)
    return _wrap_signs(atoms, width) if _SIGNS.search(text) else _wrap_plain(text, width)


def _wrap_plain(text: str, width: int) -> str:
    """Return lines of at most ``width`` characters, if words allow, for a text in which nothing may look like a tag.

    Each line, the last too, ends in a line break.
    """
    lines, at = [], 0
    while len(text) - at > width:
        cut = text.rfind(" ", at, at + width + 1)
        if cut < 0:
            cut = text.find(" ", at + width)
        if cut < 0:
            break
        lines.append(text[at:cut])
        at = cut + 1
    return "\n".join([*lines, text[at:]]) + "\n"


def _wrap_signs(atoms: list[str], width: int) -> str:
    """Return lines of at most ``width`` characters, if pieces allow, each ended by a line break.

    A word at the start of a line that looks like a tag or an escape line gets a blank before it.
    """
    lines: list[str] = []
    current, commented = "", False
    for atom in atoms:
        commented = commented or atom[0] == "{"
        if current and len(current) + 1 + len(atom.rstrip(_BREAK)) <= width:
            current = f"{current} {atom}"
        else:
            if current:
                lines.append(current)
            current = atom if commented or atom[0] not in "[%" else " " + atom
        if commented and "}" in atom:
            commented = False
        if current.endswith(_BREAK):
            lines.append(current[:-1])
            current = ""
    if current:
        lines.append(current)
    return "\n".join(lines) + "\n"
