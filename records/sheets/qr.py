"""QR codes: as modules, as text for a terminal, and as a path for a drawing."""

from collections.abc import Iterator

from cartulary.records.faults import Unfit

MARGIN = 4
"""Modules left light around a code, as the standard (ISO/IEC 18004) wants."""
_HALVES = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
"""Two modules above each other, dark or not, as one character of light on dark."""

Modules = tuple[tuple[bool, ...], ...]


def qr(text: str) -> Modules:
    """Return the modules of the QR code for a text, row by row with the margin; True is dark.

    The code can still be read if about 15 % of it is damaged (level M).

    Raises:
        Unfit: The library for QR codes is missing.
    """
    try:
        from segno import make_qr
    except ImportError:
        raise Unfit("QR codes need segno; install it with: pip install 'cartulary[desk]'.") from None
    rows = make_qr(text, error="m").matrix_iter(border=MARGIN)
    return tuple(tuple(bool(module) for module in row) for row in rows)


def qr_lines(modules: Modules) -> Iterator[str]:
    """Yield a code as lines of text for a dark terminal; each line holds two rows of modules as half blocks."""
    blank = (False,) * len(modules[0])
    for index in range(0, len(modules), 2):
        below = modules[index + 1] if index + 1 < len(modules) else blank
        yield "".join(_HALVES[pair] for pair in zip(modules[index], below, strict=True))


def qr_path(modules: Modules) -> str:
    """Return the dark modules of a code as the data of an SVG path, ``M4 4h1v1h-1z…``, each a square of 1 by 1.

    The margin of the code is part of it, so the first module is at 4, 4.
    """
    return "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(modules) for x, dark in enumerate(row) if dark)
