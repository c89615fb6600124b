"""What Tarot's hidden hands prove later besides revokes: a petit sec that called, a card called, the discards."""

from random import Random

import pytest

from cartulary.engine import Breach, Refused, Sheet, Undecided, tarot
from cartulary.engine.tarot import State
from cartulary.notation import Step, examine, loads, steps
from cartulary.notation.roster import GAMES
from cartulary.testing import tables
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


def late(done: list[Step], key: str = "tarot.call") -> list[Breach]:
    """Return what is proved under a rule if the record ends here."""
    return [breach for breach in (*proved(done), *tarot.pending(done[-1].after).breaches) if breach.key == key]


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
    held, seats, leader, answer = [set(hand) for hand in hands], len(hands), 1, list[str]()
    while any(held):
        trick: list[tuple[int, str]] = []
        for seat in tarot_deals.turns(leader, seats):
            lying = [card for _, card in trick]
            fits = tarot_deals.playable(variant, held[seat - 1], lying, "" if answer else called)
            card = random.choice(sorted(fits))
            held[seat - 1].remove(card)
            trick.append((seat, card))
            answer.append(card)
        if any(held):
            leader = tarot_score.highest(tuple(trick))
    return answer


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


@pytest.mark.parametrize(("known", "stands"), [((1,), True), ((1, 3), False)])
def test_a_petit_sec_is_refused_where_the_other_hands_leave_too_few_cards_that_are_no_trumps(
    known: tuple[int, ...], stands: bool
) -> None:
    hand = {1: tarot_deals.DECK[:24], 3: tarot_deals.DECK[24:48]}
    words = [f"p0/p{seat}*{','.join(hand[seat])}" for seat in known]
    done = told("dementlieu", 3, [*words, "p2/PetitSec"])
    assert refused(done) == ([] if stands else [(3, "tarot.petit-sec")])


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


@pytest.mark.parametrize(
    ("shown", "says"),
    [
        ("p0/^7S,1C,2C ~,~,~-", "the chien held none of them"),
        ("p0/^7S,~,2C ~,~,~-", "the chien may have held KC, KD, KH or KS"),
        ("~,~,~-", "the chien may have held KC, KD, KH or KS"),
    ],
)
def test_a_queen_called_is_asked_of_the_chien_and_not_of_what_was_put_away(shown: str, says: str) -> None:
    tags = {f"Seat{seat}": "?" for seat in range(1, 6)} | {"Variant": "fft"}
    [record] = loads(tables.sheet("Tarot", tags, f"Prise Pass Pass Pass Pass Call=QH {shown}"))
    found = {finding.key: finding.because for finding in examine(record).report.findings}
    assert found["tarot.call"].endswith(f"p5 may have held KC, KD, KH or KS; {says}")
    assert "p1 may have put away KC" in found["tarot.ecart-cards"]


def test_kings_that_one_of_several_seats_held_are_told_of_none_of_them() -> None:
    called = "p0/p1*1C,2C,3C,4C,5C,6C,7C,8C,9C,XC,1D,~,~,~,~ GardeSans Pass Pass Pass Pass Call=QH"
    (breach,) = late(told("fft", 5, [*called.split(), "9D", "3D", "4D", "5D", "6D"]))
    assert breach.because == (
        "at least one of KC, KD, KH and KS lay elsewhere, so p1 did not hold every court card above the one it called"
    )
    fifteen = ",".join(tarot_deals.TRUMPS[:15])
    shown = f"p0/^T15,1C,2C,3C,4C,5C 1C,2C,3C,4C,5C,T02- 6D 7D 8D Poignee={fifteen} 9D"
    (breach,) = late(told("fft", 4, f"Pass Pass Pass Garde {shown}".split()), "tarot.poignee-held")
    assert (breach.plies, breach.key) == ((10,), "tarot.poignee-held")
    showed = "p4 showed a trump it had put away, which needs all four kings"
    because = f"{showed}, but another seat held at least one of KC, KD, KH and KS"
    assert breach.because == because


@pytest.mark.parametrize(
    ("known", "stands"), [("1C,2C,3C,4C,5C,6C,7C,8C,9C,XC,1D", True), ("1C,2C,3C,4C,5C,6C,7C,8C,9C,XC,1D,2D", False)]
)
def test_a_queen_is_called_from_a_hand_that_has_room_for_four_kings(known: str, stands: bool) -> None:
    hidden = ",~" * (14 - known.count(","))
    done = told("fft", 5, [f"p0/p1*{known}{hidden}", "Prise", "Pass", "Pass", "Pass", "Pass", "Call=QH"])
    assert refused(done) == ([] if stands else [(7, "tarot.call")])


@pytest.mark.parametrize(("shown", "stands"), [("5C,6C,~,~,~,~", True), ("5C,6C,7C,~,~,~", False)])
def test_a_chien_known_in_part_is_shown_with_no_more_cards_than_it_has(shown: str, stands: bool) -> None:
    done = told("dementlieu", 4, ["p0/c*1C,2C,3C,4C,~,~", "Prise", "Pass", "Pass", "Pass", f"p0/^{shown}"])
    assert refused(done) == ([] if stands else [(6, "tarot.card-twice")])


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


def played_to(word: str, variant: str, seats: int, words: str) -> tuple[Step, ...]:
    """Return the steps of a record whose last one is this word, nothing before it refused or blocked."""
    state = tarot.setup(Sheet(variant, {}, seats))
    assert isinstance(state, State)
    done = tuple(steps(GAME, state, tuple(words.split()), seats))
    assert done[-1].word == word, [step.word for step in done]
    assert refused(list(done[:-1])) == []
    return done


OWN = "p0/p1*3C,4C,8C,XC,JC,2D,8D,ND,1H,2H,3H,5H,6H,8H,NH,KH,5S,XS,NS,KS,T00,T03,T13,~"
TAKES = f"{OWN} Prise Pass Pass p0/^1C,NC,1S,7S,T05,T09"
SHOWN = ",".join(tarot_deals.TRUMPS[1:14])
SUITS = "1S,2S,3S,4S,5S,6S,7S,8S,9S,XS"
TRUMPED = f"p0/p1*{SUITS},{','.join(tarot_deals.TRUMPS[:13])},~ Prise Pass Pass p0/^1C,2C,3C,4C,5C,6C ~,~,~,~,~,~-"
TEN = "T01,T02,T04,T06,T07,T08,T10,T11,T12,T14"


@pytest.mark.parametrize(
    ("word", "variant", "words"),
    [
        ("6D", "dementlieu", f"{TAKES} 4C,QD,XS,T13,~,~- 6D"),
        ("6D", "dementlieu", f"{TAKES} ~,~,~,~,~,~- QD 2C 3S 6D"),
        ("6D", "dementlieu", f"{TAKES} QD,~,~,~,~,~- 8C 5C 6C 6D"),
        ("QD,6D,~,~,~,~-", "dementlieu", f"{TAKES} QD,6D,~,~,~,~-"),
        ("QD", "fft", f"{TRUMPED} Poignee={SHOWN} QD"),
        (f"Poignee={TEN},T15,T16,T17", "fft", f"{OWN} GardeSans Pass Pass Poignee={TEN},T15,T16,T17"),
    ],
    ids=["led", "a second", "behind a discard", "put away", "behind a poignee", "poignee"],
)
def test_a_hand_known_but_for_one_card_holds_no_second_card_that_is_not_told(
    word: str, variant: str, words: str
) -> None:
    last = played_to(word, variant, 3, words)[-1]
    assert refused([last]) == [(last.ply, "tarot.poignee-held" if word.startswith("P") else "tarot.in-hand")]


@pytest.mark.parametrize("words", [f"{TAKES} QD,~,~,~,~,~- 1C", f"{TAKES} ~,~,~,~,~,~- QD 2C 3S 1S"])
def test_a_hand_known_but_for_one_card_may_hold_one_that_is_not_told(words: str) -> None:
    assert not isinstance(played_to(words.split()[-1], "dementlieu", 3, words)[-1].verdict, Refused)


def test_every_seat_sees_that_a_taker_has_no_room_for_another_card() -> None:
    chien, away = ("JC", "JD", "JH", "JS", "NC", "ND"), tarot_deals.TRUMPS[1:6]
    leads = tarot_deals.TRUMPS[:5:-1][:13]
    others = iter([card for card in tarot_deals.DECK if card[0] not in "TK" and card not in chien])
    words = [f"p0/^{','.join(chien)}", f"{','.join(away)},~-"]
    for number, lead in enumerate(leads, 1):
        words += [lead, *(next(others) for _ in range(3))]
        state = told("fft", 4, ["Garde", "Pass", "Pass", "Pass", *words])[-1].after
        may = tarot.NAMES.index("KS")
        for looking in (state, tarot.view(state, 0), tarot.view(state, 3)):
            assert [place for place in (0, 4) if looking.can[place] >> may & 1] == ([0, 4] if number < 13 else [])


def test_two_plies_that_cannot_both_have_been_legal_are_named_and_neither_decided() -> None:
    bids, lead = ["GardeSans", "Pass", "Pass"], ["1S", "KS", "2S"]
    hearts, diamonds, clubs = ["KH", "3S", "4S"], ["KD", "5S", "6S"], ["KC", "7S", "8S"]
    two_suits = told("dementlieu", 3, [*bids, *lead, *hearts, *diamonds])[-1].after
    assert tarot.pending(two_suits).breaches == ()
    three_suits = told("dementlieu", 3, [*bids, *lead, *hearts, *diamonds, *clubs])[-1].after
    (clash,) = tarot.pending(three_suits).breaches
    assert set(clash.plies) <= {8, 9, 11, 12, 14, 15}
    assert len(clash.plies) > 1
    assert hash(three_suits) == hash(told("dementlieu", 3, [*bids, *lead, *hearts, *diamonds, *clubs])[-1].after)
