"""Laying a card table out for a drawing: lines of words and rows of cards, one below the other, on a phone's width."""

from collections import Counter
from collections.abc import Iterable, Mapping

from cartulary.notation.card_faces import card_symbol
from cartulary.notation.drawing import Drawing, Item

COLUMNS = 20
CARD = (2, 2)
"""Columns and rows a card takes; its name fits in three signs."""
UNIT = (18, 15)
NO_SUITS: Mapping[str, str] = {}
_LETTERS = COLUMNS * UNIT[0] // 8
"""How many letters fit in a line."""


class Table:
    """A drawing that is laid out from top to bottom.

    The id of a card is its name, wherever it lies, with the owner of its deck if there are several decks; of two equal
    cards the lower one is the second. Unknown cards are named after where they lie.

    Attributes:
        suits: The symbol drawn for each letter that a card's name may end with; empty for letters as they are.
        columns: How many columns there are; a phone shows ``COLUMNS``.
    """

    def __init__(self, suits: Mapping[str, str] = NO_SUITS, columns: int = COLUMNS) -> None:
        self.suits, self.columns = suits, columns
        self.items: list[Item] = []
        self.row = self.column = 0
        self._counts = Counter[str]()

    def say(self, text: str) -> None:
        """Put words below what is laid, wrapped to the width of a phone; further lines begin with two blanks.

        A row of cards must have been ended before.
        """
        line = ""
        for word in text.split(" "):
            if line and len(line) + 1 + len(word) > _LETTERS:
                self._line(line)
                line = "  "
            line = f"{line} {word}" if line.strip() else line + word
        self._line(line)

    def _line(self, text: str) -> None:
        """Put one line of words, as it is, below what is laid; the next thing goes one row lower."""
        self.items.append(Item(f"line {self.row}", text, (0, self.row), "frame"))
        self.row += 1

    def lay(self, names: Iterable[str], role: str, where: str, unknown: int = 0, of: str = "") -> None:
        """Put a row of cards below, from left to right; unknown cards are one card back with their number.

        Args:
            names: The known cards.
            role: The role they are styled by.
            where: Where they lie, such as ``in p1's hand``.
            unknown: How many unknown cards follow.
            of: The owner of the deck, where there are several.
        """
        self.end()
        for name in names:
            self.put(name, role, f"{name} {where}", of=of)
        if unknown > 0:
            self.put("unknown", role, f"{unknown} unknown {where}", look="back", symbol=str(unknown))
        self.end()

    def put(
        self, name: str, role: str, label: str, *, look: str = "card", symbol: str = "", corner: str = "", of: str = ""
    ) -> None:
        """Put one card beside the last one, or below if the row is full.

        Args:
            name: The name of the card.
            role: The role it is styled by.
            label: What screen readers call it.
            look: How it looks, such as ``card`` or ``back``.
            symbol: What is drawn on it; empty for its name, its suit as a symbol.
            corner: A small text on it, such as who played it.
            of: The owner of the deck, where there are several.
        """
        symbol = symbol or self._symbol(name)
        wide = max(CARD[0] + bool(corner), -(-(len(symbol) * 8 + 8) // UNIT[0]))
        if self.column + wide > self.columns:
            self.column, self.row = 0, self.row + CARD[1]
        id = self.item_id(f"{name} {role if look == 'back' else of}".strip())
        place = (self.column, self.row)
        self.items.append(Item(id, symbol, place, role, label, look, (wide, CARD[1]), corner))
        self.column += wide

    def item_id(self, what: str) -> str:
        """Return an id for a thing: its name, and from the second thing of that name on also its number, ``7C 2``.

        Each call counts as one more thing.
        """
        self._counts[what] += 1
        return what if self._counts[what] == 1 else f"{what} {self._counts[what]}"

    def _symbol(self, name: str) -> str:
        """Return what is drawn on a card: its name, the letter of its suit as a symbol if the table has symbols."""
        return card_symbol(name, self.suits) if self.suits else name

    def end(self) -> None:
        """End the row of cards, so that what follows is laid below it; nothing changes if no row is begun."""
        self.row += CARD[1] if self.column else 0
        self.column = 0

    def drawing(self) -> Drawing:
        """Return the finished drawing, at least one row high; a row of cards must have been ended before."""
        return Drawing((self.columns, max(self.row, 1)), tuple(self.items), UNIT)
