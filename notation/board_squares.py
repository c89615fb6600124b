"""The places of a board as a drawing has them: where each lies from either side, its shade, and its coordinates."""

from collections.abc import Callable, Sequence

from cartulary.engine.grid import FILES
from cartulary.notation.drawing import Item

Point = tuple[int, int]
"""The file and the rank of a place, from 0."""


def drawn_places(points: Sequence[Point], turned: bool, free_columns: int = 0) -> tuple[tuple[int, int], ...]:
    """Return the column and the row of each place of a board on its drawing.

    Args:
        points: The places.
        turned: Whether the highest rank is below, as the second seat sees a board.
        free_columns: How many columns are free at the left.
    """
    last_file, last_rank = (max(point[at] for point in points) for at in (0, 1))
    if turned:
        return tuple((free_columns + last_file - file, rank) for file, rank in points)
    return tuple((free_columns + file, last_rank - rank) for file, rank in points)


def board_squares(
    names: Sequence[str],
    points: Sequence[Point],
    places: Sequence[tuple[int, int]],
    role: Callable[[int], str] = lambda square: "",
    coordinates: bool = True,
) -> list[Item]:
    """Return the squares of a board, of which every second one is dark.

    Args:
        names: Their names; the id of each is ``square a1`` and so on.
        points: Their files and ranks.
        places: Their places on the drawing.
        role: ``role(square)`` returns a further role of a square by its number, such as ``check``; empty for none.
        coordinates: Whether the squares at the left have the numbers of their ranks, and those below the letters of
            their files.
    """
    lowest = max(row for _, row in places)
    squares = []
    for square, (name, (file, rank), place) in enumerate(zip(names, points, places, strict=True)):
        shade = "dark" if (file + rank) % 2 == 0 else ""
        number, letter = name[1:] * (place[0] == 0), name[:1] * (place[1] == lowest)
        called = " ".join(filter(None, ("empty", shade, role(square))))
        corners = (number, letter) if coordinates else ("", "")
        squares.append(Item(f"square {name}", corners[0], place, called, look="square", corner=corners[1]))
    return squares


def edge_names(files: int, ranks: int, turned: bool, lowest: int = 1) -> list[Item]:
    """Return the numbers of the ranks at the left of a board, in the first column, and the letters of its files below.

    Args:
        files: The number of files.
        ranks: The number of ranks.
        turned: Whether the highest rank is below.
        lowest: The number of the lowest rank.
    """
    numbers = ((f"{rank + lowest}", rank if turned else ranks - 1 - rank) for rank in range(ranks))
    letters = ((FILES[file], files - file if turned else file + 1) for file in range(files))
    return [
        *(Item(f"rank {number}", number, (0, row), "frame") for number, row in numbers),
        *(Item(f"file {letter}", f" {letter}", (column, ranks), "frame") for letter, column in letters),
    ]
