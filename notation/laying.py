"""Laying a card table out for a drawing: lines of words and rows of cards, one below the other, on a phone's width."""

from collections import Counter
from collections.abc import Iterable, Mapping

from cartulary.notation.drawing import Drawing, Item

COLUMNS = 20
CARD = (2, 2)
"""Columns and rows a card takes; its name fits in three signs."""
UNIT = (18, 15)
FRENCH = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
NO_SUITS: Mapping[str, str] = {}
_LETTERS = COLUMNS * UNIT[0] // 8
"""How many letters fit in a line."""


class Table:
    """A drawing while it is laid out, from above to below.

    A card's id is its name, wherever it lies, and whose deck it is of where there are several; the second of two is the
    second from above. What nobody knows is named by where it lies.
    columns: how many there are; a phone shows COLUMNS of them
    suits: by the letter a card's name ends with, what is drawn for it; none of the French ones where it is empty
    """

    def __init__(self, suits: Mapping[str, str] = NO_SUITS, columns: int = COLUMNS) -> None:
        self.suits, self.columns = suits, columns
        self.items: list[Item] = []
        self.row = self.column = 0
        self._counts = Counter[str]()

    def say(self, text: str) -> None:
        """Put words below what is laid, in as many lines as they need."""
        line = ""
        for word in text.split(" "):
            if line and len(line) + 1 + len(word) > _LETTERS:
                self._line(line)
                line = "  "
            line = f"{line} {word}" if line.strip() else line + word
        self._line(line)

    def _line(self, text: str) -> None:
        self.items.append(Item(f"line {self.row}", text, (0, self.row), "frame"))
        self.row += 1

    def lay(self, names: Iterable[str], role: str, where: str, hidden: int = 0, of: str = "") -> None:
        """Put cards below, from left to right, those nobody knows as one back with their number.

        where: ``in p1's hand``; of: whose deck they are of
        """
        self.end()
        for name in names:
            self.put(name, role, f"{name} {where}", of=of)
        if hidden > 0:
            self.put("unknown", role, f"{hidden} unknown {where}", look="back", symbol=str(hidden))
        self.end()

    def put(
        self, name: str, role: str, label: str, *, look: str = "card", symbol: str = "", corner: str = "", of: str = ""
    ) -> None:
        """Put one card beside the one before. corner: a small sign on it, such as who played it; of: whose deck"""
        symbol = symbol or self._symbol(name)
        wide = max(CARD[0] + bool(corner), -(-(len(symbol) * 8 + 8) // UNIT[0]))
        if self.column + wide > self.columns:
            self.column, self.row = 0, self.row + CARD[1]
        id = self.named(f"{name} {role if look == 'back' else of}".strip())
        place = (self.column, self.row)
        self.items.append(Item(id, symbol, place, role, label, look, (wide, CARD[1]), corner))
        self.column += wide

    def named(self, what: str) -> str:
        """Return the id of a thing: what it is, and which of them where one has been drawn already."""
        self._counts[what] += 1
        return what if self._counts[what] == 1 else f"{what} {self._counts[what]}"

    def _symbol(self, name: str) -> str:
        return name[0] + self.suits[name[1]] if len(name) == 2 and name[1] in self.suits else name

    def end(self) -> None:
        """End a row of cards that were put."""
        self.row += CARD[1] if self.column else 0
        self.column = 0

    def drawn(self) -> Drawing:
        """Return the drawing."""
        return Drawing((self.columns, max(self.row, 1)), tuple(self.items), UNIT)
