"""A square grid of ten files and ten ranks: names, bit masks and lines.

A square is an int, row-major from a0: file + 10 * rank. A set of squares is an int with one bit a square.
"""

SIZE = 10
FILES = "abcdefghij"
SQUARES = range(SIZE * SIZE)
NAMES = tuple(FILES[square % SIZE] + str(square // SIZE) for square in SQUARES)
BIT = tuple(1 << square for square in SQUARES)
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def leap(square: int, east: int, north: int) -> int | None:
    """Return the square so many files east and ranks north of a square, negative for west and south; None if off the
    grid.

    ``(0, 1, 2) -> 21``.
    """
    file, rank = square % SIZE + east, square // SIZE + north
    return file + SIZE * rank if 0 <= file < SIZE and 0 <= rank < SIZE else None


def ray(square: int, east: int, north: int) -> tuple[int, ...]:
    """Return the squares met from ``square`` to the edge, going by steps of ``east`` files and ``north`` ranks, nearest
    first.

    The square itself is not among them. One of the two numbers must not be 0.
    """
    met = []
    file, rank = square % SIZE + east, square // SIZE + north
    while 0 <= file < SIZE and 0 <= rank < SIZE:
        met.append(file + SIZE * rank)
        file, rank = file + east, rank + north
    return tuple(met)


RAYS = tuple({(east, north): ray(square, east, north) for east, north in STRAIGHT + DIAGONAL} for square in SQUARES)
"""RAYS[square][direction]: the squares met, nearest first."""


def _lines() -> tuple[tuple[int, ...], ...]:
    """Return BETWEEN: by two squares, those strictly between them, as bits; 0 if they touch or share no line."""
    table = []
    for rays in RAYS:
        row = [0] * len(SQUARES)
        for met in rays.values():
            passed = 0
            for square in met:
                row[square] = passed
                passed |= 1 << square
        table.append(tuple(row))
    return tuple(table)


BETWEEN = _lines()
"""BETWEEN[a][b]: the squares strictly between two on one line; 0 where they touch or share no line."""
