"""A position as things in places, for whoever draws it: what lies where, and what it is called."""

from msgspec import Struct

from cartulary.notation.picture import Picture


class Item(Struct, frozen=True):
    """One thing. id: stays with the thing as long as it is there (a card, a piece); symbol: its signs as text

    place: column and row from the upper left, in units of the drawing
    role: as in a picture: ``p1`` … a seat's, ``frame``, ``empty`` …; label: for those who listen
    """

    id: str
    symbol: str
    place: tuple[int, int]
    role: str = ""
    label: str = ""


class Drawing(Struct, frozen=True):
    """A position. size: columns and rows; items: in the order in which they are drawn"""

    size: tuple[int, int]
    items: tuple[Item, ...]


def drawn_as_text(picture: Picture) -> Drawing:
    """Return the rows of a picture as a drawing; an item is named by its place, as text knows no things."""
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
