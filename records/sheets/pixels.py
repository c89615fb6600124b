"""Drawings as PNG, in a font that comes with matplotlib: the same bytes for the same drawing."""

from cartulary.notation.drawing import Drawing
from cartulary.notation.svg import plain_style, svg
from cartulary.records.faults import Unfit
from cartulary.records.sheets.paper import font_folder

SHARP = 2
"""How many pixels of a picture a unit of its drawing has, across and down."""
_FONT = "DejaVu Sans Mono"


def png(drawing: Drawing, title: str) -> bytes:
    """Return a drawing as PNG, on a light ground and at SHARP times its size in pixels. Raises Unfit if a library is
    missing.

    ``title`` is the title that the SVG has in it; it is not shown.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise Unfit(
            "Pictures need resvg and matplotlib; install them with: pip install 'cartulary[pictures]'."
        ) from None
    made = svg_to_bytes(
        svg_string=svg(drawing, title, plain_style().replace("ui-monospace,Menlo,Consolas,", "")),
        skip_system_fonts=True,
        font_files=[str(font_folder() / "DejaVuSansMono.ttf")],
        font_family=_FONT,
        monospace_family=_FONT,
        zoom=SHARP,
    )
    return bytes(made)
