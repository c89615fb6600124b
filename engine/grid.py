"""Boards of squares in files and ranks: their names, what lies on a line, and where two boards differ.

A square is an int, row-major from the first square of the lowest rank; a set of squares is an int, one bit a square.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from msgspec import Struct

Way = tuple[int, int]
"""A step or a jump, as files to the right and ranks up; negative for left and down."""
Man = TypeVar("Man")
FILES = "abcdefghijklmnopqrstuvwxyz"
STRAIGHT: tuple[Way, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL: tuple[Way, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
EVERY_WAY = STRAIGHT + DIAGONAL
"""The eight directions in which two squares touch."""
KNIGHT: tuple[Way, ...] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


class Grid(Struct, frozen=True):
    """The squares of a board.

    Attributes:
        files: The number of files.
        ranks: The number of ranks.
        lowest: The number of the lowest rank in the names of its squares.
    """

    files: int
    ranks: int
    lowest: int = 1

    def names(self) -> tuple[str, ...]:
        """Return the name of each square, such as ``a1``, in the order of their numbers."""
        ranks = range(self.lowest, self.lowest + self.ranks)
        return tuple(f"{file}{rank}" for rank in ranks for file in FILES[: self.files])

    def points(self) -> tuple[tuple[int, int], ...]:
        """Return the file and the rank of each square, from 0."""
        return tuple((square % self.files, square // self.files) for square in range(self.files * self.ranks))

    def leap(self, square: int, right: int, up: int) -> int | None:
        """Return the square so many files to the right and ranks up, negative for left and down; None if it is off the
        board.
        """
        file, rank = square % self.files + right, square // self.files + up
        return file + self.files * rank if 0 <= file < self.files and 0 <= rank < self.ranks else None

    def around(self, square: int, ways: Iterable[Way]) -> tuple[int, ...]:
        """Return the squares to which some steps or jumps lead from a square; those off the board are left out."""
        return tuple([to for way in ways if (to := self.leap(square, *way)) is not None])

    def ray(self, square: int, way: Way) -> tuple[int, ...]:
        """Return the squares from a square to the edge in one direction, nearest first; the square itself is not among
        them.
        """
        met = []
        to = self.leap(square, *way)
        while to is not None:
            met.append(to)
            to = self.leap(to, *way)
        return tuple(met)

    def rays(self, ways: Iterable[Way] = EVERY_WAY) -> tuple[dict[Way, tuple[int, ...]], ...]:
        """Return for each square its rays by direction."""
        every = tuple(ways)
        return tuple({way: self.ray(square, way) for way in every} for square in range(self.files * self.ranks))


def between(rays: Sequence[dict[Way, tuple[int, ...]]]) -> tuple[tuple[int, ...], ...]:
    """Return by two squares those strictly between them, as a set; 0 if they touch or share no line.

    ``rays`` are those of each square, by direction.
    """
    table = []
    for lines in rays:
        row = [0] * len(rays)
        for met in lines.values():
            passed = 0
            for square in met:
                row[square] = passed
                passed |= 1 << square
        table.append(tuple(row))
    return tuple(table)


def differences(
    names: Iterable[str], there: Iterable[Man], here: Iterable[Man], text: Callable[[Man], str], movers: tuple[int, int]
) -> tuple[tuple[str, str, str], ...]:
    """Return where a stated board differs from a position, each as (square, what is stated, what is there).

    If the seat to move differs too, ``the turn`` and the two seats come last.

    Args:
        names: The names of the squares.
        there: What is stated to stand on each square.
        here: What stands there in the position.
        text: ``text(man)`` returns what stands on a square in words.
        movers: The seat to move as it is stated, 0 if it is not, and that of the position.
    """
    pairs = zip(names, there, here, strict=False)
    squares = [(name, text(one), text(other)) for name, one, other in pairs if one != other]
    stated_mover, mover = movers
    return (*squares, *([("the turn", f"p{stated_mover}", f"p{mover}")] * (stated_mover not in (0, mover))))
