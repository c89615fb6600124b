"""A record as one seat has seen it: the same plies, with only the cards that the seat knows.

Everything shown to a seat (positions, verdicts, findings, logs, exports, error texts) is worked out from this record
and from nothing else. Verdicts are not copied from the whole record and then filtered: a refusal that rests on another
seat's hand would tell of that hand. The rewritten record is judged again, and its answer may be weaker:

    whole record    p1 leads 7H, p2 discards 2C and holds 9H    refused: p2 must follow suit
    p3's record     p1 leads 7H, p2 discards 2C                 undecided: it depends on p2's hand
    p2's record     the same words, and p2's own hand           refused, as p2 can see

Invariant: two games that look the same to a seat give it the same record, byte for byte, and so the same answers.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Call, Refused, Sheet
from cartulary.notation.arbiter.canonical import canonical, canonical_tags
from cartulary.notation.arbiter.examine import Examination, examine
from cartulary.notation.arbiter.files import dumps, loads, sorted_tags
from cartulary.notation.arbiter.heading import PUBLIC, Heading, read_heading
from cartulary.notation.arbiter.replay import Step, write_word
from cartulary.notation.arbiter.ruling_commands import RulingCommand, format_scoring, scoring
from cartulary.notation.arbiter.walk import Walk, walk
from cartulary.notation.cgn.record import Line, Note, Problem, Record, format_seatings, seatings_in
from cartulary.notation.cgn.result import points_fault
from cartulary.notation.contract import AnyGame

_CLOCK = re.compile(r"\[%(?:clk|emt) \d[\d:.]*\]")


class SeenRecord(Struct, frozen=True, eq=False):
    """A record as a seat has seen it, which can be cached: canonical words, without move numbers and without a text.

    ``of`` is the whole record and ``walk`` the walk through it. ``record`` is what the seat has seen, and
    ``examination`` the report on that.
    """

    of: Record
    walk: Walk
    record: Record
    examination: Examination


def as_seen(record: Record, seat: int | None, cached: SeenRecord | None = None) -> Record:
    """Return the record as a seat has seen it, ready to be shown to that seat.

    Words are in canonical spelling, and places are those of the text that ``dumps`` gives. Where the record cannot be
    followed any further, and the seat cannot know why, it ends with a problem that says so. Text in a margin may name
    any card: of the comments only clock times and who sat down stay, of the rulings only their effect on the score, of
    the tags only those for everybody, and no variation.

    Args:
        record: The whole record.
        seat: The seat, 0 for a spectator. None asks for the record itself, as does a game whose cards all lie open.
        cached: What the seat had seen of an earlier state of the record; its plies are not judged again.

    Returns:
        The rewritten record.
    """
    heading = read_heading(record)
    if seat is None or (heading.game is not None and heading.game.hidden.face_up):
        return record
    own_record, walked, ends = _visible_record(record, heading, seat), None, False
    if heading.game is not None and heading.sheet is not None:
        full_walk = walk(record, heading, cached=cached.walk if cached else None)
        ends = isinstance(full_walk, Refused) and bool(record.line.words)
        if not isinstance(full_walk, Refused):
            view = see(record, seat, full_walk, cached)
            own_record, walked, ends = view.record, view.examination.walk, bool(view.record.problems)
    [reread] = loads(dumps(canonical(own_record, walked)))
    if ends:
        reread = replace(reread, problems=(*reread.problems, _ends_here(reread)))
    return replace(reread, index=record.index)


def see(
    record: Record,
    seat: int,
    full_walk: Walk,
    cached: SeenRecord | None = None,
    rulings: Sequence[RulingCommand] | None = None,
) -> SeenRecord:
    """Return the record as a seat has seen it, with the report on that.

    Later plies never change how an earlier one was seen. So the words of ``cached`` are taken over as far as its walk
    and this one share their plies.

    Args:
        record: The whole record.
        seat: The seat, 0 for a spectator.
        full_walk: The walk through the whole record.
        cached: What the seat had seen of an earlier state of the record.
        rulings: The rulings that count in the score, in order; None for those in the comments of the record.
    """
    game, words = full_walk.heading.game, _cached_words(full_walk, cached)
    assert game is not None
    words += (seen_word(game, step, seat) for step in full_walk.steps[len(words) :] if step.move is not None)
    view = _examined(record, seat, full_walk, words, cached.examination.walk if cached else None, rulings)
    ends = full_walk.plies_reached < len(record.line.words)
    if view.examination.walk is None:
        del words[:]
    elif len(words) > full_walk.plies_reached:
        # The last word can be read and not applied; the seat sees why where it cannot apply it either.
        ends = view.examination.plies_reached == len(words)
        del words[len(words) - ends :]
    return _examined(record, seat, full_walk, words, view.examination.walk, rulings, ends=True) if ends else view


def _cached_words(full_walk: Walk, cached: SeenRecord | None) -> list[str]:
    """Return the words a seat has seen already, up to the first ply in which the two walks differ, as a new list.

    Empty without a cached view, and if the heading has changed.
    """
    if cached is None or cached.walk.heading != full_walk.heading:
        return []
    pairs = zip(cached.walk.results, full_walk.results, strict=False)
    alike = next((at for at, (before, now) in enumerate(pairs) if before is not now), len(full_walk.results))
    return list(cached.record.line.words[:alike])


def _examined(
    record: Record,
    seat: int,
    full_walk: Walk,
    words: Sequence[str],
    cached: Walk | None,
    rulings: Sequence[RulingCommand] | None,
    *,
    ends: bool = False,
) -> SeenRecord:
    """Return the seat's record with these words, and the report on it.

    Args:
        record: The whole record.
        seat: The seat.
        full_walk: The walk through the whole record.
        words: The words as the seat has seen them.
        cached: A walk through an earlier state of the seat's record.
        rulings: The rulings that count in the score, in order; None for those in the comments of the record.
        ends: Whether a problem is to say that the record breaks off.
    """
    own_record = _visible_record(record, full_walk.heading, seat, tuple(words))
    if ends:
        own_record = replace(own_record, problems=(_ends_here(own_record),))
    examined = examine(own_record, cached=cached, rulings=rulings)
    if examined.words != own_record.line.words:
        own_record = replace(own_record, line=replace(own_record.line, words=examined.words))
        examined = examine(own_record, cached=examined.walk, rulings=rulings)
    return SeenRecord(record, full_walk, own_record, examined)


def _visible_record(record: Record, heading: Heading, seat: int, words: tuple[str, ...] = ()) -> Record:
    """Return a record of these words with what the seat may read: public tags, clock times, effects on the score.

    Effects on the score stand as commands before the first word. The text of the record, its move numbers and problems
    are left out.
    """
    tags = tuple((name, value) for name, value in record.tags if name in PUBLIC)
    if heading.game is not None and heading.sheet is not None:
        tags = _seen_tags(heading.game, heading.sheet, record, seat)
    notes = {ply: note for ply, note in _clocks(record.line.notes).items() if ply <= len(words)}
    ruled = [format_scoring(ruling) for ruling in (scoring(record.line) if record.line.notes else ())]
    if ruled:
        notes[0] = Note((), (" ".join(ruled),))
    own_record = Record(tags, Line(words, notes, {}, record.line.result), index=record.index)
    return replace(own_record, tags=sorted_tags(canonical_tags(own_record), heading.game))


def _seen_tags(game: AnyGame, sheet: Sheet[Any], record: Record, seat: int) -> tuple[tuple[str, str], ...]:
    """Return the tags that a seat may read, as pairs in their order.

    Those of the set-up, such as the hands dealt, have only the cards that the seat knows.
    """
    own = game.sheet.write(game.hidden.view_sheet(sheet, seat))
    return tuple(
        (name, own.get(name, value))
        for name, value in readable_tags(game, sheet.seats, record.tags, not record.line.words)
    )


def readable_tags(
    game: AnyGame, seats: int, tags: Iterable[tuple[str, str]], alone: bool = False
) -> tuple[tuple[str, str], ...]:
    """Return the tags that every seat may read; any other tag may name a card.

    A tag of the points is left out if its value is not made of points.

    Args:
        game: The game.
        seats: The number of seats.
        tags: Pairs of name and value.
        alone: Whether the record has no words, so that its tags describe the deal and are public.
    """
    points = {"Score", *game.points.tags}
    read = PUBLIC.union(game.points.told_by if alone else (), game.about.seat_tags(seats), game.sheet.names, points)
    return tuple(
        (name, value) for name, value in tags if name in read and not (name in points and points_fault(value, seats))
    )


def _ends_here(record: Record) -> Problem:
    """Return the problem that a record cannot be followed from the ply after its last on.

    It is an error at the end of the record.
    """
    ply = len(record.line.words) + 1
    line, column = record.place(ply)
    because = f"the record cannot be followed from ply {ply} on, and its text there may name any card"
    return Problem(line, column, because, ply=ply - 1)


def seen_word(game: AnyGame, step: Step, seat: int) -> str:
    """Return the word of a ply as a seat has seen it; the word must be readable.

    A call is public, and its word is returned as it is.
    """
    if isinstance(step.move, Call):
        return step.text
    return write_word(game, game.hidden.view_move(step.state, step.move, seat), step.state)


def _clocks(notes: dict[int, Note]) -> dict[int, Note]:
    """Return the notes with only the clock times of their comments, and who sat down; all other notes are left out."""
    texts = {
        ply: (format_seatings(seatings_in(note)), *_CLOCK.findall(" ".join(note.comments)))
        for ply, note in notes.items()
    }
    clocks = {ply: " ".join(filter(None, parts)) for ply, parts in texts.items()}
    return {ply: Note((), (text,)) for ply, text in clocks.items() if text}
