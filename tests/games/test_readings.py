"""Several states that are possible: a word is judged in all of them, and no reading the words allow is lost."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from cartulary.engine import LEGAL, Clause, PlayResult, Refused, Undecided, Verdict
from cartulary.engine.readings import (
    BUDGET,
    GAP,
    Reading,
    Readings,
    agreement,
    branch,
    merge,
    merge_verdicts,
    try_in_all,
)

MOST: Clause["Heap", "Take"] = Clause("heap.most", "Nobody takes more than lies there.", "house ruling")


class Heap(Struct, frozen=True):
    """A heap of which nobody may know how many lie there."""

    lie: int


class Take(Struct, frozen=True):
    """Stones taken."""

    seat: int
    stones: int


def taking(stones: int, blocks: bool = False) -> Callable[[Heap], PlayResult[Heap, Take]]:
    def play(heap: Heap) -> PlayResult[Heap, Take]:
        left, move = heap.lie - stones, Take(1, stones)
        if left >= 0:
            return PlayResult(move, LEGAL, Heap(left))
        return PlayResult(move, Refused("too many", blocks, MOST), None if blocks else Heap(0))

    return play


def heaps(*lie: int, whole: bool = True) -> Readings[Heap]:
    return Readings(tuple(Reading(Heap(one), ((one,),)) for one in lie), whole)


def in_all(
    readings: Readings[Heap], play: Callable[[Heap], PlayResult[Heap, Take]]
) -> tuple[Verdict, list[tuple[int, Heap]]]:
    """Return the verdict on a word, and the readings that go on: how many lay there, and the heap after."""
    tried: list[PlayResult[tuple[int, Heap], Take]] = [
        PlayResult(answer.move, answer.verdict, None if answer.after is None else (reading.state.lie, answer.after))
        for reading, answer in try_in_all(readings.members, lambda reading: (play(reading.state),))
    ]
    return merge_verdicts(tried, readings.whole)


@given(st.sets(st.integers(0, 9), min_size=1), st.integers(0, 9), st.booleans())
def test_a_word_is_legal_in_all_refused_in_all_or_undecided(lie: set[int], stones: int, blocks: bool) -> None:
    verdict, after = in_all(heaps(*sorted(lie)), taking(stones, blocks))
    fits = sorted(one for one in lie if one >= stones)
    left = [one for one, _ in after]
    if len(fits) == len(lie):
        assert (verdict, left) == (LEGAL, fits)
    elif fits:
        assert isinstance(verdict, Undecided)
        assert [asked.clause for asked in verdict.opens] == [MOST]
        assert left == fits
    else:
        assert isinstance(verdict, Refused)
        assert verdict.blocks is blocks
        assert bool(left) is not blocks


def test_a_word_let_stand_keeps_every_reading_in_which_it_can_be_applied() -> None:
    def play(heap: Heap) -> PlayResult[Heap, Take]:
        refused = Refused("not now", heap.lie == 1, MOST)
        return PlayResult(Take(1, 1), refused, None if refused.blocks else Heap(heap.lie - 1))

    verdict, after = in_all(heaps(1, 2, 3), play)
    assert isinstance(verdict, Refused)
    assert not verdict.blocks
    assert after == [(2, Heap(1)), (3, Heap(2))]


def test_all_states_go_on_however_many_there_are_before_equal_ones_are_merged() -> None:
    verdict, after = in_all(heaps(*range(2 * BUDGET)), taking(0))
    assert (verdict, len(after)) == (LEGAL, 2 * BUDGET)


def test_where_the_budget_ends_nothing_is_decided_any_more() -> None:
    readings = branch(Readings((Reading(Heap(0)),)), lambda heap: ((lie, Heap(lie)) for lie in range(5)), budget=3)
    assert (len(readings.members), readings.whole) == (3, False)
    for stones in (0, 7):
        verdict, _ = in_all(readings, taking(stones))
        assert isinstance(verdict, Undecided)
        assert verdict.opens[-1].clause is GAP


def test_readings_that_are_joined_count_once_though_the_budget_is_spent() -> None:
    merged = merge(
        heaps(1, 2, 3, 11).members,
        same=lambda heap: heap.lie % 10,
        budget=2,
        join=lambda readings: Reading(Heap(sum(reading.state.lie for reading in readings))),
    )
    assert [reading.state for reading in merged.members] == [Heap(12), Heap(2)]
    assert not merged.whole


def test_what_is_agreed_is_what_all_answer() -> None:
    assert agreement([3, 3]) == 3
    assert agreement([3, 4]) is None


def test_equal_states_are_one_reading_with_all_that_leads_there() -> None:
    readings = branch(heaps(1, 2), lambda heap: (("as it is", heap), ("one more", Heap(heap.lie + 1))))
    assert [(each.state.lie, each.assumes) for each in readings.members] == [
        (1, ((1,), ("as it is",))),
        (2, ((1, 2), ("one more", "as it is"))),
        (3, ((2,), ("one more",))),
    ]
    assert readings.whole
