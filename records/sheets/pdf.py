"""Score sheets as a PDF on A4; the same bytes for the same sheets."""

from collections.abc import Sequence
from functools import partial
from io import BytesIO
from pathlib import Path

from cartulary.notation.drawing import Drawing
from cartulary.notation.svg import view_box
from cartulary.records.sheets.paper import LINE, MARGIN, Paper
from cartulary.records.sheets.pixels import png
from cartulary.records.sheets.score_sheet import Cell, ScoreSheet
from cartulary.records.sheets.wording import cells, columns, facts, foot, heading, moves_title, parts, proof, signatures

_ROOM = 14.0
"""In millimetres: of the room for a signature."""
_PIXEL, _HIGHEST = 0.2, 75.0
"""In millimetres: of a pixel of a drawing, and how high a drawing is at most."""
_LEAST = 30.0
"""In millimetres: how high a drawing is at least that is made smaller for its sheet to stand on one page."""
_LONG = 60
"""How many characters of what came of a row stand in its column; more stand below the row, across the page."""
_GAP, _ACROSS, _THEN = 6.0, 3, 30.0
"""Between signatures, how many of them stand side by side, and the width of the column for what came of a row."""


def pdf(sheets: Sequence[ScoreSheet], fonts: Sequence[Path] = ()) -> tuple[bytes, tuple[str, ...]]:
    """Return a PDF of these sheets, each from a page of its own, and the signs no font has.

    fonts: font files for what DejaVu has no signs for
    Raises Unfit where the libraries are missing, and for a font file that is none.
    """
    paper = _Sheets(sheets, fonts)
    for sheet in sheets:
        paper.put(sheet)
    return paper.done()


class _Sheets(Paper):
    """Score sheets, one after another."""

    def __init__(self, sheets: Sequence[ScoreSheet], fonts: Sequence[Path]) -> None:
        last = max((sheet.updated for sheet in sheets), default="")
        super().__init__("Score sheets" if len(sheets) > 1 else heading(sheets[0]), last, fonts)
        self.feet: list[tuple[str, int, int]] = []

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
        self.pdf.set_xy(MARGIN, -11)
        self.pdf.cell(0, 4, text)
        self.pdf.set_font("text", "", 8)
        self.pdf.set_xy(MARGIN, -11)
        self.pdf.cell(0, 4, f"page {page} of {pages}", align="R")

    # --- one sheet ---

    def put(self, sheet: ScoreSheet) -> None:
        """Write a sheet, from the top of a page."""
        self.running.clear()
        self.pdf.add_page()
        first = self.pdf.page_no()
        self.running.append(self.seen(f"{heading(sheet)} · {sheet.title} · {sheet.id}"))
        self.pdf.start_section(self.seen(f"{heading(sheet)}, {sheet.id}"))
        self.line(heading(sheet), 15, "B", 7)
        self.line(f"{sheet.title}, score sheet", 9, "", 5)
        self.pdf.ln(2)
        self.listed(facts(sheet), 34)
        if sheet.drawing is not None:
            self._drawn(sheet.drawing, f"{sheet.title}, the last position", self._left(sheet))
        self.title(moves_title(sheet))
        self._plies(sheet)
        for part in parts(sheet):
            self.title(part.title)
            self.listed(part.items, 42)
        self._together(sheet)
        pages = self.pdf.page_no() - first + 1
        self.feet += [(foot(sheet), page, pages) for page in range(1, pages + 1)]

    def _left(self, sheet: ScoreSheet) -> float:
        """Return about how much of the page a sheet leaves for its drawing; the most where that is too little."""
        listed = sum(sum(1 for _ in part.items) * (LINE + 0.4) + 10 for part in parts(sheet))
        left = self.pdf.eph + MARGIN - self.pdf.get_y() - (len(sheet.rows) + 1) * (LINE + 0.8) - listed
        left -= self._signing(sheet) + 13
        return left if _LEAST <= left < _HIGHEST else _HIGHEST

    def _drawn(self, drawing: Drawing, title: str, most: float) -> None:
        """Put a drawing, as large as it is on a screen, or as large as there is room for. most: how high it may be"""
        wide, high = (_PIXEL * side for side in view_box(drawing))
        fits = min(1.0, self.pdf.epw / wide, most / high)
        if self.pdf.will_page_break(fits * high + 2):
            self.pdf.add_page()
        self.pdf.ln(2)
        self.pdf.image(BytesIO(png(drawing, title)), w=fits * wide, h=fits * high, alt_text=self.seen(title))

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
            line_height=LINE,
            text_align="LEFT",
            v_align="TOP",
            padding=(0.4, 0.8),
        ) as table:
            table.row([self.seen(title) for title in titles])
            for each in sheet.rows:
                row = table.row()
                row.cell(each.number)
                texts = cells(sheet, each)
                below = texts[-1] if sheet.told and not each.across and len(texts[-1]) > _LONG else ""
                texts = (*texts[:-1], "") if below else texts
                span = len(titles) - 1 if each.across else 1
                for at, text in enumerate(texts):
                    cell = each.cells[min(at, len(each.cells) - 1)]
                    row.cell(self.seen(text).replace(",", ",\u200b"), colspan=span, style=face(emphasis=_weight(cell)))
                if below:
                    row = table.row()
                    row.cell("")
                    row.cell(self.seen(below), colspan=len(titles) - 1)
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
        if self.pdf.will_page_break(self._signing(sheet)):
            self.pdf.add_page()
        self._proof(sheet)
        self.title("Signatures")
        names = signatures(sheet)
        for start in range(0, len(names), _ACROSS):
            self._signatures(names[start : start + _ACROSS])

    def _signing(self, sheet: ScoreSheet) -> float:
        """Return how high the proof of a sheet and the lines to sign stand."""
        lines = sum(self._lines(sentence, self.pdf.epw - 2) for sentence in proof(sheet))
        names = signatures(sheet)
        rows = [names[start : start + _ACROSS] for start in range(0, len(names), _ACROSS)]
        room = sum(_ROOM + LINE * max(self._lines(name, self._line_width()) for name in row) for row in rows)
        return 4 + lines * LINE + 6 + 10 + room

    def _lines(self, text: str, width: float) -> int:
        """Return in how many lines a text stands in letters of the usual size."""
        self.pdf.set_font("text", "", 9)
        lines = self.pdf.multi_cell(width, LINE, self.seen(text), dry_run=True, output="LINES")
        assert isinstance(lines, list)
        return len(lines)

    def _line_width(self) -> float:
        return (self.pdf.epw - _GAP * (_ACROSS - 1)) / _ACROSS

    def _proof(self, sheet: ScoreSheet) -> None:
        self.pdf.ln(4)
        top = self.pdf.get_y()
        self.pdf.ln(1.5)
        self.pdf.set_left_margin(MARGIN + 2)
        for sentence in proof(sheet):
            if sheet.head and sheet.head in sentence:
                self.line(sentence, 7.5, "", 4, "word")
            else:
                self.line(sentence, 9)
        self.pdf.set_left_margin(MARGIN)
        self.pdf.rect(MARGIN, top, self.pdf.epw, self.pdf.get_y() + 1.5 - top)
        self.pdf.ln(3)

    def _signatures(self, names: Sequence[str]) -> None:
        """Draw a line for each name, side by side."""
        width = self._line_width()
        top = self.pdf.get_y() + _ROOM
        lowest = top
        self.pdf.set_font("text", "", 8)
        for place, name in enumerate(names):
            left = MARGIN + place * (width + _GAP)
            self.pdf.line(left, top, left + width, top)
            self.pdf.set_xy(left, top + 0.5)
            self.pdf.multi_cell(width, 4, self.seen(name), align="L", new_x="LMARGIN", new_y="NEXT")
            lowest = max(lowest, self.pdf.get_y())
        self.pdf.set_y(lowest)


def _weight(cell: Cell | None) -> str:
    return "BOLD" if cell is not None and cell.severity == "error" else ""
