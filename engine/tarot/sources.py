"""What Tarot's clauses cite, variant by variant: the page or, where it is silent, the FFT; the FFT's own sections."""

from collections.abc import Mapping

PAGE = "Tarot, from the wiki of Dementlieu"


def section(title: str) -> str:
    """Return how fft cites sections of the FFT's text."""
    return f"FFT, Règlement officiel R-RO201206 (2012), {title}"


def parent(title: str) -> str:
    """Return how dementlieu cites sections of the FFT's text, for what the page does not say."""
    return f"French Tarot, FFT 2012, {title}"


def on_page(title: str) -> Mapping[str, str]:
    """Return the sources of a clause the page tells; ``title``: its sections in the FFT's text."""
    return {"dementlieu": PAGE, "fft": section(title)}


def off_page(title: str, more: str = "") -> Mapping[str, str]:
    """Return the sources of a clause the page does not tell; ``more``: sections that tell of fft alone."""
    return {"dementlieu": parent(title), "fft": section(title + more)}


def of_fft(title: str) -> Mapping[str, str]:
    """Return the sources of a clause that dementlieu has not."""
    return {"fft": section(title)}
