"""Cardmate drawn: the board of ten by ten with its palaces, and each card with a sign for whose it is."""

from cartulary.engine.cardmate import PALACE, State, card_name
from cartulary.engine.grid import FILES, NAMES
from cartulary.notation.drawing import Drawing, Item
from cartulary.notation.laying import FRENCH

OWNERS = ("", "▲", "▼")
"""By seat, which way its cards go."""


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the board, p1's side below; everybody sees all of it. A card keeps its id while it is on the board."""
    items: list[Item] = []
    for at in range(10):
        items.append(Item(f"rank {at}", str(at), (0, 9 - at), "frame"))
        items.append(Item(f"file {at}", " " + FILES[at], (at + 1, 10), "frame"))
    for square in range(100):
        rank, file = divmod(square, 10)
        place, shade = (file + 1, 9 - rank), "dark" if (rank + file) % 2 == 0 else ""
        palace = " palace" if (PALACE[1] | PALACE[2]) >> square & 1 else ""
        items.append(Item(f"square {NAMES[square]}", "", place, f"empty {shade}{palace}".strip(), look="square"))
    for square, code in enumerate(state.board[:100]):
        if code:
            rank, file = divmod(square, 10)
            name, owner = card_name(code), code >> 6
            label = f"p{owner}'s {name} on {NAMES[square]}"
            symbol = name[:-1] + FRENCH[name[-1]]
            place = (file + 1, 9 - rank)
            items.append(Item(name, symbol, place, f"p{owner}", label, "card", corner=OWNERS[owner]))
    return Drawing((11, 11), tuple(items), (34, 34))
