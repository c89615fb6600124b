"""Restoring a record: finding the legal games nearest to its sheets, and writing one of them down."""

from collections.abc import Sequence

from msgspec.structs import replace

from cartulary.engine import Refused
from cartulary.notation.arbiter.boards import start_of
from cartulary.notation.arbiter.canonical import canonical
from cartulary.notation.arbiter.heading import read_heading
from cartulary.notation.cgn.commands import format_command, quoted
from cartulary.notation.cgn.record import Line, NotationError, Note, Record
from cartulary.notation.restore.evidence import LEFT_OUT, SWAPPED, TWICE, evidence_of
from cartulary.notation.restore.nearest import BUDGET, SLIPS, Change, Nearest, NearGame, nearest
from cartulary.notation.unjudged import nobody_judges


def restore(record: Record, *others: Record, slips: int = SLIPS, budget: int = BUDGET) -> Nearest:
    """Find the legal games that differ least from a record.

    Args:
        record: The record; words may be missing (``~``), misread, swapped, left out or written twice.
        others: Further sheets of the same game, which count together with it.
        slips: The largest number of slips of the pen to assume in each sheet.
        budget: The largest number of words to judge before giving up.

    Returns:
        How many games are nearest, the first of them, and where they differ.

    Raises:
        NotationError: If the tags set up no game.

    Source: notation.md, "What nobody wrote".
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        raise NotationError(heading.because, key="record.tag", tag=heading.fault)
    if nobody_judges(heading.game):
        return Nearest("legal", 0, 1, (NearGame(record.line.words, ((),) * (1 + len(others))),))
    start = start_of(record, heading)
    if isinstance(start, Refused):
        raise NotationError(start.because, key=start.clause.key, tag=heading.game.setup_tag)
    sheets = tuple(evidence_of(sheet, read_heading(sheet)) for sheet in (record, *others))
    return nearest(heading.game, start.state, sheets, heading.sheet.seats, slips * len(sheets), budget)


def restored(record: Record, game: NearGame) -> Record:
    """Return a record with the words of a near game, each changed word marked ``[%restored "old"]``.

    Comments and variations stay with their words; those of a word that was written twice go to the word it repeats.

    Args:
        record: The record as written.
        game: One of the games that ``restore`` has found for it.

    Returns:
        The restored record, in canonical spelling.
    """
    changes = game.changes[0]
    notes: dict[int, Note] = {}
    for ply, note in record.line.notes.items():
        at = _moved(ply, changes)
        old = notes.get(at, Note())
        notes[at] = Note((*old.glyphs, *note.glyphs), (*old.then, *note.then))
    for at, was in marks(changes).items():
        old = notes.get(at, Note())
        notes[at] = Note(old.glyphs, (*old.then, format_command("restored", quoted(was))))
    line = Line(game.words, notes, {}, record.line.result)
    return canonical(replace(record, line=line))


def marks(changes: Sequence[Change]) -> dict[int, str]:
    """Return the words of the sheet that were changed, by ply of the game; a word that was left out is empty."""
    words: dict[int, str] = {}
    for change in changes:
        if change.kind == SWAPPED:
            assert change.was is not None
            words[change.at], words[change.at + 1] = change.was.split()
        elif change.kind != TWICE:
            words[change.at] = change.was or ""
    return words


def _moved(ply: int, changes: Sequence[Change]) -> int:
    """Return the ply of the game at which a ply of the sheet stands."""
    before = [change.kind for change in changes if change.ply <= ply]
    return ply + before.count(LEFT_OUT) - before.count(TWICE)
