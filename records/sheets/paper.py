"""Paper: an A4 document with the fonts in it, the same bytes for the same texts.

The fonts are DejaVu's, which come with matplotlib; they have the signs of most alphabets and none of Chinese, Japanese
or Korean. A sign no font has is written as its code point, such as U+5F20, so that nothing is lost.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cartulary.notation.cgn.controls import FSI, PDI, without_isolates
from cartulary.records.faults import Unfit

if TYPE_CHECKING:
    from fpdf import FPDF

_MISSING = (
    "A PDF needs the libraries fpdf2, uharfbuzz and matplotlib; install them with: pip install 'cartulary[pictures]'."
)
_FACES = (("text", "", "Sans"), ("text", "B", "Sans-Bold"), ("word", "", "SansMono"), ("word", "B", "SansMono-Bold"))
MARGIN, LINE = 15.0, 4.6
"""In millimetres: of the page, and of a line of text."""


def _document(running: list[str]) -> "FPDF":
    """Return an A4 document. running: what stands above the further pages of a sheet"""
    try:
        from fpdf import FPDF
    except ImportError:
        raise Unfit(_MISSING) from None

    class Document(FPDF):
        """A document with one of the library's hooks."""

        def header(self) -> None:
            """Say on each further page of a sheet which one it is."""
            if running:
                self.set_font("text", "", 8)
                self.cell(0, 4, running[0], new_x="LMARGIN", new_y="NEXT")
                self.ln(2)

    return Document("P", "mm", "A4")


def _measure_once(paper: "FPDF") -> None:
    """Let the fonts of a document remember how wide a text is: the library asks anew for each letter of a line.

    It asks of the line so far, and of all lines three times: to break them, to see how high a row is, to draw it.
    """
    from fpdf.fonts import TTFFont

    @lru_cache(1 << 14)
    def wide(font: TTFFont, text: str, size: float, direction: Any) -> tuple[int, float]:
        shaping = {**(paper.text_shaping or {}), "fragment_direction": direction}
        return TTFFont.shaped_text_width(font, text, size, shaping)

    class Measured(TTFFont):
        """A font that works out a width once."""

        __slots__ = ()

        def shaped_text_width(self, text: str, size: float, shaping: dict[str, Any] | None, /) -> tuple[int, float]:
            # From older releases of fpdf2 the text comes as a list of its signs.
            return wide(self, "".join(text), size, shaping["fragment_direction"] if shaping else None)

    for font in paper.fonts.values():
        font.__class__ = Measured


def fonts_at() -> Path:
    """Return the folder of DejaVu's fonts. Raises Unfit where matplotlib is missing."""
    found = find_spec("matplotlib")
    if found is None or not found.submodule_search_locations:
        raise Unfit(_MISSING)
    return Path(found.submodule_search_locations[0], "mpl-data", "fonts", "ttf")


class Paper:
    """A document while it is written; every text goes through ``seen``."""

    def __init__(self, title: str, written: str, fonts: Sequence[Path] = ()) -> None:
        """Begin a document. written: when, in ISO form, or empty; fonts: files for what DejaVu has no signs for"""
        self.running: list[str] = []
        # The library warns of every table a font has and it does not keep.
        logging.getLogger("fontTools").setLevel(logging.ERROR)
        self.pdf = _document(self.running)
        self.pdf.set_margins(MARGIN, MARGIN)
        self.pdf.set_auto_page_break(True, MARGIN)
        self.pdf.set_creation_date(datetime.fromisoformat(written) if written else datetime(2000, 1, 1, tzinfo=UTC))
        self.pdf.set_title(without_isolates(title))
        at = fonts_at()
        for family, style, file in _FACES:
            self.pdf.add_font(family, style, at / f"DejaVu{file}.ttf")
        self._add(fonts)
        self._shape()
        _measure_once(self.pdf)
        self.signs = {sign for font in self.pdf.fonts.values() for sign in getattr(font, "cmap", ())}
        self.signs |= {ord(FSI), ord(PDI)}  # which are not drawn
        self.unseen: dict[str, None] = {}

    def _shape(self) -> None:
        """Let the letters of scripts such as Arabic and Hebrew join and run as they should."""
        from fpdf.errors import FPDFException

        try:
            self.pdf.set_text_shaping(True, direction="ltr")
        except FPDFException:
            raise Unfit(_MISSING) from None

    def _add(self, fonts: Sequence[Path]) -> None:
        for number, path in enumerate(fonts):
            try:
                self.pdf.add_font(f"more{number}", "", path)
            except Exception as fault:
                raise Unfit(f"{path} cannot be used as a font: {fault}.") from None
        self.pdf.set_fallback_fonts(["text", *(f"more{number}" for number in range(len(fonts)))], exact_match=False)

    def seen(self, text: str) -> str:
        """Return a text with code points in place of signs no font has, which are kept in ``unseen``."""
        if all(ord(sign) in self.signs for sign in text):
            return text
        shown = []
        for sign in text:
            if ord(sign) in self.signs:
                shown.append(sign)
            else:
                self.unseen[sign] = None
                shown.append(f" U+{ord(sign):04X} ")
        return " ".join("".join(shown).split())

    def line(self, text: str, size: float, style: str = "", height: float = LINE, family: str = "text") -> None:
        """Write a text from the left margin, over as many lines as it takes."""
        self.pdf.set_font(family, style, size)
        self.pdf.multi_cell(0, height, self.seen(text), align="L", new_x="LMARGIN", new_y="NEXT")

    def title(self, text: str) -> None:
        """Write what the next part is called, on a page with room for some of it."""
        if self.pdf.will_page_break(20):
            self.pdf.add_page()
        self.pdf.ln(3)
        self.line(text, 11, "B", 6)
        self.pdf.ln(1)

    def listed(self, items: Iterable[tuple[str, str]], width: float) -> None:
        """Write names and what they say in two columns, no line drawn."""
        self.pdf.set_font("text", "", 9)
        with self.pdf.table(
            col_widths=(width, self.pdf.epw - width),
            borders_layout="NONE",
            first_row_as_headings=False,
            line_height=LINE,
            text_align="LEFT",
            v_align="TOP",
            padding=(0.2, 1),
        ) as table:
            for name, value in items:
                row = table.row()
                row.cell(self.seen(name))
                row.cell(self.seen(value))
