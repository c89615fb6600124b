"""Annotating the current ply: the prompt, a preview of what Enter would write, and writing it."""

from msgspec import Struct

from cartulary.cli.stepping.stepper import Stepper
from cartulary.engine import Refused
from cartulary.engine.play import as_displayed
from cartulary.notation import Note
from cartulary.notation.arbiter.finding import verdict_text
from cartulary.notation.arbiter.typed import read_typed
from cartulary.notation.cgn.commands import without
from cartulary.notation.cgn.scanner import SUFFIXES
from cartulary.notation.cgn.writer import format_note
from cartulary.records.commands.annotation import NotePlace, Noting, annotate_note, glyph_code
from cartulary.records.faults import Conflict, Damaged, Fault, Unread
from cartulary.records.state.event_words import short
from cartulary.records.table.sayings import unread_line

GLYPH, COMMENT, VARIATION = "glyph", "comment", "variation"
KEYS = {"!": GLYPH, "c": COMMENT, "v": VARIATION}
"""What each key asks for."""
SAYS = {
    GLYPH: "! ? !! ?? !? ?! or a code such as $14; Enter writes, an empty line removes them; Esc leaves",
    COMMENT: "Enter writes the comment, an empty line removes it; Esc leaves",
    VARIATION: "moves instead of this one; Enter writes, Esc leaves",
}
"""What is said before anything is typed."""
ADDS = "Enter adds to the notes, which no seat is shown; Esc leaves"


class Prompt(Struct, frozen=True):
    """A line on which an annotation is typed.

    Attributes:
        kind: ``GLYPH``, ``COMMENT`` or ``VARIATION``.
        label: What precedes the line.
        text: What is noted already.
        adds: Whether the text is added, because the viewer may not read what is noted already.
    """

    kind: str
    label: str
    text: str = ""
    adds: bool = False


def ask(stepper: Stepper, kind: str) -> Prompt | None:
    """Return the prompt for an annotation of the current ply, with what is noted already.

    If nothing can be noted here the answer is None, and the stepper's remark says why. A seat in a game with hidden
    cards adds to what is noted, instead of changing it.

    Args:
        stepper: The current place.
        kind: ``GLYPH``, ``COMMENT`` or ``VARIATION``.
    """
    track = stepper.track
    if fault := stepper.notebook.obstacle(stepper.number):
        stepper.remark = fault
        return None
    if not track.at and (kind != COMMENT or len(stepper.tracks) > 1):
        stepper.remark = f"a {kind} belongs to a ply; step to one first"
        return None
    where = stepper.word if track.at else "the game"
    if kind == VARIATION:
        return Prompt(kind, f"instead of {where}: ")
    viewer, hidden = stepper.view.viewer.seat, track.position.game.hidden
    if viewer is not None and not hidden.face_up:
        return Prompt(kind, f"{kind} added to {where}: ", adds=True)
    text = _glyphs(track.note) if kind == GLYPH else _words(track.note)
    return Prompt(kind, f"{kind} on {where}: ", text)


def _glyphs(note: Note) -> str:
    """Return the glyphs of a note as they are typed: ``! $14``; empty for none."""
    return " ".join(SUFFIXES[code] if 0 < code < len(SUFFIXES) else f"${code}" for code in note.glyphs)


def _words(note: Note) -> str:
    """Return the comments of a note in one line, without commands such as ``[%clk 0:10:00]``."""
    return " ".join(text for text in map(without, note.comments) if text)


def preview(stepper: Stepper, prompt: Prompt, typed: str) -> tuple[str, str]:
    """Return what Enter would write, as a sentence, and the kind of its verdict.

    The kind is ``legal``, ``undecided``, ``error``, or empty where there is no verdict. Nothing is raised.
    """
    if not typed.strip() or prompt.kind == COMMENT:
        return ADDS if prompt.adds else SAYS[prompt.kind], ""
    try:
        return _verdict(stepper, _note_after(stepper, _noting(stepper, prompt, typed)))
    except Fault as fault:
        return _fault(typed, fault), "error"


def write_annotation(stepper: Stepper, prompt: Prompt, typed: str) -> bool:
    """Write an annotation that was typed, read the game again, and say in the stepper's remark what was done.

    If nothing was changed, nothing is written, and the answer is true all the same.

    Returns:
        Whether it was written; if not, the stepper's remark says why.

    Raises:
        Damaged: The log is not what was written.
    """
    typed = " ".join(typed.split())
    if typed == prompt.text:
        stepper.remark = "nothing was changed"
        return True
    try:
        noting = _noting(stepper, prompt, typed)
        verdict = _verdict(stepper, _note_after(stepper, noting))[0] if prompt.kind == VARIATION else ""
        stepper.annotate(noting)
    except Damaged:
        raise
    except Conflict as fault:
        stepper.again()
        entries = fault.actual - fault.expected
        new = "one entry is" if entries == 1 else f"{entries} entries are"
        stepper.remark = (
            f"somebody else wrote first, {new} new; nothing of yours was written: look at the game, then press Enter"
        )
        return False
    except Fault as fault:
        stepper.remark = _fault(typed, fault)
        return False
    except OSError as fault:
        stepper.remark = f"{fault.filename or 'the file'} cannot be written: {fault.strerror or fault}"
        return False
    stepper.again()
    stepper.remark = f"written; {verdict}" if verdict else _written_line(stepper, prompt)
    return True


def _written_line(stepper: Stepper, prompt: Prompt) -> str:
    """Return the remark after writing: the ply, and what is noted on it now; ``~`` if the viewer may not read that."""
    where = f"ply {stepper.track.at}" if stepper.track.at else "the game"
    return f"written; {where}: {'~' if prompt.adds else format_note(stepper.track.note) or 'no annotation'}"


def _noting(stepper: Stepper, prompt: Prompt, typed: str) -> "Noting":
    """Return what was typed as what is to be noted: a variation, glyphs or a comment, as the prompt asked.

    It replaces the glyphs or comments of the ply, unless the prompt only adds. A variation is always added, and gets
    the parentheses that were not typed.

    Raises:
        Unfit: A glyph was expected and this is none.
    """
    if prompt.kind == VARIATION:
        return Noting(variations=typed if typed.lstrip().startswith("(") else f"({_moves(stepper, typed)})")
    if prompt.kind == GLYPH:
        glyphs = tuple(map(glyph_code, typed.split()))
        return Noting(glyphs=glyphs, replace=False if prompt.adds else "glyphs")
    return Noting(typed, replace=False if prompt.adds else "words")


def _moves(stepper: Stepper, typed: str) -> str:
    """Return the typed moves of a variation in canonical words; unchanged if they cannot be read or hold notes."""
    before = stepper.track.positions[stepper.track.at - 1]
    if any(sign in typed for sign in "(){}$"):
        return typed
    read = read_typed(before.game, before.state, before.calls, before.seats, typed.replace(";", " "))
    return typed if read.fault is not None else " ".join(read.words)


def _note_after(stepper: Stepper, noting: "Noting") -> Note:
    """Return the note of this ply as it would be after an annotation; nothing is written.

    Raises Fault if it cannot be written.
    """
    ply, within = stepper.place
    note = stepper.tracks[0].notes.get(ply, Note())
    place = NotePlace(stepper.tracks[0].name, stepper.examined, ply, note)
    note = annotate_note(place, noting, within)
    for number, inner in within:
        note = note.variations[number - 1].notes.get(inner, Note())
    return note


def _verdict(stepper: Stepper, note: Note) -> tuple[str, str]:
    """Return the verdict on the variations that a note would add, as a sentence and its kind.

    The first refused move gives ``error``. Without a new variation the sentence is the glyphs, and the kind is empty;
    so it is while verdicts are kept back.

    Args:
        stepper: The current place.
        note: The note of this ply as it would be then.
    """
    before = len(stepper.track.note.variations)
    tracks = [stepper.variation(line, before + at) for at, line in enumerate(note.variations[before:], 1)]
    words = ", ".join(" ".join(map(short, line.words)) for line in note.variations[before:])
    if stepper.view.quiet or not tracks:
        return words or _glyphs(note), ""
    steps = [position.last for track in tracks for position in track.positions[1:] if position.last is not None]
    for step in steps:
        if isinstance(step.verdict, Refused):
            return f"{short(step.text)} is irregular, {step.verdict.clause.key}: {step.verdict.because}", "error"
    verdicts = (type(as_displayed(step.verdict)).__name__.lower() for step in steps)
    kind = next((verdict for verdict in verdicts if verdict != "legal"), "legal")
    return f"{verdict_text(kind)}: {words}", kind


def _fault(typed: str, fault: Fault) -> str:
    """Return the sentence on why an annotation cannot be written, with the column of what cannot be read in it.

    A variation is read with parentheses around it, which nobody typed; its column is counted without them.
    """
    if isinstance(fault, Unread):
        within = fault.text == f"({typed})"  # the parentheses were put around it
        return unread_line(typed, Unread(fault.because, typed, max(1, fault.column - 1)) if within else fault)
    return str(fault)
