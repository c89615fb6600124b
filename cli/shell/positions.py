"""Positions of a record, and the commands that show them: replay, show, moves."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import Struct
from msgspec.structs import replace

from cartulary.cli.shell.console import FINDINGS, coloured, fail, put, put_json
from cartulary.cli.shell.draw import drawn
from cartulary.cli.shell.findings import count, finding_lines, wrapped
from cartulary.cli.shell.papers import NO_PAPERS, Papers, papers_of
from cartulary.cli.shell.sources import STDIN, parse_source, read, read_one
from cartulary.cli.shell.table import SeatOf, seat_named
from cartulary.engine import Calls, Refused, Undecided
from cartulary.engine.play import NO_CALLS, shown
from cartulary.notation import (
    Finding,
    Game,
    Note,
    Record,
    Step,
    as_seen,
    format_result,
    judged_words,
    legal_words,
    read_heading,
    steps,
)
from cartulary.notation.arbiter.replay import own_move
from cartulary.notation.cgn.commands import clocks_in, remark_in
from cartulary.notation.cgn.writer import format_note
from cartulary.notation.picture import plain

FEW = 8
"""Up to how many legal moves are named under the board; more are only counted."""

RECORD = typer.Argument(
    metavar="FILE[#n]|ID|-", help="A score sheet (its n-th game), a live record, or standard input (the default)."
)
Name = Annotated[str, RECORD]
At = Annotated[
    int | None, typer.Option("--at", min=0, metavar="PLY", help="After so many plies; the end if not given.")
]
Plain = Annotated[bool, typer.Option("--no-color", help="No colour; NO_COLOR=1 does the same.")]
Database = Annotated[Path | None, typer.Option("--db", metavar="PATH", help="Where live records are kept.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


class Position(Struct, frozen=True):
    """A record's game with the state after ``ply`` plies; ``last`` is the step that led there, None at the start.

    papers: its disputes and rulings, where they were asked for; clocks: the time each seat has left, where it is known
    """

    record: Record
    game: Game[Any, Any, Any]
    seats: int
    ply: int
    state: Any
    calls: Calls
    last: Step | None = None
    papers: Papers = NO_PAPERS
    clocks: tuple[tuple[int, str], ...] = ()


def positions(record: Record, name: str, papers: Papers = NO_PAPERS) -> Iterator[Position]:
    """Yield the start and the position after each ply that can be read; the last may hold a step that was not applied.

    Ends the program with a sentence where the record's tags set up no game.
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        fail(f"{name}: {heading.because}", FINDINGS)
    state = heading.game.rules.setup(heading.sheet)
    if isinstance(state, Refused):
        fail(f"{name}: {state.clause.key}: {state.because}", FINDINGS)
    seats = heading.sheet.seats
    yield Position(record, heading.game, seats, 0, state, NO_CALLS, papers=papers)
    left: dict[int, str] = {}
    for step in steps(heading.game, state, record.line.words, seats):
        for comment in record.line.notes.get(step.ply, Note()).comments if step.move is not None else ():
            for time in clocks_in(comment):
                left[step.move.seat] = time
        clocks = tuple(sorted(left.items()))
        yield Position(record, heading.game, seats, step.ply, step.after, step.calls_after, step, papers, clocks)


def seen_by(record: Record, name: str, seat: str) -> tuple[Record, int]:
    """Return the record as the seat named has seen it, and its number; 0 and the whole record for nothing said.

    Ends the program where the game has no such seat.
    """
    if not seat:
        return record, 0
    heading = read_heading(record)
    if heading.sheet is None:
        fail(f"{name}: {heading.because}", FINDINGS)
    whose = seat_number(seat, heading.sheet.seats)
    return as_seen(record, whose), whose


def position(name: str, at: int | None, db: Path | None = None, seat: str = "", papers: bool = False) -> Position:
    """Return the position after ``at`` plies as the seat has seen it, None = as far as the record can be read.

    papers: with the disputes and rulings of the record
    """
    whole = read_one(name, db)
    record, whose = seen_by(whole, name, seat)
    best: Position | None = None
    for found in positions(record, name, papers_of(whole, name, db, whose) if papers else NO_PAPERS):
        if found.last is not None and not found.last.applied:
            break
        best = found
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


def seat_number(text: str, seats: int) -> int:
    """Return 2 for ``p2``, 0 for nothing said; ends the program where the game has no such seat."""
    if not text:
        return 0
    seat = seat_named(text)
    if seat is None or seat > seats:
        fail(f"--seat {text[:24]}: the seats of this game are p1 to p{seats}")
    return seat


# --- show ---


def show(
    name: Name = STDIN,
    at: At = None,
    seat: SeatOf = "",
    no_color: Plain = False,
    json: AsJson = False,
    db: Database = None,
) -> None:
    """Draw a position, so that one can play from it: the board, who is to move, the last move, what was found.

    \b
    Example:
      cartulary show "$(cartulary samples cardmate)/page-1.cgn" --at 34
    """
    found = position(name, at, db, seat, papers=True)
    whose = seat_number(seat, found.seats)
    if json:
        put_json(_ply_json(found, whose, found.record.index) | found.papers.up_to(found.ply).fields())
        return
    for line in (*heading(found), "", *_board(found, whose, coloured(no_color)), "", *_caption(found)):
        put(line)
    for finding in found.papers.examine(found.record).report.findings:
        if finding.ply <= found.ply:
            for line in finding_lines(parse_source(name).name, finding, full=False):
                put(line)
    found.papers.up_to(found.ply).put()


def heading(found: Position) -> Iterator[str]:
    """Yield the game, the variant where it has several, and who sits where, folded to the terminal."""
    names = [found.record.tag(tag, "?") for tag in found.game.script.seat_tags(found.seats)]
    tags = found.game.script.seat_tags(found.seats)
    roles = ["" if tag.startswith("Seat") else f" {tag}:" for tag in tags]
    people = "; ".join(f"p{n}{role} {who}" for n, (role, who) in enumerate(zip(roles, names, strict=True), 1))
    rules = found.game.rules
    variant = f", {found.record.tag('Variant', rules.VARIANTS[0])}" if len(rules.VARIANTS) > 1 else ""
    yield from wrapped(f"{rules.TITLE}{variant}: {people}")


def _board(found: Position, seat: int, colour: bool) -> Iterator[str]:
    yield from drawn(found.game.script.picture(found.state, seat), colour)


def _caption(found: Position) -> Iterator[str]:
    written = len(found.record.line.words)
    last = f": {_numbered(found.game, found.last)}" if found.last else ""
    yield f"after ply {found.ply} of {written}{last}"
    if found.clocks:
        yield from wrapped(f"time left: {clocks_text(found.clocks)}")
    ended = found.calls.ended or found.game.rules.outcome(found.game.rules.settle(found.state))
    if ended:
        yield from wrapped(f"{format_result(ended.shares)}: {ended.because} ({ended.key})")
    else:
        yield from wrapped(_to_play(found))
        if found.ply == written and found.record.result not in ("", "*"):
            yield f"{found.record.result} was recorded"


def clocks_text(clocks: Iterable[tuple[int, str]]) -> str:
    """Return the times the seats have left: ``p1 0:12:30, p2 0:14:00``."""
    return ", ".join(f"p{seat} {time}" for seat, time in clocks)


def _numbered(game: Game[Any, Any, Any], step: Step) -> str:
    counted = game.script.number(step.state, own_move(step.move))
    return f"{counted[0]}{'.' if counted[1] else '...'} {step.text}" if counted else step.text


def _noted(found: Position) -> str:
    """Return what is noted on the ply that led here as a score sheet has it behind the word; empty for nothing."""
    note = found.record.line.notes.get(found.ply, Note())
    told = (remark_in(item) if isinstance(item, str) else item for item in note.then)
    text = format_note(replace(note, then=tuple(item for item in told if item)))
    return f" {text}" if text and text[0] not in "!?" else text


def _to_play(found: Position) -> str:
    actors = found.game.rules.actors(found.state)
    others = ", ".join(f"p{seat}" for seat in actors[1:])
    who = f"p{actors[0]} to move" + (f" ({others} may speak)" if others else "")
    if not found.game.rules.COMPLETE(found.state):
        return who
    moves = legal_words(found.game, found.state, found.calls)
    if len(moves) <= FEW:
        return (
            f"{who}: {', '.join(moves)} {'is the only legal move' if len(moves) == 1 else 'are the only legal moves'}"
        )
    return f"{who}, {len(moves)} legal moves"


# --- moves ---


def moves(name: Name = STDIN, at: At = None, seat: SeatOf = "", json: AsJson = False, db: Database = None) -> None:
    """List the legal moves of a position, one a line, in the order the rules yield them.

    \b
    Example:
      cartulary moves "$(cartulary samples cardmate)/page-1.cgn" --at 36
    """
    found = position(name, at, db, seat)
    whose = seat_number(seat, found.seats)
    rules = found.game.rules
    seats = () if found.calls.ended else rules.actors(found.state)
    words: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    if seats and whose in (0, *seats):
        words, undecided = judged_words(found.game, found.state, found.calls)
    complete = not seats or rules.COMPLETE(found.state)
    if json:
        put_json(
            {
                "ply": found.ply + 1,
                "seats": [f"p{one}" for one in seats],
                "moves": words,
                "open": undecided,
                "complete": complete,
            }
        )
        return
    for word in words:
        put(word)
    for line in wrapped(f"; undecided: {' '.join(undecided)}", "; ") if undecided else ():
        put(line)
    if not complete:
        put("; not every legal move can be listed here")


# --- replay ---


def replay(
    name: Name = STDIN, seat: SeatOf = "", no_color: Plain = False, json: AsJson = False, db: Database = None
) -> None:
    """Print the position after every ply, with what the arbiter says of it.

    \b
    Example:
      cartulary replay "$(cartulary samples cardmate)/page-1.cgn"
    """
    colour = coloured(no_color)
    path = parse_source(name).name
    for record in read(name, db):
        label = f"{path}#{record.index}"
        whole = record
        record, whose = seen_by(whole, label, seat)
        papers = papers_of(whole, name, db, whose)
        findings = papers.examine(record).report.findings
        for found in positions(record, label, papers):
            if found.last is None:
                continue
            if json:
                put_json(_ply_json(found, whose, record.index) | papers.on(found.ply).fields())
                continue
            for line in wrapped(f"{label} ply {found.ply}: {_numbered(found.game, found.last)}{_noted(found)}"):
                put(line)
            for finding in findings:
                if finding.ply == found.ply:
                    _put_finding(path, finding)
            papers.on(found.ply).put()
            if found.last.applied:
                for line in _board(found, whose, colour):
                    put(line)
            put("")
        if not json:
            papers.on(0).put()


def _put_finding(path: str, finding: Finding) -> None:
    for line in finding_lines(path, finding):
        put(line)


def _ply_json(found: Position, seat: int, index: int) -> dict[str, Any]:
    """Return a position with the ply that led there; ply 0 has no seat and no move."""
    step = found.last
    board = plain(found.game.script.picture(found.state, seat)).split("\n") if step is None or step.applied else []
    verdict, keys = ("legal", list[str]()) if step is None else _judged(step)
    return {
        "index": index,
        "ply": found.ply,
        "seat": f"p{step.move.seat}" if step is not None and step.move is not None else "",
        "move": step.text if step is not None else "",
        "note": _noted(found).strip(),
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
    return "legal", []
