"""A record as one seat has seen it: the same plies, and of their cards only what that seat knows.

Whatever is shown to a seat (positions, verdicts, findings, logs, exports, error texts) is worked out from this record
and from nothing else. So two games that look the same to a seat read the same to it.
"""

import re
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from cartulary.engine import FACE_UP, Call, Refused, Sheet
from cartulary.notation.arbiter.files import dumps, loads
from cartulary.notation.arbiter.heading import read_heading
from cartulary.notation.arbiter.replay import Step, canonical, steps, write_word
from cartulary.notation.cgn.record import Line, Note, Problem, Record
from cartulary.notation.cgn.result import points_fault
from cartulary.notation.contract import AnyGame

_CLOCK = re.compile(r"\[%(?:clk|emt) \d[\d:.]*\]")


PUBLIC = frozenset(
    ("Game", "Event", "Site", "Date", "Round", "Result", "Edition", "Variant", "Options", "Mode", "Termination")
)
"""Tags anybody may read; beside them the players' names, the game's own tags and its points."""


def as_seen(record: Record, seat: int | None) -> Record:
    """Return the record as the seat has seen it; 0 is the bystander; the record itself for None, and where
    every card lies open.

    Words are in canonical spelling. Where the record cannot be followed any further, and the seat cannot know why, it
    ends, with a problem that says so. Of comments only clock times stay, no variation, and of the tags those everybody
    reads: what stands in a margin may name any card. Places are those of the text ``dumps`` gives.
    """
    heading = read_heading(record)
    if seat is None or (heading.game is not None and heading.game.hidden is FACE_UP):
        return record
    words: tuple[str, ...] = ()
    tags = tuple((name, value) for name, value in record.tags if name in PUBLIC)
    followed = True
    if heading.game is not None and heading.sheet is not None:
        tags = _seen_tags(heading.game, heading.sheet, record, seat)
        words, followed = _seen_words(heading.game, heading.sheet, record.line.words, seat)
    notes = {ply: note for ply, note in _clocks(record.line.notes).items() if ply <= len(words)}
    line = Line(words, notes, {}, record.line.result)
    whole = replace(record, tags=tags, line=line, tail="", problems=(), escapes=())
    [reread] = loads(dumps(canonical(whole)))
    if not followed:
        reread = replace(reread, problems=(*reread.problems, _ends_here(reread, len(words) + 1)))
    return replace(reread, index=record.index)


def _seen_tags(game: AnyGame, sheet: Sheet[Any], record: Record, seat: int) -> tuple[tuple[str, str], ...]:
    own = game.sheet.write(game.hidden.view_sheet(sheet, seat))
    return tuple((name, own.get(name, value)) for name, value in readable_tags(game, sheet.seats, record.tags))


def readable_tags(game: AnyGame, seats: int, tags: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return the tags that are for everybody, the set-up as it is; what stands in others may name any card."""
    points = {"Score", *game.points.tags}
    read = PUBLIC.union(game.about.seat_tags(seats), game.sheet.names, points)
    return tuple(
        (name, value) for name, value in tags if name in read and not (name in points and points_fault(value, seats))
    )


def _seen_words(game: AnyGame, sheet: Sheet[Any], written: tuple[str, ...], seat: int) -> tuple[tuple[str, ...], bool]:
    """Return the words as seen, as far as the record can be followed, and whether the seat sees why it ends there."""
    state = game.rules.setup(sheet)
    seen_state = game.rules.setup(game.hidden.view_sheet(sheet, seat))
    if isinstance(state, Refused) or isinstance(seen_state, Refused):
        return (), not written
    words: list[str] = []
    for step in steps(game, state, written, sheet.seats):
        if step.move is None:
            return tuple(words), False
        words.append(seen_word(game, step, seat))
        if not step.applied:
            *_, last = steps(game, seen_state, tuple(words), sheet.seats)
            return (tuple(words), True) if not last.applied else (tuple(words[:-1]), False)
    return tuple(words), True


def _ends_here(record: Record, ply: int) -> Problem:
    line, column = record.place(ply)
    because = f"from ply {ply} on the record cannot be followed, and what stands there may name any card"
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
