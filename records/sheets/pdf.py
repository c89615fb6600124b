"""Score sheets as a PDF on A4; the same bytes for the same sheets."""

import re
from collections.abc import Sequence
from functools import partial
from io import BytesIO
from pathlib import Path

from cartulary.notation.drawing import Drawing
from cartulary.notation.svg import view_box
from cartulary.records.sheets.paper import LINE, MARGIN, Paper
from cartulary.records.sheets.pixels import png
from cartulary.records.sheets.score_sheet import Cell, ScoreSheet
from cartulary.records.sheets.wording import (
    below,
    cells,
    columns,
    facts,
    foot,
    gain_text,
    heading,
    moves_title,
    parts,
    proof,
    signatures,
)

_ROOM = 14.0
"""In millimetres: of the room for a signature."""
_PIXEL, _HIGHEST = 0.2, 75.0
"""In millimetres: of a pixel of a drawing, and how high a drawing is at most."""
_LEAST = 30.0
"""In millimetres: how high a drawing is at least that is made smaller for its sheet to stand on one page."""
_LIST_COMMA = re.compile(r",(?=\S)")
"""A comma of a long word, after which a line may end."""
_LONG = 60
"""How many characters of what came of a row stand in its column; more stand below the row, across the page."""
_GAP, _ACROSS, _THEN = 6.0, 3, 42.0
"""Between signatures, how many of them stand side by side, and the width of the column for what came of a row."""


def pdf(sheets: Sequence[ScoreSheet], fonts: Sequence[Path] = ()) -> tuple[bytes, tuple[str, ...]]:
    """Return score sheets as a PDF, each on pages of its own, and the characters that no font has.

    Args:
        sheets: At least one sheet.
        fonts: Font files for what DejaVu has no characters for.

    Returns:
        The bytes, and each missing character once, in the order in which they came; the PDF has their code points.

    Raises:
        Unfit: A library is missing, or a font file cannot be used.
    """
    paper = _Sheets(sheets, fonts)
    for sheet in sheets:
        paper.write(sheet)
    return paper.output()


class _Sheets(Paper):
    """A document of score sheets. ``feet`` has for each page its foot line, its page number and the number of pages."""

    def __init__(self, sheets: Sequence[ScoreSheet], fonts: Sequence[Path]) -> None:
        last = max((sheet.last_written for sheet in sheets), default="")
        super().__init__("Score sheets" if len(sheets) > 1 else heading(sheets[0]), last, fonts)
        self.feet: list[tuple[str, int, int]] = []

    def output(self) -> tuple[bytes, tuple[str, ...]]:
        """Write the foot of each page, and return the bytes and the characters that no font has. Nothing can be written
        after it.
        """
        self.pdf.set_auto_page_break(False)
        for number, foot_line in enumerate(self.feet, 1):
            self._write_foot(number, *foot_line)
        return bytes(self.pdf.output()), tuple(self.missing)

    def _write_foot(self, number: int, text: str, page: int, pages: int) -> None:
        """Write the foot of a page: a text on the left, and ``page 2 of 3`` on the right.

        Args:
            number: The number of the page in the document, from 1.
            text: The text.
            page: Its number in its sheet, from 1.
            pages: How many pages the sheet has.
        """
        self.pdf.page = number
        self.pdf.set_font("text", "B", 7)  # what was set last is another page's
        self.pdf.set_font("word", "", 6.5)
        self.pdf.set_xy(MARGIN, -11)
        self.pdf.cell(0, 4, text)
        self.pdf.set_font("text", "", 8)
        self.pdf.set_xy(MARGIN, -11)
        self.pdf.cell(0, 4, f"page {page} of {pages}", align="R")

    # --- one sheet ---

    def write(self, sheet: ScoreSheet) -> None:
        """Write a sheet, from the top of a new page, and note the foot lines of its pages for ``output``."""
        self.running.clear()
        self.pdf.add_page()
        first = self.pdf.page_no()
        self.running.append(self.printable(f"{heading(sheet)} · {sheet.title} · {sheet.id}"))
        self.pdf.start_section(self.printable(f"{heading(sheet)}, {sheet.id}"))
        self.line(heading(sheet), 15, "B", 7)
        self.line(f"{sheet.title}, score sheet", 9, "", 5)
        self.pdf.ln(2)
        self.two_columns(facts(sheet), 34)
        if sheet.drawing is not None:
            self._write_drawing(sheet.drawing, f"{sheet.title}, the last position", self._room_for_drawing(sheet))
        self.title(moves_title(sheet))
        self._write_plies(sheet)
        for part in parts(sheet):
            self.title(part.title)
            self.two_columns(part.items, 42)
        self._write_end(sheet)
        pages = self.pdf.page_no() - first + 1
        self.feet += [(foot(sheet), page, pages) for page in range(1, pages + 1)]

    def _room_for_drawing(self, sheet: ScoreSheet) -> float:
        """Return how high a drawing may be, in mm, so that the sheet fits on the page if that is possible.

        If less than ``_LEAST`` would be left for it, it may be as high as any other and the sheet takes another page.
        """
        height_of_parts = sum(sum(1 for _ in part.items) * (LINE + 0.4) + 10 for part in parts(sheet))
        room = self.pdf.eph + MARGIN - self.pdf.get_y() - (len(sheet.rows) + 1) * (LINE + 0.8) - height_of_parts
        room -= self._end_height(sheet) + 13
        return room if _LEAST <= room < _HIGHEST else _HIGHEST

    def _write_drawing(self, drawing: Drawing, title: str, most: float) -> None:
        """Write a drawing, as large as on a screen or as there is room for; ``most`` is its greatest height in mm.

        ``title`` says what it shows, for those who cannot see it. It goes on a new page if this one has too little
        room.
        """
        wide, high = (_PIXEL * side for side in view_box(drawing))
        fits = min(1.0, self.pdf.epw / wide, most / high)
        if self.pdf.will_page_break(fits * high + 2):
            self.pdf.add_page()
        self.pdf.ln(2)
        self.pdf.image(BytesIO(png(drawing, title)), w=fits * wide, h=fits * high, alt_text=self.printable(title))

    # --- plies ---

    def _write_plies(self, sheet: ScoreSheet) -> None:
        """Write the table of plies, with errors in bold. A long outcome stands in a row of its own, across the page."""
        from fpdf.enums import TableBordersLayout
        from fpdf.fonts import FontFace

        titles = columns(sheet)
        self.pdf.set_font("word", "", 8.5)
        grey = self.pdf.set_draw_color
        grey(190)
        face = partial(FontFace, family="word")
        with self.pdf.table(
            col_widths=self._column_widths(sheet, len(titles)),
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            headings_style=FontFace(family="text", emphasis="BOLD", size_pt=8.5),
            line_height=LINE,
            text_align="LEFT",
            v_align="TOP",
            padding=(0.4, 0.8),
        ) as table:
            table.row([self.printable(title) for title in titles])
            for sheet_row in sheet.rows:
                row = table.row()
                row.cell(sheet_row.number)
                texts = cells(sheet, sheet_row)
                text_below = below(sheet_row)
                if sheet.has_outcomes and not sheet_row.across and len(texts[-1]) > _LONG:
                    text_below, texts = texts[-1], (*texts[:-1], "")
                span = len(titles) - 1 if sheet_row.across and not sheet_row.gains else 1
                for at, text in enumerate(texts):
                    cell = sheet_row.cells[min(at, len(sheet_row.cells) - 1)]
                    row.cell(
                        _LIST_COMMA.sub(",\u200b", self.printable(text)),
                        colspan=span,
                        style=face(emphasis=_weight(cell)),
                    )
                if text_below:
                    row = table.row()
                    row.cell("")
                    row.cell(self.printable(text_below), colspan=len(titles) - 1)
            if sheet.sums:
                row = table.row()
                row.cell("Sum")
                for points in sheet.sums:
                    row.cell(gain_text(points), style=face(emphasis="BOLD"))
        grey(0)

    def _column_widths(self, sheet: ScoreSheet, number: int) -> tuple[float, ...]:
        """Return the widths of the columns of the table of plies, in mm; ``number`` is how many there are."""
        outcome = (_THEN,) * sheet.has_outcomes
        room = self.pdf.epw - sum(outcome)
        if sheet.by_seat:
            seats = number - 1 - len(outcome)
            return (11, *((room - 11) / seats,) * seats, *outcome)
        fixed = (11.0, 12.0, 12.0)
        clock = (20.0,) * sheet.clocks
        return (*fixed, room - sum(fixed) - sum(clock), *clock, *outcome)

    # --- below ---

    def _write_end(self, sheet: ScoreSheet) -> None:
        """Write the proof and the lines to sign on one page, a new one if need be, so that whoever signs can see the
        head.
        """
        if self.pdf.will_page_break(self._end_height(sheet)):
            self.pdf.add_page()
        self._write_proof(sheet)
        self.title("Signatures")
        names = signatures(sheet)
        for start in range(0, len(names), _ACROSS):
            self._write_signatures(names[start : start + _ACROSS])

    def _end_height(self, sheet: ScoreSheet) -> float:
        """Return how much height the proof and the lines to sign will take, in mm; nothing is written."""
        lines = sum(self._line_count(sentence, self.pdf.epw - 2) for sentence in proof(sheet))
        names = signatures(sheet)
        rows = [names[start : start + _ACROSS] for start in range(0, len(names), _ACROSS)]
        room = sum(_ROOM + LINE * max(self._line_count(name, self._signature_width()) for name in row) for row in rows)
        return 4 + lines * LINE + 6 + 10 + room

    def _line_count(self, text: str, width: float) -> int:
        """Return how many lines a text takes in a column of this width in mm, at 9 points; nothing is written."""
        self.pdf.set_font("text", "", 9)
        lines = self.pdf.multi_cell(width, LINE, self.printable(text), dry_run=True, output="LINES")
        assert isinstance(lines, list)
        return len(lines)

    def _signature_width(self) -> float:
        """Return the width of a line to sign, in mm, of which ``_ACROSS`` stand side by side."""
        return (self.pdf.epw - _GAP * (_ACROSS - 1)) / _ACROSS

    def _write_proof(self, sheet: ScoreSheet) -> None:
        """Write the sentences on how the sheet can be checked, in a frame."""
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

    def _write_signatures(self, names: Sequence[str]) -> None:
        """Draw a line for each name, with the name below it, side by side; ``names`` are at most ``_ACROSS``."""
        width = self._signature_width()
        top = self.pdf.get_y() + _ROOM
        lowest = top
        self.pdf.set_font("text", "", 8)
        for place, name in enumerate(names):
            left = MARGIN + place * (width + _GAP)
            self.pdf.line(left, top, left + width, top)
            self.pdf.set_xy(left, top + 0.5)
            self.pdf.multi_cell(width, 4, self.printable(name), align="L", new_x="LMARGIN", new_y="NEXT")
            lowest = max(lowest, self.pdf.get_y())
        self.pdf.set_y(lowest)


def _weight(cell: Cell | None) -> str:
    """Return the style of a cell for the font: ``BOLD`` for a ply that breaks a rule, empty for others and for no
    cell.
    """
    return "BOLD" if cell is not None and cell.severity == "error" else ""
