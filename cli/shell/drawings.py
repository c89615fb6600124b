"""Positions as pictures: SVG, or PNG made of it."""

import sys
from pathlib import Path

from cartulary.cli.shell.console import fail, terminal
from cartulary.cli.shell.destination import check_spare, file_of, write_file
from cartulary.cli.shell.positions import position
from cartulary.notation.arbiter.positions import Position
from cartulary.notation.drawing import draw
from cartulary.notation.svg import plain_style, svg

SHARP = 2
"""How many pixels of a picture a unit of its drawing has, across and down."""


def put_drawing(
    name: str,
    at: int | None,
    db: Path | None,
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
        fail("one of --svg, --png and --json says what is written")
    file = file_of(output)
    if file is None and pixels and terminal():
        fail("a PNG is no text for a terminal; -o FILE writes it")
    if file is not None:
        check_spare(file, key=None, over=over)
    found = position(name, at, db, seat, quiet=quiet)
    made = png(found) if pixels else picture(found).encode()
    if file is not None:
        write_file(file, [made], over)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(made)


def picture(found: Position, style: str = "") -> str:
    """Return a position as SVG, as whoever asks may see it. style: in place of the usual one"""
    title = f"{found.game.about.title} after ply {found.ply}"
    drawing = draw(found.game.words, found.state, found.whose)
    return svg(drawing, title, style) if style else svg(drawing, title)


def png(found: Position) -> bytes:
    """Return a position as PNG. Ends the program where what makes it is not there."""
    try:
        from matplotlib import get_data_path
        from resvg_py import svg_to_bytes
    except ImportError:
        fail("pictures need resvg and matplotlib: python -m pip install 'cartulary[pictures]' brings them")
    font = Path(get_data_path(), "fonts", "ttf", "DejaVuSansMono.ttf")
    made = svg_to_bytes(
        svg_string=picture(found, plain_style().replace("ui-monospace,Menlo,Consolas,", "")),
        skip_system_fonts=True,
        font_files=[str(font)],
        font_family="DejaVu Sans Mono",
        monospace_family="DejaVu Sans Mono",
        zoom=SHARP,
    )
    return bytes(made)
