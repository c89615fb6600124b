"""``show``: draws one position with all one needs to play from it."""

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from cartulary.cli.shell.console import coloured, fail, put, put_json, terminal
from cartulary.cli.shell.destination import check_spare, file_of, write_file
from cartulary.cli.shell.findings import finding_lines, put_docket, wrapped
from cartulary.cli.shell.options import At, Db, Force, Json, Name, Plain, Quiet, SeatOf
from cartulary.cli.shell.places import next_command
from cartulary.cli.shell.positions import board_lines, heading, position, position_of
from cartulary.cli.shell.sources import STDIN, parse_source
from cartulary.cli.shell.views import shown
from cartulary.notation import format_result, legal_words
from cartulary.notation.arbiter.positions import ONLY_SCORED, Position, clocks_text, numbered, ply_fields
from cartulary.notation.cgn.signs import word_list
from cartulary.notation.drawing import Drawing, draw, with_marks
from cartulary.notation.svg import svg
from cartulary.records import desk
from cartulary.records.faults import Unfit

FEW = 8
"""Up to how many legal moves are named under the board; more are only counted."""


def command(
    name: Name = STDIN,
    at: At = None,
    seat: SeatOf = "",
    quiet: Quiet = False,
    svg: Annotated[
        bool, typer.Option("--svg", help="Write only the drawing, as SVG, for a web page or for print.")
    ] = False,
    png: Annotated[
        bool, typer.Option("--png", help="Write only the drawing, as PNG; needs cartulary[pictures].")
    ] = False,
    output: Annotated[
        str | None, typer.Option("-o", metavar="FILE", help="The file that --svg or --png writes to.")
    ] = None,
    force: Force = False,
    no_color: Plain = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Draw a position: the board, who is to move, the last move, and what was found.

    With --svg or --png it is drawn as a picture.

    \b
    Example:
      cartulary show "$(cartulary samples cardmate)/page-1.cgn" --at 34
    """
    if output is not None and not (svg or png or json):
        svg, png = output.lower().endswith(".svg"), output.lower().endswith(".png")
    if svg or png:
        put_drawing(name, at, db, seat, quiet, png, output, force, also=json or (svg and png))
        return
    if output is not None or force:
        fail("-o writes a picture; give a name such as board.svg or board.png, or add --svg or --png.")
    asked = shown(name, db, seat, quiet)
    found = position_of(asked, name, at, walked=True)
    docket = asked.docket.up_to(found.ply, found.score_lines)
    if json:
        put_json(ply_fields(found) | docket.fields())
        return
    for line in (*heading(found), "", *board_lines(found, coloured(no_color)), "", *_caption(found)):
        put(line)
    if found.quiet:
        put(desk.quiet_text(name, next_command("reveal", name, db=db)))
    for finding in () if found.quiet else asked.docket.examine(found.record, found.kept).report.findings:
        if finding.ply <= found.ply:
            for line in finding_lines(parse_source(name).name, finding, full=False):
                put(line)
    put_docket(docket)


def _caption(found: Position) -> Iterator[str]:
    written = len(found.record.line.words)
    last = f": {numbered(found.game, found.last)}" if found.last else ""
    yield f"after ply {found.ply} of {written}{last}"
    if found.clocks:
        yield from wrapped(f"time left: {clocks_text(found.clocks)}")
    ended = found.calls.ended or found.game.rules.outcome(found.game.turns.settle(found.state))
    if ended and found.quiet:
        yield "the moves have ended the game"
    elif ended:
        yield from wrapped(f"{format_result(ended.shares)}: {ended.because} ({ended.key})")
    elif not found.closing or not found.actors:
        yield from wrapped(_to_play(found))
    if ended or not found.closing:
        return
    if found.record.result in ("", "*"):
        yield f"no result was recorded: {found.record.tag('Termination')}"
    else:
        yield f"{found.record.result} was recorded"


def _to_play(found: Position) -> str:
    if found.only_scored:
        return ONLY_SCORED
    seats = found.actors
    if not seats:
        return "who is to move is not known"
    others = ", ".join(f"p{seat}" for seat in seats[1:])
    who = f"p{seats[0]} to move" + (f" ({others} may speak)" if others else "")
    if found.quiet:
        return who
    who += desk.due_draw(found.game.turns.claims(found.state))
    if not found.game.rules.complete(found.state):
        return who
    moves = legal_words(found.game, found.state, found.calls)
    if len(moves) <= FEW:
        return (
            f"{who}: {word_list(moves)} {'is the only legal move' if len(moves) == 1 else 'are the only legal moves'}"
        )
    return f"{who}, {len(moves)} legal moves"


# --- positions as pictures: SVG, or PNG made of it ---


def put_drawing(
    name: str,
    at: int | None,
    db: str | None,
    seat: str,
    quiet: bool,
    pixels: bool,
    output: str | None,
    over: bool,
    also: bool,
) -> None:
    """Write a position as a picture. pixels: PNG; over: what is there may be replaced

    also: something else was asked for beside it
    Ends the program where that cannot be, before anything is written.
    """
    if also:
        fail("Use only one of --svg, --png and --json.")
    file = file_of(output)
    if file is None and pixels and terminal():
        fail("A PNG cannot be shown on a terminal; write it with -o FILE.")
    if file is not None:
        check_spare(file, key=None, over=over)
    found = position(name, at, db, seat, quiet=quiet)
    try:
        made = desk.png(*_drawn(found)) if pixels else picture(found).encode()
    except Unfit as fault:
        fail(str(fault))
    if file is not None:
        write_file(file, [made], over)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(made)


def picture(found: Position) -> str:
    """Return a position as SVG, as whoever asks may see it."""
    return svg(*_drawn(found))


def _drawn(found: Position) -> tuple[Drawing, str]:
    title = f"{found.game.about.title} after ply {found.ply}"
    note = found.record.line.notes.get(found.ply)
    drawing = draw(found.game.words, found.drawn, found.whose)
    return with_marks(drawing, note.comments if note is not None else ()), title
