"""Laying a card table out for a drawing: seats one below the other, their cards in named groups, on a phone's width."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from cartulary.notation.card_faces import card_symbol
from cartulary.notation.drawing import Drawing, Item

COLUMNS = 62
CARD = (7, 11)
"""Columns and rows of a card."""
UNIT = (6, 5)
LINE = 3
"""Rows of a line of words."""
PLATE = (24, 5)
"""Columns and rows of the plate with a seat's name."""
CLOSEST = 4
"""How many columns of a card the next one leaves free at least."""
NO_SUITS: Mapping[str, str] = {}
_LETTER = 8


def columns_of(text: str) -> int:
    """Return how many columns a line of words takes."""
    return -(-len(text) * _LETTER // UNIT[0])


class Table:
    """A drawing that is laid out from top to bottom: lines of words, seats, and groups of cards side by side.

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
        self._high = 0
        self._counts = Counter[str]()

    def say(self, text: str) -> None:
        """Put words below what is laid, wrapped to the width of a phone; further lines begin with two blanks."""
        self.end()
        line, letters = "", COLUMNS * UNIT[0] // _LETTER
        for word in text.split(" "):
            if line and len(line) + 1 + len(word) > letters:
                self._line(line)
                line = "  "
            line = f"{line} {word}" if line.strip() else line + word
        self._line(line)

    def _line(self, text: str) -> None:
        """Put one line of words, as it is, below what is laid; the next thing goes below it."""
        self.items.append(Item(f"line {self.row}", text, (0, self.row), "frame", size=(1, LINE)))
        self.row += LINE

    def seat(self, who: str, facts: str = "", *, turn: bool = False, name: str = "") -> None:
        """Begin a seat: the plate with its name, and what holds for it as words beside it, or below if they are long.

        Args:
            who: The seat, such as ``p1``.
            facts: What holds for it.
            turn: Whether it is its turn.
            name: What stands on the plate; empty for the seat.
        """
        self.end()
        self.row += 1
        name = name or who
        label = f"{name}, whose turn it is" if turn else name
        role = f"{who} speaks" if turn else who
        self.items.append(Item(f"plate {name}", name, (0, self.row), role, label, "plate", PLATE))
        beside = PLATE[0] + 1 + columns_of(facts) <= COLUMNS
        place = (PLATE[0] + 1, self.row + 1) if beside else (0, self.row + PLATE[1])
        if facts:
            self.items.append(Item(f"facts {name}", facts, place, "frame", size=(1, LINE)))
        self.row += PLATE[1] + (0 if beside else LINE) + 1

    def lay(
        self,
        caption: str,
        names: Sequence[str],
        role: str,
        where: str,
        unknown: int = 0,
        *,
        of: str = "",
        wide: int = 0,
    ) -> None:
        """Put a group of cards beside the last one, or below if there is no room; unknown cards are one card back.

        Cards that have no room beside each other overlap. Nothing is put if there are no cards.

        Args:
            caption: What stands above the group.
            names: The known cards.
            role: The role they are styled by.
            where: Where they lie, such as ``in p1's hand``.
            unknown: How many unknown cards follow.
            of: The owner of the deck, where there are several.
            wide: The columns that it takes at least.
        """
        cards = [self.card(name, role, f"{name} {where}", of=of) for name in names]
        if unknown > 0:
            cards.append(self.back(str(unknown), role, f"{unknown} unknown {where}"))
        self.group(caption, cards, wide)

    def group(self, caption: str, cards: Sequence[Item], wide: int = 0) -> None:
        """Put cards side by side as one group under a caption; nothing if there are none.

        Args:
            caption: What stands above them.
            cards: The cards, which get their places here.
            wide: The columns that it takes at least.
        """
        rest = list(cards)
        while rest:
            fit = 1 + (COLUMNS - CARD[0]) // CLOSEST
            now, rest = rest[:fit], rest[fit:]
            needs = max(_needs(now), columns_of(caption) + 1, wide)
            if self.column and self.column + needs > COLUMNS:
                self.end()
            if caption:
                id = self.item_id(f"caption {caption} {cards[0].role}")
                self.items.append(Item(id, caption, (self.column, self.row), "frame", size=(1, LINE)))
            head = LINE if caption else 0
            deeper = self.put(now, self.column, self.row + head, COLUMNS - self.column)
            self._high = max(self._high, head + CARD[1] + deeper)
            self.column += min(needs, COLUMNS) + 1

    def put(self, cards: Sequence[Item], column: int, row: int, room: int) -> int:
        """Put cards side by side at a place, and return how many rows deeper they reach than one card.

        They overlap if they have no room. An equal card lies on the one before it, a row lower.

        Args:
            cards: The cards, without places.
            column: The column of the first.
            row: Their row.
            room: How many columns there are.
        """
        over = max(0, _needs(cards) - room)
        at = deeper = down = 0
        for number, card in enumerate(cards):
            if number:
                alike = _alike(cards[number - 1], card)
                down = down + 1 if alike else 0
                at += CLOSEST if alike else cards[number - 1].size[0]
            moved = over * number // (len(cards) - 1) if over else 0
            self.items.append(replace(card, place=(column + at - moved, row + down)))
            deeper = max(deeper, down)
        return deeper

    def card(self, name: str, role: str, label: str, *, look: str = "card", corner: str = "", of: str = "") -> Item:
        """Return a card that has no place yet.

        Args:
            name: The name of the card.
            role: The role it is styled by.
            label: What screen readers call it.
            look: How it looks, such as ``card`` or ``back``.
            corner: A small text on it.
            of: The owner of the deck, where there are several.
        """
        symbol = card_symbol(name, self.suits) if self.suits else name
        wide = max(CARD[0], columns_of(symbol) + 1)
        id = self.item_id(f"{name} {role if look == 'back' else of}".strip())
        return Item(id, symbol, (0, 0), role, label, look, (wide, CARD[1]), corner)

    def back(self, symbol: str, role: str, label: str) -> Item:
        """Return a card back that has no place yet, with a number or a word on it.

        Args:
            symbol: The number or word.
            role: The role it is styled by.
            label: What screen readers call it.
        """
        return Item(self.item_id(f"unknown {role}"), symbol, (0, 0), role, label, "back", CARD)

    def item_id(self, what: str) -> str:
        """Return an id for a thing: its name, and from the second thing of that name on also its number, ``7C 2``.

        Each call counts as one more thing.
        """
        self._counts[what] += 1
        return what if self._counts[what] == 1 else f"{what} {self._counts[what]}"

    def end(self) -> None:
        """End the row of cards, so that what follows is laid below it; nothing changes if no row is begun."""
        self.row += self._high
        self.column = self._high = 0

    def drawing(self) -> Drawing:
        """Return the finished drawing, at least one line high."""
        self.end()
        return Drawing((self.columns, max(self.row, LINE)), tuple(self.items), UNIT)


def _alike(one: Item, other: Item) -> bool:
    """Say whether two cards look the same and belong together."""
    return one.look == other.look == "card" and (one.symbol, one.role) == (other.symbol, other.role)


def _needs(cards: Sequence[Item]) -> int:
    """Return how many columns cards need side by side, equal ones on each other."""
    after = zip(cards[1:], cards, strict=False)
    steps = sum(CLOSEST if _alike(before, card) else before.size[0] for card, before in after)
    return steps + cards[-1].size[0] if cards else 0
