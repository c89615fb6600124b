"""Runs of marks: what was packed is what is found, whatever was packed."""

import random

import pytest

from cartulary.records.library.marks import DIGEST, Trail
from cartulary.records.library.runs import LEAST, Run, chunk_of, found_in, packed

LAST = (1 << 8 * DIGEST) - 1
EDGES = (0, 1, LAST, LAST - 1, 1 << 36, (1 << 36) - 1)
LONG = (255, 256, 1 << 20, 1 << 40)


def played(drawn: random.Random) -> list[dict[int, int]]:
    """Return the marks of some games, some of them alike, and the ply of each."""
    often = [*EDGES, *(drawn.getrandbits(48) for _ in range(9))]
    longest = drawn.choice((1, 90, *LONG))
    return [
        {drawn.choice((*often, drawn.getrandbits(48))): drawn.randint(0, longest) for _ in range(drawn.randrange(30))}
        for _ in range(drawn.randint(1, 60))
    ]


def look_up(run: Run, mark: int) -> list[tuple[int, int]]:
    chunks = {chunk_of(3, least): chunk for least, chunk in run.chunks}
    return list(found_in(chunks.get(chunk_of(3, mark), b""), run.width, run.bits, mark))


@pytest.mark.parametrize("seed", range(30))
def test_every_mark_is_found_where_it_was_and_no_other(seed: int) -> None:
    drawn = random.Random(seed)
    games = played(drawn)
    run = packed([Trail(number, 1, tuple(each.items())) for number, each in enumerate(games)])
    for mark in {*EDGES, *(drawn.getrandbits(48) for _ in range(20)), *(mark for each in games for mark in each)}:
        stood = [(at, each[mark]) for at, each in enumerate(games) if mark in each]
        assert look_up(run, mark) == stood[::-1]


def test_a_posting_takes_seven_bytes_but_in_a_run_of_longer_games() -> None:
    few = [Trail(number, 1, ((number, 500),)) for number in range(2000)]
    assert packed(few).width == LEAST
    assert packed([*few, Trail(2000, 1, ((7, 70_000),))]).width == LEAST + 1
    assert look_up(packed([*few, Trail(2000, 1, ((7, 70_000),))]), 7) == [(2000, 70_000), (7, 500)]


def test_chunks_are_written_in_order_and_those_of_the_next_run_behind_them() -> None:
    spread = [Trail(0, 1, tuple((mark << 30, 0) for mark in range(0, 1 << 18, 999)))]
    numbers = [chunk_of(1, least) for least, _ in packed(spread).chunks]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] < chunk_of(2, 0)
