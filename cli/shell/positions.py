"""Positions of a record, and how they are told."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cartulary.cli.shell.console import FINDINGS, fail
from cartulary.cli.shell.docket_text import NO_DOCKET, DocketText
from cartulary.cli.shell.findings import count, wrapped
from cartulary.cli.shell.pictures import drawn
from cartulary.cli.shell.views import shown as shown_game
from cartulary.engine import Calls, Refused, Undecided
from cartulary.engine.calls import NO_CALLS
from cartulary.engine.play import shown
from cartulary.notation import AnyGame, Note, Record, Step, examine, read_heading, steps
from cartulary.notation.arbiter.boards import start_of
from cartulary.notation.arbiter.examine import tags_alone
from cartulary.notation.arbiter.replay import own_move
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.cgn.commands import clocks_in, remark_in
from cartulary.notation.cgn.writer import format_note
from cartulary.notation.picture import plain


class Position(Struct, frozen=True):
    """A record's game with the state after ``ply`` plies; ``last`` is the step that led there, None at the start.

    docket: its disputes and rulings, where they were asked for; clocks: the time each seat has left, where it is known
    kept: a walk through the record, where one is known
    whose: the seat whose view it is, 0 the bystander, None nobody's; quiet: it is not told what the rules say of it
    """

    record: Record
    game: AnyGame
    seats: int
    ply: int
    state: Any
    calls: Calls
    last: Step | None = None
    docket: DocketText = NO_DOCKET
    clocks: tuple[tuple[int, str], ...] = ()
    kept: Walk | None = None
    whose: int | None = None
    quiet: bool = False


def positions(
    record: Record, name: str, docket: DocketText = NO_DOCKET, kept: Walk | None = None
) -> Iterator[Position]:
    """Yield the start and the position after each ply that can be read; the last may hold a step that was not applied.

    kept: a walk through these words, none of which is judged again then
    Ends the program with a sentence where the record's tags set up no game.
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        fail(f"{name}: {heading.because}", FINDINGS)
    start = start_of(record, heading)
    if isinstance(start, Refused):
        fail(f"{name}: {start.clause.key}: {start.because}", FINDINGS)
    seats, state, boards = heading.sheet.seats, start.state, start.boards
    walked = kept if kept is not None and kept.goes_through(record, heading) else None
    played = steps(heading.game, state, record.line.words, seats, boards=boards) if walked is None else walked.steps()
    told = tags_alone(record, heading.game, state)
    first = state if told is None else told.state
    yield Position(record, heading.game, seats, 0, first, NO_CALLS, docket=docket, kept=walked)
    left: dict[int, str] = {}
    for step in played:
        for comment in record.line.notes.get(step.ply, Note()).comments if step.move is not None else ():
            for time in clocks_in(comment):
                left[step.move.seat] = time
        clocks = tuple(sorted(left.items()))
        after, calls = step.after, step.calls_after
        yield Position(record, heading.game, seats, step.ply, after, calls, step, docket, clocks, walked)


def position(
    name: str, at: int | None, db: Path | None = None, seat: str = "", docket: bool = False, quiet: bool = False
) -> Position:
    """Return the position after ``at`` plies as the seat has seen it, None = as far as the record can be read.

    docket: with the disputes and rulings of the record, and walked to its end
    """
    asked = shown_game(name, db, seat, quiet)
    record, kept = asked.record, asked.kept
    if docket and kept is None:
        kept = examine(record).walk
    best: Position | None = None
    for found in positions(record, name, asked.docket if docket else NO_DOCKET, kept):
        if found.last is not None and not found.last.applied:
            break
        best = found = replace(found, whose=asked.whose, quiet=asked.quiet)
        if found.ply == at:
            return found
    assert best is not None
    if at is not None:
        written = len(record.line.words)
        stopped = (
            "" if best.ply == written else f"; {count(written, 'ply is', 'plies are')} written, the rest is unread"
        )
        fail(f"{name}: there is no ply {at}: the game can be followed for {count(best.ply, 'ply', 'plies')}{stopped}")
    return best


def heading(found: Position) -> Iterator[str]:
    """Yield the game, the variant where it has several, and who sits where, folded to the terminal."""
    names = [found.record.tag(tag, "?") for tag in found.game.about.seat_tags(found.seats)]
    tags = found.game.about.seat_tags(found.seats)
    roles = ["" if tag.startswith("Seat") else f" {tag}:" for tag in tags]
    people = "; ".join(f"p{n}{role} {who}" for n, (role, who) in enumerate(zip(roles, names, strict=True), 1))
    about = found.game.about
    variant = f", {found.record.tag('Variant', about.variants[0])}" if len(about.variants) > 1 else ""
    yield from wrapped(f"{about.title}{variant}: {people}")


def board_lines(found: Position, seat: int | None, colour: bool) -> Iterator[str]:
    """Yield the lines of the board as the seat sees it; 0 sees everything."""
    yield from drawn(found.game.words.picture(found.state, seat), colour)


def clocks_text(clocks: Iterable[tuple[int, str]]) -> str:
    """Return the times the seats have left: ``p1 0:12:30, p2 0:14:00``."""
    return ", ".join(f"p{seat} {time}" for seat, time in clocks)


def numbered(game: AnyGame, step: Step) -> str:
    """Return a ply's word behind its number as a score sheet has it."""
    counted = game.turns.number(step.state, own_move(step.move))
    return f"{counted[0]}{'.' if counted[1] else '...'} {step.text}" if counted else step.text


def note_text(found: Position) -> str:
    """Return what is noted on the ply that led here as a score sheet has it behind the word; empty for nothing."""
    note = found.record.line.notes.get(found.ply, Note())
    told = (remark_in(item) if isinstance(item, str) else item for item in note.then)
    text = format_note(replace(note, then=tuple(item for item in told if item)))
    return f" {text}" if text and text[0] not in "!?" else text


def ply_fields(found: Position, seat: int | None, index: int, quiet: bool = False) -> dict[str, Any]:
    """Return a position with the ply that led there; ply 0 has no seat and no move. quiet: and no verdict is told"""
    step = found.last
    board = plain(found.game.words.picture(found.state, seat)).split("\n") if step is None or step.applied else []
    verdict, keys = ("legal", list[str]()) if step is None else _judged(step)
    verdict, keys = ("quiet", []) if quiet else (verdict, keys)
    return {
        "index": index,
        "ply": found.ply,
        "seat": f"p{step.move.seat}" if step is not None and step.move is not None else "",
        "move": step.text if step is not None else "",
        "note": note_text(found).strip(),
        "clocks": {f"p{seat}": time for seat, time in found.clocks},
        "verdict": verdict,
        "keys": keys,
        "position": board,
    }


def _judged(step: Step) -> tuple[str, list[str]]:
    """Return the verdict on a ply in one word, and the keys it rests on."""
    if step.error is not None:
        return "unreadable", [step.error.key]
    if isinstance(step.verdict, Refused):
        return "refused", [step.verdict.clause.key]
    verdict = shown(step.verdict)
    if isinstance(verdict, Undecided):
        return "undecided", [question.clause.key for question in verdict.opens if question.asks]
    return type(verdict).__name__.lower(), []
