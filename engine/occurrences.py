"""How often things have occurred, as a value: one with one occurrence more shares nearly all of what it holds.

A state that remembers positions is made again at every ply. If each held a copy, the memory of a record would grow with
the square of its plies.

Up to ``FEW`` occurrences are a tuple, in the order they came. More are divided into four parts by two bits of a digest
of each key, and a part that grows too long is divided by the next two bits. Adding one makes a new path to its part;
every other part is the same object as before. For example, with the low bits of the digests as shown::

    ("a", "b", ...17 keys)  ->  Branches(00: ("a", ...), 01: (), 10: ("b", ...), 11: (...))
    one more key of part 10 ->  Branches(same 00,        same 01, new 10,         same 11)
"""

from hashlib import blake2b
from typing import TypeAlias, Union

from msgspec import Struct

FEW = 16
_BITS = 2
_PARTS = 1 << _BITS
_DEPTH = 32
"""The number of divisions after which every bit of a digest is used."""


class Branches(Struct, frozen=True, gc=False, cache_hash=True):
    """Occurrences divided by the next bits of the digests of their keys.

    Attributes:
        parts: four of them, by the value of those two bits.
    """

    parts: "tuple[Occurrences, ...]"


Occurrences: TypeAlias = Union[tuple[bytes, ...], Branches]  # noqa: UP007 - the name of a class that is not there yet


def times(occurrences: Occurrences, key: bytes) -> int:
    """Return how often a key has occurred.

    Args:
        occurrences: the occurrences.
        key: the key to count. If some of its occurrences were left out (see ``with_one_more``), the answer is at least
            the limit that was in force.
    """
    if type(occurrences) is Branches:
        digest = _digest(key)
        while type(occurrences) is Branches:
            occurrences = occurrences.parts[digest % _PARTS]
            digest >>= _BITS
    assert type(occurrences) is tuple
    return occurrences.count(key)


def with_one_more(occurrences: Occurrences, key: bytes, most: int) -> Occurrences:
    """Return the occurrences with one more of a key; the value that is passed does not change.

    Args:
        occurrences: the occurrences so far.
        key: the key that occurs once more.
        most: occurrences of one key above this number may be left out, because no rule asks for more.
    """
    if type(occurrences) is tuple and len(occurrences) < FEW:
        return (*occurrences, key)
    return _insert(occurrences, key, most, _digest(key), 0)


def _insert(occurrences: Occurrences, key: bytes, most: int, digest: int, depth: int) -> Occurrences:
    """Return occurrences with one more of a key; the same object if the key is there ``most`` times already.

    ``digest`` has the bits of the key's digest from this depth on; a caller begins with depth 0.
    """
    if type(occurrences) is tuple:
        if occurrences.count(key) >= most:
            return occurrences
        # A part of one key alone is not divided: the division would put all of it into one part again, at every depth.
        if len(occurrences) < FEW or depth == _DEPTH or set(occurrences) == {key}:
            return (*occurrences, key)
        occurrences = _divide(occurrences, depth)
    assert type(occurrences) is Branches
    parts, at = occurrences.parts, digest % _PARTS
    part = _insert(parts[at], key, most, digest >> _BITS, depth + 1)
    return occurrences if part is parts[at] else Branches((*parts[:at], part, *parts[at + 1 :]))


def _divide(keys: tuple[bytes, ...], depth: int) -> Branches:
    """Return keys as branches of four parts, divided by the two bits of their digests at a depth."""
    parts: list[tuple[bytes, ...]] = [()] * _PARTS
    for key in keys:
        parts[(_digest(key) >> _BITS * depth) % _PARTS] += (key,)
    return Branches(tuple(parts))


def _digest(key: bytes) -> int:
    """Return the digest of a key as a number.

    It is a cryptographic one, so that nobody can choose positions whose digests agree and so make the tree deep.
    """
    return int.from_bytes(blake2b(key, digest_size=_BITS * _DEPTH // 8).digest(), "little")
