"""Boards: places with names, and the straight rows on which men go from one to the next.

Sets of places are ints, one bit a place.
"""

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from cartulary.engine.grid import EVERY_WAY, FILES, Way

_NAME = re.compile("([a-z])([0-9]+)")


class Board(Struct, frozen=True, eq=False):
    """Places and the rows they lie on.

    Attributes:
        names: The name of each place, a letter and a number such as ``a1``, in the order of ranks.
        points: The file and the rank of each place, from 0.
        rows: The straight lines of places. From each place of a row a man goes to the next one of that row.
        squares: Whether the places are drawn as squares; otherwise as points, with lines between them.
    """

    names: tuple[str, ...]
    points: tuple[tuple[int, int], ...]
    rows: tuple[tuple[int, ...], ...]
    squares: bool = False

    def place(self, name: str) -> int:
        """Return the number of the place with this name; -1 if there is none."""
        return self.names.index(name) if name in self.names else -1

    def set_of(self, names: str) -> int:
        """Return the places with these names, which are separated by blanks, as a set.

        Raises:
            ValueError: The board has no such place.
        """
        places = {name: self.place(name) for name in names.split()}
        for name, place in places.items():
            if place < 0:
                raise ValueError(f"found the place {name}, expected one of {', '.join(self.names)}")
        return sum(1 << place for place in places.values())

    def on_ranks(self, *ranks: int) -> int:
        """Return the places on these ranks, which are counted from 0, as a set."""
        return sum(1 << place for place, (_, rank) in enumerate(self.points) if rank in ranks)

    def rays(self, place: int) -> Iterator[tuple[Way, tuple[int, ...]]]:
        """Yield (direction, places) for each way along a row from a place to its end, nearest places first.

        The place itself is not among them. A way without places is left out.
        """
        for row in self.rows:
            if place in row:
                at = row.index(place)
                for ray in (row[at + 1 :], row[:at][::-1]):
                    if ray:
                        yield self.way(place, ray[0]), ray

    def way(self, place: int, to: int) -> Way:
        """Return the direction from a place to another, such as (1, -1) for right and backward."""
        (file, rank), (to_file, to_rank) = self.points[place], self.points[to]
        return (to_file > file) - (to_file < file), (to_rank > rank) - (to_rank < rank)

    def runs(self, length: int) -> tuple[int, ...]:
        """Return every run of so many places next to each other in a row, each as a set."""
        return tuple(
            sum(1 << place for place in row[at : at + length])
            for row in self.rows
            for at in range(len(row) - length + 1)
        )


def board_of(*rows: str) -> Board:
    """Return a board of points joined by lines.

    Args:
        rows: The names of the places on each straight line, in order and separated by blanks, such as ``a1 d1 g1``.
            Places that follow one another are neighbours.
    """
    lines = [row.split() for row in rows]
    names = sorted({name for line in lines for name in line}, key=lambda name: _point(name)[::-1])
    return Board(
        tuple(names), tuple(map(_point, names)), tuple(tuple(names.index(name) for name in line) for line in lines)
    )


def grid(
    files: int,
    ranks: int,
    ways: tuple[Way, ...] = EVERY_WAY,
    squares: bool = True,
    has: Callable[[int, int], bool] = lambda file, rank: True,
) -> Board:
    """Return a board of files and ranks.

    Args:
        files: The number of files, at most 26.
        ranks: The number of ranks.
        ways: The directions in which rows run; a row runs both ways, so that one of two opposite directions is enough.
        squares: Whether it is drawn as squares.
        has: ``has(file, rank)`` says whether there is a place, for boards of which only some squares are used. Both
            are counted from 0.
    """
    points = [(file, rank) for rank in range(ranks) for file in range(files) if has(file, rank)]
    number = {point: place for place, point in enumerate(points)}
    rows = []
    for right, up in dict.fromkeys(max(way, (-way[0], -way[1])) for way in ways):
        for file, rank in points:
            if (file - right, rank - up) not in number:
                row = []
                while (file, rank) in number:
                    row.append(number[file, rank])
                    file, rank = file + right, rank + up
                rows += [tuple(row)] * (len(row) > 1)
    return Board(tuple(f"{FILES[file]}{rank + 1}" for file, rank in points), tuple(points), tuple(rows), squares)


def _point(name: str) -> tuple[int, int]:
    """Return the file and the rank, from 0, of the place with this name: ``b4 -> (1, 3)``.

    Raises:
        ValueError: It is no letter with a number.
    """
    match = _NAME.fullmatch(name)
    if match is None or match[2] == "0":
        raise ValueError(f"found the place {name}, expected a letter and a number from 1, such as a1")
    return FILES.index(match[1]), int(match[2]) - 1
