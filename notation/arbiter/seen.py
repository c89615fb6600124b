"""A record as one seat has seen it: the same plies, and of their cards only what that seat knows.

Whatever is shown to a seat (positions, verdicts, findings, logs, exports, error texts) is worked out from this record
and from nothing else. So two games that look the same to a seat read the same to it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Call, Refused, Sheet
from cartulary.notation.arbiter.canonical import canonical, canonical_tags
from cartulary.notation.arbiter.examine import Examined, examine
from cartulary.notation.arbiter.files import dumps, loads, sorted_tags
from cartulary.notation.arbiter.heading import PUBLIC, Heading, read_heading
from cartulary.notation.arbiter.replay import Step, write_word
from cartulary.notation.arbiter.ruling_commands import RulingCommand, format_scoring, scoring
from cartulary.notation.arbiter.walk import Walk, walk
from cartulary.notation.cgn.record import Line, Note, Problem, Record
from cartulary.notation.cgn.result import points_fault
from cartulary.notation.contract import AnyGame

_CLOCK = re.compile(r"\[%(?:clk|emt) \d[\d:.]*\]")


class Seen(Struct, frozen=True, eq=False):
    """A record as a seat has seen it, to be kept: in canonical spelling, without numbers and a text of its own.

    of, whole: the whole record and the walk through it; examined: the report on what the seat has seen of it
    """

    of: Record
    whole: Walk
    record: Record
    examined: Examined


def as_seen(record: Record, seat: int | None, kept: Seen | None = None) -> Record:
    """Return the record as the seat has seen it; 0 is the bystander; the record itself for None, and where
    every card lies open.

    Words are in canonical spelling. Where the record cannot be followed any further, and the seat cannot know why, it
    ends, with a problem that says so. Of comments only clock times stay, no variation, and of the tags those everybody
    reads: what stands in a margin may name any card; of rulings what they
    do to the score. Places are those of the text ``dumps`` gives.
    kept: what the seat has seen of these words, which are not judged again then
    """
    heading = read_heading(record)
    if seat is None or (heading.game is not None and heading.game.hidden.face_up):
        return record
    told, walked, ends = _told(record, heading, seat), None, False
    if heading.game is not None and heading.sheet is not None:
        whole = walk(record, heading, kept=kept.whole if kept else None)
        ends = isinstance(whole, Refused) and bool(record.line.words)
        if not isinstance(whole, Refused):
            seen = see(record, seat, whole, kept)
            told, walked, ends = seen.record, seen.examined.walk, bool(seen.record.problems)
    [reread] = loads(dumps(canonical(told, walked)))
    if ends:
        reread = replace(reread, problems=(*reread.problems, _ends_here(reread)))
    return replace(reread, index=record.index)


def see(
    record: Record,
    seat: int,
    whole: Walk,
    kept: Seen | None = None,
    rulings: Sequence[RulingCommand] | None = None,
) -> Seen:
    """Return the record as the seat has seen it, with the report on that. whole: the walk through it

    kept: what the seat had seen of the record as it was before. Nothing behind a ply changes how it was seen, so those
    that are in both are not looked at again
    rulings: those that count in the score, in their order; without them those the record's comments tell of
    """
    game, words = whole.heading.game, _kept_words(whole, kept)
    assert game is not None
    words += (seen_word(game, step, seat) for step in whole.steps[len(words) :] if step.move is not None)
    seen = _examined(record, seat, whole, words, kept.examined.walk if kept else None, rulings)
    ends = whole.reached < len(record.line.words)
    if seen.examined.walk is None:
        del words[:]
    elif len(words) > whole.reached:
        # The last word can be read and not applied; the seat sees why where it cannot apply it either.
        ends = seen.examined.reached == len(words)
        del words[len(words) - ends :]
    return _examined(record, seat, whole, words, seen.examined.walk, rulings, ends=True) if ends else seen


def _kept_words(whole: Walk, kept: Seen | None) -> list[str]:
    """Return the words a seat has seen before, as far as the record is what it was."""
    if kept is None or kept.whole.heading != whole.heading:
        return []
    pairs = zip(kept.whole.played, whole.played, strict=False)
    alike = next((at for at, (before, now) in enumerate(pairs) if before is not now), len(whole.played))
    return list(kept.record.line.words[:alike])


def _examined(
    record: Record,
    seat: int,
    whole: Walk,
    words: Sequence[str],
    kept: Walk | None,
    rulings: Sequence[RulingCommand] | None,
    *,
    ends: bool = False,
) -> Seen:
    """Return what the seat has seen, these words, in their one spelling. ends: that it cannot be followed is said"""
    told = _told(record, whole.heading, seat, tuple(words))
    if ends:
        told = replace(told, problems=(_ends_here(told),))
    examined = examine(told, kept=kept, rulings=rulings)
    if examined.words != told.line.words:
        told = replace(told, line=replace(told.line, words=examined.words))
        examined = examine(told, kept=examined.walk, rulings=rulings)
    return Seen(record, whole, told, examined)


def _told(record: Record, heading: Heading, seat: int, words: tuple[str, ...] = ()) -> Record:
    """Return the record with these words, and beside them nothing that the seat has not seen."""
    tags = tuple((name, value) for name, value in record.tags if name in PUBLIC)
    if heading.game is not None and heading.sheet is not None:
        tags = _seen_tags(heading.game, heading.sheet, record, seat)
    notes = {ply: note for ply, note in _clocks(record.line.notes).items() if ply <= len(words)}
    ruled = [format_scoring(ruling) for ruling in (scoring(record.line) if record.line.notes else ())]
    if ruled:
        notes[0] = Note((), (" ".join(ruled),))
    told = Record(tags, Line(words, notes, {}, record.line.result), index=record.index)
    return replace(told, tags=sorted_tags(canonical_tags(told), heading.game))


def _seen_tags(game: AnyGame, sheet: Sheet[Any], record: Record, seat: int) -> tuple[tuple[str, str], ...]:
    own = game.sheet.write(game.hidden.view_sheet(sheet, seat))
    return tuple(
        (name, own.get(name, value))
        for name, value in readable_tags(game, sheet.seats, record.tags, not record.line.words)
    )


def readable_tags(
    game: AnyGame, seats: int, tags: Iterable[tuple[str, str]], alone: bool = False
) -> tuple[tuple[str, str], ...]:
    """Return the tags that are for everybody, the set-up as it is; what stands in others may name any card.

    alone: the record has no words, and only its tags tell of it
    """
    points = {"Score", *game.points.tags}
    read = PUBLIC.union(game.points.told_by if alone else (), game.about.seat_tags(seats), game.sheet.names, points)
    return tuple(
        (name, value) for name, value in tags if name in read and not (name in points and points_fault(value, seats))
    )


def _ends_here(record: Record) -> Problem:
    ply = len(record.line.words) + 1
    line, column = record.place(ply)
    because = f"the record cannot be followed from ply {ply} on, and its text there may name any card"
    return Problem(line, column, because, ply=ply - 1)


def seen_word(game: AnyGame, step: Step, seat: int) -> str:
    """Return a ply's word as the seat has seen it. step: one whose word could be read"""
    if isinstance(step.move, Call):
        return step.text
    return write_word(game, game.hidden.view_move(step.state, step.move, seat), step.state)


def _clocks(notes: dict[int, Note]) -> dict[int, Note]:
    """Return the clock times of the comments."""
    kept = {ply: " ".join(_CLOCK.findall(" ".join(note.comments))) for ply, note in notes.items()}
    return {ply: Note((), (text,)) for ply, text in kept.items() if text}
