"""Positions as pictures: SVG, or PNG made of it."""

import sys

from cartulary.cli.shell.console import fail, terminal
from cartulary.cli.shell.destination import check_spare, file_of, write_file
from cartulary.cli.shell.positions import position
from cartulary.notation.arbiter.positions import Position
from cartulary.notation.drawing import Drawing, draw, with_marks
from cartulary.notation.svg import svg
from cartulary.records import desk
from cartulary.records.faults import Unfit


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
    drawing = draw(found.game.words, found.drawn, found.seat)
    return with_marks(drawing, note.comments if note is not None else ()), title
