"""Board games as text and as a drawing: squares, or points with the lines between them; below the men in hand."""

from msgspec import Struct

from cartulary.engine.boards import BoardGame, State
from cartulary.engine.grid import FILES
from cartulary.notation.board_squares import board_squares, drawn_places, edge_names
from cartulary.notation.drawing import Drawing, Item, line_between
from cartulary.notation.picture import Picture, Row, Span

SIDE, WIDE = 45, 360
"""The side of a square, and the width that a board takes at most because its squares get smaller, in pixels."""


class BoardPicture(Struct, frozen=True, eq=False):
    """The board of a game as people see it.

    Attributes:
        rules: The rules of the game.
        seat_names: What the seats are called, such as ``White`` and ``Black``.
    """

    rules: BoardGame
    seat_names: tuple[str, str]

    def picture(self, state: State, seat: int | None) -> Picture:
        """Return the board as rows of text, with the first seat's side below; everybody sees the same.

        A man is its letter, a vacant place ``.``. Rows of points are joined by ``-``, ``|``, ``/`` and ``\\``.
        """
        board = self.rules.game.board
        files, ranks = self._size()
        places = {point: place for place, point in enumerate(board.points)}
        joints = {} if board.squares else self._joints()
        rows: list[Row] = []
        for rank in reversed(range(ranks)):
            cells = [Span(f"{rank + 1:>2} ", "frame")]
            for file in range(files):
                place = places.get((file, rank), -1)
                cells.append(
                    self._cell(state, place) if place >= 0 else Span(joints.get((2 * file, 2 * rank), " "), "frame")
                )
                cells.append(Span(joints.get((2 * file + 1, 2 * rank), " "), "frame"))
            rows.append(tuple(cells[:-1]))
            if joints and rank:
                between = "".join(joints.get((at, 2 * rank - 1), " ") for at in range(2 * files - 1))
                rows.append((Span(f"   {between}", "frame"),))
        rows.append((Span("   " + " ".join(FILES[:files]), "frame"),))
        return (*rows, (Span(self._hands(state), "frame"),)) if self.rules.game.hand else tuple(rows)

    def _cell(self, state: State, place: int) -> Span:
        """Return a place of the text picture: the letter of the man on it, or ``.``."""
        owner = state.owner(place)
        return (
            Span(self.rules.game.men[state.kind(place)].letters[owner - 1], f"p{owner}")
            if owner
            else Span(".", "empty")
        )

    def _joints(self) -> dict[tuple[int, int], str]:
        """Return the characters of the lines between points, by twice their file and rank."""
        points, found = self.rules.game.board.points, dict[tuple[int, int], str]()
        for at, to in self._lines():
            (file, rank), (right, up) = points[at], self.rules.game.board.way(at, to)
            sign = "-" if not up else "|" if not right else "/" if right == up else "\\"
            step = (2 * file + right, 2 * rank + up)
            while step != (2 * points[to][0], 2 * points[to][1]) and len(found) < 10_000:
                found[step] = sign
                step = (step[0] + right, step[1] + up)
        return found

    def _lines(self) -> list[tuple[int, int]]:
        """Return each pair of neighbours once."""
        return [(row[at], row[at + 1]) for row in self.rules.game.board.rows for at in range(len(row) - 1)]

    def _size(self) -> tuple[int, int]:
        """Return how many files and ranks the board has."""
        points = self.rules.game.board.points
        return max(file for file, _ in points) + 1, max(rank for _, rank in points) + 1

    def _hands(self, state: State) -> str:
        """Return the line of the men in hand: ``in hand  p1 9  p2 8``."""
        return f"in hand  p1 {state.hands[0]}  p2 {state.hands[1]}"

    def drawing(self, state: State, seat: int | None) -> Drawing:
        """Return the board drawn, the second seat's side below for that seat and the first one's for anybody else.

        Everybody sees all men. A man keeps its id wherever it goes; one of another kind than the first has a letter.
        """
        game, (files, ranks), turned = self.rules.game, self._size(), seat == 2
        board, inside = game.board, game.board.squares and len(game.board.names) == files * ranks
        beside = int(not inside)
        points = drawn_places(board.points, turned, beside)
        items = [] if inside else edge_names(files, ranks, turned)
        if board.squares:
            items += board_squares(board.names, board.points, points, coordinates=inside)
        else:
            items += (line_between(points[start], points[to]) for start, to in self._lines())
            items += (
                Item(f"square {name}", "", at, "empty", look="point")
                for name, at in zip(board.names, points, strict=True)
            )
        for place, point in enumerate(points):
            if owner := state.owner(place):
                man, called = game.men[state.kind(place)], self.seat_names[owner - 1].lower()
                sign = man.letters[0] if state.kind(place) else ""
                label = f"{called} {man.name} on {game.board.names[place]}"
                items.append(Item(f"man {state.ids[place]}", sign, point, f"p{owner} {called}", label, "piece"))
        if game.hand:
            items.append(Item("hands", self._hands(state), (0, ranks + beside), "frame"))
        side = min(SIDE, WIDE // (files + beside))
        return Drawing((files + beside, ranks + beside + bool(game.hand)), tuple(items), (side, side))
