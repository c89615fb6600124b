"""The board of a replay: each thing is drawn once, and each position has only what differs from the one before it."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import AnyGame, Drawing, Item
from cartulary.notation.arbiter.replay import draw_after
from cartulary.notation.drawing import with_marks, with_names, without_places
from cartulary.notation.picture import plain
from cartulary.notation.svg import group, place, view_box
from cartulary.records.sheets.replay_frames import Frame, ReplaySource


class Shift(Struct, frozen=True):
    """What differs from the position before.

    Attributes:
        places: Group, x and y of each thing that moved or appeared, one after the other in one tuple.
        gone_groups: The groups that are shown no longer.
        rows: Row and line of each row of the text that changed, one after the other; a line of -1 where the text ends.
    """

    places: tuple[float, ...]
    gone_groups: tuple[int, ...]
    rows: tuple[int, ...]


class Board(Struct, frozen=True):
    """Every thing of a game, in every look that it has.

    Attributes:
        size: The widest and the highest that a drawing is, in pixels.
        groups: The things, as SVG groups.
        lines: The lines of the text pictures, each once.
        shifts: For each position what differs from the one before it.
    """

    size: tuple[float, float]
    groups: tuple[str, ...]
    lines: tuple[str, ...]
    shifts: tuple[Shift, ...]


def board_of(game: AnyGame, frames: Sequence[Frame], source: ReplaySource) -> Board:
    """Return the board of these positions of a game as its viewer sees it, with the names of the players.

    Args:
        game: The rules that can draw all frames.
        frames: The positions, each after the one that it follows.
        source: The game, with its viewer and the names.
    """
    builder, seat = _BoardBuilder(), source.viewer.seat
    for frame in frames:
        names = source.names_before(frame.ply + 1)
        # A card is in the page once for every label that it has; names would make it too large.
        drawing = with_names(without_places(draw_after(game, frame.step, frame.state, seat)), names, labels=False)
        builder.add_drawing(with_marks(drawing, frame.note.comments), frame.before)
        builder.add_text(plain(game.words.picture(frame.state, seat)).split("\n"), frame.before)
    return builder.board()


class _BoardBuilder:
    """Collects drawings and texts, and numbers each thing and each line once."""

    def __init__(self) -> None:
        self.size = (0.0, 0.0)
        self.groups: dict[tuple[object, ...], int] = {}
        self.things: list[tuple[Item, tuple[int, int]]] = []
        self.lines: dict[str, int] = {}
        self.drawings: list[dict[int, tuple[float, float]]] = []
        self.texts: list[list[int]] = []
        self.changes: list[tuple[tuple[float, ...], tuple[int, ...]]] = []
        self.rows: list[tuple[int, ...]] = []

    def add_drawing(self, drawing: Drawing, before: int) -> None:
        """Add the drawing of the next frame, and note what differs from the drawing of the frame with index ``before``.

        -1 means that no frame is before it, so that all is new.
        """
        wide, high = view_box(drawing)
        self.size = max(self.size[0], wide), max(self.size[1], high)
        places_now: dict[int, tuple[float, float]] = {}
        for item in drawing.items:
            key = (replace(item, place=(0, 0)), drawing.unit)
            number = self.groups.get(key)
            if number is None:
                number = self.groups[key] = len(self.groups)
                self.things.append((item, drawing.unit))
            places_now[number] = place(item, drawing.unit)
        places_before = self.drawings[before] if before >= 0 else {}
        moved = [(at, *where) for at, where in places_now.items() if places_before.get(at) != where]
        self.changes.append(
            (tuple(number for move in moved for number in move), tuple(places_before.keys() - places_now.keys()))
        )
        self.drawings.append(places_now)

    def add_text(self, rows: Sequence[str], before: int) -> None:
        """Add the text picture of the next frame, row by row, and note what differs from that of the frame ``before``.

        -1 means that no frame is before it, so that all is new.
        """
        lines_now = [self.lines.setdefault(row, len(self.lines)) for row in rows]
        lines_before = self.texts[before] if before >= 0 else []
        changes = [
            (at, line) for at, line in enumerate(lines_now) if at >= len(lines_before) or lines_before[at] != line
        ]
        if len(lines_now) < len(lines_before):
            changes.append((len(lines_now), -1))
        self.rows.append(tuple(number for change in changes for number in change))
        self.texts.append(lines_now)

    def board(self) -> Board:
        """Return the board of all frames that were added: squares at the bottom, then things in the order they were
        first drawn.
        """
        order = sorted(range(len(self.things)), key=lambda each: (self.things[each][0].look != "square", each))
        new_number = {number: index for index, number in enumerate(order)}
        groups = tuple(_hidden_group(*self.things[number]) for number in order)
        shifts = tuple(
            Shift(_renumber(places, new_number), tuple(sorted(new_number[number] for number in gone)), rows)
            for (places, gone), rows in zip(self.changes, self.rows, strict=True)
        )
        return Board(self.size, groups, tuple(self.lines), shifts)


def _hidden_group(item: Item, unit: tuple[int, int]) -> str:
    """Return a thing as an SVG group that is not displayed at first; ``unit`` is the size of a unit, in pixels."""
    return group(item, unit, shown=False)


def _renumber(places: Sequence[float], new_number: dict[int, int]) -> tuple[float, ...]:
    """Return triples of a group's number, x and y, in one tuple, with the new number of each group.

    Coordinates that are whole become ints.
    """
    return tuple(
        new_number[int(value)] if index % 3 == 0 else _whole_if_possible(value) for index, value in enumerate(places)
    )


def _whole_if_possible(number: float) -> float:
    """Return a number without decimals as an int, which is shorter in JSON, and any other as it is."""
    return int(number) if number == int(number) else number
