"""The board of a replay: each thing is drawn once, and each position has only what differs from the one before it."""

import re
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import AnyGame, Drawing, Item
from cartulary.notation.arbiter.legal import touched_items
from cartulary.notation.arbiter.replay import draw_after
from cartulary.notation.drawing import BOARD_PLACES, with_last_ply, with_marks, with_names, without_places
from cartulary.notation.picture import plain
from cartulary.notation.svg import group, place, view_box
from cartulary.records.sheets.replay_frames import Frame, ReplaySource

_ID = re.compile(r'^<g data-id="[^"]*"')
"""The id of a group. A replay does not need it: its script knows each by its number, and a card has its label."""
LAYERS = ("felt", "field", "bar", "square", "place")
"""The looks of grounds, from below; all else lies on them."""


class Shift(Struct, frozen=True):
    """What differs from the position before.

    Attributes:
        places: Group, x and y of each thing that moved or appeared, one after the other in one tuple.
        gone_groups: The groups that are shown no longer.
        rows: Row and line of each row of the text that changed, one after the other; a line of -1 where the text ends.
        high: How high the drawing is, in pixels.
    """

    places: tuple[float, ...]
    gone_groups: tuple[int, ...]
    rows: tuple[int, ...]
    high: float = 0


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
        drawing = _with_squares_lit(game, frame, with_marks(drawing, frame.note.comments))
        builder.add_drawing(drawing, frame.before)
        builder.add_text(plain(game.words.picture(frame.state, seat)).split("\n"), frame.before)
    return builder.board()


def _with_squares_lit(game: AnyGame, frame: Frame, drawing: Drawing) -> Drawing:
    """Return the drawing of a frame with the squares marked that its ply touched."""
    places = {item.id for item in drawing.items if item.look in BOARD_PLACES}
    if frame.step is None or frame.step.move is None or not places:
        return drawing
    return with_last_ply(drawing, places.intersection(touched_items(game, frame.step)))


class _BoardBuilder:
    """Collects drawings and texts, and numbers each thing and each line once."""

    def __init__(self) -> None:
        self.size = (0.0, 0.0)
        self.heights: list[float] = []
        self.groups: dict[tuple[object, ...], int] = {}
        self.things: list[tuple[Item, tuple[int, int]]] = []
        self.lines: dict[str, int] = {}
        self.drawings: list[dict[int, tuple[float, float]]] = []
        self.above: dict[int, dict[int, None]] = {}
        self.texts: list[list[int]] = []
        self.changes: list[tuple[tuple[float, ...], tuple[int, ...]]] = []
        self.rows: list[tuple[int, ...]] = []

    def add_drawing(self, drawing: Drawing, before: int) -> None:
        """Add the drawing of the next frame, and note what differs from the drawing of the frame with index ``before``.

        -1 means that no frame is before it, so that all is new.
        """
        wide, high = view_box(drawing)
        self.size = max(self.size[0], wide), max(self.size[1], high)
        self.heights.append(high)
        places_now: dict[int, tuple[float, float]] = {}
        for item in map(_wherever, drawing.items):
            key = (replace(item, place=(0, 0)), drawing.unit)
            number = self.groups.get(key)
            if number is None:
                number = self.groups[key] = len(self.groups)
                self.things.append((item, drawing.unit))
            places_now[number] = place(item, drawing.unit)
        self._note_overlaps(places_now, self.drawings[before] if before >= 0 else {})
        places_before = self.drawings[before] if before >= 0 else {}
        moved = [(at, *where) for at, where in places_now.items() if places_before.get(at) != where]
        self.changes.append(
            (tuple(number for move in moved for number in move), tuple(places_before.keys() - places_now.keys()))
        )
        self.drawings.append(places_now)

    def _note_overlaps(self, now: dict[int, tuple[float, float]], before: dict[int, tuple[float, float]]) -> None:
        """Note which thing lies on which, for each pair that overlaps and of which one is not where it was.

        Args:
            now: The things of a drawing and their places, in the order in which they are drawn.
            before: Those of the drawing before it.
        """
        boxes = []
        for number, (x, y) in now.items():
            item, (wide, high) = self.things[number]
            right, down = x + item.size[0] * wide, y + item.size[1] * high
            boxes.append((number, before.get(number) == (x, y), x, y, right, down))
        for at, (upper, stays, left, top, right, bottom) in enumerate(boxes):
            for lower, stays_too, x, y, end, foot in boxes[:at]:
                if not (stays and stays_too) and x < right and left < end and y < bottom and top < foot:
                    self.above.setdefault(lower, {})[upper] = None

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
        """Return the board of all frames that were added; what lies on a thing comes after it."""
        order = self._drawn_order()
        new_number = {number: index for index, number in enumerate(order)}
        groups = tuple(_hidden_group(*self.things[number]) for number in order)
        shifts = tuple(
            Shift(
                _renumber(places, new_number),
                tuple(sorted(new_number[number] for number in gone)),
                rows,
                _whole_if_possible(high),
            )
            for (places, gone), rows, high in zip(self.changes, self.rows, self.heights, strict=True)
        )
        return Board(self.size, groups, tuple(self.lines), shifts)

    def _drawn_order(self) -> list[int]:
        """Return the numbers of all things, each after those that it lies on in some drawing.

        Where two drawings say the opposite, squares and grounds come first, then what was drawn first.
        """

        def rank(number: int) -> tuple[int, int]:
            """Return what things that may come next are sorted by: their layer, then when they were first drawn."""
            look = self.things[number][0].look
            return LAYERS.index(look) if look in LAYERS else len(LAYERS), number

        below = dict.fromkeys(range(len(self.things)), 0)
        for uppers in self.above.values():
            for upper in uppers:
                below[upper] += 1
        ready = [rank(number) for number, count in below.items() if not count]
        waiting = sorted(rank(number) for number, count in below.items() if count)
        heapify(ready)
        order = dict[int, None]()
        while len(order) < len(self.things):
            if not ready:
                waiting = [one for one in waiting if one[1] not in order]
                ready.append(waiting.pop(0))
            _, number = heappop(ready)
            if number in order:
                continue
            order[number] = None
            for upper in self.above.get(number, ()):
                below[upper] -= 1
                if not below[upper]:
                    heappush(ready, rank(upper))
        return list(order)


def _wherever(item: Item) -> Item:
    """Return a man without its square in its label: ``white king``; other items as they are."""
    return replace(item, label=item.label.partition(" on ")[0]) if item.look in ("figure", "piece") else item


def _hidden_group(item: Item, unit: tuple[int, int]) -> str:
    """Return a thing as an SVG group that is not displayed at first; ``unit`` is the size of a unit, in pixels."""
    drawn = group(item, unit, shown=False)
    return _ID.sub("<g", drawn, count=1) if item.look in ("card", "back", "plate") else drawn


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
