"""Zones of cards, for any game: a card is seen where it lies, found in a zone, put in front, and told by the table."""

import pytest

from cartulary.engine.cards.zones import Zones
from cartulary.engine.slots import SLOT, UNKNOWN, one_kind

SEVEN, EIGHT, NINE, TEN = 7, 8, 9, 10
HAND = bytes((SEVEN, SLOT, SLOT))
"""The seven, and two of the eight, nine and ten."""


def zones() -> Zones:
    """Return a draft that knows of three cards where they may lie, not which is where."""
    draft = Zones()
    draft.slots = one_kind(3, 1 << EIGHT | 1 << NINE | 1 << TEN, bytes((EIGHT, NINE, TEN)))
    return draft


@pytest.mark.parametrize(
    ("code", "card", "seen"),
    [(SEVEN, SEVEN, SEVEN), (SEVEN, UNKNOWN, SEVEN), (SEVEN, EIGHT, None), (SLOT, EIGHT, EIGHT), (SLOT, SEVEN, None)],
)
def test_a_card_is_seen_where_it_may_lie(code: int, card: int, seen: int | None) -> None:
    assert zones().sight(code, card) == seen


def test_a_card_that_came_to_light_lies_nowhere_else() -> None:
    draft = zones()
    assert draft.as_told(HAND, bytes((UNKNOWN, NINE))) == bytes((SEVEN, NINE, SLOT))
    assert draft.slots.pools == (bytes((EIGHT, TEN)),)
    assert draft.as_told(HAND, bytes((SEVEN, NINE))) == NINE


def test_cards_are_put_in_front_in_the_order_of_the_word_with_who_knows_them() -> None:
    zone, eyes, wrong = zones().in_front(HAND, bytes((TEN, UNKNOWN, SEVEN)), (1, 2, 4))
    assert (zone, eyes, wrong) == (bytes((TEN, SEVEN, SLOT)), (2, 1, 4), -1)


def test_a_card_that_cannot_be_there_is_named_with_what_was_left_to_look_in() -> None:
    zone, _, wrong = zones().in_front(HAND, bytes((SEVEN, SEVEN)))
    assert (zone, wrong) == (bytes((SLOT, SLOT)), SEVEN)


def test_a_known_card_is_found_before_unknown_ones_and_any_card_in_none_but_an_empty_zone() -> None:
    assert zones().search(HAND, SEVEN) == (HAND, 0, SEVEN, True)
    assert zones().search(b"", UNKNOWN) is None
    found = zones().search(bytes((SLOT,)), UNKNOWN)
    assert found is not None
    assert found[1:] == (0, SLOT, False)
