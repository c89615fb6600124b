"""QR codes: what a phone's camera reads, as text for a terminal and as a path for a drawing."""

from collections.abc import Iterator

from cartulary.records.faults import Unfit

MARGIN = 4
"""Modules left light around a code, as the standard (ISO/IEC 18004) wants."""
_HALVES = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
"""Two modules above each other, dark or not, as one character of light on dark."""

Modules = tuple[tuple[bool, ...], ...]


def qr(text: str) -> Modules:
    """Return the modules of a code, dark ones true, row by row with the margin.

    Raises Unfit where the library is missing.
    """
    try:
        from segno import make_qr
    except ImportError:
        raise Unfit("QR codes need segno; install it with: pip install 'cartulary[desk]'.") from None
    rows = make_qr(text, error="m").matrix_iter(border=MARGIN)
    return tuple(tuple(bool(one) for one in row) for row in rows)


def qr_lines(modules: Modules) -> Iterator[str]:
    """Yield a code as lines of text, two rows of it in each, for a terminal that is dark."""
    blank = (False,) * len(modules[0])
    for at in range(0, len(modules), 2):
        below = modules[at + 1] if at + 1 < len(modules) else blank
        yield "".join(_HALVES[pair] for pair in zip(modules[at], below, strict=True))


def qr_path(modules: Modules) -> str:
    """Return the dark modules as the path of an SVG, a unit each."""
    return "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(modules) for x, dark in enumerate(row) if dark)
