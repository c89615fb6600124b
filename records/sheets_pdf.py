"""Score sheets as a PDF on A4, with the fonts in it; the same bytes for the same sheets.

The fonts are DejaVu's, which come with matplotlib; they have the signs of most alphabets and none of Chinese, Japanese
or Korean. A sign no font has is written as its code point, such as U+5F20, so that nothing is lost.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from cartulary.records.faults import Unfit
from cartulary.records.sheets import Cell, ScoreSheet
from cartulary.records.sheets_text import cells, columns, facts, heading, parts, proof, signatures

if TYPE_CHECKING:
    from fpdf import FPDF

_MISSING = "A PDF needs the libraries fpdf2, uharfbuzz and matplotlib: pip install 'cartulary[pictures]'."
_FACES = (("text", "", "Sans"), ("text", "B", "Sans-Bold"), ("word", "", "SansMono"), ("word", "B", "SansMono-Bold"))
_MARGIN, _LINE, _ROOM = 15.0, 4.6, 14.0
"""In millimetres: of the page, of a line of text, and of the room for a signature."""
_GREY = 90


def pdf(sheets: Sequence[ScoreSheet], fonts: Sequence[Path] = ()) -> tuple[bytes, tuple[str, ...]]:
    """Return a PDF of these sheets, each from a page of its own, and the signs no font has.

    fonts: font files for what DejaVu has no signs for
    Raises Unfit where the libraries are missing, and for a font file that is none.
    """
    paper = _Paper(sheets, fonts)
    for sheet in sheets:
        paper.put(sheet)
    return paper.done()


def _document(running: list[str]) -> "FPDF":
    """Return an A4 document that numbers its pages. running: what stands above the further pages of a sheet"""
    try:
        from fpdf import FPDF
    except ImportError:
        raise Unfit(_MISSING) from None

    class Document(FPDF):
        """A document with the library's two hooks."""

        def header(self) -> None:
            """Say on each further page of a sheet which one it is."""
            if running:
                self.set_font("text", "", 8)
                self.cell(0, 4, running[0], new_x="LMARGIN", new_y="NEXT")
                self.ln(2)

        def footer(self) -> None:
            """Number the page."""
            self.set_y(-11)
            self.set_font("text", "", 8)
            self.cell(0, 4, f"{self.page_no()} / {{nb}}", align="R")

    return Document("P", "mm", "A4")


def _fonts_at() -> Path:
    found = find_spec("matplotlib")
    if found is None or not found.submodule_search_locations:
        raise Unfit(_MISSING)
    return Path(found.submodule_search_locations[0], "mpl-data", "fonts", "ttf")


class _Paper:
    """The document while it is written; every text goes through ``_seen``."""

    def __init__(self, sheets: Sequence[ScoreSheet], fonts: Sequence[Path]) -> None:
        self.running: list[str] = []
        # The library warns of every table a font has and it does not keep.
        logging.getLogger("fontTools").setLevel(logging.ERROR)
        self.pdf = _document(self.running)
        self.pdf.set_margins(_MARGIN, _MARGIN)
        self.pdf.set_auto_page_break(True, _MARGIN)
        last = max((sheet.updated for sheet in sheets), default="")
        self.pdf.set_creation_date(datetime.fromisoformat(last) if last else datetime(2000, 1, 1, tzinfo=UTC))
        self.pdf.set_title("Score sheets" if len(sheets) > 1 else heading(sheets[0]))
        at = _fonts_at()
        for family, style, file in _FACES:
            self.pdf.add_font(family, style, at / f"DejaVu{file}.ttf")
        self._add(fonts)
        self._shape()
        self.signs = {sign for font in self.pdf.fonts.values() for sign in getattr(font, "cmap", ())}
        self.unseen: dict[str, None] = {}

    def _shape(self) -> None:
        """Let the letters of scripts such as Arabic and Hebrew join and run as they should."""
        from fpdf.errors import FPDFException

        try:
            self.pdf.set_text_shaping(True)
        except FPDFException:
            raise Unfit(_MISSING) from None

    def _add(self, fonts: Sequence[Path]) -> None:
        for number, path in enumerate(fonts):
            try:
                self.pdf.add_font(f"more{number}", "", path)
            except Exception as fault:
                raise Unfit(f"{path} cannot be used as a font: {fault}.") from None
        self.pdf.set_fallback_fonts(["text", *(f"more{number}" for number in range(len(fonts)))], exact_match=False)

    def _seen(self, text: str) -> str:
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

    def done(self) -> tuple[bytes, tuple[str, ...]]:
        """Return the bytes, and the signs no font has."""
        return bytes(self.pdf.output()), tuple(self.unseen)

    # --- one sheet ---

    def put(self, sheet: ScoreSheet) -> None:
        """Write a sheet, from the top of a page."""
        self.running.clear()
        self.pdf.add_page()
        self.running.append(self._seen(f"{heading(sheet)} · {sheet.title} · {sheet.id}"))
        self.pdf.start_section(self._seen(f"{heading(sheet)}, {sheet.id}"))
        self._line(heading(sheet), 15, "B", 7)
        self._line(f"{sheet.title}, score sheet", 9, "", 5)
        self.pdf.ln(2)
        self._listed(facts(sheet), 34)
        self._title("Moves")
        self._plies(sheet)
        for part in parts(sheet):
            self._title(part.title)
            self._listed(part.items, 42)
        self._proof(sheet)
        self._signatures(signatures(sheet))

    def _line(self, text: str, size: float, style: str = "", height: float = _LINE, family: str = "text") -> None:
        self.pdf.set_font(family, style, size)
        self.pdf.multi_cell(0, height, self._seen(text), align="L", new_x="LMARGIN", new_y="NEXT")

    def _title(self, text: str) -> None:
        if self.pdf.will_page_break(20):
            self.pdf.add_page()
        self.pdf.ln(3)
        self._line(text, 11, "B", 6)
        self.pdf.ln(1)

    def _listed(self, items: Iterable[tuple[str, str]], width: float) -> None:
        """Write names and what they say in two columns, no line drawn."""
        self.pdf.set_font("text", "", 9)
        with self.pdf.table(
            col_widths=(width, self.pdf.epw - width),
            borders_layout="NONE",
            first_row_as_headings=False,
            line_height=_LINE,
            text_align="LEFT",
            v_align="TOP",
            padding=(0.2, 1),
        ) as table:
            for name, value in items:
                row = table.row()
                row.cell(self._seen(name))
                row.cell(self._seen(value))

    # --- plies ---

    def _plies(self, sheet: ScoreSheet) -> None:
        from fpdf.enums import TableBordersLayout
        from fpdf.fonts import FontFace

        titles = columns(sheet)
        self.pdf.set_font("word", "", 8.5)
        grey = self.pdf.set_draw_color
        grey(190)
        face = partial(FontFace, family="word")
        with self.pdf.table(
            col_widths=self._widths(sheet, len(titles)),
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            headings_style=FontFace(family="text", emphasis="BOLD", size_pt=8.5),
            line_height=_LINE,
            text_align="LEFT",
            v_align="TOP",
            padding=(0.4, 0.8),
        ) as table:
            table.row([self._seen(title) for title in titles])
            for each in sheet.rows:
                row = table.row()
                row.cell(each.number)
                texts = cells(sheet, each)
                span = len(titles) - 1 if each.across else 1
                for at, text in enumerate(texts):
                    cell = each.cells[at] if sheet.by_seat else each.cells[0]
                    row.cell(self._seen(text).replace(",", ",\u200b"), colspan=span, style=face(emphasis=_weight(cell)))
        grey(0)

    def _widths(self, sheet: ScoreSheet, number: int) -> tuple[float, ...]:
        whole = self.pdf.epw
        if sheet.by_seat:
            return (11, *((whole - 11) / (number - 1),) * (number - 1))
        fixed = (11.0, 12.0, 12.0)
        clock = (20.0,) * sheet.clocks
        return (*fixed, whole - sum(fixed) - sum(clock), *clock)

    # --- below ---

    def _proof(self, sheet: ScoreSheet) -> None:
        sentences = proof(sheet)
        if self.pdf.will_page_break(9 * _LINE):
            self.pdf.add_page()
        self.pdf.ln(4)
        top = self.pdf.get_y()
        self.pdf.ln(1.5)
        self.pdf.set_left_margin(_MARGIN + 2)
        for sentence in sentences:
            if sheet.head and sheet.head in sentence:
                self._line(sentence, 7.5, "", 4, "word")
            else:
                self._line(sentence, 9)
        self.pdf.set_left_margin(_MARGIN)
        self.pdf.rect(_MARGIN, top, self.pdf.epw, self.pdf.get_y() + 1.5 - top)
        self.pdf.ln(3)

    def _signatures(self, names: Sequence[str]) -> None:
        """Draw a line for each name, three side by side."""
        gap, across = 6.0, 3
        width = (self.pdf.epw - gap * (across - 1)) / across
        if self.pdf.will_page_break(_ROOM + 20):
            self.pdf.add_page()
        self._title("Signatures")
        for start in range(0, len(names), across):
            if self.pdf.will_page_break(_ROOM + 3 * _LINE):
                self.pdf.add_page()
            top = self.pdf.get_y() + _ROOM
            lowest = top
            self.pdf.set_font("text", "", 8)
            for place, name in enumerate(names[start : start + across]):
                left = _MARGIN + place * (width + gap)
                self.pdf.line(left, top, left + width, top)
                self.pdf.set_xy(left, top + 0.5)
                self.pdf.multi_cell(width, 4, self._seen(name), align="L", new_x="LMARGIN", new_y="NEXT")
                lowest = max(lowest, self.pdf.get_y())
            self.pdf.set_y(lowest)


def _weight(cell: Cell | None) -> str:
    return "BOLD" if cell is not None and cell.severity == "error" else ""
