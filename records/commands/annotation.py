"""What annotating makes of a note: words, glyphs and variations, the same in a stored game and on a score sheet."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import Examined, Line, Note, loads, steps
from cartulary.notation.arbiter.canonical import canonical_note
from cartulary.notation.arbiter.replay import Step
from cartulary.notation.arbiter.typed import unread_because
from cartulary.notation.cgn.commands import commands_in, without
from cartulary.notation.cgn.scanner import GLYPHS
from cartulary.records.commands.request import readable
from cartulary.records.faults import Declined, Unfit, Unread
from cartulary.records.texts import keepable, plain

Part: TypeAlias = bool | Literal["glyphs", "words"]
"""What of a note is taken away first: nothing, all of it, its glyphs, or the words of its comments."""
Within: TypeAlias = tuple[tuple[int, int], ...]
"""The way from a ply into its variations: the number of each, from 1, and the ply in it, from 1."""
_OURS = re.compile(r"\[%\s*(takeback|amend|clock|irregular|dispute|ruling|board)")
_GLYPH = re.compile(r"\s*([!?]{1,2}|\$[0-9]+)(?=[\s(]|$)")


class Noting(Struct, frozen=True):
    """What is to be noted. variations: as CGN, each in its parentheses; replace: what is taken away first."""

    comment: str = ""
    glyphs: tuple[int, ...] = ()
    variations: str = ""
    replace: Part = False


class NotePlace(Struct, frozen=True):
    """A note that is annotated. ply: of the main line, 0 for the game as a whole; note: what stands there

    id: of its game, as faults name it; examined: what the rules say of the record it stands in
    """

    id: str
    examined: Examined
    ply: int
    note: Note


def read_noting(text: str) -> Noting:
    """Return what a person typed as a note: glyphs, then variations in parentheses, then words.

    A parenthesis behind the first word belongs to the comment. Raises Unfit for a glyph there is none of.
    """
    glyphs: list[int] = []
    while match := _GLYPH.match(text):
        glyphs.append(glyph_code(match[1]))
        text = text[match.end() :]
    end = _variations_end(text.strip())
    return Noting(text.strip()[end:].strip(), tuple(glyphs), text.strip()[:end])


def _variations_end(text: str) -> int:
    """Return where the parentheses a text begins with end, the comments inside them skipped."""
    depth, end = 0, 0
    for match in re.finditer(r"\{[^}]*\}?|[()]|\S", text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if not depth and match[0] != ")":
            return end
        end = match.end()
    return end


def glyph_code(sign: str) -> int:
    """Return the code of ``!``, ``?!`` or ``$14``. Raises Unfit for what is no glyph."""
    digits = sign.removeprefix("$")
    if sign in GLYPHS:
        return GLYPHS[sign]
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 3 and int(digits) <= 255):
        raise Unfit(f"{sign!r} is not a glyph; expected one of ! ? !! ?? !? ?! or a code from $0 to $255.")
    return int(digits)


def annotated(there: NotePlace, noting: Noting, within: Within = ()) -> Note:
    """Return the note as it stands with the annotation. within: the ply of a variation it is on, () for its own ply

    Raises Declined for a comment that contains ``}`` and for a variation that is not there, Unfit for a command in it
    that only the program writes and where nothing is to be noted, Unread for a variation with a word that is no move
    there.
    """
    if (noting.glyphs or noting.variations or within) and there.ply == 0:
        raise Unfit("A glyph or a variation needs a ply, counted from 1; ply 0 is the game itself.")
    if any(not 0 <= code <= 255 for code in noting.glyphs):
        raise Unfit("There is no such glyph; expected one of ! ? !! ?? !? ?! or a code from $0 to $255.")
    words = plain(noting.comment, "The comment")
    if not (words or noting.glyphs or noting.variations or noting.replace):
        raise Unfit("There is nothing to note; give words, a glyph or a variation.")
    noting = replace(noting, comment=words)
    return _reached(there, there.note, lambda: _step(there), noting, within)


def _reached(there: NotePlace, note: Note, step: Callable[[], Step], noting: Noting, within: Within) -> Note:
    """Return the note with the annotation on it, or inside one of its variations. step: the ply it stands after"""
    if not within:
        return _changed(there, note, step, noting)
    (number, ply), *deeper = within
    lines = [(at, item) for at, item in enumerate(note.then) if isinstance(item, Line)]
    if not 1 <= number <= len(lines) or not 1 <= ply <= len(lines[number - 1][1].words):
        raise Declined(f"There is no such variation of ply {there.ply} of {there.id}.")
    at, line = lines[number - 1]
    old = line.notes.get(ply, Note())
    inner = _reached(there, old, lambda: _inner(there, step(), line, ply), noting, tuple(deeper))
    notes = {ply: each for ply, each in {**line.notes, ply: inner}.items() if each != Note()}
    return replace(note, then=(*note.then[:at], replace(line, notes=notes), *note.then[at + 1 :]))


def _changed(there: NotePlace, old: Note, step: Callable[[], Step], noting: Noting) -> Note:
    """Return the note with the annotation on it."""
    kept = Note((), tuple(_boards(old))) if noting.replace is True else old
    glyphs = dict.fromkeys((*(kept.glyphs if noting.replace != "glyphs" else ()), *noting.glyphs))
    then = _with_words(kept, noting.comment, instead=noting.replace == "words")
    lines = _variations(there, step(), noting.variations) if noting.variations else ()
    return Note(tuple(glyphs), (*then, *lines))


def _with_words(old: Note, words: str, *, instead: bool) -> tuple[str | Line, ...]:
    """Return comments and variations with new words, after them or instead of the old ones.

    Commands stay, but for those that the new words give anew.
    """
    ours = _OURS.search(words)
    if ours:
        raise Unfit(f"A note cannot hold [%{ours[1]} ...], which only the program writes; leave it out.")
    typed = {each.name for each in commands_in(words)}
    then: list[str | Line] = []
    new = words
    for item in old.then:
        if isinstance(item, str) and instead and without(item):
            item, new = " ".join((*_commands(item, typed), *(new,) * bool(new))), ""
        elif isinstance(item, str) and typed:
            item = without(item, typed)
        then.append(item)
    return tuple(item for item in (*then, new) if item)


def _commands(comment: str, typed: set[str]) -> Iterator[str]:
    """Yield the commands of a comment as they are written, but for those of some names."""
    return (each.written for each in commands_in(comment) if each.name not in typed)


def _boards(note: Note) -> Iterator[str]:
    """Yield the boards an imported sheet states in a note: they say what was played, and are no annotation."""
    for comment in note.comments:
        yield from (each.written for each in commands_in(comment) if each.name == "board")


# --- variations ---


def _variations(there: NotePlace, step: Step, text: str) -> tuple[Line, ...]:
    """Return variations of a ply in their one spelling."""
    heading, walk = there.examined.heading, there.examined.walk
    assert heading.game is not None
    assert heading.sheet is not None
    assert walk is not None
    text = keepable(" ".join(text.split()), "The variation")
    [record] = loads(f"~\n{text}\n*", tags=walk.record.tags)
    for problem in record.problems:
        if problem.severity == "error":
            raise Unread(problem.because, text, problem.column)
    read = record.line.notes.get(1, Note())
    if len(record.line.words) > 1 or read.glyphs or read.comments:
        raise Unread("expected variations, each in parentheses, and nothing else", text, 1)
    for line in read.variations:
        _check(there, step, line)
    return canonical_note(heading.game, step, read, heading.sheet.seats).variations


def _step(there: NotePlace) -> Step:
    """Return the ply as it was played. Raises Declined where it cannot be reached."""
    readable(there.id, there.examined, there.ply)
    if there.examined.walk is None:
        raise Declined(f"{there.id} cannot be set up, so nothing in it can be judged.")
    return there.examined.walk.steps[there.ply - 1]


def _inner(there: NotePlace, before: Step, line: Line, ply: int) -> Step:
    """Return a ply of a variation. before: the ply it stands in place of. Raises Declined where it is not reached."""
    step = next(islice(_steps(there, before, line), ply - 1, None), None)
    if step is None:
        raise Declined(f"The variation of ply {before.ply} of {there.id} cannot be followed as far as its ply {ply}.")
    return step


def _steps(there: NotePlace, before: Step, line: Line) -> Iterator[Step]:
    heading = there.examined.heading
    assert heading.game is not None
    assert heading.sheet is not None
    return steps(heading.game, before.state, line.words, heading.sheet.seats, before.calls)


def _check(there: NotePlace, step: Step, line: Line) -> None:
    """Raise Unread for a word of a variation that is no move, Declined for one that cannot be played on from.

    step: the ply it stands in place of
    """
    if not line.words:
        raise Unread("found a variation without a move, expected one move or more", "()", 1)
    for each in _steps(there, step, line):
        if each.error is not None:
            raise Unread(unread_because(there.examined.heading, each), each.word, each.error.column)
        if not each.applied:
            raise Declined(f"{each.word} in the variation of ply {step.ply} cannot be carried out there.")
        for inner in line.notes.get(each.ply, Note()).variations:
            _check(there, each, inner)
