"""Variations: they were not played, so they break nothing, and what is wrong in one is a remark."""

from collections.abc import Iterator

from cartulary.engine import Refused
from cartulary.notation.arbiter.finding import Finding
from cartulary.notation.arbiter.heading import Heading
from cartulary.notation.arbiter.replay import Step, steps
from cartulary.notation.arbiter.typed import unread_because
from cartulary.notation.cgn.record import Line, Record


def found_in_variation(record: Record, heading: Heading, before: Step, line: Line) -> Iterator[Finding]:
    """Yield a remark on everything wrong in a variation and those nested in it; ``before`` is the ply it replaces."""
    assert heading.game is not None
    assert heading.sheet is not None
    for step in steps(heading.game, before.state, line.words, heading.sheet.seats, before.calls, before.ply):
        at, column = record.place(step.ply - before.ply + 1, line)
        if step.error is not None:
            because = f"in a variation: {unread_because(heading, step)}"
            column += step.error.column - 1
            yield Finding("remark", "cgn.syntax", before.ply, because, step.word, line=at, column=column)
        elif type(step.verdict) is Refused:
            rule = step.verdict.clause.in_variant(heading.variant)
            because, seat = f"in a variation, {step.text}: {step.verdict.because}", f"p{step.move.seat}"
            says, source = rule.says, rule.source
            yield Finding("remark", rule.key, before.ply, because, step.text, seat, at, column, says, source)
        elif step.word != step.text:
            because = f"in a variation: found {step.word}, expected {step.text}"
            yield Finding("remark", "cgn.mark", before.ply, because, step.text, line=at, column=column)
        note = line.notes.get(step.ply - before.ply + 1)
        for nested in note.variations if note else ():
            yield from found_in_variation(record, heading, step, nested)
