"""A card table for a drawing: seats around the trick in the middle, and below it the hands as fans of cards.

Any game of tricks fills in a ``CardTable`` from what a seat may see; where a card lies depends on nothing else.
"""

from collections.abc import Iterator, Mapping
from math import cos, pi, sin

from msgspec import Struct

from cartulary.notation.card_faces import card_symbol
from cartulary.notation.drawing import Drawing, Item

UNIT = (6, 5)
"""The width of a column and the height of a row, in pixels."""
COLUMNS = 62
CARD = (8, 13)
"""Columns and rows of a card that lies free or in a fan."""
PLATE = (14, 6)
"""Columns and rows of the plate with a seat's name."""
FELT = 44
"""Rows of the middle of the table."""
IN_ROW = 9
"""How many cards of a fan lie in one row."""
LOW_CARD, LOW_IN_ROW = (6, 8), 10
"""Columns and rows of a card where several hands are drawn, and how many of them lie in one row."""
BAR, LEAST = 4, 6
"""Rows of the bar above a fan, and those below all fans at least."""
LINE = 3
"""Rows of a line of words."""
_LETTERS = COLUMNS * UNIT[0] // 8

_AROUND: Mapping[int, tuple[tuple[str, int, int], ...]] = {
    2: (("below", 31, 44), ("above", 31, 0)),
    3: (("below", 31, 44), ("right", 62, 16), ("left", 0, 16)),
    4: (("below", 31, 44), ("right", 62, 22), ("above", 31, 0), ("left", 0, 22)),
    5: (("below", 31, 44), ("right", 62, 27), ("above", 43, 0), ("above", 19, 0), ("left", 0, 27)),
}
"""By the number of seats, from the one below to its right hand: on which edge a seat sits, and where."""


class CardPlace(Struct, frozen=True):
    """A seat at a card table, as far as the viewer knows it.

    Attributes:
        cards: The known cards of its hand, in order.
        unknown: How many more cards it has.
        fact: What stands below its name, such as its bid.
        turn: Whether it is to play or to speak.
        deals: Whether it deals.
        attacks: Whether it plays against the others, as a declarer or taker does.
    """

    cards: tuple[str, ...] = ()
    unknown: int = 0
    fact: str = ""
    turn: bool = False
    deals: bool = False
    attacks: bool = False


class CardsAside(Struct, frozen=True):
    """Cards that belong to no hand, such as a talon or what was put away.

    Attributes:
        name: What they are called.
        where: Where they lie, for screen readers: ``in the talon``.
        cards: The known ones, in order.
        unknown: How many more there are.
    """

    name: str
    where: str
    cards: tuple[str, ...] = ()
    unknown: int = 0


class CardTable(Struct, frozen=True):
    """A card table as a viewer sees it.

    Attributes:
        places: The seats in order.
        trick: The cards in the middle as (seat, card), in the order played; ``~`` for one that nobody wrote down.
        trick_name: What stands beside them, such as ``trick 5``.
        suit_led: The suit that was led, by its sign; empty for none.
        winner: The seat that has taken this trick, 0 while it is open.
        aside: Cards that belong to no hand; None if there are none.
        lines: Lines of words below everything.
        suits: What is drawn for each letter that ends a card's name.
        clockwise: Whether the next seat sits to the left.
        trumps: The suit of trumps, by its sign; empty if there are none, or if every table of the game has the same.
    """

    places: tuple[CardPlace, ...]
    trick: tuple[tuple[int, str], ...] = ()
    trick_name: str = ""
    suit_led: str = ""
    winner: int = 0
    aside: CardsAside | None = None
    lines: tuple[str, ...] = ()
    suits: Mapping[str, str] = {}
    clockwise: bool = True
    trumps: str = ""


def drawn_table(table: CardTable, below: int = 1) -> Drawing:
    """Return a card table as a drawing.

    Args:
        table: The table.
        below: The seat that is drawn below, that of the viewer.
    """
    items = [Item("felt", "", (0, 0), "frame", look="felt", size=(COLUMNS, FELT))]
    items += _seats(table, below)
    items += _middle(table, below)
    row = FELT + 1
    for fan in _fans(table):
        drawn, row = _fan(table, fan, row)
        items += drawn
    lines = [*_wrapped(table.lines)]
    high = max(LINE * len(lines), LEAST)
    items.append(Item("bar lines", "", (0, row), "frame", look="bar", size=(COLUMNS, high)))
    for at, text in enumerate(lines):
        items.append(Item(f"line {at}", text, (0, row + LINE * at), "frame", size=(1, LINE)))
    return Drawing((COLUMNS, row + high), tuple(items), UNIT)


# --- the seats and the middle ---


def _spots(table: CardTable, below: int) -> Iterator[tuple[int, str, int, int]]:
    """Yield for each seat, from the one below on, the edge at which it sits and the middle of its plate there.

    Each is (seat, edge, column, row); an edge is ``below``, ``left``, ``above`` or ``right``.
    """
    count = len(table.places)
    step = -1 if table.clockwise else 1
    for at in range(count):
        seat = (below - 1 + step * at) % count + 1
        if count in _AROUND:
            yield (seat, *_AROUND[count][at])
        else:
            angle = 2 * pi * at / count
            edge = "below" if at == 0 else "above" if cos(angle) < -0.5 else "right" if sin(angle) > 0 else "left"
            column = {"right": COLUMNS, "left": 0}.get(edge, round(31 + 24 * sin(angle)))
            yield seat, edge, column, 44 if edge == "below" else 0 if edge == "above" else round(22 + 16 * cos(angle))


def _seats(table: CardTable, below: int) -> Iterator[Item]:
    """Yield the items of each seat: its plate, the dealer's mark, and a card back with the number of unknown cards.

    ``below`` is the seat that is drawn below.
    """
    wide, high = PLATE
    for seat, edge, column, row in _spots(table, below):
        place, who = table.places[seat - 1], f"p{seat}"
        x = min(max(column - wide // 2, 0), COLUMNS - wide)
        y = min(max(row - high // 2, 0), FELT - high)
        role = f"{who}{' speaks' if place.turn else ''}{' attacks' if place.attacks else ''}"
        label = f"{who}, whose turn it is" if place.turn else who
        yield Item(f"plate {who}", who, (x, y), role, label, "plate", (wide, high), place.fact)
        if place.deals:
            beside = {"left": (x + 1, y - 3), "right": (x + wide - 4, y - 3)}.get(edge, (x + wide, y + 1))
            yield Item("dealer", "D", beside, "frame", f"{who} deals", "chip", (3, 3))
        if place.unknown:
            at = {"above": (x - 6, 0), "below": (x - 6, y), "right": (x + 1, y + 7), "left": (x + 8, y + 7)}[edge]
            label = f"{place.unknown} unknown in {who}'s hand"
            yield Item(f"unknown {who}", str(place.unknown), at, who, label, "back", (5, 6))


def _middle(table: CardTable, below: int) -> Iterator[Item]:
    """Yield the items of the trick, each card before its seat, with the winner, the leader, and what is known of it.

    Cards aside are here too if none of them is known.
    """
    wide, high = CARD
    spots = {seat: (edge, column, row) for seat, edge, column, row in _spots(table, below)}
    unknown = 0
    for at, (seat, card) in enumerate(table.trick):
        edge, column, row = spots[seat]
        x = {"left": PLATE[0] + 1, "right": COLUMNS - PLATE[0] - 1 - wide}.get(edge, column - wide // 2)
        y = {"above": PLATE[1] + 1, "below": FELT - PLATE[1] - 1 - high}.get(edge, row - high // 2)
        unknown += card == "~"
        id = card if card != "~" else f"~ {unknown}".removesuffix(" 1")
        who = f"p{seat}"
        yield Item(id, card_symbol(card, table.suits), (x, y), who, f"{card} of {who}", "card", CARD)
        if seat == table.winner:
            yield Item("winner", "", (x, y), "frame", f"{who} takes the trick", "winner", CARD)
        if at == 0:
            yield Item("leader", "1", (x + wide - 2, y - 1), "frame", f"{who} led", "chip", (3, 3))
    if table.trick_name:
        yield Item("trick", table.trick_name, (1, FELT - 4), "frame", size=(1, LINE))
    if table.suit_led:
        yield Item("led name", "led", (1, FELT - 14), "frame", size=(1, LINE))
        yield Item("led", table.suit_led, (1, FELT - 11), "frame", "the suit that was led", "suit", (6, 6))
    if table.trumps:
        yield Item("trumps", table.trumps, (COLUMNS - 8, FELT - 11), "frame", "the suit of trumps", "suit", (6, 6))
        yield Item("trumps name", "trumps", (COLUMNS - 9, FELT - 4), "frame", size=(1, LINE))
    aside = table.aside
    if aside is not None and aside.unknown and not aside.cards:
        label = f"{aside.unknown} unknown {aside.where}"
        yield Item("aside", aside.name, (COLUMNS - 12, 7), "frame", size=(1, LINE))
        yield Item("unknown aside", str(aside.unknown), (COLUMNS - 6, 1), "aside", label, "back", (5, 6))


# --- the fans ---


class _Fan(Struct, frozen=True):
    """Cards in rows below the table.

    Attributes:
        role: The role that its cards have: that of a seat, or ``aside``.
        name: What stands above them.
        label: What screen readers say after the name of a card.
        rows: The cards, row by row.
        high: For how many rows there is room.
        low: Whether its cards are low ones.
    """

    role: str
    name: str
    label: str
    rows: tuple[tuple[str, ...], ...]
    high: int
    low: bool


def _fans(table: CardTable) -> Iterator[_Fan]:
    """Yield the hands of which cards are known, all with the same number of rows, and then what lies aside.

    Seats without known cards have no fan. The cards of a single hand are large.
    """
    aside = table.aside if table.aside is not None and table.aside.cards else None
    shown = [(f"p{seat}", place.cards) for seat, place in enumerate(table.places, 1) if place.cards]
    low = len(shown) > 1
    in_row = LOW_IN_ROW if low else IN_ROW
    hands = [(who, _rows(cards, in_row)) for who, cards in shown]
    most = max((len(rows) for _, rows in hands), default=0)
    for who, rows in hands:
        yield _Fan(who, who, f"of {who}", rows, most, low)
    if aside is not None:
        rows = _rows(aside.cards, LOW_IN_ROW)
        yield _Fan("aside", aside.name, aside.where, rows, len(rows), True)


def _rows(cards: tuple[str, ...], in_row: int) -> tuple[tuple[str, ...], ...]:
    """Return cards as rows of at most ``in_row``, with each suit in one row as far as it has room there."""
    suits: dict[str, list[str]] = {}
    for card in cards:
        suits.setdefault("T" if len(card) > 2 else card[-1], []).append(card)
    parts = [suit[at : at + in_row] for suit in suits.values() for at in range(0, len(suit), in_row)]
    order = {id(part): at for at, part in enumerate(parts)}
    rows: list[list[list[str]]] = []
    for part in sorted(parts, key=len, reverse=True):
        row = next((row for row in rows if sum(map(len, row)) + len(part) <= in_row), None)
        if row is None:
            rows.append([part])
        else:
            row.append(part)
    for row in rows:
        row.sort(key=lambda part: order[id(part)])
    rows.sort(key=lambda row: order[id(row[0])])
    return tuple(tuple(card for part in row for card in part) for row in rows)


def _fan(table: CardTable, fan: _Fan, row: int) -> tuple[list[Item], int]:
    """Return the items of a fan that begins at a row, and the row below it."""
    size, in_row = (LOW_CARD, LOW_IN_ROW) if fan.low else (CARD, IN_ROW)
    high = BAR + size[1] * fan.high + 1
    items = [Item(f"bar {fan.role}", fan.name, (0, row), "frame", fan.name, "bar", (COLUMNS, high))]
    step = min(size[0], (COLUMNS - size[0]) / (in_row - 1))
    for line, cards in enumerate(fan.rows):
        for at, card in enumerate(cards):
            place = (round(at * step), row + BAR + size[1] * line)
            symbol = card_symbol(card, table.suits)
            items.append(Item(card, symbol, place, fan.role, f"{card} {fan.label}", "card", size))
    return items, row + high


def _wrapped(lines: tuple[str, ...]) -> Iterator[str]:
    """Yield lines of words, each cut at blanks into lines as wide as the table; further ones begin with two blanks."""
    for text in lines:
        line = ""
        for word in text.split(" "):
            if line and len(line) + 1 + len(word) > _LETTERS:
                yield line
                line = "  "
            line = f"{line} {word}" if line.strip() else line + word
        yield line
