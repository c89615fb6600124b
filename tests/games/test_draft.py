"""A draft notes what a word breaks and asks while it is carried out."""

from typing import Any

import pytest

from cartulary.engine.cards.draft import BlockedError, Draft, InOrder
from cartulary.engine.contract import LEGAL, Clause, Need, Open, Refused, Undecided

FIRST: Clause[Any, Any] = Clause("game.first", "First.", "page")
SECOND: Clause[Any, Any] = Clause("game.second", "Second.", "page")
CLAUSES = (FIRST, SECOND)


def test_a_word_that_breaks_and_asks_nothing_is_legal() -> None:
    assert Draft().verdict(CLAUSES) is LEGAL


def test_the_first_refusal_in_the_order_of_the_clauses_is_told() -> None:
    draft = Draft()
    draft.refuse(SECOND, "b")
    draft.refuse(FIRST, "a")
    draft.refuse(FIRST, "c")
    assert draft.verdict(CLAUSES) == Refused("a", False, FIRST, others=(Refused("b", clause=SECOND),))


def test_a_refusal_that_blocks_blocks_the_one_that_is_told() -> None:
    draft = Draft()
    draft.refuse(FIRST, "a")
    with pytest.raises(BlockedError):
        draft.block(SECOND, "b")
    assert draft.verdict(CLAUSES) == Refused("a", True, FIRST)


def test_questions_are_told_only_where_nothing_is_refused() -> None:
    draft, need = Draft(), Need("hand", (80,), 3)
    draft.ask(SECOND, Open((need,), asks=False))
    draft.ask(FIRST, Open(()))
    assert draft.verdict(CLAUSES) == Undecided((Open((need,), False, SECOND), Open((), True, FIRST)))
    draft.refuse(SECOND, "b")
    assert draft.verdict(CLAUSES) == Refused("b", False, SECOND)


def test_a_word_looked_at_in_order_tells_the_first_refusal_it_meets() -> None:
    draft = InOrder()
    draft.refuse(SECOND, "b")
    with pytest.raises(BlockedError):
        draft.block(FIRST, "a")
    assert draft.verdict(CLAUSES) == Refused("b", True, SECOND)
