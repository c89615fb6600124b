"""A record as one seat has seen it: the same plies, and of their cards only what that seat knows.

Whatever is shown to a seat (positions, verdicts, findings, logs, exports, error texts) is worked out from this record
and from nothing else. So two games that look the same to a seat read the same to it.
"""

import re
from typing import Any

from msgspec.structs import replace

from cartulary.engine import Call, Refused
from cartulary.notation.reader import loads
from cartulary.notation.record import Line, Note, Record
from cartulary.notation.replay import Step, canonical, steps
from cartulary.notation.roster import Game
from cartulary.notation.sheet import read_heading
from cartulary.notation.writer import dumps

UNKNOWN = "~"
"""The word of which a seat may know nothing."""

_CLOCK = re.compile(r"\[%(?:clk|emt) [^\]]*\]")


def as_seen(record: Record, seat: int) -> Record:
    """Return the record as the seat has seen it; the record itself for seat 0, and where every card lies open.

    Words are in canonical spelling, up to the first that cannot be read or applied. Of comments only clock times stay,
    and no variation: what stands in a margin may name any card. Places are those of the text ``dumps`` gives.
    """
    heading = read_heading(record)
    if not seat or (heading.game is not None and heading.game.rules.FACE_UP):
        return record
    words: tuple[str, ...] = ()
    tags = record.tags
    if heading.game is not None and heading.sheet is not None:
        game, sheet = heading.game, heading.sheet
        own = frozenset(game.script.own_tags())
        seen = game.script.format_sheet(game.rules.view_sheet(sheet, seat))
        tags = tuple((name, seen.get(name, value) if name in own else value) for name, value in record.tags)
        state = game.rules.setup(sheet)
        if not isinstance(state, Refused):
            plies = steps(game, state, record.line.words, sheet.seats)
            words = tuple(seen_word(game, step, seat) for step in plies)
    notes = {ply: note for ply, note in _clocks(record.line.notes).items() if ply <= len(words)}
    whole = replace(
        record, tags=tags, line=Line(words, notes, {}, record.line.result), tail="", problems=(), escapes=()
    )
    [reread] = loads(dumps(canonical(whole)))
    return replace(reread, index=record.index)


def seen_word(game: Game[Any, Any, Any], step: Step, seat: int) -> str:
    """Return a ply's word as the seat has seen it."""
    if step.move is None:
        return UNKNOWN
    if isinstance(step.move, Call):
        return step.text
    return game.script.format_move(game.rules.view_move(step.state, step.move, seat), step.state)


def _clocks(notes: dict[int, Note]) -> dict[int, Note]:
    """Return the clock times of the comments."""
    kept = {ply: " ".join(_CLOCK.findall(" ".join(note.comments))) for ply, note in notes.items()}
    return {ply: Note((), (text,)) for ply, text in kept.items() if text}
