"""Adding words, glyphs and variations to a note, in a stored game and on a score sheet alike."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import Examination, Line, Note, loads, steps
from cartulary.notation.arbiter.canonical import canonical_note
from cartulary.notation.arbiter.replay import Step
from cartulary.notation.arbiter.typed import unread_because
from cartulary.notation.cgn.commands import commands_in, without
from cartulary.notation.cgn.scanner import GLYPHS
from cartulary.records.commands.request import readable
from cartulary.records.faults import Declined, Unfit, Unread
from cartulary.records.texts import keepable, plain

Part: TypeAlias = bool | Literal["glyphs", "words"]
"""What of a note is taken away first: nothing, all of it but the boards that a sheet states, its glyphs, or the words
of its comments, whose commands stay."""
Within: TypeAlias = tuple[tuple[int, int], ...]
"""The way from a ply into its variations: the number of each, from 1, and the ply in it, from 1."""
_RESERVED = re.compile(r"\[%\s*(takeback|amend|clock|irregular|dispute|ruling|board|seat)")
_GLYPH = re.compile(r"\s*([!?]{1,2}|\$[0-9]+)(?=[\s(]|$)")


class Noting(Struct, frozen=True):
    """An annotation to be made.

    Attributes:
        comment: The words.
        glyphs: The glyphs, by their codes.
        variations: The variations, as CGN has them, each in its parentheses.
        replace: What is taken out of the note first: False for nothing, True for all of it but stated boards,
            ``glyphs`` or ``words``.
    """

    comment: str = ""
    glyphs: tuple[int, ...] = ()
    variations: str = ""
    replace: Part = False


class NotePlace(Struct, frozen=True):
    """The note that is annotated, and where it stands.

    Attributes:
        id: The id of its game, for faults.
        examination: What the rules say of the record.
        ply: The ply of the main line, 0 for the game as a whole.
        note: The note as it stands.
    """

    id: str
    examination: Examination
    ply: int
    note: Note


def read_noting(text: str) -> Noting:
    """Return what a person typed as a note: glyphs first, then variations in parentheses, then words.

    An example is ``! (8Dj2 8Ca7) better``. A parenthesis after the first word belongs to the comment. The variations
    are not read here.

    Raises:
        Unfit: There is no such glyph.
    """
    glyphs: list[int] = []
    while match := _GLYPH.match(text):
        glyphs.append(glyph_code(match[1]))
        text = text[match.end() :]
    end = _variations_end(text.strip())
    return Noting(text.strip()[end:].strip(), tuple(glyphs), text.strip()[:end])


def _variations_end(text: str) -> int:
    """Return the index at which the parentheses at the beginning of a text end: ``(8Dj2) x`` -> 6.

    Comments in braces inside them are skipped. It is 0 if the text does not begin with a parenthesis, and the length of
    the text if the last one is not closed.
    """
    depth, end = 0, 0
    for match in re.finditer(r"\{[^}]*\}?|[()]|\S", text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if not depth and match[0] != ")":
            return end
        end = match.end()
    return end


def glyph_code(sign: str) -> int:
    """Return the code of a glyph such as ``!``, ``?!`` or ``$14``, from 0 to 255: ``$14`` -> 14.

    Raises:
        Unfit: The text is anything else.
    """
    digits = sign.removeprefix("$")
    if sign in GLYPHS:
        return GLYPHS[sign]
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 3 and int(digits) <= 255):
        raise Unfit(f"{sign!r} is not a glyph; expected one of ! ? !! ?? !? ?! or a code from $0 to $255.")
    return int(digits)


def annotate_note(place: NotePlace, noting: Noting, within: Within = ()) -> Note:
    """Return a note with an annotation added to it, or put in place of what was there, as ``noting.replace`` says.

    Nothing is stored, and the note that was given stays as it is.

    Args:
        place: The note, and where it stands.
        noting: The annotation.
        within: The ply inside variations that it is on, as pairs of the number of a variation and a ply in it; empty
            for the ply itself.

    Raises:
        Declined: The comment contains ``}``, there is no such variation, a word of a variation cannot be carried out,
            or the moves cannot be followed as far as a new variation.
        Unfit: There is nothing to note or no such glyph, a glyph or variation is to stand on the game as a whole, the
            comment cannot be stored, or it holds a command that only the program writes.
        Unread: A word of a variation is no move there, or the variations hold something else.
    """
    if (noting.glyphs or noting.variations or within) and place.ply == 0:
        raise Unfit("A glyph or a variation needs a ply, counted from 1; ply 0 is the game itself.")
    if any(not 0 <= code <= 255 for code in noting.glyphs):
        raise Unfit("There is no such glyph; expected one of ! ? !! ?? !? ?! or a code from $0 to $255.")
    words = plain(noting.comment, "The comment")
    if not (words or noting.glyphs or noting.variations or noting.replace):
        raise Unfit("There is nothing to note; give words, a glyph or a variation.")
    noting = replace(noting, comment=words)
    return _annotate_within(place, place.note, lambda: _step_of_ply(place), noting, within)


def _annotate_within(place: NotePlace, note: Note, step: Callable[[], Step], noting: Noting, within: Within) -> Note:
    """Return a note with the annotation on it, or inside one of its variations.

    Args:
        place: Where the annotated note of the main line stands.
        note: The note, of the main line or of a variation.
        step: Returns the ply that the note is on; it is called only if something has to be judged.
        noting: The annotation.
        within: The rest of the way into the variations; empty for the note itself.

    Raises:
        Declined: There is no such variation, or no such ply in it.
        Fault: As ``annotate_note`` says.
    """
    if not within:
        return _annotate_here(place, note, step, noting)
    (number, ply), *deeper = within
    lines = [(at, item) for at, item in enumerate(note.items) if isinstance(item, Line)]
    if not 1 <= number <= len(lines) or not 1 <= ply <= len(lines[number - 1][1].words):
        raise Declined(f"There is no such variation of ply {place.ply} of {place.id}.")
    at, line = lines[number - 1]
    old = line.notes.get(ply, Note())
    inner = _annotate_within(place, old, lambda: _step_in_variation(place, step(), line, ply), noting, tuple(deeper))
    notes = {ply: item_note for ply, item_note in {**line.notes, ply: inner}.items() if item_note != Note()}
    return replace(note, items=(*note.items[:at], replace(line, notes=notes), *note.items[at + 1 :]))


def _annotate_here(place: NotePlace, old: Note, step: Callable[[], Step], noting: Noting) -> Note:
    """Return a note with the annotation on it, the note itself and not one inside its variations.

    Args:
        place: Where the annotated note of the main line stands.
        old: The note as it is.
        step: Returns the ply that new variations stand in place of; it is called only if there are any.
        noting: The annotation.

    Raises:
        Unfit, Unread or Declined: As ``annotate_note`` says of comments and variations.
    """
    base = Note((), tuple(_boards(old))) if noting.replace is True else old
    glyphs = dict.fromkeys((*(base.glyphs if noting.replace != "glyphs" else ()), *noting.glyphs))
    items = _with_words(base, noting.comment, instead=noting.replace == "words")
    lines = _variations(place, step(), noting.variations) if noting.variations else ()
    return Note(tuple(glyphs), (*items, *lines))


def _with_words(old: Note, words: str, *, instead: bool) -> tuple[str | Line, ...]:
    """Return the comments and variations of a note with new words, added at the end or in place of the old words.

    Commands stay, except those that the new words contain too.

    Args:
        old: The note.
        words: The new words; empty for none.
        instead: Whether they take the place of the old words.

    Raises:
        Unfit: The words hold a command that only the program writes, such as ``[%clock …]``.
    """
    reserved = _RESERVED.search(words)
    if reserved:
        raise Unfit(f"A note cannot hold [%{reserved[1]} ...], which only the program writes; leave it out.")
    typed = {command.name for command in commands_in(words)}
    items: list[str | Line] = []
    new = words
    for item in old.items:
        if isinstance(item, str) and instead and without(item):
            item, new = " ".join((*_commands(item, typed), *(new,) * bool(new))), ""
        elif isinstance(item, str) and typed:
            item = without(item, typed)
        items.append(item)
    return tuple(item for item in (*items, new) if item)


def _commands(comment: str, typed: set[str]) -> Iterator[str]:
    """Yield the commands in a comment as they are written, such as ``[%board …]``.

    Args:
        comment: The comment.
        typed: The names of commands that are left out.
    """
    return (command.source for command in commands_in(comment) if command.name not in typed)


def _boards(note: Note) -> Iterator[str]:
    """Yield the ``[%board]`` commands in the comments of a note, as they are written.

    They say what was played and are not an annotation, so they stay when an annotation is removed.
    """
    for comment in note.comments:
        yield from (command.source for command in commands_in(comment) if command.name == "board")


# --- variations ---


def _variations(place: NotePlace, step: Step, text: str) -> tuple[Line, ...]:
    """Return the variations that a text holds, in canonical spelling, after checking that each can be played.

    Args:
        place: Where the annotated note of the main line stands.
        step: The ply that they stand in place of.
        text: The text, which holds variations in parentheses and nothing else.

    Raises:
        Unread: The text cannot be read, holds something else, or a word is no move there.
        Declined: A word cannot be played on from.
        Unfit: The text cannot be stored.
    """
    heading, walk = place.examination.heading, place.examination.walk
    assert heading.game is not None
    assert heading.sheet is not None
    assert walk is not None
    text = keepable(" ".join(text.split()), "The variation")
    [record] = loads(f"~\n{text}\n*", tags=walk.record.tags)
    for problem in record.problems:
        if problem.severity == "error":
            raise Unread(problem.because, text, problem.column)
    note = record.line.notes.get(1, Note())
    if len(record.line.words) > 1 or note.glyphs or note.comments:
        raise Unread("expected variations, each in parentheses, and nothing else", text, 1)
    for line in note.variations:
        _check_playable(place, step, line)
    return canonical_note(heading.game, step, note, heading.sheet.seats).variations


def _step_of_ply(place: NotePlace) -> Step:
    """Return the ply of the main line that is annotated, as it was played.

    Raises:
        Declined: The moves cannot be followed so far, or the game cannot be set up.
    """
    readable(place.id, place.examination, place.ply)
    if place.examination.walk is None:
        raise Declined(f"{place.id} cannot be set up, so nothing in it can be judged.")
    return place.examination.walk.steps[place.ply - 1]


def _step_in_variation(place: NotePlace, before: Step, line: Line, ply: int) -> Step:
    """Return a ply of a variation.

    Args:
        place: Where the annotated note of the main line stands.
        before: The ply that the variation stands in place of.
        line: The variation.
        ply: The ply in it, from 1.

    Raises:
        Declined: The variation cannot be followed so far.
    """
    step = next(islice(_steps_of_variation(place, before, line), ply - 1, None), None)
    if step is None:
        raise Declined(f"The variation of ply {before.ply} of {place.id} cannot be followed as far as its ply {ply}.")
    return step


def _steps_of_variation(place: NotePlace, before: Step, line: Line) -> Iterator[Step]:
    """Yield the plies of a variation, played from the position before the ply that it stands in place of.

    They end early at a word that cannot be read or applied.
    """
    heading = place.examination.heading
    assert heading.game is not None
    assert heading.sheet is not None
    return steps(heading.game, before.state, line.words, heading.sheet.seats, before.calls)


def _check_playable(place: NotePlace, step: Step, line: Line) -> None:
    """Check a variation, and the variations in it, that stand in place of the ply ``step``.

    A word that breaks a rule but can be applied passes.

    Raises:
        Unread: The variation has no word, or a word is no move.
        Declined: A word cannot be applied, so that nothing can follow it.
    """
    if not line.words:
        raise Unread("found a variation without a move, expected one move or more", "()", 1)
    for later in _steps_of_variation(place, step, line):
        if later.error is not None:
            raise Unread(unread_because(place.examination.heading, later), later.word, later.error.column)
        if not later.applied:
            raise Declined(f"{later.word} in the variation of ply {step.ply} cannot be carried out there.")
        for inner in line.notes.get(later.ply, Note()).variations:
            _check_playable(place, later, inner)
