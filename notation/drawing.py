"""A position as things in places, for whoever draws it: what lies where, and what it is called."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from textwrap import wrap
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.numbers import SEAT
from cartulary.notation.cgn.controls import isolate
from cartulary.notation.picture import Picture, Span

LOOKS = ("text", "square", "piece", "figure", "card", "back", "pyramid", "note", "ring", "arrow")
"""The looks of an item: words, a square of a board, a disc, a large sign, the face and the back of a card, a pyramid, a
sentence in as many lines as it needs, a ring around a place, or an arrow to the place ``size`` away."""
LETTER, LINE = 8, 17
"""The width of a letter and the height of a line of words, in pixels."""
LONGEST_NAME = 20
"""The number of letters of a player's name for which a line of a drawing has room."""
_OF_A_SEAT = re.compile(f"(> |){SEAT}( is to .*|)")
POINTS = "unesw"
"""Upright, or lying and pointing away from the eye, to the right, towards it, to the left."""


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
        """The function that returns a position as rows of text, as a seat sees it."""

    @property
    def drawing(self) -> Callable[[Any, int | None], Drawing] | None:
        """The function that returns a position as a drawing, as a seat sees it; None if the game has none."""


def draw(words: Pictures, state: Any, seat: int | None) -> Drawing:
    """Return a position as a drawing; if the game has none, the rows of its picture as one.

    Args:
        words: The words of the game.
        state: The position.
        seat: The seat that looks, 0 for a spectator, None for everything.
    """
    own = words.drawing
    return own(state, seat) if own is not None else drawn_as_text(words.picture(state, seat))


def with_names(drawing: Drawing, names: Sequence[str]) -> Drawing:
    """Return a drawing whose lines about a seat call it by the name of the player.

    Args:
        drawing: A drawing with lines such as ``p1`` or ``> p2 is to play``.
        names: The names in seat order; ``?`` and an empty name leave the seat as it is.
    """

    def called(item: Item) -> Item:
        """Return an item with the name of a player in place of the seat it is about."""
        match = _OF_A_SEAT.fullmatch(item.symbol) if item.look == "text" else None
        seat = int(match[2]) if match is not None else 0
        if match is None or not 0 < seat <= len(names) or names[seat - 1] in ("", "?"):
            return item
        who = names[seat - 1] if len(names[seat - 1]) <= LONGEST_NAME else f"{names[seat - 1][: LONGEST_NAME - 1]}…"
        symbol = f"{match[1]}{isolate(who)}{match[3]}"
        return replace(item, symbol=symbol, label=symbol if item.label else "")

    return replace(drawing, items=tuple(map(called, drawing.items)))


MARKS = {"G": "green", "R": "red", "Y": "yellow", "B": "blue", "O": "orange", "P": "purple", "C": "cyan"}
"""The colours of marks in comments, as ``[%cal Ge2e4]`` and ``[%csl Rd5]`` have them."""
_MARKED = re.compile(r"\[%(cal|csl)\s+([^\]]*)\]")


def with_marks(drawing: Drawing, comments: Iterable[str]) -> Drawing:
    """Return a drawing of squares with the rings (``csl``) and arrows (``cal``) that the comments name.

    Args:
        drawing: A position; squares are found by the names in their ids, as ``square e4``.
        comments: The comments on the ply that led to it. A mark on an unknown square is left out.
    """
    squares = {item.id.removeprefix("square "): item.place for item in drawing.items if item.look == "square"}
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


def with_last_ply(drawing: Drawing, ids: Collection[str]) -> Drawing:
    """Return a drawing whose items with these ids, those that the last ply touched, have the further role ``moved``."""
    if not ids:
        return drawing
    items = (replace(item, role=f"{item.role} moved") if item.id in ids else item for item in drawing.items)
    return replace(drawing, items=tuple(items))


def with_note(drawing: Drawing, says: str) -> Drawing:
    """Return a drawing with a sentence below it, wrapped to the width of the drawing, which becomes taller."""
    (columns, rows), (wide, high) = drawing.size, drawing.unit
    more = -(-len(note_lines(says, columns * wide)) * LINE // high)
    note = Item("note", says, (0, rows), "note", says, "note", (columns, more))
    return Drawing((columns, rows + more), (*drawing.items, note), drawing.unit)


def note_lines(says: str, wide: int) -> list[str]:
    """Return a sentence as lines, none wider than so many pixels."""
    return wrap(says, wide // LETTER)


def drawn_as_text(picture: Picture) -> Drawing:
    """Return the rows of a picture as a drawing of words; the id of each item is its row and column."""
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
    """Return a drawing as rows of text, each of its places a cell of ``wide`` characters."""
    columns, rows = drawing.size
    cells: dict[tuple[int, int], list[Span]] = {(x, y): [] for y in range(rows) for x in range(columns)}
    for item in drawing.items:
        if item.look == "square" and not item.symbol:
            continue
        cells[item.place].append(Span(item.symbol, item.role.partition(" ")[0]))
    for spans in cells.values():
        spans.append(Span(" " * (wide - sum(len(span.text) for span in spans))))
    return tuple(tuple(span for x in range(columns) for span in cells[x, y]) for y in range(rows))
