"""A reference card on A4: what the cards of a game do, and its rules, each with its source."""

from collections.abc import Sequence
from typing import Any

from cartulary.engine import Clause
from cartulary.notation import AnyGame, Drawing, Entry, Item, draw, loads, read_heading
from cartulary.notation.arbiter.lookup import clauses_of, reading, source_of
from cartulary.notation.guide import TableRow
from cartulary.records.sheets.paper import MARGIN, Paper

_SIZE, _HIGH = 8.0, 3.9
"""Of the letters in points, and of a line in millimetres."""
_MARK, _NAME = 24.0, 38.0
"""In millimetres, the columns of what a line rests on, and of what it is about."""
_FAMILY, _SHOWN = 6, 3
"""Of more cards than that the first and the last are named."""
_LEGEND = (
    "The page: the rules as published; our reading: a house ruling where they are silent or contradict themselves."
)


def reference_card(game: AnyGame, variant: str = "") -> bytes:
    """Return the reference card of a game as a PDF, with its board if a tag can spell one.

    The card lists what each card and piece does, and the rules.

    Args:
        game: The game.
        variant: The variant, which is not checked; empty for the first.

    Raises:
        Unfit: A library is missing.
    """
    paper = _Card(f"{game.about.title}: reference card", "")
    paper.write(game, variant or game.about.variants[0])
    return bytes(paper.pdf.output())


class _Card(Paper):
    """The document of a reference card."""

    def write(self, game: AnyGame, variant: str) -> None:
        """Write the whole card of a game in a variant: entries, charts, rules, and the board if a tag can spell one."""
        about = game.about
        self.pdf.add_page()
        self.running.append(self.printable(f"{about.title}: reference card"))
        self.line(about.title, 16, "B", 8)
        played = f", {variant}" if len(about.variants) > 1 else ""
        self.line(f"Reference card{played}; edition {about.edition}. {_LEGEND}", _SIZE, "", 4)
        entries = [entry for entry in about.guide.entries if clauses_of(game, entry, variant)]
        if entries:
            self.title("What each does")
            sources = [source_of(entry, clauses_of(game, entry, variant)) for entry in entries]
            lines = [
                (_entry_name(entry), entry.says, reading(source))
                for entry, source in zip(entries, sources, strict=True)
            ]
            self._write_table((_NAME, 0, _MARK), ("", "", "rests on"), lines)
            for title, rows in _charts(entries):
                self.title(title)
                more = len(rows[0]) - 1
                self._write_table((_NAME, *(0.0,) * more) if more else (0.0,), rows[0], rows[1:])
        self.title("Rules")
        rules = [clause for clause in game.rules.clauses if clause.holds_in(variant)]
        self._write_rules(game, [clause.in_variant(variant) for clause in rules])
        self._write_board(game)

    def _write_rules(self, game: AnyGame, clauses: Sequence[Clause[Any, Any]]) -> None:
        """Write the table of rules, each with its short key, its sentence and what it rests on; below it the published
        sources.
        """
        lines = [(clause.key.partition(".")[2], clause.says, reading(clause.source)) for clause in clauses]
        self._write_table((_NAME, 0, _MARK), ("", "", "rests on"), lines)
        self.pdf.ln(2)
        sources = dict.fromkeys(clause.source for clause in clauses if reading(clause.source) == "the page")
        if sources:
            self.line(f"The page: {'; '.join(sources)}.", _SIZE - 1, "", 3.4)

    def _write_table(self, widths: Sequence[float], head: TableRow, rows: Sequence[TableRow]) -> None:
        """Write a table whose first column is bold.

        Args:
            widths: The widths of the columns, in mm. At least one is 0: such columns share the room that is left.
            head: The heads of the columns.
            rows: The rows, with a text for each column.
        """
        from fpdf.enums import TableBordersLayout
        from fpdf.fonts import FontFace

        left = (self.pdf.epw - sum(widths)) / widths.count(0)
        self.pdf.set_font("text", "", _SIZE)
        self.pdf.set_draw_color(190)
        with self.pdf.table(
            col_widths=tuple(width or left for width in widths),
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            headings_style=FontFace(emphasis="BOLD"),
            line_height=_HIGH,
            text_align="LEFT",
            v_align="TOP",
            padding=(0.4, 0.8),
        ) as table:
            for row in (head, *rows):
                cells = table.row()
                for at, text in enumerate(row):
                    cells.cell(self.printable(text), style=None if at else FontFace(emphasis="BOLD"))
        self.pdf.set_draw_color(0)

    def _write_board(self, game: AnyGame) -> None:
        """Write a page with the squares of the first position, and small in each square what stands there.

        Nothing is written if no tag can spell the board, or if the drawing has no squares.
        """
        drawing = _first_drawing(game) if game.boards.tag else None
        squares = [item for item in drawing.items if item.look == "square"] if drawing else []
        if drawing is None or not squares:
            return
        self.running.clear()
        self.pdf.add_page()
        self.pdf.set_auto_page_break(False)
        self.line(f"{game.about.title}: the board, with every piece where it starts", 11, "B", 8)
        side = min(self.pdf.epw / drawing.size[0], (self.pdf.h - 3 * MARGIN) / drawing.size[1])
        corner = (MARGIN, self.pdf.get_y())
        bare = not any("dark" in item.role for item in squares)
        for item in sorted(squares, key=lambda item: "palace" in item.role):
            self._draw_square(item, side, corner, bare or "dark" in item.role)
        for item in drawing.items:
            if item.symbol:
                self._write_symbol(item, side, corner, item.place[1] == drawing.size[1] - 1)

    def _draw_square(self, item: Item, side: float, corner: tuple[float, float], dark: bool) -> None:
        """Draw the outline and the shade of a square.

        Args:
            item: The square; one of a palace has a thicker outline.
            side: The length of its side, in mm.
            corner: The upper left corner of the board, x and y in mm.
            dark: Whether it is shaded.
        """
        self.pdf.set_line_width(0.9 if "palace" in item.role else 0.2)
        self.pdf.set_fill_color(228 if dark else 255)
        x, y = item.place
        self.pdf.rect(corner[0] + x * side, corner[1] + y * side, side, side, style="DF")

    def _write_symbol(self, item: Item, side: float, corner: tuple[float, float], lowest: bool) -> None:
        """Write what stands on a square at its upper edge, or what stands beside the board.

        Args:
            item: The thing, which has a symbol.
            side: The length of a square's side, in mm.
            corner: The upper left corner of the board, x and y in mm.
            lowest: Whether it is in the lowest row of the drawing; a text beside the board is written higher there.
        """
        beside = item.look == "text"
        down = side / 2 - 2 if beside and not lowest else 0.8
        self.pdf.set_font("text", "", 9)
        self.pdf.set_xy(corner[0] + item.place[0] * side, corner[1] + item.place[1] * side + down)
        text = self.printable(f"{item.symbol} {item.corner}".strip())
        self.pdf.cell(side, 4, text, align="R" if item.look == "square" else "C")


def _first_drawing(game: AnyGame) -> Drawing | None:
    """Return the drawing of the first position, None if the game draws none or cannot be set up without further
    tags.
    """
    sheet = read_heading(loads(f'[Game "{game.about.title}"]\n\n*\n')[0]).sheet
    return draw(game.words, game.rules.setup(sheet), None) if sheet is not None and game.words.drawing else None


def _entry_name(entry: Entry) -> str:
    """Return the name of an entry followed by its cards; of more than six cards, the first three, ``…`` and the
    last.
    """
    cards = entry.cards if len(entry.cards) <= _FAMILY else (*entry.cards[:_SHOWN], "…", entry.cards[-1])
    return f"{entry.name} {' '.join(cards)}".strip()


def _charts(entries: Sequence[Entry]) -> list[tuple[str, list[TableRow]]]:
    """Return the tables of entries, each as a title and its rows, the column heads first.

    Entries with the same column heads share a table ``At a glance``. Entries without a table are left out.
    """
    alike: dict[TableRow, list[Entry]] = {}
    for entry in entries:
        if entry.table:
            alike.setdefault(entry.table[0], []).append(entry)
    charts = []
    for head, group in alike.items():
        if len(group) == 1 or not head[0]:
            rows = [head, *(row for entry in group for row in entry.table[1:])]
        else:
            rows = [("", *head), *((entry.name, *row) for entry in group for row in entry.table[1:])]
        charts.append((group[0].name if len(group) == 1 else "At a glance", rows))
    return charts
