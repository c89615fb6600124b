"""Tarot judged ply by ply: random deals told openly and as a table tells them, and one revoke planted in each."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest

from cartulary.engine import Refused, Sheet, Undecided, tarot
from cartulary.engine.cards.hands import count_masks
from cartulary.engine.tarot import State, view, view_move
from cartulary.engine.tarot.settlement import shares_by_score
from cartulary.notation import NotationError, Step, steps
from cartulary.notation.arbiter.replay import read_word, write_word
from cartulary.notation.picture import plain
from cartulary.notation.tarot import GAME, misstated_tags, shares
from cartulary.notation.tarot.picture import picture
from tests.hunts import looks
from tests.referees.tarot import deals as tarot_deals
from tests.referees.tarot import score as tarot_score
from tests.referees.tarot.deals import VARIANTS

STRANGE = (
    *("p2/Pass", "p1/7C", "T00", "p3/T21", "PetitSec", "Maldonne", "p0/^7C,~", "~,~,~-", "Chelem", "p1/^7C"),
    *("Call=QH", "Call=T05", "Poignee=T01,T02", "p0/p2*7C", "p0/c*~"),
)


def started(variant: str, seats: int) -> State:
    state = tarot.setup(Sheet(variant, {}, seats))
    assert not isinstance(state, Refused)
    return state


def told(variant: str, seats: int, words: tuple[str, ...]) -> list[Step]:
    """Return the steps of a record; every word is read and applied."""
    done = list(steps(GAME, started(variant, seats), words, seats))
    for step in done:
        assert step.error is None, f"{step.word}: {step.error}"
        assert step.applied, f"{step.word}: {step.verdict}"
    assert len(done) == len(words)
    return done


def expected_totals(record: tarot_deals.Written) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    totals, pot = [Fraction(0)] * record.seats, [Fraction(0)] * record.seats
    for deal in record.deals:
        if deal.deal is not None:
            settled = tarot_score.settle(deal.deal)
            totals = [old + new for old, new in zip(totals, settled.scores, strict=True)]
            pot = [old + new for old, new in zip(pot, settled.pot, strict=True)] if settled.pot else pot
    return tuple(totals), tuple(pot)


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_a_random_record_told_openly_is_legal_word_by_word_and_scored_as_by_hand(variant: str, seats: int) -> None:
    for number in range(looks(6)):
        record = tarot_deals.record(Random(f"open {variant} {seats} {number}"), variant, seats, 2)
        done = told(variant, seats, record.words)
        assert [step.word for step in done if not step.plain] == []
        last = done[-1].after
        assert (last.totals, last.pot) == expected_totals(record)


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_the_same_record_with_hidden_hands_has_no_finding_and_nothing_stays_open(variant: str, seats: int) -> None:
    for number in range(looks(6)):
        record = tarot_deals.record(Random(f"open {variant} {seats} {number}"), variant, seats, 2)
        done = told(variant, seats, record.table)
        assert [step.word for step in done if isinstance(step.verdict, Refused) or step.breaches] == []
        assert [step.word for step in done if step.text != step.word] == []
        last = done[-1].after
        assert last.questions == ()
        assert (last.totals, last.pot) == expected_totals(record)


def one_deal(random: Random, variant: str, seats: int) -> tarot_deals.Played:
    """Return a deal played out, the last seat dealing."""
    while True:
        written = tarot_deals.Playing(random, variant, seats, seats).finished()
        if written.deal is not None:
            return written


# --- planted revokes ---


class Planted:
    """A deal replayed with one card that breaks a rule of tricks; ``words`` as a table tells it."""

    def __init__(self, random: Random, variant: str, seats: int) -> None:
        while True:
            written = one_deal(random, variant, seats)
            assert written.deal is not None
            self.deal = written.deal
            self.variant, self.seats, self.random = variant, seats, random
            self.hands = [set(hand) for hand in written.hands]
            self.before = self._before(written.table, self.deal)
            self.opened = self._before(written.words, self.deal)
            self.away()
            self.ply, self.key, self.seat = 0, "", 0
            self.cards = self._play(random.randrange(tarot_deals.HAND[seats] * seats // 2))
            if self.ply:
                return

    @staticmethod
    def _before(words: tuple[str, ...], deal: tarot_score.Deal) -> tuple[str, ...]:
        start = words.index(deal.tricks[0][0][1])
        return tuple(word for word in words[:start] if "Poignee" not in word)

    def away(self) -> None:
        """Take the chien up and put the discards away."""
        taker = tarot_score.taking_bid(self.deal)
        assert taker is not None
        if self.deal.discards:
            self.hands[taker.seat - 1] |= set(self.deal.chien)
            self.hands[taker.seat - 1] -= set(self.deal.discards)

    def _play(self, plant: int) -> list[str]:
        answers: list[str] = []
        leader = self.deal.tricks[0][0][0]
        for number in range(tarot_deals.HAND[self.seats]):
            trick: list[tuple[int, str]] = []
            for seat in tarot_deals.turns(leader, self.seats):
                hand, lying = self.hands[seat - 1], [card for _, card in trick]
                called = self.deal.called if not number and not trick else ""
                fits = tarot_deals.playable(self.variant, hand, lying, called)
                wrong = sorted(card for card in hand if tarot_deals.broken(self.variant, hand, lying, card))
                card = self.random.choice(sorted(fits))
                if len(answers) >= plant and not self.ply and wrong:
                    card = self.random.choice(wrong)
                    self.key = tarot_deals.broken(self.variant, hand, lying, card)
                    self.ply, self.seat = len(self.before) + len(answers) + 1, seat
                hand.remove(card)
                trick.append((seat, card))
                answers.append(card)
            if number < tarot_deals.HAND[self.seats] - 1:
                leader = tarot_score.highest(tuple(trick))
        return answers


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_every_planted_revoke_is_found_at_its_ply_when_all_is_known(variant: str, seats: int) -> None:
    """All are provable, because a deal played out tells every hand; then the clause is the one an open record names."""
    random = Random(f"planted {variant} {seats}")
    found: Counter[int] = Counter()
    planted = looks(12)
    for _ in range(planted):
        deal = Planted(random, variant, seats)
        done = told(variant, seats, (*deal.before, *deal.cards))
        proved = [(step.ply, breach) for step in done for breach in step.breaches]
        assert {breach.plies for _, breach in proved} == {(deal.ply,)}, (deal.ply, proved)
        at, breach = proved[-1]
        assert deal.ply < breach.decided_by <= at
        assert f"p{deal.seat} held" in breach.because
        assert breach.key == deal.key
        assert {breach.decided_by for _, breach in proved} == {breach.decided_by}
        found[len(proved)] += 1
    assert sum(found.values()) == planted
    assert max(found) <= (1 if variant == "dementlieu" else 2)


def partly(random: Random, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words with some cards nobody wrote down: of the deal, the chien and the discards."""
    told_of = {"p0/c": random.random()} | {f"p0/p{seat}": random.choice((0.0, 0.5, 1.0)) for seat in range(1, 6)}
    hidden = []
    for word in words:
        head, dealt, cards = word.partition("*")
        if dealt:
            names = (card if random.random() < told_of[head] else "~" for card in cards.split(","))
            word = f"{head}*{','.join(names)}"
        elif word.endswith("-"):
            kept = [card for card in word[:-1].split(",") if card[0] == "T" or random.random() < 0.5]
            word = ",".join([*kept, *["~"] * (word.count(",") + 1 - len(kept))]) + "-"
        hidden.append(word)
    return tuple(hidden)


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_a_record_that_knows_some_cards_finds_nothing_in_a_clean_deal_wherever_it_breaks_off(
    variant: str, seats: int
) -> None:
    random = Random(f"partly {variant} {seats}")
    for _ in range(looks(6)):
        deal = one_deal(random, variant, seats)
        done = told(variant, seats, partly(random, deal.words))
        assert [step.word for step in done if isinstance(step.verdict, Refused) or step.breaches] == []
        assert done[-1].after.questions == ()
        cut = random.choice(done).after
        assert tarot.pending(cut).breaches == ()


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_a_planted_revoke_is_refused_at_once_or_found_later_whatever_the_record_knows(variant: str, seats: int) -> None:
    """The clause is the one an open record names, also where another refused the card at once."""
    random = Random(f"mixed {variant} {seats}")
    seen: Counter[str] = Counter()
    for _ in range(looks(24)):
        deal = Planted(random, variant, seats)
        done = told(variant, seats, (*partly(random, deal.opened), *deal.cards))
        ply = deal.ply + len(deal.opened) - len(deal.before)
        refused = [(step.ply, step.verdict.clause.key) for step in done if isinstance(step.verdict, Refused)]
        proved = [(breach.plies[0], breach.key) for step in done for breach in step.breaches]
        seen["at once" if refused else "later"] += 1
        assert len(refused) <= 1
        assert (refused + proved)[0][0] == ply
        assert {one for one, _ in refused + proved} == {ply}
        assert (refused + proved)[-1][1] == deal.key
    assert len(seen) == 2, seen


def test_a_question_implied_by_an_earlier_one_of_its_seat_is_not_asked_again() -> None:
    words = ("GardeSans", "Pass", "Pass", "1C", "1H", "KC", "1D", "KS", "2D", "2H", "XD")
    done = told("dementlieu", 3, words)
    asked = [
        (step.word, question.asks)
        for step in done
        if isinstance(step.verdict, Undecided)
        for question in step.verdict.opens
        if question.clause.key != "tarot.petit-sec"
    ]
    assert asked[0] == ("1H", True)


def test_counting_closes_what_has_one_place_left() -> None:
    assert count_masks((0b111, 0b110), (0b001, 0), (1, 2)) == ((0b001, 0b110), (0b001, 0b110))
    assert count_masks((0b011, 0b111), (0, 0), (2, 1)) == ((0b011, 0b100), (0b011, 0b100))


# --- views ---


def relabelled(random: Random, deal: tarot_deals.Played, seats: int, seat: int) -> Iterator[tuple[str, str]]:
    """Yield words of two records of a deal that look the same to a seat until the first card is played."""
    places = [place for place in range(seats) if place != seat - 1]
    pool = [card for place in places for card in deal.hands[place]] + list(deal.deal.chien if deal.deal else ())
    random.shuffle(pool)
    for word in deal.words:
        if not word.startswith("p0/") or "*" not in word:
            return
        head, _, cards = word.partition("*")
        other = cards if head == f"p0/p{seat}" else ",".join(pool.pop() for _ in cards.split(","))
        yield word, f"{head}*{other}"


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_two_deals_that_look_the_same_to_a_seat_give_it_the_same_view(variant: str, seats: int) -> None:
    random = Random(f"view {variant} {seats}")
    for _ in range(looks(4)):
        deal = one_deal(random, variant, seats)
        seat = random.randint(1, seats)
        pairs = list(relabelled(random, deal, seats, seat))
        one = told(variant, seats, tuple(word for word, _ in pairs))
        two = told(variant, seats, tuple(word for _, word in pairs))
        for here, there in zip(one, two, strict=True):
            assert view(here.after, seat) == view(there.after, seat)
            assert view_move(here.state, here.move, seat) == view_move(there.state, there.move, seat)
            assert plain(picture(here.after, seat)) == plain(picture(there.after, seat))


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_a_seat_sees_the_same_of_an_open_record_and_of_one_that_knows_its_own_hand_only(
    variant: str, seats: int
) -> None:
    random = Random(f"own {variant} {seats}")
    for _ in range(looks(3)):
        deal = one_deal(random, variant, seats)
        seat = random.randint(1, seats)
        opened = told(variant, seats, deal.words)
        seen: list[str] = []
        for step in opened:
            move = view_move(step.state, step.move, seat)
            seen.append(write_word(GAME, move, step.state))
        own = told(variant, seats, tuple(seen))
        for here, there in zip(opened, own, strict=True):
            assert view(here.after, seat) == view(there.after, seat), here.word
            for row in picture(here.after, seat):
                assert len("".join(span.text for span in row)) <= 80


def test_a_trump_shown_again_in_a_poignee_lies_with_the_discards_for_every_seat() -> None:
    fifteen = ",".join(tarot_deals.TRUMPS[1:16])
    bids = ("Pass", "Pass", "Pass", "Garde", "p0/^5S,6S,7S,8S,9S,T16", "5S,6S,7S,8S,9S,T02-")
    hand = ",".join(("KC", "KD", "KH", "KS", *tarot_deals.TRUMPS[1:15]))
    for dealt in ((), (f"p0/p4*{hand}",)):
        state = told("fft", 4, (*dealt, *bids, "7C", "8C", "9C", f"Poignee={fifteen}"))[-1].after
        two = 1 << tarot.NAMES.index("T02")
        for seen in (state, *(view(state, seat) for seat in range(5))):
            assert [place for place, cards in enumerate(seen.can) if cards & two] == [4]
            assert [place for place, cards in enumerate(seen.sure) if cards & two] == [4]


# --- words ---


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("p9/7C", 1, "a seat p1 to p4"),
        ("7Z", 1, "a card such as"),
        ("Garde=0", 7, "a stake"),
        ("Garde=1000000000", 7, "a whole number of tokens from 1 to 999999999"),
        ("Poignee=", 8, "found the end of Poignee=, expected a trump by its name, such as T05: a poignée is shown"),
        ("Poignee=T01,~", 13, "found ~ in Poignee=T01,~, expected a trump by its name"),
        ("Poignee=T01,", 12, "expected a trump by its name, such as T05 after the comma"),
        ("Pass=2", 5, "Pass puts nothing at stake"),
        ("p0/p2*7C,", 9, "after the comma"),
        ("p0/p2*7C,8Z", 10, "found 8Z in p0/p2*7C,8Z, expected the cards dealt"),
        ("p0/p7*7C", 4, "a seat p1 to p4"),
        ("7C,8C", 3, "- after cards put away"),
        ("p2/Maldonne", 1, "found p2/Maldonne, expected Maldonne without a seat"),
        ("p1/Maldonne", 1, "Maldonne without a seat"),
        ("Call=", 5, "a card such as"),
        ("~", 1, "a word of its own only in a trick"),
    ],
)
def test_a_word_that_is_none_says_where_and_what_was_expected(text: str, column: int, expected: str) -> None:
    with pytest.raises(NotationError) as error:
        read_word(GAME, started("dementlieu", 4), text, 4)
    assert expected in error.value.because
    assert error.value.column == column


def test_scores_on_the_sheet_are_compared_as_numbers_with_what_the_deals_come_to() -> None:
    def wrong(tags: dict[str, str], result: str = "*", variant: str = "dementlieu") -> list[str]:
        faults = misstated_tags(tags, result, started(variant, 3))
        assert {key for _, key, _ in faults} <= {"tarot.settlement"}
        return [tag for tag, _, _ in faults]

    assert wrong({"Score": "0:0:0", "Pot": "0/2:0:0"}) == []
    assert wrong({"Score": "1:0:-1", "Pot": "x"}) == ["Score", "Pot"]
    assert wrong({"Pot": "0:0:0"}, variant="fft") == ["Pot"]
    assert wrong({}, "1/3-1/3-1/3") == []
    assert wrong({}, "1-0-0") == ["Result"]
    assert shares_by_score(started("dementlieu", 3).totals) == (1, 1, 1)
    assert shares(started("dementlieu", 3)) is None


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_words_of_any_order_are_judged_shown_and_drawn_without_an_error(variant: str, seats: int) -> None:
    random = Random(f"any {variant} {seats}")
    for _ in range(looks(10)):
        state = started(variant, seats)
        words = list(tarot_deals.record(random, variant, seats, 2).words)
        if random.random() < 0.5:
            words = list(partly(random, tuple(words)))
        for _ in range(random.randint(1, 12)):
            at = random.randrange(len(words))
            strange = random.choice((*STRANGE, random.choice(words)))
            words[at : at + random.randint(0, 2)] = [strange]
        place = 0
        while place < len(words):
            for step in steps(GAME, state, tuple(words[place:]), seats):
                place += 1
                if step.move is not None:
                    assert read_word(GAME, step.state, step.text, seats) == step.move
                    answers = [rule.check(step.state, step.move) for rule in tarot.CLAUSES]
                    refused = any(isinstance(answer, Refused) for answer in answers)
                    assert refused == isinstance(step.verdict, Refused), (step.word, step.verdict)
                state = step.after
                seat = random.randint(0, seats)
                plain(picture(view(state, seat), seat))
                assert tarot.actors(state)
                if random.random() < 0.05:
                    assert all(ply <= state.ply for ply, _ in tarot.pending(state).open)
