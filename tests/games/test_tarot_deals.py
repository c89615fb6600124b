"""Tarot's tricks, piles and scores against a second scoring that shares nothing with them."""

from fractions import Fraction
from random import Random

import pytest

from cartulary.engine.cards.deck import CARDS, DECK, FOOL, SUIT, TRUMPS, cards_of, names, set_of
from cartulary.engine.tarot.score import (
    BOUTS,
    MULTIPLIERS,
    PlayedDeal,
    half_points,
    seats_with_most,
    settle_dementlieu,
    settle_fft,
)
from cartulary.engine.tarot.tricks import Piles, Trick, count_piles, debts, seat_at
from tests.hunts import looks
from tests.referees.tarot import score as tarot_score

NAMES = names("CDHS")
NUMBER = {name: card for card, name in enumerate(NAMES)}
TABLES = [("dementlieu", 3), ("dementlieu", 4), ("fft", 3), ("fft", 4), ("fft", 5)]


def hand(text: str) -> int:
    return set_of(NUMBER[name] for name in text.split())


def cards(text: str) -> list[int]:
    return [NUMBER[name] for name in text.split()]


def legal_cards(variant: str, hand: int, trick: list[int]) -> int:
    """Return the cards of a known hand that owe nothing it holds."""
    legal_cards = (card for card in cards_of(hand) if not any(owed & hand for _, owed in debts(variant, trick, card)))
    return set_of(legal_cards)


@pytest.mark.parametrize(
    ("variant", "trick", "held", "allowed"),
    [
        ("dementlieu", "5H", "2H 7C T04 T00", "2H T04 T00"),
        ("fft", "5H", "2H 7C T04 T00", "2H T00"),
        ("dementlieu", "5H", "7C KD T04", "7C KD T04"),
        ("fft", "5H", "7C KD T04", "T04"),
        ("dementlieu", "5H T10", "7C T04 T12", "7C T04 T12"),
        ("fft", "5H T10", "7C T04 T12", "T12"),
        ("fft", "5H T10", "7C T04 T09 T00", "T04 T09 T00"),
        ("dementlieu", "T08", "7C T04 T12", "T12"),
        ("fft", "T08", "7C T04 T02", "T04 T02"),
        ("dementlieu", "T08", "7C 2D", "7C 2D"),
        ("dementlieu", "T00", "7C 2D T05", "7C 2D T05"),
        ("dementlieu", "T00 7C", "2C 2D T05", "2C T05"),
        ("fft", "T00 7C", "2C 2D T05", "2C"),
    ],
)
def test_a_hand_may_play_what_its_variant_lets_it(variant: str, trick: str, held: str, allowed: str) -> None:
    assert legal_cards(variant, hand(held), cards(trick)) == hand(allowed)


def test_a_debt_names_its_rule_and_what_the_hand_must_not_hold() -> None:
    five, seven, four = cards("5H 7C T04")
    assert debts("fft", [five], seven) == (("tarot.follow-suit", SUIT[2]), ("tarot.must-trump", TRUMPS))
    assert debts("dementlieu", [five], seven) == (("tarot.follow-suit", SUIT[2]),)
    assert debts("fft", cards("5H T20"), four) == (
        ("tarot.follow-suit", SUIT[2]),
        ("tarot.overtrump", hand("T21")),
    )
    assert debts("dementlieu", cards("T20"), four) == (("tarot.overtrump", hand("T21")),)
    assert debts("fft", [four], FOOL) == ()


def played(rng: Random, variant: str, seats: int) -> tuple[tarot_score.Deal, Piles, PlayedDeal, tuple[int, ...]]:
    """Return one random deal as both scorings take it, with what each bid put into the pot."""
    order = rng.sample(CARDS, 78)
    aside = {3: 6, 4: 6, 5: 3}[seats]
    chien, size = order[:aside], (78 - aside) // seats
    hands = [set_of(order[aside + size * seat : aside + size * (seat + 1)]) for seat in range(seats)]
    taker, bid = rng.randint(1, seats), rng.choice(list(MULTIPLIERS))
    away = chien
    if bid in ("Prise", "Garde"):
        hands[taker - 1] |= set_of(chien)
        away = rng.sample(sorted(cards_of(may_lay_aside(variant, hands[taker - 1], aside))), aside)
        hands[taker - 1] &= ~set_of(away)
    called = rng.choice(["KC", "KD", "KH", "KS"]) if seats == 5 else ""
    partner = next((s for s in range(1, 6) if called and s != taker and hands[s - 1] >> NUMBER[called] & 1), 0)
    chelem = variant == "fft" and rng.random() < 0.3
    tricks = play_out(rng, variant, hands, taker if chelem else 1)
    poignees = ((taker, {3: 13, 4: 10, 5: 8}[seats]),) if variant == "fft" and rng.random() < 0.3 else ()
    bids = (tarot_score.Bid(taker, bid, 3),)
    deal = tarot_score.Deal(
        variant,
        seats,
        seats,
        bids,
        tuple(NAMES[card] for card in chien),
        tuple(NAMES[card] for card in away) if bid in ("Prise", "Garde") else (),
        tuple(tuple((seat_at(t, n, seats), NAMES[card]) for n, card in enumerate(t.cards)) for t in tricks),
        called,
        poignees,
        chelem,
    )
    side = frozenset({taker} | ({partner} if partner else set()))
    piles = count_piles(variant, seats, side, taker, tricks, set_of(away), bid != "GardeContre")
    bouts, halves = (piles.side & BOUTS).bit_count(), half_points(variant, piles.side)
    shown = (20,) * len(poignees)
    score = PlayedDeal(seats, taker, partner, bid, bouts, halves, piles.petit, shown, chelem, piles.swept)
    return deal, piles, score, tuple(3 if seat == taker else 0 for seat in range(1, seats + 1))


def may_lay_aside(variant: str, hand: int, aside: int) -> int:
    """Return the cards of a hand that may be among so many laid aside (``tarot.ecart-cards``)."""
    if variant == "dementlieu":
        return hand
    plain = hand & ~set_of(NUMBER[king] for king in ("KC", "KD", "KH", "KS")) & ~BOUTS
    return plain & ~TRUMPS if (plain & ~TRUMPS).bit_count() >= aside else plain


def play_out(rng: Random, variant: str, hands: list[int], leader: int) -> tuple[Trick, ...]:
    """Return the tricks of a deal in which every seat plays any legal card."""
    seats, tricks = len(hands), []
    for _ in range(hands[0].bit_count()):
        laid: list[int] = []
        for at in range(seats):
            seat = (leader - 1 + at) % seats
            card = rng.choice(list(cards_of(legal_cards(variant, hands[seat], laid))))
            hands[seat] ^= 1 << card
            laid.append(card)
        tricks.append(Trick(leader, tuple(laid)))
        leader = tarot_score.highest(
            tuple((seat_at(tricks[-1], at, seats), NAMES[card]) for at, card in enumerate(laid))
        )
    return tuple(tricks)


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_two_scorings_agree_on_random_deals(variant: str, seats: int) -> None:
    rng = Random(f"{variant} {seats}")
    for _ in range(looks(300)):
        deal, piles, score, stakes = played(rng, variant, seats)
        expected = tarot_score.settle(deal)
        assert piles.winners == tarot_score.winners(deal)
        assert Fraction(half_points(variant, piles.side), 2) == expected.taker_points
        if variant == "fft":
            assert piles.side | piles.others == DECK
            assert half_points(variant, piles.side) + half_points(variant, piles.others) == 182
            assert settle_fft(score) == expected.scores
            assert sum(settle_fft(score)) == 0
        else:
            contract, pot = settle_dementlieu(score, stakes, seats_with_most(variant, piles.own))
            assert list(map(Fraction, contract)) == list(expected.scores)
            assert pot == expected.pot


def test_the_fool_of_a_side_that_wins_nothing_stays_with_it_and_nothing_is_given() -> None:
    tricks = (Trick(1, tuple(cards("KC T00 1C"))), Trick(1, tuple(cards("T21 1D KD"))))
    piles = count_piles("fft", 3, frozenset({1}), 1, tricks, 0, True)
    assert (piles.side, piles.others) == (hand("KC 1C T21 1D KD"), hand("T00"))
    alone = count_piles("fft", 3, frozenset({2}), 2, tricks, hand("2S"), False)
    assert (alone.side, alone.others) == (hand("T00"), hand("KC 1C T21 1D KD 2S"))
    given = count_piles("fft", 3, frozenset({2}), 2, tricks, hand("2S"), True)
    assert (given.side, given.others) == (hand("T00"), hand("KC 1C T21 1D KD 2S"))


def test_a_fool_led_to_the_last_trick_wins_for_a_side_that_won_all_others() -> None:
    early, last = Trick(1, tuple(cards("KC 1C T01"))), Trick(3, tuple(cards("T00 1D KD")))
    piles = count_piles("fft", 3, frozenset({3}), 3, (early, last), 0, True)
    assert piles.winners == (3, 3)
    assert (piles.petit, piles.swept) == (1, 1)
    others = count_piles("fft", 3, frozenset({1, 3}), 1, (Trick(2, tuple(cards("KC 1C T01"))), last), 0, True)
    assert others.winners == (1, 3)
    assert count_piles("fft", 3, frozenset({1}), 1, (early, last), 0, True).winners == (3, 3)
