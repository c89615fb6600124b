"""A square grid of ten files and ten ranks: names, bit masks and lines.

A square is an int, row-major from a0: file + 10 * rank. A set of squares is an int with one bit a square.
"""

from collections.abc import Iterator

SIZE = 10
FILES = "abcdefghij"
SQUARES = range(SIZE * SIZE)
NAMES = tuple(FILES[square % SIZE] + str(square // SIZE) for square in SQUARES)
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def ray(square: int, east: int, north: int, reach: int = SIZE) -> Iterator[int]:
    """Yield the squares met from ``square`` in one direction, nearest first, at most ``reach`` of them."""
    file, rank = square % SIZE, square // SIZE
    for _ in range(reach):
        file, rank = file + east, rank + north
        if not (0 <= file < SIZE and 0 <= rank < SIZE):
            return
        yield file + SIZE * rank


def mask(squares: Iterator[int] | tuple[int, ...]) -> int:
    """Return the set of these squares."""
    bits = 0
    for square in squares:
        bits |= 1 << square
    return bits


def members(bits: int) -> Iterator[int]:
    """Yield the squares of a set, a0 first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _lines() -> tuple[tuple[int, ...], ...]:
    table = [[0] * len(SQUARES) for _ in SQUARES]
    for start in SQUARES:
        for east, north in STRAIGHT + DIAGONAL:
            passed = 0
            for square in ray(start, east, north):
                table[start][square] = passed
                passed |= 1 << square
    return tuple(tuple(row) for row in table)


BETWEEN = _lines()
"""BETWEEN[a][b]: the squares strictly between two on one line; 0 where they touch or share no line."""
