"""Runs: the marks of many games, packed in order, so that a position is found by reading one short row of each run.

A *posting* says that a position stood in a game: the low bits of its mark, the game's place in the run, the ply. A
*chunk* holds the postings of all marks with the same high bits, in order, each of the same width: most take seven
bytes, where a row of its own would take twenty. How many bits are high is each run's own, so that a chunk is neither so
short that its row takes more than it holds, nor so long that a page has no room for the next.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from cartulary.records.library.marks import DIGEST, Trail

HIGH = 12
"""Bits of a mark that name its chunk, at most; as many they were in every run of earlier versions."""
FULL = 64
"""Postings of a chunk, at most where there are bits for that."""
LEAST = 7
"""Bytes of a posting, in a run whose games are not too many or too long for that."""


class Run(Struct, frozen=True):
    """The marks of some games, each known by its place in the run.

    width: bytes of a posting; bits: how many of its last ones tell the ply; high: bits of a mark that name its chunk
    chunks: (the least mark it can hold, postings) of each, in order
    """

    width: int
    bits: int
    high: int
    chunks: tuple[tuple[int, bytes], ...]


def packed(trails: Sequence[Trail]) -> Run:
    """Return the run of these games."""
    bits = max((ply for each in trails for _, ply in each.marks), default=0).bit_length()
    told = bits + len(trails).bit_length()
    high = min(HIGH, (sum(len(each.marks) for each in trails) // FULL).bit_length())
    low = low_of(high)
    width = max(LEAST, -(-(low + told) // 8))
    kept, rest = 8 * width, (1 << 8 * width) - 1
    # Between the mark's low bits and the place there may be room: a posting ends with the place and the ply.
    shift = kept - low
    postings = sorted(mark << shift | at << bits | ply for at, each in enumerate(trails) for mark, ply in each.marks)
    chunks = tuple(
        (begins << low, b"".join([(posting & rest).to_bytes(width) for posting in some]))
        for begins, some in groupby(postings, lambda posting: posting >> kept)
    )
    return Run(width, bits, high, chunks)


def chunk_of(run: int, high: int, mark: int) -> int:
    """Return the number of the chunk of a run in which the postings of a mark stand."""
    return run << HIGH | mark >> low_of(high)


def low_of(high: int) -> int:
    """Return how many bits of a mark stand in a posting of a run that has so many high ones."""
    return 8 * DIGEST - high


def found_in(chunk: bytes, width: int, bits: int, high: int, mark: int) -> Iterator[tuple[int, int]]:
    """Yield (place in the run, ply) of each posting of a mark, the last place first."""
    shift = 8 * width - low_of(high)
    low = mark & (1 << low_of(high)) - 1

    def posting(at: int) -> int:
        return int.from_bytes(chunk[at * width : (at + 1) * width])

    postings = range(len(chunk) // width)
    first, stop = (bisect_left(postings, bound << shift, key=posting) for bound in (low, low + 1))
    for at in reversed(range(first, stop)):
        where = posting(at) & (1 << shift) - 1
        yield where >> bits, where & (1 << bits) - 1
