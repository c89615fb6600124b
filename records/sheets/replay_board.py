"""The board of a replay: each thing's marks once, and of every position what changes from the one before it."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import AnyGame, Drawing, Item, draw
from cartulary.notation.drawing import with_marks
from cartulary.notation.picture import plain
from cartulary.notation.svg import group, place, view_box
from cartulary.notation.viewer import Viewer
from cartulary.records.sheets.replay_frames import Frame


class Shift(Struct, frozen=True):
    """What changes. places: group, x and y, one after the other; gone: groups that are seen no more

    rows: of the text, row and line, one after the other, a line of -1 where the text ends
    """

    places: tuple[float, ...]
    gone: tuple[int, ...]
    rows: tuple[int, ...]


class Board(Struct, frozen=True):
    """Every thing of a game in every look it has. size: of the widest and the highest drawing, in pixels

    lines: the lines of the texts, each once
    """

    size: tuple[float, float]
    groups: tuple[str, ...]
    lines: tuple[str, ...]
    shifts: tuple[Shift, ...]


def board_of(game: AnyGame, frames: Sequence[Frame], viewer: Viewer) -> Board:
    """Return the board of these positions as a viewer sees it."""
    making = _Making()
    for frame in frames:
        making.drawn(with_marks(draw(game.words, frame.state, viewer.seat), frame.note.comments), frame.before)
        making.written(plain(game.words.picture(frame.state, viewer.seat)).split("\n"), frame.before)
    return making.board()


class _Making:
    """A board while it is made."""

    def __init__(self) -> None:
        self.size = (0.0, 0.0)
        self.groups: dict[tuple[object, ...], int] = {}
        self.things: list[tuple[Item, tuple[int, int]]] = []
        self.lines: dict[str, int] = {}
        self.drawings: list[dict[int, tuple[float, float]]] = []
        self.texts: list[list[int]] = []
        self.changes: list[tuple[tuple[float, ...], tuple[int, ...]]] = []
        self.rows: list[tuple[int, ...]] = []

    def drawn(self, drawing: Drawing, before: int) -> None:
        """Note a drawing, and what differs from the one before it."""
        wide, high = view_box(drawing)
        self.size = max(self.size[0], wide), max(self.size[1], high)
        here: dict[int, tuple[float, float]] = {}
        for item in drawing.items:
            key = (replace(item, place=(0, 0)), drawing.unit)
            number = self.groups.get(key)
            if number is None:
                number = self.groups[key] = len(self.groups)
                self.things.append((item, drawing.unit))
            here[number] = place(item, drawing.unit)
        there = self.drawings[before] if before >= 0 else {}
        moved = [(at, *where) for at, where in here.items() if there.get(at) != where]
        self.changes.append((tuple(number for one in moved for number in one), tuple(there.keys() - here.keys())))
        self.drawings.append(here)

    def written(self, rows: Sequence[str], before: int) -> None:
        """Note a text, and what differs from the one before it."""
        here = [self.lines.setdefault(row, len(self.lines)) for row in rows]
        there = self.texts[before] if before >= 0 else []
        changed = [(at, line) for at, line in enumerate(here) if at >= len(there) or there[at] != line]
        if len(here) < len(there):
            changed.append((len(here), -1))
        self.rows.append(tuple(number for one in changed for number in one))
        self.texts.append(here)

    def board(self) -> Board:
        """Return the board: squares below, then things in the order in which they were first drawn."""
        order = sorted(range(len(self.things)), key=lambda each: (self.things[each][0].look != "square", each))
        at = {number: index for index, number in enumerate(order)}
        groups = tuple(_marked(*self.things[number]) for number in order)
        shifts = tuple(
            Shift(_renumbered(places, at), tuple(sorted(at[number] for number in gone)), rows)
            for (places, gone), rows in zip(self.changes, self.rows, strict=True)
        )
        return Board(self.size, groups, tuple(self.lines), shifts)


def _marked(item: Item, unit: tuple[int, int]) -> str:
    return group(item, unit).replace("<g ", '<g display="none" ', 1)


def _renumbered(places: Sequence[float], at: dict[int, int]) -> tuple[float, ...]:
    return tuple(at[int(each)] if index % 3 == 0 else _short(each) for index, each in enumerate(places))


def _short(number: float) -> float:
    return int(number) if number == int(number) else number
