"""What Tarot's hidden hands prove later besides revokes: a petit sec that called, a card called, the discards."""

from random import Random

import pytest

from cartulary.engine import Breach, Refused, Sheet, Undecided, tarot
from cartulary.engine.tarot import State
from cartulary.notation import Step, steps
from cartulary.notation.roster import GAMES
from tests.referees.tarot import deals as tarot_deals
from tests.referees.tarot import score as tarot_score

GAME = GAMES["tarot"]


def told(variant: str, seats: int, words: list[str]) -> list[Step]:
    state = tarot.setup(Sheet(variant, {}, seats))
    assert isinstance(state, State)
    done = list(steps(GAME, state, tuple(words), seats))
    assert [step.word for step in done if step.error or not step.applied] == []
    assert len(done) == len(words)
    return done


def proved(done: list[Step]) -> list[Breach]:
    return [breach for step in done for breach in step.breaches]


def refused(done: list[Step]) -> list[tuple[int, str]]:
    return [(step.ply, step.verdict.clause.key) for step in done if isinstance(step.verdict, Refused)]


def dealt(random: Random, seats: int, fixed: dict[int, list[str]]) -> tuple[list[list[str]], list[str]]:
    """Return hands and chien with these cards in the hands of these seats, 0 the chien."""
    fixed = {seat: list(cards) for seat, cards in fixed.items()}
    rest = [card for card in tarot_deals.DECK if not any(card in cards for cards in fixed.values())]
    random.shuffle(rest)
    hands = [fixed.get(seat, []) for seat in range(1, seats + 1)]
    chien = fixed.get(0, [])
    size = tarot_deals.HAND[seats]
    chien.extend(rest.pop() for _ in range(78 - size * seats - len(chien)))
    for hand in hands:
        hand.extend(rest.pop() for _ in range(size - len(hand)))
    return hands, chien


def tricks(random: Random, variant: str, hands: list[list[str]], called: str = "") -> list[str]:
    """Return the cards of a deal in which every seat plays any legal card, p1 leading."""
    held, seats, leader, said = [set(hand) for hand in hands], len(hands), 1, list[str]()
    while any(held):
        trick: list[tuple[int, str]] = []
        for seat in tarot_deals.turns(leader, seats):
            lying = [card for _, card in trick]
            fits = tarot_deals.playable(variant, held[seat - 1], lying, "" if said else called)
            card = random.choice(sorted(fits))
            held[seat - 1].remove(card)
            trick.append((seat, card))
            said.append(card)
        if any(held):
            leader = tarot_score.highest(tuple(trick))
    return said


def suits(random: Random, count: int) -> list[str]:
    return random.sample([card for card in tarot_deals.DECK if card[0] != "T"], count)


@pytest.mark.parametrize("seed", range(6))
def test_a_petit_sec_that_called_is_found_once_its_hand_is_known(seed: int) -> None:
    random = Random(f"sec {seed}")
    hands, _ = dealt(random, 4, {3: ["T01", *suits(random, 17)]})
    cards = tricks(random, "dementlieu", hands)
    done = told("dementlieu", 4, ["GardeSans", "Pass", "Pass", "Pass", *cards])
    found = proved(done)
    assert [(breach.plies, breach.key) for breach in found] == [((3,), "tarot.petit-sec")]
    assert 4 < found[0].decided_by <= 4 + 72
    assert refused(done) == []
    opened = [f"p0/p{seat}*{','.join(tarot_deals.in_order(hand))}" for seat, hand in enumerate(hands, 1)]
    known = told("dementlieu", 4, [*opened, "GardeSans", "Pass", "Pass", "Pass", *cards])
    assert refused(known) == [(7, "tarot.petit-sec")]


@pytest.mark.parametrize("seed", range(6))
def test_a_petit_sec_that_took_the_chien_is_found_where_the_chien_was_shown(seed: int) -> None:
    random = Random(f"sec taker {seed}")
    hands, chien = dealt(random, 4, {1: ["T01", *suits(random, 17)]})
    away = sorted(chien)
    cards = tricks(random, "dementlieu", hands)
    words = ["Prise", "Pass", "Pass", "Pass", f"p0/^{','.join(chien)}", ",".join(["~"] * len(away)) + "-", *cards]
    found = proved(told("dementlieu", 4, words))
    assert [(breach.plies, breach.key) for breach in found] == [((1,), "tarot.petit-sec")]


@pytest.mark.parametrize("seed", range(6))
def test_a_queen_called_without_all_kings_is_found_when_another_seat_plays_one(seed: int) -> None:
    random = Random(f"call {seed}")
    hands, _ = dealt(random, 5, {1: ["KC", "KD", "KH"], 2: ["KS"]})
    cards = tricks(random, "fft", hands, "QH")
    done = told("fft", 5, ["GardeSans", "Pass", "Pass", "Pass", "Pass", "Call=QH", *cards])
    asked = done[5].verdict
    assert isinstance(asked, Undecided)
    assert [question.clause.key for question in asked.opens] == ["tarot.call"]
    calls = [breach for breach in proved(done) if breach.key == "tarot.call"]
    assert [breach.plies for breach in calls] == [(6,)]
    assert calls[0].decided_by <= 6 + 1 + cards.index("KS")
    assert "KS" in calls[0].because


def test_a_queen_called_is_refused_at_the_chien_that_holds_a_king() -> None:
    done = told("fft", 5, ["Prise", "Pass", "Pass", "Pass", "Pass", "Call=QH", "p0/^KS,1C,2C"])
    assert [(breach.plies, breach.key, breach.decided_by) for breach in proved(done)] == [((6,), "tarot.call", 7)]


@pytest.mark.parametrize("seed", range(6))
def test_a_king_put_away_unseen_is_found_when_all_is_known(seed: int) -> None:
    random = Random(f"away {seed}")
    kept = [card for card in suits(random, 30) if card[0] != "K"][:17]
    hands, chien = dealt(random, 4, {1: [*kept, "KH"]})
    away = ["KH", *[card for card in hands[0] if card != "KH"][:5]]
    hands[0] = [card for card in (*hands[0], *chien) if card not in away]
    cards = tricks(random, "fft", hands)
    done = told("fft", 4, ["Garde", "Pass", "Pass", "Pass", f"p0/^{','.join(chien)}", "~,~,~,~,~,~-", *cards])
    found = [breach for breach in proved(done) if breach.key == "tarot.ecart-cards"]
    assert [breach.plies for breach in found] == [(6,)]
    assert "KH" in found[0].because


def test_two_plies_that_cannot_both_have_been_legal_are_named_and_neither_decided() -> None:
    bids, lead = ["GardeSans", "Pass", "Pass"], ["1S", "KS", "2S"]
    hearts, diamonds, clubs = ["KH", "3S", "4S"], ["KD", "5S", "6S"], ["KC", "7S", "8S"]
    two_suits = told("dementlieu", 3, [*bids, *lead, *hearts, *diamonds])[-1].after
    assert tarot.pending(two_suits).proved == ()
    three_suits = told("dementlieu", 3, [*bids, *lead, *hearts, *diamonds, *clubs])[-1].after
    (clash,) = tarot.pending(three_suits).proved
    assert set(clash.plies) <= {8, 9, 11, 12, 14, 15}
    assert len(clash.plies) > 1
    assert hash(three_suits) == hash(told("dementlieu", 3, [*bids, *lead, *hearts, *diamonds, *clubs])[-1].after)
