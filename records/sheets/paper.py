"""A PDF document on A4 with its fonts embedded; the same bytes for the same texts.

The fonts are DejaVu's, which come with matplotlib. They have most alphabets, but not Chinese, Japanese or Korean. A
character that no font has is written as its code point, such as U+5F20, so that nothing is lost.
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


def _document(running_title: list[str]) -> "FPDF":
    """Return an empty A4 document, measured in millimetres.

    Args:
        running_title: Read at each new page: its first text is printed at the top, nothing if it is empty.

    Raises:
        Unfit: The library for PDF is missing.
    """
    try:
        from fpdf import FPDF
    except ImportError:
        raise Unfit(_MISSING) from None

    class Document(FPDF):
        """A document with one of the library's hooks."""

        def header(self) -> None:
            """Print the running title at the top of a new page, if there is one; the library calls this."""
            if running_title:
                self.set_font("text", "", 8)
                self.cell(0, 4, running_title[0], new_x="LMARGIN", new_y="NEXT")
                self.ln(2)

    return Document("P", "mm", "A4")


def _measure_once(paper: "FPDF") -> None:
    """Let the fonts of a document cache the widths of texts, which makes a long document much faster to write.

    The library measures the whole line again for each character, and every line three times: to break it, to find the
    height of its row, and to draw it.
    """
    from fpdf.fonts import TTFFont

    @lru_cache(1 << 14)
    def width(font: TTFFont, text: str, size: float, direction: Any) -> tuple[int, float]:
        shaping = {**(paper.text_shaping or {}), "fragment_direction": direction}
        return TTFFont.shaped_text_width(font, text, size, shaping)

    class Measured(TTFFont):
        """A font that works out a width once."""

        __slots__ = ()

        def shaped_text_width(self, text: str, size: float, shaping: dict[str, Any] | None, /) -> tuple[int, float]:
            # From older releases of fpdf2 the text comes as a list of its signs.
            return width(self, "".join(text), size, shaping["fragment_direction"] if shaping else None)

    for font in paper.fonts.values():
        font.__class__ = Measured


def font_folder() -> Path:
    """Return the folder of DejaVu's fonts, which come with matplotlib. Raises Unfit if matplotlib is not installed."""
    spec = find_spec("matplotlib")
    if spec is None or not spec.submodule_search_locations:
        raise Unfit(_MISSING)
    return Path(spec.submodule_search_locations[0], "mpl-data", "fonts", "ttf")


class Paper:
    """A document that is being written. ``printable`` replaces characters that no font has."""

    def __init__(self, title: str, date: str, fonts: Sequence[Path] = ()) -> None:
        """Begin a document, which has no page yet.

        Args:
            title: Its title in its metadata.
            date: When it was made, in ISO form; empty for the first day of 2000.
            fonts: Font files for what DejaVu has no characters for, in the order in which they are tried.

        Raises:
            Unfit: A library is missing, or a font file cannot be used.
        """
        self.running: list[str] = []
        # The library warns of every table a font has and it does not keep.
        logging.getLogger("fontTools").setLevel(logging.ERROR)
        self.pdf = _document(self.running)
        self.pdf.set_margins(MARGIN, MARGIN)
        self.pdf.set_auto_page_break(True, MARGIN)
        self.pdf.set_creation_date(datetime.fromisoformat(date) if date else datetime(2000, 1, 1, tzinfo=UTC))
        self.pdf.set_title(without_isolates(title))
        folder = font_folder()
        for family, style, file in _FACES:
            self.pdf.add_font(family, style, folder / f"DejaVu{file}.ttf")
        self._add_fonts(fonts)
        self._shape_text()
        _measure_once(self.pdf)
        self.characters = {sign for font in self.pdf.fonts.values() for sign in getattr(font, "cmap", ())}
        self.characters |= {ord(FSI), ord(PDI)}  # which are not drawn
        self.missing: dict[str, None] = {}

    def _shape_text(self) -> None:
        """Turn on text shaping, by which Arabic and Hebrew letters join and run from right to left.

        Raises Unfit if the library for it is missing.
        """
        from fpdf.errors import FPDFException

        try:
            self.pdf.set_text_shaping(True, direction="ltr")
        except FPDFException:
            raise Unfit(_MISSING) from None

    def _add_fonts(self, fonts: Sequence[Path]) -> None:
        """Add font files, which are used in their order for characters that DejaVu does not have.

        Raises Unfit for the first file that is not a font.
        """
        for number, path in enumerate(fonts):
            try:
                self.pdf.add_font(f"more{number}", "", path)
            except Exception as fault:
                raise Unfit(f"{path} cannot be used as a font: {fault}.") from None
        self.pdf.set_fallback_fonts(["text", *(f"more{number}" for number in range(len(fonts)))], exact_match=False)

    def printable(self, text: str) -> str:
        """Return a text in which each character that no font has is its code point: ``张`` -> ``U+5F20``.

        These characters are added to ``missing``. In a text that has any, runs of white space become single blanks.
        """
        if all(ord(character) in self.characters for character in text):
            return text
        parts = []
        for character in text:
            if ord(character) in self.characters:
                parts.append(character)
            else:
                self.missing[character] = None
                parts.append(f" U+{ord(character):04X} ")
        return " ".join("".join(parts).split())

    def line(self, text: str, size: float, style: str = "", height: float = LINE, family: str = "text") -> None:
        """Write a text from the left margin, over as many lines as it needs, and go on below it.

        Args:
            text: The text; characters that no font has are replaced.
            size: The size of the font, in points.
            style: ``B`` for bold, empty for regular.
            height: The height of a line, in mm.
            family: ``text``, or ``word`` for letters of equal width.
        """
        self.pdf.set_font(family, style, size)
        self.pdf.multi_cell(0, height, self.printable(text), align="L", new_x="LMARGIN", new_y="NEXT")

    def title(self, text: str) -> None:
        """Write the title of the next part in bold, on a new page if less than 20 mm are left on this one."""
        if self.pdf.will_page_break(20):
            self.pdf.add_page()
        self.pdf.ln(3)
        self.line(text, 11, "B", 6)
        self.pdf.ln(1)

    def two_columns(self, items: Iterable[tuple[str, str]], width: float) -> None:
        """Write pairs of a name and a text in two columns without lines, a row each.

        ``width`` is that of the names, in mm; the texts have the rest of the page.
        """
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
                row.cell(self.printable(name))
                row.cell(self.printable(value))
