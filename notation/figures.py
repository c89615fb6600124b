"""Figurines, ``♔`` to ``♟``, as shapes: an outline that has the colour of the side, and inner lines."""

SIDE = 45
"""The width and the height of the square that the shapes are drawn for."""
_KING = (
    "M22.5 17.3c1.7-4 4.5-5.9 7.9-5.9 5.2 0 8.5 3.8 8.5 8.4 0 5.4-3.8 8.2-5.4"
    " 12.7V39.4H11.5v-6.8c-1.6-4.5-5.4-7.3-5.4-12.7 0-4.6 3.4-8.4 8.5-8.4 3.4 0 6.2 1.8 7.9"
    " 5.9Zm-1.6-2.9V9.7h-3V6.5h3V3.4h3.1v3.1h3v3.1h-3v4.7L22.5 17.3Z",
    "M11.5 32.6h22.1M22.5 17.3V32.6",
)
_QUEEN = (
    "M7.2 12.8l6.6 10.1L15.1 10.1l4.7 12.2L22.5 8.5l2.7 13.7L29.9 10.1l1.2 12.8 6.6-10.1L33.8"
    " 31.5v7.9H11.2v-7.9ZM6.8 8.5a2.1 2.1 0 1 0 .1 0ZM15 5.9a2.1 2.1 0 1 0 .1 0ZM22.5 4.3a2.1 2.1 0 1 0 .1 0ZM30"
    " 5.9a2.1 2.1 0 1 0 .1 0ZM38.2 8.5a2.1 2.1 0 1 0 .1 0Z",
    "M11.2 31.9h22.5M13.5 27.7c5.6-1.6 12.4-1.6 18 0",
)
_ROOK = (
    "M10.6 6.3h5.4v3.6h3.6V6.3h5.9v3.6h3.6V6.3h5.4v8.1l-4.3 3.8v12.6l4.3 3.4V39.4H10.6v-5.2l4.3-3.4V18.2l-4.3-3.8Z",
    "M14.8 18.2h15.3M14.8 30.8h15.3",
)
_BISHOP = (
    "M22.5 3.8a2.6 2.6 0 0 1 1.7 4.6C28.6 11.2 32.2 15.5 32.2 20.7c0 3.4-1.7 5.9-4.2 7.6l1.7"
    " 5h4.7V39.4H10.6v-6.1h4.7l1.7-5c-2.5-1.8-4.2-4.3-4.2-7.6 0-5.2 3.6-9.5 8-12.3A2.6 2.6 0 0 1 22.5 3.8Z",
    "M22.5 14.2v8.5M18.7 17.8h7.6M17 28.3h11M15.3 33.3h14.4",
)
_KNIGHT = (
    "M14.2 39.4c0-8.5 5.6-11 7.4-15.8-2.9 1.3-4.5 1.1-6.5 3.6-1.6 2-4.3 2.7-5.9 .5-1.1-1.6-.7-3.4 .5-5.2 2.2-3.6"
    " 2.7-7.6 5.6-11L14.6 5.4l5.2 3.1C29.7 8.8 35.1 16.2 35.1 27.7V39.4Z",
    "M17.3 15.3l1.8-1.1M24.8 12.8c3.8 2.5 6.3 7.2 6.3 14.2V34.9",
)
_PAWN = (
    "M22.5 6.8a6.3 6.3 0 0 1 4.4 10.8h2.8v3.6h-2.9c.7 5.4 3.4 8.5 7.6 11.5v6.8H10.6v-6.8c4.3-2.9 7-6.1"
    " 7.6-11.5h-2.9v-3.6h2.8A6.3 6.3 0 0 1 22.5 6.8Z",
    "M18.2 21.2h8.5",
)
_SHAPES = {"♚": _KING, "♛": _QUEEN, "♜": _ROOK, "♝": _BISHOP, "♞": _KNIGHT, "♟": _PAWN}


def figure_marks(symbol: str, wide: float, high: float) -> str:
    """Return the SVG elements of a figurine in a square of this size; empty if the symbol is no figurine.

    The outline has the class ``man``.

    Args:
        symbol: A symbol such as ``♚``, of either colour, with or without a selector after it.
        wide: The width of the square, in pixels.
        high: The height of the square, in pixels.
    """
    sign = symbol[:1]
    shape = _SHAPES.get(chr(ord(sign) + 6) if sign and "♔" <= sign <= "♙" else sign)
    if shape is None:
        return ""
    sized = "" if wide == high == SIDE else f' transform="scale({wide / SIDE:g},{high / SIDE:g})"'
    outline, lines = shape
    return f'<path class="man" d="{outline}"{sized}/><path d="{lines}"{sized}/>'


def figure_svg(symbol: str, role: str) -> str:
    """Return a figurine as an image, for a page that has the styles of drawings; empty if the symbol is none.

    Args:
        symbol: As in ``figure_marks``.
        role: Its CSS classes, with the side: ``p2 black``.
    """
    marks = figure_marks(symbol, SIDE, SIDE)
    image = f'<svg class="drawing" viewBox="4 1 37 41" role="img" aria-label="{symbol}">'
    return f'{image}<g class="figure {role}">{marks}</g></svg>' if marks else ""


_CROWN = "M14 29v-11l5 4 3.5-7 3.5 7 5-4v11z"
"""What a crowned man bears."""


def disc_marks(wide: float, high: float, crowned: bool) -> str:
    """Return the SVG elements of a flat round man in a square of this size, with a crown if it is a king.

    Args:
        wide: The width of the square, in pixels.
        high: The height of the square, in pixels.
        crowned: Whether it is a king.
    """
    radius, middle = min(wide, high) * 0.37, f'cx="{wide / 2:g}" cy="{high / 2:g}"'
    marks = f'<circle {middle} r="{radius:g}"/>'
    if not crowned:
        return f'{marks}<circle class="rim" {middle} r="{radius * 0.66:g}"/>'
    return f'{marks}<path class="crown" transform="scale({wide / SIDE:g},{high / SIDE:g})" d="{_CROWN}"/>'


def disc_svg(symbol: str, role: str) -> str:
    """Return a flat round man as an image, for a page that has the styles of drawings.

    Args:
        symbol: Its letter, a capital for a king.
        role: Its CSS classes, with the side: ``p2 white disc``.
    """
    image = f'<svg class="drawing" viewBox="0 0 45 45" role="img" aria-label="{symbol}">'
    return f'{image}<g class="piece {role}">{disc_marks(SIDE, SIDE, symbol.isupper())}</g></svg>'
