"""Sets of small numbers as ints, one bit a number: squares of a board, cards of a deck, seats."""

from collections.abc import Iterable, Iterator

_ALONE = tuple(1 << number for number in range(256))
"""By number, the set of it alone."""


def set_of(numbers: Iterable[int]) -> int:
    """Return the set of these numbers, each from 0 to 255, as bits: ``[0, 2] -> 0b101``."""
    bits = 0
    for number in numbers:
        bits |= _ALONE[number]
    return bits


def members(bits: int) -> Iterator[int]:
    """Yield the numbers of a set (bits) in ascending order: ``0b101 -> 0, 2``. A negative number has no end."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
