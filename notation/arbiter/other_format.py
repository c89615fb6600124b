"""Games written in other people's formats, with their words in canonical spelling, calls and claims as comments."""

import re
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from cartulary.engine import Call
from cartulary.engine.calls import WORDS
from cartulary.engine.numbers import ANY_SEAT
from cartulary.notation.arbiter.canonical import canonical
from cartulary.notation.arbiter.examine import Examination, examine
from cartulary.notation.arbiter.gaps import GAPS
from cartulary.notation.arbiter.replay import Step
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.cgn.record import Line, NotationError, Note, Numbers, Record
from cartulary.notation.foreign.contract import OtherFormat

_ENDED = {"Resign": "resignation", "Timeout": "time forfeit", "Agree": "agreement"}
_PREFIX = re.compile(f"(?!p0){ANY_SEAT}/")


def format_in(record: Record, format: OtherFormat, cached: Walk | None = None) -> str:
    """Return a game as the text of another format.

    Read again, the text gives the same game without its calls and claims, which become comments: ``{p2: Resign}``.

    Args:
        record: The game.
        format: The format to write.
        cached: A walk through these words; with it no ply is judged again.

    Raises:
        NotationError: If the format is for other games, or has no word for a move out of turn or a ply nobody wrote.
    """
    game = record.tag("Game")
    if format.games and game.lower() not in (name.lower() for name in format.games):
        raise NotationError(f"{format.title} is for {format.games[0]}, but the game is {game or 'not named'}; use CGN")
    examined = examine(record, cached=cached)
    spelled = canonical(record, examined.walk)
    heading = examined.heading
    calls = [step for step in examined.steps if heading.game is not None and _is_spoken(heading.game.turns.first, step)]
    tags = spelled.tags
    if calls and not spelled.tag("Termination"):
        call = calls[-1].move
        ended = _ENDED.get(call.word, "") if isinstance(call, Call) else "normal"
        tags = (*tags, ("Termination", ended)) if ended else tags
    if not format.games:
        return format.write(_by_seats(spelled, examined))
    line = _without(spelled.line, {step.ply: f"p{step.move.seat}: {_bare(step.text)}" for step in calls})
    return format.write(replace(spelled, tags=tags, line=line))


def _by_seats(record: Record, examined: Examination) -> Record:
    """Return a game of two seats with its players under Seat1 and Seat2, and words out of turn prefixed.

    The tag Seats keeps the names that the game itself has for those tags.

    Raises:
        NotationError: If the game is not for two seats.
    """
    game, sheet = examined.heading.game, examined.heading.sheet
    if game is None or sheet is None or sheet.seats != 2:
        raise NotationError("this format is for two seats; use CGN")
    seats = game.about.seat_tags(2)
    named = {name: f"Seat{seat}" for seat, name in enumerate(seats, 1)}
    words, last = list(record.line.words), 0
    for at, (word, seat) in enumerate(zip(words, examined.spoke, strict=False)):
        if seat and seat != last % 2 + 1 and not _PREFIX.match(word):
            words[at] = f"p{seat}/{word}"
        last = seat or last
    tags = tuple((named.get(name, name), value) for name, value in record.tags)
    if seats != ("Seat1", "Seat2"):
        tags = (*tags, ("Seats", " ".join(seats)))
    return replace(record, tags=tags, line=replace(record.line, words=tuple(words)))


def _is_spoken(first: Callable[[Any], int], step: Step) -> bool:
    """Say whether a ply is a call or a claim: something said, after which the same seat is to move.

    ``first`` returns the seat to move in a state.
    """
    if isinstance(step.move, Call):
        return True
    if not step.applied or type(step.state) in GAPS or type(step.after) in GAPS:
        return False
    return bool(first(step.state) == first(step.after) and _PREFIX.match(step.text) is None)


def _bare(word: str) -> str:
    """Return a word without the prefix of its seat: ``p2/Resign`` -> ``Resign``; ``p0/``, the table's, stays."""
    return _PREFIX.sub("", word)


def _calls(line: Line) -> dict[int, str]:
    """Return the calls of a variation by ply, from 1, as the text of a comment: ``{2: "p2: Resign"}``.

    Empty for none.
    """
    return {ply: word.replace("/", ": ") for ply, word in enumerate(line.words, 1) if _PREFIX.sub("", word) in WORDS}


def _led_by(words: list[str], numbers: Numbers, variation: Line) -> Line:
    """Return a variation that stood in place of a call as one in place of the word before, which it repeats first.

    ``words`` and ``numbers`` are those of the line so far; without words the variation is returned as it is.
    """
    if not words:
        return variation
    return replace(
        variation,
        words=(words[-1], *variation.words),
        numbers=({0: numbers[len(words) - 1]} if len(words) - 1 in numbers else {})
        | {at + 1: number for at, number in variation.numbers.items()},
        notes={at + 1: note for at, note in variation.notes.items()},
    )


def _without(line: Line, remarks: dict[int, str]) -> Line:
    """Return the line without its calls, which become comments; the same in its variations.

    Args:
        line: The line.
        remarks: The texts of those comments, by ply.

    Raises:
        NotationError: For a gap or a word out of turn, which other formats cannot write.
    """
    words: list[str] = []
    numbers: Numbers = {}
    notes: dict[int, Note] = {}
    for ply, word in enumerate(("", *line.words)):
        note = line.notes.get(ply, Note())
        items = tuple(_without(item, _calls(item)) if isinstance(item, Line) else item for item in note.items)
        if ply in remarks:
            before = notes.get(len(words), Note())
            same = (_led_by(words, numbers, item) if isinstance(item, Line) else item for item in items)
            notes[len(words)] = Note(before.glyphs, (*before.items, remarks[ply], *same))
            continue
        if ply:
            if "~" in word or _PREFIX.match(word):
                raise NotationError(f"this format has no word for {word!r}, ply {ply}; use CGN, which has one")
            if ply - 1 in line.numbers:
                numbers[len(words)] = line.numbers[ply - 1]
            words.append(word)
        if note.glyphs or items:
            notes[len(words)] = Note(note.glyphs, items)
    return replace(line, words=tuple(words), numbers=numbers, notes=notes)
