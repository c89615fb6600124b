"""A second, slow referee for draughts, written from the rules of the World Checkers Draughts Federation alone.

It shares nothing with the package: the board is rows of signs with the light squares in, ``b w`` men and ``B W`` kings,
and what a capture jumps stays on the board, marked, until the capture has ended (WCDF 1.19).
"""

import re
from collections.abc import Iterator
from itertools import pairwise

START = ["-b-b-b-b", "b-b-b-b-", "-b-b-b-b", ".-.-.-.-", "-.-.-.-.", "w-w-w-w-", "-w-w-w-w", "w-w-w-w-"]
DARK = [(y, x) for y in range(8) for x in range(8) if START[y][x] != "-"]
SIDES = {1: "bB", 2: "wW"}
AHEAD = {"b": (1,), "w": (-1,), "B": (1, -1), "W": (1, -1)}
CROWNHEAD = {"b": 7, "w": 0}

Rows = list[list[str]]


def find(square: int) -> tuple[int, int]:
    """Return the row and the place in it of a square; the dark ones are counted from the upper left."""
    return DARK[square - 1]


def number(y: int, x: int) -> int:
    """Return the number of a dark square."""
    return DARK.index((y, x)) + 1


class Table:
    """A board as it lies, and who is to move."""

    def __init__(self, rows: Rows, mover: int = 1) -> None:
        self.rows = rows
        self.mover = mover

    @classmethod
    def laid(cls, tag: str = "") -> "Table":
        """Lay the men for a game, or the board a FEN tag describes."""
        rows = [list(row) for row in START]
        if not tag:
            return cls(rows)
        for square in range(1, 33):
            y, x = find(square)
            rows[y][x] = "."
        first, *sides = tag.split(":")
        for side in sides:
            for king, square_name in re.findall("(K?)([0-9]+)", side):
                y, x = find(int(square_name))
                rows[y][x] = side[0] if king else side[0].lower()
        return cls(rows, 1 if first == "B" else 2)

    @property
    def drawn(self) -> str:
        """The board as the FEN tag writes it."""
        sides = []
        for side in "WB":
            on = [square for square in range(1, 33) if self.sign(square).upper() == side]
            sides.append(side + ",".join(("K" if self.sign(square) == side else "") + str(square) for square in on))
        return f"{'B' if self.mover == 1 else 'W'}:{sides[0]}:{sides[1]}"

    @property
    def diagram(self) -> tuple[str, ...]:
        """The board as rows of five signs a square: its number and what stands there."""
        names = [
            ["" if sign == "-" else f"{number(y, x)}{sign.strip('.')}" for x, sign in enumerate(row)]
            for y, row in enumerate(self.rows)
        ]
        return tuple("".join(name.ljust(5) for name in row).rstrip() for row in names)

    def sign(self, square: int) -> str:
        """Return what stands on a square."""
        y, x = find(square)
        return self.rows[y][x]

    def jumps(self, sign: str, at: tuple[int, int], gone: set[tuple[int, int]], home: tuple[int, int]) -> Iterator[int]:
        """Yield where a piece may jump from a place; ``gone`` are those it has jumped, its own place is vacant."""
        enemies = SIDES[2] if sign in SIDES[1] else SIDES[1]
        y, x = at
        for down in AHEAD[sign]:
            for right in (-1, 1):
                over, to = (y + down, x + right), (y + 2 * down, x + 2 * right)
                if not (0 <= to[0] < 8 and 0 <= to[1] < 8) or over in gone:
                    continue
                vacant = self.rows[to[0]][to[1]] == "." or to == home
                if self.rows[over[0]][over[1]] in enemies and vacant:
                    yield number(*to)

    def captures(self, path: tuple[int, ...], gone: set[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
        """Yield the captures that begin with a path, each ended."""
        sign, at = self.sign(path[0]), find(path[-1])
        crowned = len(path) > 1 and at[0] == CROWNHEAD.get(sign)
        more = [] if crowned else list(self.jumps(sign, at, gone, find(path[0])))
        for to in more:
            yield from self.captures((*path, to), gone | halfway(path[-1], to))
        if not more and len(path) > 1:
            yield path

    def all_captures(self, seat: int) -> list[tuple[int, ...]]:
        """Return every capture of a seat."""
        own = [square for square in range(1, 33) if self.sign(square) in SIDES[seat]]
        return [path for square in own for path in self.captures((square,), set())]

    def steps(self, square: int) -> Iterator[int]:
        """Yield the vacant squares next to a piece that it may step to."""
        y, x = find(square)
        for down in AHEAD[self.rows[y][x]]:
            for right in (-1, 1):
                if 0 <= y + down < 8 and 0 <= x + right < 8 and self.rows[y + down][x + right] == ".":
                    yield number(y + down, x + right)

    def legal(self) -> list[tuple[int, ...]]:
        """Return every legal move of the side to move: its captures, and where there is none its steps."""
        own = [square for square in range(1, 33) if self.sign(square) in SIDES[self.mover]]
        return self.all_captures(self.mover) or [(square, to) for square in own for to in self.steps(square)]

    def reached(self, path: tuple[int, ...]) -> bool:
        """Say whether the piece can go so, were no capture compulsory."""
        if len(path) == 2 and path[1] in self.steps(path[0]):
            return True
        gone: set[tuple[int, int]] = set()
        for at in range(1, len(path)):
            if path[at] not in self.jumps(self.sign(path[0]), find(path[at - 1]), gone, find(path[0])):
                return False
            gone |= halfway(path[at - 1], path[at])
        return True

    def broken(self, seat: int, path: tuple[int, ...]) -> str:
        """Return the key of the first rule a move breaks, "" for none."""
        sign = self.sign(path[0])
        if sign not in SIDES[seat]:
            return "draughts.own-piece"
        if any(find(square)[0] == CROWNHEAD.get(sign) for square in path[1:-1]):
            return "draughts.crowning"
        if not self.reached(path):
            return "draughts.reach"
        if seat != self.mover:
            return "draughts.turn"
        captures = self.all_captures(seat)
        if captures and path[1] in self.steps(path[0]):
            return "draughts.must-capture"
        if captures and path not in captures:
            return "draughts.finish-capture"
        return ""

    def meant(self, seat: int, squares: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Return the moves a word can mean by the squares it names: a capture is told by its first and its last."""
        whole = self.all_captures(seat) if self.sign(squares[0]) in SIDES[seat] else []
        parts = [path[:end] for path in whole for end in range(2, len(path) + 1)]
        if squares in parts or len(squares) > 2:
            return [squares]
        for paths in whole, parts:
            found = sorted({path for path in paths if (path[0], path[-1]) == squares})
            if found:
                return found
        return [squares]

    def played(self, seat: int, path: tuple[int, ...]) -> "Table":
        """Return the table after a move, let stand; only opponents' pieces leave the board."""
        rows = [row.copy() for row in self.rows]
        (y, x), (to_y, to_x) = find(path[0]), find(path[-1])
        sign, rows[y][x] = rows[y][x], "."
        for start, to in pairwise(path):
            for over_y, over_x in halfway(start, to):
                if rows[over_y][over_x] in SIDES[3 - seat]:
                    rows[over_y][over_x] = "."
        if any(find(square)[0] == CROWNHEAD.get(sign) for square in path[1:]):
            sign = sign.upper()
        rows[to_y][to_x] = sign
        return Table(rows, 3 - seat)


def halfway(start: int, to: int) -> set[tuple[int, int]]:
    """Return the place that lies between two squares a jump apart, none where they are not."""
    (y, x), (to_y, to_x) = find(start), find(to)
    return {((y + to_y) // 2, (x + to_x) // 2)} if abs(y - to_y) == abs(x - to_x) == 2 else set()


def read(word: str, mover: int) -> tuple[int, tuple[int, ...]]:
    """Return the seat and the squares of a word."""
    seat = int(word[1]) if word.startswith("p") else mover
    return seat, tuple(map(int, re.findall("[0-9]+", word.partition("/")[2] or word)))


def words_of(movetext: str) -> list[str]:
    """Return the words of a movetext without its numbers."""
    return [word for word in movetext.split() if not re.fullmatch(r"[0-9]+\.+", word)]
