"""Sets of small numbers as ints, one bit a number: squares of a board, cards of a deck, seats."""

from collections.abc import Iterable, Iterator


def set_of(numbers: Iterable[int]) -> int:
    """Return the set of these numbers."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def members(bits: int) -> Iterator[int]:
    """Yield the numbers of a set in order."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
