"""``show``: draws one position with all one needs to play from it."""

import sys
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from msgspec.structs import replace

from cartulary.cli.shell.console import coloured, fail, put, put_json, terminal
from cartulary.cli.shell.destination import check_spare, file_of, write_file
from cartulary.cli.shell.findings import finding_lines, put_docket, wrap
from cartulary.cli.shell.options import At, Db, Force, Json, Name, Plain, Quiet, SeatOf
from cartulary.cli.shell.places import next_command
from cartulary.cli.shell.positions import board_lines, heading, names_at, position_of, read_position
from cartulary.cli.shell.sources import STDIN, parse_source
from cartulary.cli.shell.views import view_game
from cartulary.notation import format_result, judged_words
from cartulary.notation.arbiter.positions import ONLY_SCORED, Position, clocks_text, numbered_word, ply_fields
from cartulary.notation.arbiter.replay import draw_after
from cartulary.notation.cgn.signs import count, word_list
from cartulary.notation.drawing import Drawing, with_marks
from cartulary.notation.seat_names import name_seats
from cartulary.notation.svg import svg
from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.records.state.event_words import display_name
from cartulary.records.table.sayings import due_draw
from cartulary.records.texts import quiet_text

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
    game = view_game(name, db, seat, quiet)
    position = position_of(game, name, at, walked=True)
    docket = game.docket.up_to(position.ply, position.score_lines)
    if json:
        put_json(ply_fields(position) | docket.fields())
        return
    names = names_at(position, game.people)
    for line in (
        *heading(position, game.people),
        "",
        *board_lines(position, game.people, coloured(no_color)),
        "",
        *_caption(position, names),
    ):
        put(line)
    if position.viewer.quiet:
        put(quiet_text(name, next_command("reveal", name, db=db)))
    for finding in (
        () if position.viewer.quiet else game.docket.examine(position.record, position.cached).report.findings
    ):
        if finding.ply <= position.ply:
            named = replace(finding, because=name_seats(finding.because, names))
            for line in finding_lines(parse_source(name).name, named, full=False):
                put(line)
    put_docket(docket, names=names)


def _caption(position: Position, names: Sequence[str]) -> Iterator[str]:
    """Yield the lines under a board: last ply, clocks, whose turn it is or how the game ended, and what was recorded.

    Args:
        position: The position on the board.
        names: The players' names, in seat order.
    """
    plies = len(position.record.line.words)
    last = f": {numbered_word(position.game, position.last)}" if position.last else ""
    yield f"after ply {position.ply} of {plies}{last}"
    if position.clocks:
        yield from wrap(f"time left: {name_seats(clocks_text(position.clocks), names)}")
    ending = position.calls.outcome or position.game.rules.outcome(position.game.turns.settle(position.state))
    if ending and position.viewer.quiet:
        yield "the moves have ended the game"
    elif ending:
        yield from wrap(f"{format_result(ending.shares)}: {name_seats(ending.because, names)} ({ending.key})")
    elif not position.closing or not position.actors:
        yield from wrap(_to_play(position, names))
    if ending or not position.closing:
        return
    if position.record.result in ("", "*"):
        yield f"no result was recorded: {position.record.tag('Termination')}"
    else:
        yield f"{position.record.result} was recorded"


def _to_play(position: Position, names: Sequence[str]) -> str:
    """Return whose turn it is, with the legal moves if they are at most ``FEW``, else their number.

    An example is ``Ann (p1) to move: 4Ci3, 4Cj2 are the only legal moves``. Moves that hidden cards leave undecided
    come after them: ``p2 to move: 6S, 8S are legal; 7H is undecided``. Nothing is said of moves on a quiet record, or
    if not all can be listed.
    """
    if position.only_scored:
        return ONLY_SCORED
    seats = position.actors
    if not seats:
        return "who is to move is not known"
    others = ", ".join(display_name(f"p{seat}", names) for seat in seats[1:])
    who = f"{display_name(f'p{seats[0]}', names)} to move" + (f" ({others} may speak)" if others else "")
    if position.viewer.quiet:
        return who
    who += due_draw(position.game.turns.claims(position.state))
    if not position.game.rules.complete(position.state):
        return who
    legal, undecided = judged_words(position.game, position.state, position.calls)
    if len(legal) + len(undecided) > FEW:
        return f"{who}, {count(len(legal), 'legal move')}" + (f", {len(undecided)} undecided" if undecided else "")
    only = "the only legal move" + "s" * (len(legal) > 1)
    parts = [(legal, "legal" if undecided else only), (undecided, "undecided")]
    said = [f"{word_list(words)} {'is' if len(words) == 1 else 'are'} {what}" for words, what in parts if words]
    return f"{who}: {'; '.join(said)}" if said else who


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
    """Write a position as a picture, or end the program with a sentence before anything is written.

    Args:
        name: The file or the id, as it was typed.
        at: After how many plies; None for the last.
        db: Where live records are kept, as it was typed.
        seat: Whose view is drawn, as it was typed; empty for everything.
        quiet: Whether the verdicts of a quiet record stay quiet.
        pixels: Whether to write PNG rather than SVG.
        output: The file to write; None for standard output.
        over: Whether an existing file may be replaced.
        also: Whether another output was asked for too, which is refused.
    """
    if also:
        fail("Use only one of --svg, --png and --json.")
    file = file_of(output)
    if file is None and pixels and terminal():
        fail("A PNG cannot be shown on a terminal; write it with -o FILE.")
    if file is not None:
        check_spare(file, key=None, over=over)
    position = read_position(name, at, db, seat, quiet=quiet)
    try:
        image = api.png(*_drawing_of(position)) if pixels else as_svg(position).encode()
    except Unfit as fault:
        fail(str(fault))
    if file is not None:
        write_file(file, [image], over)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(image)


def as_svg(position: Position) -> str:
    """Return a position as the text of an SVG picture, as its viewer may see it."""
    return svg(*_drawing_of(position))


def _drawing_of(position: Position) -> tuple[Drawing, str]:
    """Return the drawing of a position with the arrows and squares that its comments mark, and its title."""
    title = f"{position.game.about.title} after ply {position.ply}"
    note = position.record.line.notes.get(position.ply)
    drawing = draw_after(position.game, position.last, position.drawn_state, position.viewer.seat)
    return with_marks(drawing, note.comments if note is not None else ()), title
