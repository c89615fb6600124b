"""A word that cannot be read costs what it costs once: no memory stays behind, and none is too long to be answered."""

import gc
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle
from random import Random
from typing import Any, get_args, get_type_hints

import pytest
from msgspec import Struct

import cartulary.engine
import cartulary.notation
import cartulary.records
import cartulary.web
from cartulary.engine.calls import NO_CALLS
from cartulary.notation import examine, load, loads
from cartulary.notation.arbiter.heading import read_heading
from cartulary.notation.arbiter.replay import LONGEST_WORD
from cartulary.notation.arbiter.typed import read_typed
from cartulary.testing import Laws, tables
from tests.laws.test_all_games import HELD
from tests.laws.test_no_memory import modules
from tests.places import SAMPLES

UNTRACKED = [cartulary.engine, cartulary.notation, cartulary.records, cartulary.web]


@cache
def structs() -> tuple[type[Struct], ...]:
    """Return every Struct there is in the package, each once."""
    list(modules(*UNTRACKED))
    found, left = dict[type[Struct], None](), [Struct]
    while left:
        for each in left.pop().__subclasses__():
            if each not in found:
                found[each] = None
                left.append(each)
    return tuple(each for each in found if each.__module__.startswith("cartulary."))


@cache
def by_name() -> dict[str, type[Struct]]:
    """Return every Struct there is by the name that hints give it."""
    return {each.__name__: each for each in structs()}


def within(hint: Any, around: frozenset[Any] = frozenset()) -> Iterator[type]:
    """Yield every type that a value of this type may hold, as far as types say so."""
    for part in get_args(hint):
        yield from within(part, around)
    if isinstance(hint, type) and hint not in around:
        yield hint
        if issubclass(hint, Struct):
            for held in fields(hint).values():
                yield from within(held, around | {hint})


@cache
def fields(struct: type[Struct]) -> dict[str, Any]:
    return get_type_hints(struct, vars(sys.modules[struct.__module__]), by_name())


def holds_exceptions(struct: type[Struct]) -> bool:
    return any(issubclass(held, BaseException) for held in within(struct))


def test_no_type_that_is_not_tracked_holds_an_exception() -> None:
    untracked = [each for each in structs() if not each.__struct_config__.gc]
    assert len(untracked) > 50
    assert [each.__qualname__ for each in untracked if holds_exceptions(each)] == []
    assert [each.__qualname__ for each in structs() if holds_exceptions(each)] != []


def exceptions() -> int:
    """Return how many exceptions there are."""
    gc.collect()
    return sum(isinstance(each, BaseException) for each in gc.get_objects())


def growth(do: Callable[[], None], times: int) -> tuple[int, int]:
    """Return how many bytes and how many exceptions stay behind when something is done so often."""
    for _ in range(times):
        do()
    gc.freeze()  # what other tests keep is not gone through again for each look
    others = exceptions()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(times):
        do()
    more = exceptions() - others
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return after - before, more


@pytest.mark.parametrize("held", HELD, ids=lambda held: held.key)
def test_memory_stands_still_while_hundreds_of_bad_words_are_typed(held: type[Laws]) -> None:
    title, tags = held.game().about.title, held().random_game(Random("bad words"))[0]
    [record] = loads(tables.sheet(title, tags, ""))
    heading = read_heading(record)
    assert heading.game is not None
    assert heading.sheet is not None
    game, state, seats = heading.game, heading.game.rules.setup(heading.sheet), heading.sheet.seats
    # Not ever new ones: what a word is by its text alone is remembered, up to a bound.
    number = cycle(range(50))

    def bad_sheet() -> None:
        [bad] = loads(tables.sheet(title, tags, f"zq{next(number)}"))
        assert examine(bad).report.verdict == "unreadable"

    def bad_line() -> None:
        assert read_typed(game, state, NO_CALLS, seats, f"zq{next(number)}").fault is not None

    for do, times in ((bad_sheet, 50), (bad_line, 200)):
        grown, more = growth(do, times)
        assert (more, grown < 200 * times) == (0, True), f"{grown:,} bytes stay behind"


LONG = {"letters": "4" + "c" * 16_000, "capitals": "Q" * 16_000, "digits": "9" * 16_000, "cards": "4C," * 5_000}


@pytest.mark.parametrize("word", LONG.values(), ids=LONG)
@pytest.mark.parametrize("held", HELD, ids=lambda held: held.key)
def test_a_word_that_is_too_long_is_told_how_long_it_may_be(held: type[Laws], word: str) -> None:
    title, tags = held.game().about.title, held().random_game(Random("bad words"))[0]
    [record] = loads(tables.sheet(title, tags, f"a{word}"))
    tracemalloc.start()
    found = [one for one in examine(record).report.findings if one.ply == 1]
    grown = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    expected = f"found a word of {len(word) + 1:,} signs, expected at most {LONGEST_WORD:,}"
    assert [(one.key, one.because) for one in found] == [("cgn.syntax", expected)]
    assert grown < 2_000_000


def test_a_long_word_of_small_letters_is_spelled_no_more_often_than_it_is_tried() -> None:
    word = "4" + "c" * (LONGEST_WORD - 1)
    [record] = loads(f'[Game "Cardmate"]\n\n{word}\n')
    tracemalloc.start()
    assert examine(record).report.verdict == "unreadable"
    grown = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert grown < 1_000_000


def test_the_longest_words_there_are_may_be_written() -> None:
    words = [word for path in SAMPLES.glob("*/games/*.cgn") for record in load(path) for word in record.line.words]
    assert max(map(len, words)) < LONGEST_WORD / 2


def test_a_word_of_a_record_that_is_not_judged_may_be_as_long_as_it_is() -> None:
    word = "x" * (LONGEST_WORD + 1)
    [record] = loads(f'[Game "Halma"]\n[Rules "none"]\n[Seats "2"]\n\n{word}\n')
    assert [one for one in examine(record).report.findings if one.ply] == []
