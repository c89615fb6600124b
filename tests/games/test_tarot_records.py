"""Tarot's whole records, read from their text: open ones, the same without the hands, and ones with a card too many.

A second dealer, player and scorer (``tarot.deals``, ``tarot.score``) writes them; ``tarot.proof`` says by matching what
later cards prove. HUNT=100 deals 2,000 at every table.
"""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from cartulary.engine import Undecided
from cartulary.notation import Finding, Report, examine, loads
from cartulary.testing import tables
from tests.games.test_tarot_engine import Planted, expected_totals
from tests.hunts import looks
from tests.referees.tarot import deals as tarot_deals
from tests.referees.tarot import proof as tarot_proof
from tests.referees.tarot import score as tarot_score

DEALS = looks(40)
TABLES = [("dementlieu", 3), ("dementlieu", 4), ("fft", 3), ("fft", 4), ("fft", 5)]


def judged(variant: str, seats: int, words: tuple[str, ...], tags: dict[str, str] | None = None) -> Report:
    """Return the report on a record of these words."""
    named = {"Variant": variant} | {f"Seat{seat}": "?" for seat in range(1, seats + 1)} | (tags or {})
    [record] = loads(tables.sheet("Tarot", named, " ".join(words)))
    return examine(record).report


def told(report: Report) -> list[Finding]:
    """Return the findings but for the remark on a result that is not written."""
    return [found for found in report.findings if found.key != "record.result"]


def points(totals: tuple[Fraction, ...]) -> str:
    return ":".join(map(str, totals))


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_complete_deals_are_legal_with_their_hands_and_without_them(variant: str, seats: int) -> None:
    random = Random(f"complete {variant} {seats}")
    for _ in range(DEALS):
        record = tarot_deals.record(random, variant, seats, 1)
        totals, pot = expected_totals(record)
        tags = {"Score": points(totals)} | ({"Pot": points(pot)} if variant == "dementlieu" else {})
        opened = judged(variant, seats, record.words, tags)
        assert (opened.verdict, told(opened)) == ("legal", []), record.words
        hidden = judged(variant, seats, record.table, tags)
        assert (hidden.verdict, told(hidden)) == ("legal", []), record.table
        for deal in record.deals:
            if deal.deal is not None:
                settled = tarot_score.settle(deal.deal)
                assert variant == "dementlieu" or sum(settled.scores) == 0


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_last_card_leaves_no_question(variant: str, seats: int) -> None:
    random = Random(f"last {variant} {seats}")
    named = {"Variant": variant} | {f"Seat{seat}": "?" for seat in range(1, seats + 1)}
    for number in range(looks(4)):
        words = list(tarot_deals.record(random, variant, seats, 1).table)
        for missed in random.sample(range(len(words) // 3, len(words) - seats), (0, 4, 2, 8)[number % 4]):
            words[missed] = "~"
        [record] = loads(tables.sheet("Tarot", named, " ".join(words)))
        assert [step.word for step in examine(record).steps[-seats:] if type(step.verdict) is Undecided] == []


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_planted_revoke_is_found_when_and_only_when_the_later_cards_prove_it(variant: str, seats: int) -> None:
    """Records break off anywhere behind the planted card; every other one is played to its end, where all is proved."""
    random = Random(f"proof {variant} {seats}")
    seen: Counter[str] = Counter()
    for number in range(DEALS):
        deal = Planted(random, variant, seats)
        leader = deal.deal.tricks[0][0][0]
        at = deal.ply - len(deal.before) - 1
        whole = number % 2 == 0
        length = len(deal.cards) if whole else random.randint(at + 1, len(deal.cards) - 1)
        cards = tuple(deal.cards[:length])
        answer = tarot_proof.plays(cards, seats, leader, len(deal.before) + 1)
        taker = tarot_score.taking_bid(deal.deal)
        assert taker is not None
        shown = tuple(card for word in deal.before if word.startswith("p0/^") for card in word[4:].split(","))
        away = tuple(card for word in deal.before if word.endswith("-") for card in word[:-1].split(",") if card != "~")
        proof = tarot_proof.proved_by(variant, seats, taker.seat, shown, away, answer, at)
        report = judged(variant, seats, (*deal.before, *cards))
        errors = [found for found in told(report) if found.severity == "error"]
        seen["provable"] += proof is not None
        seen["found"] += bool(errors)
        assert [(found.ply, found.decided_by) for found in errors] == ([(deal.ply, proof)] if proof else []), answer[at]
        assert all(found.seat == f"p{deal.seat}" for found in errors)
        if whole:
            assert proof is not None
            assert [found.key for found in errors] == [deal.key]
    print(f"{variant} with {seats} seats: {DEALS} planted, {seen['provable']} provable, {seen['found']} found")
    assert seen["found"] == seen["provable"] >= DEALS // 2
    assert seen["provable"] < DEALS, "no record broke off too early to prove anything"
