"""How often things have occurred, as a value: one with one occurrence more shares nearly all of what it holds.

A state that remembers positions is made anew at every ply. If each held a copy, a record's memory would grow with the
square of its plies.

Up to ``FEW`` occurrences are a tuple, in the order they came. More are divided into four parts by two bits of a digest
of each key, and a part that grows too long by the next two bits: adding one makes a new path to its part, and every
other part is the same object as before.
"""

from hashlib import blake2b
from typing import TypeAlias, Union

from msgspec import Struct

FEW = 16
_BITS = 2
_PARTS = 1 << _BITS
_DEPTH = 32
"""How often parts are divided at most: then every bit of a digest is used."""


class Branches(Struct, frozen=True, gc=False, cache_hash=True):
    """Occurrences by the next bits of the digests of their keys."""

    parts: "tuple[Occurrences, ...]"


Occurrences: TypeAlias = Union[tuple[bytes, ...], Branches]  # noqa: UP007 - the name of a class that is not there yet


def times(occurrences: Occurrences, key: bytes) -> int:
    """Return how often a key has occurred; of one that was counted no further, at least the most that was."""
    if type(occurrences) is Branches:
        digest = _digest(key)
        while type(occurrences) is Branches:
            occurrences = occurrences.parts[digest % _PARTS]
            digest >>= _BITS
    assert type(occurrences) is tuple
    return occurrences.count(key)


def with_one_more(occurrences: Occurrences, key: bytes, most: int) -> Occurrences:
    """Return the occurrences with one more of a key.

    most: how many of one key are counted at least; what comes after them may be left out
    """
    if type(occurrences) is tuple and len(occurrences) < FEW:
        return (*occurrences, key)
    return _insert(occurrences, key, most, _digest(key), 0)


def _insert(occurrences: Occurrences, key: bytes, most: int, digest: int, depth: int) -> Occurrences:
    """Return many occurrences with one more of a key. digest: its bits from this depth on"""
    if type(occurrences) is tuple:
        if occurrences.count(key) >= most:
            return occurrences
        if len(occurrences) < FEW or depth == _DEPTH or set(occurrences) == {key}:
            return (*occurrences, key)
        occurrences = _divided(occurrences, depth)
    assert type(occurrences) is Branches
    parts, at = occurrences.parts, digest % _PARTS
    part = _insert(parts[at], key, most, digest >> _BITS, depth + 1)
    return occurrences if part is parts[at] else Branches((*parts[:at], part, *parts[at + 1 :]))


def _divided(keys: tuple[bytes, ...], depth: int) -> Branches:
    """Return occurrences divided by the bits of their digests at a depth."""
    parts: list[tuple[bytes, ...]] = [()] * _PARTS
    for key in keys:
        parts[(_digest(key) >> _BITS * depth) % _PARTS] += (key,)
    return Branches(tuple(parts))


def _digest(key: bytes) -> int:
    """Return bits by which nobody can bring about that all keys of a game are alike in them."""
    return int.from_bytes(blake2b(key, digest_size=_BITS * _DEPTH // 8).digest(), "little")
