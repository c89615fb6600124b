"""Tricks with cards that nobody wrote down, held to every card they may have been."""

from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest

from cartulary.engine.cards import hands as h
from cartulary.engine.cards.deck import cards_of, deck_of, set_of
from cartulary.engine.cards.layouts import Places
from cartulary.engine.cards.tricks import Trick, lay, narrow_by_winner, playable, winners
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.cgn.signs import read_cards

DECK = deck_of("CDHS", "2QA")
SEATS = (3, 4, 1, 2)
CODES = {name: card for card, name in enumerate(DECK.names)}


def won(cards: tuple[int, ...], trumps: int) -> int:
    """Return who wins a trick that is written whole, told from the names alone."""
    suit = DECK.names[min(cards_of(trumps))][1] if trumps else ""
    names = [DECK.names[card] for card in cards]
    counts = [name for name in names if name[1] == suit] or [name for name in names if name[1] == names[0][1]]
    return SEATS[names.index(max(counts, key=lambda name: "2QA".index(name[0])))]


def filled(cards: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the trick with every card its unnamed ones may have been."""
    gaps = [at for at, card in enumerate(cards) if card < 0]
    for chosen in permutations(set(range(12)) - set(cards), len(gaps)):
        yield tuple(chosen[gaps.index(at)] if at in gaps else card for at, card in enumerate(cards))


def tricks(count: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield tricks with some cards unnamed, and the trumps."""
    random = Random("tricks")
    for _ in range(count):
        whole = random.sample(range(12), 4)
        number, cards = 0, []
        for card in whole:
            hidden = random.random() < 0.3
            cards.append(~number if hidden else card)
            number += hidden
        yield tuple(cards), random.choice((0, *DECK.suits))


def test_who_may_have_won_is_who_wins_with_some_card_in_the_gap() -> None:
    for cards, trumps in tricks(400):
        answer = winners(tuple(zip(SEATS, cards, strict=True)), DECK.suits, trumps)
        may = {won(whole, trumps) for whole in filled(cards)}
        assert may <= set(answer), (cards, trumps)
        if cards[0] >= 0:
            assert may == set(answer), (cards, trumps)
        assert list(answer) == [seat for seat in SEATS if seat in answer]


def test_who_has_won_tells_what_the_unnamed_cards_may_be_and_never_too_much() -> None:
    narrowed = 0
    for cards, trumps in tricks(200):
        hands = h.begin(Places(DECK.cards, (3,) * 4), (0,) * 4)
        trick: Trick = ()
        for ply, (seat, card) in enumerate(zip(SEATS, cards, strict=True), 1):
            hands, laid = lay(hands, seat - 1, max(card, -1), ply)
            assert laid == card
            trick = (*trick, (seat, laid))
        for seat in winners(trick, DECK.suits, trumps):
            after = narrow_by_winner(hands, trick, seat, DECK.suits, trumps, 5)
            for at, card in enumerate(cards):
                may = set_of(whole[at] for whole in filled(cards) if won(whole, trumps) == seat) if card < 0 else 0
                if card < 0:
                    assert not may & ~after.unnamed_cards[~card].cards, (cards, trumps, seat)
                    narrowed += after.unnamed_cards[~card] != hands.unnamed_cards[~card]
    assert narrowed > 50


def test_a_card_may_be_played_once_and_from_one_hand() -> None:
    hands = h.begin(Places(DECK.cards, (3,) * 4), (0b111, 0, 0, 0))
    assert playable(hands, 0) == 0b111
    hands, _ = lay(hands, 0, 1, 1)
    assert playable(hands, 0) == 0b101
    assert playable(hands, 1) == DECK.cards & ~0b111
    hands, card = lay(hands, 1, -1, 2)
    assert (card, h.cards_left(hands, 1)) == (-1, 2)
    assert playable(hands, 0) == 0b101


@pytest.mark.parametrize(
    ("text", "cards"), [("2C", "2C"), ("AS,2C", "AS 2C"), ("AS2CQH", "AS 2C QH"), ("2C,QC2D", "2C QC 2D")]
)
def test_cards_of_a_word_are_read_with_commas_or_without(text: str, cards: str) -> None:
    assert read_cards(f"p1*{text}", 3, CODES, "a card such as XH", "a card") == tuple(
        CODES[name] for name in cards.split()
    )


@pytest.mark.parametrize(
    ("text", "column", "found"),
    [("", 3, "the end of p1*"), ("2C,", 6, "the end of p1*2C,"), ("2C,,QC", 7, ",QC"), ("2CX", 6, "X"), ("~", 4, "~")],
)
def test_what_is_no_card_is_told_where_it_stands(text: str, column: int, found: str) -> None:
    with pytest.raises(NotationError) as fault:
        read_cards(f"p1*{text}", 3, CODES, "a card such as XH", "a card")
    assert fault.value.column == column
    assert fault.value.because.startswith(f"found {found}")
