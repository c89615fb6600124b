"""Score sheets as a PDF on A4, with the fonts in it; the same bytes for the same sheets.

The fonts are DejaVu's, which come with matplotlib; they have the signs of most alphabets and none of Chinese, Japanese
or Korean. A sign no font has is written as its code point, such as U+5F20, so that nothing is lost.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cartulary.records.faults import Unfit
from cartulary.records.sheets.score_sheet import Cell, ScoreSheet
from cartulary.records.sheets.wording import cells, columns, facts, foot, heading, moves_title, parts, proof, signatures

if TYPE_CHECKING:
    from fpdf import FPDF

_MISSING = "A PDF needs the libraries fpdf2, uharfbuzz and matplotlib: pip install 'cartulary[pictures]'."
_FACES = (("text", "", "Sans"), ("text", "B", "Sans-Bold"), ("word", "", "SansMono"), ("word", "B", "SansMono-Bold"))
_MARGIN, _LINE, _ROOM = 15.0, 4.6, 14.0
"""In millimetres: of the page, of a line of text, and of the room for a signature."""
_GAP, _ACROSS, _THEN = 6.0, 3, 30.0
"""Between signatures, how many of them stand side by side, and the width of the column for what came of a row."""


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
        _measure_once(self.pdf)
        self.signs = {sign for font in self.pdf.fonts.values() for sign in getattr(font, "cmap", ())}
        self.unseen: dict[str, None] = {}
        self.feet: list[tuple[str, int, int]] = []

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
        self.pdf.set_auto_page_break(False)
        for number, below in enumerate(self.feet, 1):
            self._foot(number, *below)
        return bytes(self.pdf.output()), tuple(self.unseen)

    def _foot(self, number: int, text: str, page: int, pages: int) -> None:
        """Write the foot of a page, now that it is known how many its sheet has. number: in the document"""
        self.pdf.page = number
        self.pdf.set_font("text", "B", 7)  # what was set last is another page's
        self.pdf.set_font("word", "", 6.5)
        self.pdf.set_xy(_MARGIN, -11)
        self.pdf.cell(0, 4, text)
        self.pdf.set_font("text", "", 8)
        self.pdf.set_xy(_MARGIN, -11)
        self.pdf.cell(0, 4, f"page {page} of {pages}", align="R")

    # --- one sheet ---

    def put(self, sheet: ScoreSheet) -> None:
        """Write a sheet, from the top of a page."""
        self.running.clear()
        self.pdf.add_page()
        first = self.pdf.page_no()
        self.running.append(self._seen(f"{heading(sheet)} · {sheet.title} · {sheet.id}"))
        self.pdf.start_section(self._seen(f"{heading(sheet)}, {sheet.id}"))
        self._line(heading(sheet), 15, "B", 7)
        self._line(f"{sheet.title}, score sheet", 9, "", 5)
        self.pdf.ln(2)
        self._listed(facts(sheet), 34)
        self._title(moves_title(sheet))
        self._plies(sheet)
        for part in parts(sheet):
            self._title(part.title)
            self._listed(part.items, 42)
        self._together(sheet)
        pages = self.pdf.page_no() - first + 1
        self.feet += [(foot(sheet), page, pages) for page in range(1, pages + 1)]

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
                    cell = each.cells[min(at, len(each.cells) - 1)]
                    row.cell(self._seen(text).replace(",", ",\u200b"), colspan=span, style=face(emphasis=_weight(cell)))
        grey(0)

    def _widths(self, sheet: ScoreSheet, number: int) -> tuple[float, ...]:
        then = (_THEN,) * sheet.told
        whole = self.pdf.epw - sum(then)
        if sheet.by_seat:
            seats = number - 1 - len(then)
            return (11, *((whole - 11) / seats,) * seats, *then)
        fixed = (11.0, 12.0, 12.0)
        clock = (20.0,) * sheet.clocks
        return (*fixed, whole - sum(fixed) - sum(clock), *clock, *then)

    # --- below ---

    def _together(self, sheet: ScoreSheet) -> None:
        """Write how the sheet is proved and the lines to sign on the same page, so that who signs signs the head."""
        lines = sum(self._lines(sentence, self.pdf.epw - 2) for sentence in proof(sheet))
        names = signatures(sheet)
        rows = [names[start : start + _ACROSS] for start in range(0, len(names), _ACROSS)]
        room = sum(_ROOM + _LINE * max(self._lines(name, self._line_width()) for name in row) for row in rows)
        if self.pdf.will_page_break(4 + lines * _LINE + 6 + 10 + room):
            self.pdf.add_page()
        self._proof(sheet)
        self._title("Signatures")
        for row in rows:
            self._signatures(row)

    def _lines(self, text: str, width: float) -> int:
        """Return in how many lines a text stands in letters of the usual size."""
        self.pdf.set_font("text", "", 9)
        lines = self.pdf.multi_cell(width, _LINE, self._seen(text), dry_run=True, output="LINES")
        assert isinstance(lines, list)
        return len(lines)

    def _line_width(self) -> float:
        return (self.pdf.epw - _GAP * (_ACROSS - 1)) / _ACROSS

    def _proof(self, sheet: ScoreSheet) -> None:
        self.pdf.ln(4)
        top = self.pdf.get_y()
        self.pdf.ln(1.5)
        self.pdf.set_left_margin(_MARGIN + 2)
        for sentence in proof(sheet):
            if sheet.head and sheet.head in sentence:
                self._line(sentence, 7.5, "", 4, "word")
            else:
                self._line(sentence, 9)
        self.pdf.set_left_margin(_MARGIN)
        self.pdf.rect(_MARGIN, top, self.pdf.epw, self.pdf.get_y() + 1.5 - top)
        self.pdf.ln(3)

    def _signatures(self, names: Sequence[str]) -> None:
        """Draw a line for each name, side by side."""
        width = self._line_width()
        top = self.pdf.get_y() + _ROOM
        lowest = top
        self.pdf.set_font("text", "", 8)
        for place, name in enumerate(names):
            left = _MARGIN + place * (width + _GAP)
            self.pdf.line(left, top, left + width, top)
            self.pdf.set_xy(left, top + 0.5)
            self.pdf.multi_cell(width, 4, self._seen(name), align="L", new_x="LMARGIN", new_y="NEXT")
            lowest = max(lowest, self.pdf.get_y())
        self.pdf.set_y(lowest)


def _weight(cell: Cell | None) -> str:
    return "BOLD" if cell is not None and cell.severity == "error" else ""
