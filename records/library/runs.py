"""Runs: the marks of many games, packed in order, so that a search for a position reads one short row of each run.

A *posting* says that a position occurred in a game. A *chunk* is one row: the postings of all marks with the same high
bits, in order, all of the same width. Most postings take seven bytes, where a row of their own would take twenty.

    mark      = high bits ‖ low bits                           the high bits name the chunk
    posting   = low bits ‖ (room) ‖ place of the game in the run ‖ ply

Each run has its own number of high bits. With too many, a chunk is so short that its row takes more than it holds; with
too few, it is so long that a page of the database has no room for a second one.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from cartulary.records.library.marks import DIGEST, Trail

HIGH = 12
"""The largest number of high bits. Runs of earlier versions always have this number."""
FULL = 64
"""The number of postings aimed at in a chunk."""
LEAST = 7
"""The smallest width of a posting in bytes. It is larger if a run has very many or very long games."""


class Run(Struct, frozen=True):
    """The packed marks of some games, each game known by its place in the run.

    Attributes:
        width: The bytes of a posting.
        bits: How many of its last bits are the ply.
        high: How many bits of a mark name its chunk.
        chunks: The smallest mark that each chunk can hold, and its postings, in order.
    """

    width: int
    bits: int
    high: int
    chunks: tuple[tuple[int, bytes], ...]


def pack_run(trails: Sequence[Trail]) -> Run:
    """Return the marks of games packed as a run, in which each game is known by its index in ``trails``.

    A mark is the number by which a position is found. A posting holds the low bits of a mark, the game and the first
    ply that has it; postings whose marks have the same high bits are a chunk.
    """
    bits = max((ply for each in trails for _, ply in each.marks), default=0).bit_length()
    length = bits + len(trails).bit_length()
    high = min(HIGH, (sum(len(each.marks) for each in trails) // FULL).bit_length())
    low = low_of(high)
    width = max(LEAST, -(-(low + length) // 8))
    kept_bits, mask = 8 * width, (1 << 8 * width) - 1
    # The width is in whole bytes, so there may be unused bits between the low bits of the mark and the place.
    shift = kept_bits - low
    postings = sorted(mark << shift | at << bits | ply for at, each in enumerate(trails) for mark, ply in each.marks)
    chunks = tuple(
        (high_bits << low, b"".join([(posting & mask).to_bytes(width) for posting in group]))
        for high_bits, group in groupby(postings, lambda posting: posting >> kept_bits)
    )
    return Run(width, bits, high, chunks)


def chunk_of(run: int, high: int, mark: int) -> int:
    """Return the number of the chunk that holds the postings of a mark, in a run whose chunks are named by ``high``
    high bits.

    ``run`` is the number of the run; no two runs have a chunk of the same number.
    """
    return run << HIGH | mark >> low_of(high)


def low_of(high: int) -> int:
    """Return how many low bits a mark, a number of 48 bits, has if ``high`` of its bits name the chunk. Postings hold
    those.
    """
    return 8 * DIGEST - high


def postings_of(chunk: bytes, width: int, bits: int, high: int, mark: int) -> Iterator[tuple[int, int]]:
    """Yield the place in the run and the ply of each posting of a mark, the last place first; nothing if it has none.

    A posting says that a position, whose mark this is, occurs in a game, which is known by its place in the run.

    Args:
        chunk: The postings of a chunk, sorted.
        width: The bytes of one posting.
        bits: How many low bits of a posting are the ply.
        high: How many high bits of a mark name its chunk, so that postings do not hold them.
        mark: The mark to look for.
    """
    shift = 8 * width - low_of(high)
    low = mark & (1 << low_of(high)) - 1

    def posting(at: int) -> int:
        """Return the posting with index ``at`` in the chunk as a number."""
        return int.from_bytes(chunk[at * width : (at + 1) * width])

    postings = range(len(chunk) // width)
    first, stop = (bisect_left(postings, bound << shift, key=posting) for bound in (low, low + 1))
    for at in reversed(range(first, stop)):
        where = posting(at) & (1 << shift) - 1
        yield where >> bits, where & (1 << bits) - 1
