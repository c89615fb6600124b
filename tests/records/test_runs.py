"""Runs of marks: what was packed is what is found, whatever was packed."""

import random

import pytest

from cartulary.records.library.marks import DIGEST, Trail
from cartulary.records.library.runs import FULL, HIGH, LEAST, Run, chunk_of, pack_run, postings_of
from tests.hunts import looks

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
    chunks = {chunk_of(3, run.high, least): chunk for least, chunk in run.chunks}
    return list(postings_of(chunks.get(chunk_of(3, run.high, mark), b""), run.width, run.bits, run.high, mark))


def drawn_marks(count: int, games: int = 100) -> list[Trail]:
    """Return games that have so many different marks together."""
    drawn = random.Random(count)
    each = -(-count // games)
    return [Trail(at, 1, tuple((drawn.getrandbits(48), ply) for ply in range(each))) for at in range(games)]


@pytest.mark.hunt
@pytest.mark.parametrize("seed", range(looks(30)))
def test_every_mark_is_found_where_it_was_and_no_other(seed: int) -> None:
    drawn = random.Random(seed)
    games = played(drawn)
    run = pack_run([Trail(number, 1, tuple(each.items())) for number, each in enumerate(games)])
    for mark in {*EDGES, *(drawn.getrandbits(48) for _ in range(20)), *(mark for each in games for mark in each)}:
        stood = [(at, each[mark]) for at, each in enumerate(games) if mark in each]
        assert look_up(run, mark) == stood[::-1]


def test_a_posting_takes_seven_bytes_but_in_a_run_of_longer_games() -> None:
    few = drawn_marks(20_000, 200)
    assert pack_run(few).width == LEAST
    longer = pack_run([*few, Trail(200, 1, ((7, 70_000),))])
    assert longer.width == LEAST + 1
    assert look_up(longer, 7) == [(200, 70_000)]


def test_chunks_are_written_in_order_and_those_of_the_next_run_behind_them() -> None:
    for count in (100, 10_000, 300_000):
        run = pack_run(drawn_marks(count))
        numbers = [chunk_of(1, run.high, least) for least, _ in run.chunks]
        assert numbers == sorted(set(numbers))
        assert chunk_of(1, HIGH, 0) <= numbers[0] <= numbers[-1] < chunk_of(2, HIGH, 0)


@pytest.mark.parametrize("count", [0, 1, 100, 5_000, 50_000, 200_000])
def test_a_chunk_is_neither_so_short_that_its_row_takes_more_nor_longer_than_there_are_bits_for(count: int) -> None:
    trails = drawn_marks(count) if count else []
    run = pack_run(trails)
    postings = sum(len(chunk) for _, chunk in run.chunks) // run.width
    assert postings == sum(len(each.marks) for each in trails)
    assert run.high <= HIGH
    assert postings < FULL << run.high
    assert run.high == 0 or postings >= FULL << run.high - 1
    for at in (0, 57, 99)[: len(trails)]:
        mark, ply = trails[at].marks[-1]
        assert look_up(run, mark) == [(at, ply)]
