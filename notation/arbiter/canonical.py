"""The canonical spelling of a record: its words, variations, move numbers, and the tags the game knows."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from cartulary.engine import Calls, Refused
from cartulary.engine.calls import NO_CALLS
from cartulary.notation.arbiter.boards import start_of
from cartulary.notation.arbiter.gapped import after_gaps
from cartulary.notation.arbiter.gaps import UnknownState
from cartulary.notation.arbiter.heading import format_options, read_heading, spelled_deal
from cartulary.notation.arbiter.replay import Step, own_move, steps
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.cgn.record import Line, Note, Record
from cartulary.notation.cgn.result import format_result
from cartulary.notation.contract import About, AnyGame


def canonical(record: Record, cached: Walk | None = None) -> Record:
    """Return a record in canonical spelling: words, variations, move numbers, and the tags the game knows.

    Words after one that cannot be read or applied stay as they are, and so does a record whose tags set up no game. A
    result that neither the sheet nor a tag gives is the one that the moves decide, or else ``*``.

    Args:
        record: The record to spell.
        cached: A walk through these words, with which no ply is judged again. One through other words is ignored.

    Returns:
        The record, which ``dumps`` writes as CGN and which spells the same when it is made canonical again.
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        return record
    game, sheet, tags = heading.game, heading.sheet, canonical_tags(record)
    walked = cached if cached is not None and cached.goes_through(record, heading) else None
    start = start_of(record, heading) if walked is None else walked.start
    if isinstance(start, Refused):
        return replace(record, tags=tags)
    state, words = start.state, record.line.words
    played = steps(game, state, words, sheet.seats, boards=start.boards) if walked is None else walked.steps
    line, after, calls = _canonical_line(game, record.line, sheet.seats, played, state, NO_CALLS)
    if not line.result and not record.tag("Result"):
        ended = calls.outcome or game.rules.outcome(game.turns.settle(after))
        line = replace(line, result=format_result(ended.shares) if ended else "*")
    return replace(record, tags=tags, line=line)


def canonical_tags(record: Record) -> tuple[tuple[str, str], ...]:
    """Return the tags of a record as (name, value) in their order, the values that its game knows spelled canonically.

    A tag Variant that says nothing is left out. All tags stay as they are if they set up no game.
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        return record.tags
    spelled = {"Game": heading.game.about.title} | heading.game.sheet.write(heading.sheet)
    if record.tag("Options"):
        spelled["Options"] = format_options(heading.sheet.options)
    if record.tag("Variant") and not _is_alias(record.tag("Variant"), heading.game.about, heading.variant):
        spelled["Variant"] = heading.game.about.write_variant(heading.variant)
    if not record.line.words:
        spelled |= spelled_deal(heading.game, heading.sheet, record.by_name)
    tags = ((name, spelled.get(name, value)) for name, value in record.tags)
    return tuple((name, value) for name, value in tags if value or name != "Variant")


def _is_alias(text: str, about: About, variant: str) -> bool:
    """Say whether a tag Variant uses another word for the variant, such as ``From Position``; that word is then kept.

    The variant's own name and its usual spelling, in capitals or not, are no other words.
    """
    written = about.write_variant(variant).lower()
    return text.lower() not in (variant * bool(written), written) and about.read_variant(text) == variant


def _canonical_line(
    game: AnyGame, line: Line, seats: int, played: Iterable[Step], state: Any, calls: Calls
) -> tuple[Line, Any, Calls]:
    """Return a line in canonical spelling, and the state and the calls after its last applied ply.

    Words that were not reached stay as they are.

    Args:
        game: The game.
        line: The line as written.
        seats: The number of seats.
        played: A step for each word that was reached.
        state: The state before the line.
        calls: The calls before the line.
    """
    game = after_gaps(game, line.words, state)
    words = list(line.words)
    numbers = dict(line.numbers)
    notes = dict(line.notes)
    for step in played:
        at = step.ply - 1
        words[at] = step.text
        if step.error is None:
            counted = game.turns.number(step.state, own_move(step.move))
            if counted is None:
                if type(step.state) is not UnknownState:
                    numbers.pop(at, None)
            else:
                numbers[at] = (counted[0], 1 if counted[1] else 3)
        note = line.notes.get(step.ply)
        if note is not None and note.variations:
            notes[step.ply] = canonical_note(game, step, note, seats)
        if step.applied:
            state, calls = step.after, step.calls_after
    return replace(line, words=tuple(words), numbers=numbers, notes=notes), state, calls


def canonical_note(game: AnyGame, step: Step, note: Note, seats: int) -> Note:
    """Return the note of a ply with its variations in canonical spelling; they begin in the state before the ply.

    Glyphs and comments stay as they are. ``seats`` is the number of seats.
    """
    items: list[str | Line] = []
    for item in note.items:
        if isinstance(item, Line):
            played = steps(game, step.state, item.words, seats, step.calls)
            item = _canonical_line(game, item, seats, played, step.state, step.calls)[0]
        items.append(item)
    return replace(note, items=tuple(items))
