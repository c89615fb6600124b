"""Occurrences are counted as a dict counts them, older values stay as they were, and memory grows with their number."""

import tracemalloc
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.engine import occurrences
from cartulary.engine.occurrences import FEW, Branches, Occurrences, times, with_one_more


@given(st.lists(st.integers(0, 200), max_size=300), st.integers(1, 5))
def test_what_has_occurred_is_counted_up_to_a_number(numbers: list[int], most: int) -> None:
    keys = [str(number).encode() for number in numbers]
    every: list[Occurrences] = [()]
    for key in keys:
        every.append(with_one_more(every[-1], key, most))
    for at, one in enumerate(every):
        counted = Counter(keys[:at])
        assert all(min(times(one, key), most) == min(counted[key], most) for key in keys)


@pytest.mark.parametrize("most", [1, 5, 40])
def test_keys_with_one_digest_are_counted_too(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(occurrences, "_digest", lambda key: key[0])
    keys = [bytes((7, number)) for number in range(50)] * most
    one: Occurrences = ()
    for key in keys:
        one = with_one_more(one, key, most)
    assert all(most <= times(one, key) <= most + FEW for key in keys)
    assert times(one, b"\x07no") == times(one, b"no") == 0


def test_those_made_in_another_order_of_alike_parts_count_alike_and_each_is_hashed_once() -> None:
    keys = [str(number).encode() for number in range(500)]
    one: Occurrences = ()
    for key in keys:
        one = with_one_more(one, key, 1)
    again: Occurrences = ()
    for key in keys:
        again = with_one_more(again, key, 1)
    assert type(one) is Branches
    assert (one == again, hash(one) == hash(again)) == (True, True)
    shuffled = Random(1).sample(keys, len(keys))
    assert all(times(one, key) == 1 for key in shuffled)


def test_every_value_on_the_way_to_many_takes_a_path_and_no_copy() -> None:
    keys = [number.to_bytes(4, "big") * 20 for number in range(16_000)]
    tracemalloc.start()
    every: list[Occurrences] = [()]
    for key in keys:
        every.append(with_one_more(every[-1], key, 5))
    grown = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert grown < 800 * len(keys)
