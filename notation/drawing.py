"""A position as things in places, for whoever draws it: what lies where, and what it is called."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from textwrap import wrap
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.numbers import SEAT, seat_number
from cartulary.notation.cgn.controls import width
from cartulary.notation.picture import Picture, Span
from cartulary.notation.seat_names import LONGEST_NAME, is_named, name_seats, name_with_seat, seat_name

LOOKS = (
    *("text", "square", "piece", "figure", "card", "back", "pyramid", "note", "ring", "arrow", "place"),
    *("felt", "plate", "chip", "winner", "suit", "bar", "point", "line", "field"),
)
"""The looks of an item: words, a square of a board, a man (with the class ``disc`` a flat one, crowned if its sign is a
capital), a large sign, the face and the back of a card, a pyramid, a sentence in as many lines as it needs, a ring
around a place, an arrow to the place ``size`` away, a place where nothing lies yet; at a card table its middle, the
plate with a seat's name (``corner`` stands below it), a small round mark, the frame of the card that takes a trick, a
suit by its sign, and the ground of a fan of cards with its heading; on a board a point, a line from the middle of a
place to that of the place ``size`` away, and the ground."""
LETTER, LINE = 8, 17
"""The width of a letter and the height of a line of words, in pixels."""
LONGEST_CORNER = 8
"""The number of letters of a player's name for which the corner of a card has room."""
_OF_A_SEAT = re.compile(f"(> |  |){SEAT}((?:  | is to ).*|)")
POINTS = "unesw"
"""Upright, or lying and pointing away from the eye, to the right, towards it, to the left."""


BOARD_PLACES = ("square", "point")
"""The looks of a place of a board, whether or not something stands on it."""


class Item(Struct, frozen=True):
    """One thing of a drawing: a card, a piece, a square, a line of words.

    Attributes:
        id: The name that stays with the thing as long as it is there, wherever it goes.
        symbol: Its signs as text.
        place: Its column and row from the upper left, in units of the drawing.
        role: The role it is styled by: ``p1``, ``p2``, … for a seat's, ``frame``, ``empty`` and so on. A further
            class such as ``black`` may follow.
        label: Its name for screen readers.
        look: One of LOOKS.
        size: The columns and rows it takes.
        corner: A small sign in a corner, such as the seat that owns it.
        points: The direction in which a pyramid points: one of POINTS.
        large: The size of a pyramid, from 1 to 3.
    """

    id: str
    symbol: str
    place: tuple[int, int]
    role: str = ""
    label: str = ""
    look: str = "text"
    size: tuple[int, int] = (1, 1)
    corner: str = ""
    points: str = ""
    large: int = 3


class Drawing(Struct, frozen=True):
    """A position as things in places.

    Attributes:
        size: The number of columns and rows.
        items: The things, in the order in which they are drawn.
        unit: The width of a column and the height of a row, in pixels. Default: those of text.
    """

    size: tuple[int, int]
    items: tuple[Item, ...]
    unit: tuple[int, int] = (LETTER, LINE)


class Pictures(Protocol):
    """The part of ``Words`` that draws a position."""

    @property
    def picture(self) -> Callable[[Any, int | None], Picture]:
        """The function (state, seat) that returns a position as rows of text, as a seat sees it.

        Seat 0 is a bystander, and None sees everything.
        """

    @property
    def drawing(self) -> Callable[[Any, int | None], Drawing] | None:
        """The function (state, seat) that returns a position as a drawing, as a seat sees it.

        It is None if the game has none. Seat 0 is a bystander, and None sees everything.
        """


def draw(words: Pictures, state: Any, seat: int | None) -> Drawing:
    """Return a position as a drawing; if the game has none, the rows of its picture as one.

    Args:
        words: The words of the game.
        state: The position.
        seat: The seat that looks, 0 for a spectator, None for everything.
    """
    own = words.drawing
    return own(state, seat) if own is not None else drawn_as_text(words.picture(state, seat))


def with_names(drawing: Drawing, names: Sequence[str], *, labels: bool = True) -> Drawing:
    """Return a drawing with the names of the players in place of seats, in its lines, labels and corners.

    A line about a seat calls it ``Ann (p1)``; all else has the name alone. A line that becomes too long is wrapped, and
    whatever lies below it moves down.

    Args:
        drawing: A drawing with lines such as ``p1``, ``> p2 is to play`` or ``score  p1 0  p2 0``.
        names: The names in seat order; ``?`` and an empty name leave the seat as it is.
        labels: Whether the names stand in the labels of cards too, and in their corners.
    """
    if not any(is_named(seat, names) for seat in range(1, len(names) + 1)):
        return drawing
    (columns, rows), (wide, high) = drawing.size, drawing.unit
    letters, line_rows = columns * wide // LETTER, max(1, round(LINE / high))
    lines: dict[str, list[str]] = {}
    further_lines = dict.fromkeys(range(rows), 0)
    for item in drawing.items:
        if item.look != "text":
            continue
        text = _named_line(item.symbol, names)
        wraps = item.place[0] == 0 and width(text) > max(letters, len(item.symbol))
        lines[item.id] = wrap(text, letters, subsequent_indent="  ") if wraps else [text]
        further_lines[item.place[1]] = max(further_lines.get(item.place[1], 0), len(lines[item.id]) - 1)
    longer = [(row, line_rows * more) for row, more in further_lines.items() if more]
    items: list[Item] = []
    right = dict.fromkeys(range(rows), 0)
    for item in drawing.items:
        x, y = item.place
        down = y + sum(more for row, more in longer if row < y)
        first, *others = lines.get(item.id, [item.symbol])
        if item.look in ("plate", "bar"):
            room = item.size[0] * wide // LETTER
            seat = seat_number(item.symbol)
            first = (
                seat_name(seat, names, room) if seat else name_seats(item.symbol, names, room - len(item.symbol) + 2)
            )
        label = first if item.label == item.symbol else item.label
        corner = item.corner
        if labels:
            label = name_seats(label, names, LONGEST_NAME)
            seat = seat_number(corner)
            corner = seat_name(seat, names, LONGEST_CORNER) if seat else corner
        at = (x + (right.get(y, 0) if item.look == "text" else 0), down)
        items.append(replace(item, symbol=first, place=at, label=label, corner=corner))
        items += [
            replace(item, id=f"{item.id} +{n}", symbol=line, place=(x, down + n * line_rows), label="")
            for n, line in enumerate(others, 1)
        ]
        if item.look == "text" and drawing.unit == (LETTER, LINE):
            right[y] = right.get(y, 0) + width(first) - len(item.symbol)
    size = (columns + max(0, *right.values()) if right else columns, rows + sum(more for _, more in longer))
    return replace(drawing, size=size, items=tuple(items))


def _named_line(line: str, names: Sequence[str]) -> str:
    """Return a line with names in place of seats; the seat that it is about is called ``Ann (p1)``.

    ``> p2 is to play`` becomes ``> Bela (p2) is to play``.
    """
    match = _OF_A_SEAT.fullmatch(line)
    if match is None:
        return name_seats(line, names, LONGEST_NAME)
    who = name_with_seat(int(match[2]), names, LONGEST_NAME)
    return f"{match[1]}{who}{name_seats(match[3], names, LONGEST_NAME)}"


MARKS = {"G": "green", "R": "red", "Y": "yellow", "B": "blue", "O": "orange", "P": "purple", "C": "cyan"}
"""The colours of marks in comments, as ``[%cal Ge2e4]`` and ``[%csl Rd5]`` have them."""
_MARKED = re.compile(r"\[%(cal|csl)\s+([^\]]*)\]")


def with_marks(drawing: Drawing, comments: Iterable[str]) -> Drawing:
    """Return a drawing of squares with the rings (``csl``) and arrows (``cal``) that the comments name.

    Args:
        drawing: A position; squares are found by the names in their ids, as ``square e4``.
        comments: The comments on the ply that led to it. A mark on an unknown square is left out.
    """
    squares = {item.id.removeprefix("square "): item.place for item in drawing.items if item.look in BOARD_PLACES}
    marks: dict[str, Item] = {}
    for name, listed in (
        match.groups() for comment in comments if "[%c" in comment for match in _MARKED.finditer(comment)
    ):
        for mark in listed.replace(" ", "").split(","):
            colour, start, end = MARKS.get(mark[:1], ""), mark[1:3], mark[3:]
            if not colour or start not in squares or (end not in squares if name == "cal" else end):
                continue
            column, row = squares[start]
            away = (squares[end][0] - column, squares[end][1] - row) if end else (1, 1)
            says = f"{colour} arrow from {start} to {end}" if end else f"{colour} ring on {start}"
            look = "arrow" if end else "ring"
            marks[mark] = Item(f"{look} {mark}", "", (column, row), f"marked-{colour}", says, look, away)
    return replace(drawing, items=(*drawing.items, *marks.values())) if marks else drawing


def line_between(start: tuple[int, int], end: tuple[int, int]) -> Item:
    """Return the line between two places of a drawing, each a column and a row; it is the same either way round."""
    (column, row), (to_column, to_row) = sorted((start, end))
    away = (to_column - column, to_row - row)
    return Item(f"line {column},{row} {to_column},{to_row}", "", (column, row), "frame", "", "line", away)


def with_last_ply(drawing: Drawing, ids: Collection[str]) -> Drawing:
    """Return a drawing whose items with these ids, those that the last ply touched, have the further role ``moved``.

    Without ids it is returned as it is; ids of no item do nothing.
    """
    if not ids:
        return drawing
    items = (replace(item, role=f"{item.role} moved") if item.id in ids else item for item in drawing.items)
    return replace(drawing, items=tuple(items))


def without_places(drawing: Drawing) -> Drawing:
    """Return a drawing without its items of look ``place``, where nothing lies and which are there to be touched."""
    return replace(drawing, items=tuple(item for item in drawing.items if item.look != "place"))


def lies_bare(drawing: Drawing) -> bool:
    """Say whether nothing lies in a drawing: no card, piece or square, only words and an empty card table."""
    return all(item.look in ("text", "felt", "plate", "chip", "bar") for item in drawing.items)


def with_note(drawing: Drawing, says: str) -> Drawing:
    """Return a drawing with a sentence below it, in red; it is wrapped to the width of the drawing.

    The drawing becomes taller by its lines. Its item has the id ``note``.
    """
    (columns, rows), (wide, high) = drawing.size, drawing.unit
    more = -(-len(note_lines(says, columns * wide)) * LINE // high)
    note = Item("note", says, (0, rows), "note", says, "note", (columns, more))
    return Drawing((columns, rows + more), (*drawing.items, note), drawing.unit)


def note_lines(says: str, wide: int) -> list[str]:
    """Return a sentence as lines, none wider than ``wide`` pixels; empty for an empty sentence."""
    return wrap(says, wide // LETTER)


def drawn_as_text(picture: Picture) -> Drawing:
    """Return the rows of a picture as a drawing of words; the id of each item is its row and column: ``3.12``.

    Blank spans are left out.
    """
    items: list[Item] = []
    wide = 0
    for at, row in enumerate(picture):
        column = 0
        for span in row:
            if span.text.strip():
                items.append(Item(f"{at}.{column}", span.text, (column, at), span.role, span.text.strip()))
            column += len(span.text)
        wide = max(wide, column)
    return Drawing((wide, len(picture)), tuple(items))


def drawn_in_cells(drawing: Drawing, wide: int) -> Picture:
    """Return a drawing as rows of text, each of its places a cell that is filled up to ``wide`` characters.

    A place of a board without a symbol is left out, and so are lines; what is longer than its cell is not cut.
    """
    columns, rows = drawing.size
    cells: dict[tuple[int, int], list[Span]] = {(x, y): [] for y in range(rows) for x in range(columns)}
    for item in drawing.items:
        if item.look in (*BOARD_PLACES, "line", "field") and not item.symbol:
            continue
        cells[item.place].append(Span(item.symbol, item.role.partition(" ")[0]))
    for spans in cells.values():
        spans.append(Span(" " * (wide - sum(len(span.text) for span in spans))))
    return tuple(tuple(span for x in range(columns) for span in cells[x, y]) for y in range(rows))
