"""Tarot with cards nobody wrote down, held to every card put in their place and judged without them."""

from collections.abc import Callable, Iterator
from random import Random

import pytest

from cartulary.engine.cards.deck import FOOL, cards_of, set_of
from cartulary.engine.cards.hands import may_have_been
from cartulary.engine.contract import Undecided
from cartulary.engine.readings import GAP, ONLY_MOVE
from cartulary.engine.tarot import unwritten
from cartulary.engine.tarot.state import Play
from cartulary.engine.tarot.tricks import MOST_OVER, cards_if_won, conditional_debts, debts, winner
from cartulary.notation import Examination, examine, loads
from cartulary.notation.arbiter.gaps import fits
from cartulary.notation.arbiter.replay import step_of
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.picture import plain
from cartulary.testing import tables
from tests.games.test_tarot_engine import Planted, one_deal, partly
from tests.hunts import HUNT, looks
from tests.places import SAMPLES
from tests.referees.tarot import deals as tarot_deals
from tests.referees.tarot.deals import VARIANTS

WRONG = ("tarot.play-turn", "tarot.in-hand")
"""What shows that a card cannot have been the one: whoever led next has not won, or held no such card."""


def judged(variant: str, seats: int, words: list[str], cached: Walk | None = None) -> Examination:
    tags = {f"Seat{seat}": "?" for seat in range(1, seats + 1)} | {"Variant": variant}
    [record] = loads(tables.sheet("Tarot", tags, " ".join(words)))
    return examine(record, cached=cached)


def may_be(examined: Examination, ply: int) -> set[str]:
    """Return the cards found possible for a ply nobody wrote."""
    filled = [one for one in examined.report.findings if (one.key, one.ply) == (ONLY_MOVE.key, ply)]
    assert examined.heading.game is not None
    if filled:
        assert len(fits(examined.heading.game, examined.state, ply)) < 2
        return {filled[0].because.split()[-1]}
    return set(fits(examined.heading.game, examined.state, ply))


def told(examined: Examination) -> dict[int, str]:
    """Return what is said of each ply of which something is: that a rule was broken, or may have been."""
    found: dict[int, str] = {}
    for one in examined.report.findings:
        if one.severity != "remark" and one.key != GAP.key:
            for ply in one.plies or (one.ply,):
                found[ply] = max(found.get(ply, ""), one.severity, key=("", "undecided", "error").index)
    return found


class Withheld:
    """A deal as a table, a player or an open record tells it, with one card made ``~``; every card has its seat."""

    def __init__(self, random: Random, variant: str, seats: int, kind: str) -> None:
        self.variant, self.seats = variant, seats
        if "revoke" in kind:
            deal = Planted(random, variant, seats)
            before = partly(random, deal.opened) if "partly" in kind else deal.before
            words, start = [*before, *deal.cards], len(before)
        else:
            written = one_deal(random, variant, seats)
            words = list(partly(random, written.words) if "partly" in kind else written.table)
            start = next(at for at, word in enumerate(words) if word in tarot_deals.PLACE)
        self.at = random.choice([at for at in range(start, len(words)) if words[at] in tarot_deals.PLACE])
        if "cut" in kind:
            words = words[: random.randint(self.at + 1, len(words))]
        spoke = judged(variant, seats, words).spoke
        self.true, self.seat = words[self.at], spoke[self.at]
        self.words = [w if "/" in w or at < start else f"p{spoke[at]}/{w}" for at, w in enumerate(words)]
        self.before = judged(variant, seats, self.words[: self.at]).walk

    def with_card(self, card: str) -> Examination:
        words = list(self.words)
        words[self.at] = f"p{self.seat}/{card}"
        return judged(self.variant, self.seats, words, self.before)

    def each(self) -> Iterator[tuple[str, Examination]]:
        """Yield every card that can have been the one, with the record in which it is."""
        for card in tarot_deals.DECK:
            examined = self.with_card(card)
            faults = {one.key for one in examined.report.findings if one.severity == "error"}
            if examined.plies_reached == len(self.words) and faults.isdisjoint(WRONG):
                yield card, examined


KINDS = ("table", "partly", "cut table", "cut partly", "revoke table", "cut revoke partly")


@pytest.mark.hunt
@pytest.mark.parametrize("kind", KINDS)
def test_a_gap_is_judged_as_every_card_that_can_be_put_there(kind: str) -> None:
    """What is a breach with each is one, and nothing else is; a score or a pot that all of them give is given.

    A question is left out only where earlier ones that are asked cover it, and may be asked where none is open. By
    default every kind is looked at in two or three variants, and every variant in half of the kinds.
    """
    unlike = alike = 0
    for number in range(looks(2)):
        for variant, seats in VARIANTS if HUNT > 1 else VARIANTS[KINDS.index(kind) % 2 :: 2]:
            held = Withheld(Random(f"{kind} {variant} {seats} {number}"), variant, seats, kind)
            examined, each = held.with_card("~"), dict(held.each())
            assert may_be(examined, held.at + 1) == set(each), held.words
            assert held.true in each
            mine, theirs = told(examined), [told(one) for one in each.values()]
            for ply in {ply for one in (mine, *theirs) for ply in one}:
                severities = {one.get(ply, "") for one in theirs}
                assert (mine.get(ply) == "error") == (severities == {"error"}), (ply, mine.get(ply), severities)
                due = "undecided" if len(severities) > 1 else severities.pop()
                if due == "undecided" and not mine.get(ply):
                    broken = [one for one in theirs if one.get(ply)]
                    earlier = [at for at in mine if at < ply]
                    assert all(any(one.get(at) for at in earlier) for one in broken), (ply, held.words)
                    due = ""
                unlike, alike = unlike + (mine.get(ply, "") != due), alike + 1
            points = [one.heading.game.points.write(one.state) for one in each.values() if one.heading.game]
            assert examined.heading.game is not None
            alike_in_all = {tag: text for tag, text in points[0].items() if all(one.get(tag) == text for one in points)}
            assert examined.heading.game.points.write(examined.state) == alike_in_all
    assert unlike <= max(2, alike / 8)


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_any_number_of_cards_may_be_unwritten_and_nothing_true_is_excluded(variant: str, seats: int) -> None:
    for number, gaps in enumerate((2, 3, 5, seats, 12, 80) * looks(1)):
        random = Random(f"many {variant} {seats} {number}")
        deal = one_deal(random, variant, seats)
        words = list(random.choice((deal.words, deal.table, partly(random, deal.words))))
        spoke = judged(variant, seats, words).spoke
        cards = [at for at, word in enumerate(words) if word in tarot_deals.PLACE]
        first = random.randrange(len(cards) - gaps) if gaps < len(cards) else 0
        at_once = cards[first : first + gaps] if gaps in (seats, 80) else random.sample(cards, gaps)
        withheld = [w if at < cards[0] or "/" in w else f"p{spoke[at]}/{w}" for at, w in enumerate(words)]
        for at in at_once:
            withheld[at] = f"p{spoke[at]}/~"
        examined = judged(variant, seats, withheld)
        assert [one for one in examined.report.findings if one.severity == "error"] == [], withheld
        assert examined.plies_reached == len(words)
        for at in at_once:
            assert words[at] in may_be(examined, at + 1), (words[at], at + 1, withheld)


def dropping(whole: Callable[..., int]) -> Callable[..., int]:
    """Return a search that loses the highest card where there are several."""

    def drop(*args: object) -> int:
        cards = whole(*args)
        return cards & ~(1 << cards.bit_length() - 1) if cards.bit_count() > 1 else cards

    return drop


def test_a_card_that_is_dropped_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unwritten, "may_have_been", dropping(may_have_been))
    found = []
    for number in range(12):
        held = Withheld(Random(f"dropped {number}"), "dementlieu", 4, "cut table")
        found.append(held.true in may_be(held.with_card("~"), held.at + 1))
    assert not all(found)


# --- tricks ---


def tricks(count: int) -> Iterator[tuple[tuple[int, ...], dict[int, int]]]:
    """Yield tricks with some cards unwritten, and what each of these may be."""
    random = Random("tarot tricks")
    for _ in range(count):
        cards = random.sample([*range(0, 78, 5), FOOL, *range(57, 78, 4)], random.randint(2, 5))
        if len(set(cards)) < len(cards):
            continue
        others = [set_of(random.sample(range(78), 6)) & ~set_of(cards) for _ in cards]
        may = {~at: others[at] | 1 << card for at, card in enumerate(cards)}
        yield tuple(~at if random.random() < 0.4 else card for at, card in enumerate(cards)), may


def whole(trick: tuple[int, ...], may: dict[int, int]) -> Iterator[tuple[int, ...]]:
    """Yield the trick with every card its unwritten ones may be."""
    gap = next((at for at, card in enumerate(trick) if card < 0), None)
    if gap is None:
        yield trick
        return
    for card in cards_of(may[trick[gap]]):
        if card not in trick:
            yield from whole((*trick[:gap], card, *trick[gap + 1 :]), may)


def test_who_may_have_won_is_who_wins_with_some_card_there() -> None:
    for trick, may in tricks(200):
        allowed = {(winner(each), at, card) for each in whole(trick, may) for at, card in enumerate(each)}
        for at in range(len(trick)):
            lets = cards_if_won(trick, at, (may | {card: 1 << card for card in trick if card >= 0}).__getitem__)
            if sum(card < 0 for card in trick) < 2:
                assert {(at, other, card) for other, cards in enumerate(lets) for card in cards_of(cards)} == {
                    one for one in allowed if one[0] == at
                }, trick
            for won, other, card in allowed:
                if won == at:
                    assert lets[other] >> card & 1, (trick, at)


@pytest.mark.parametrize("variant", ["dementlieu", "fft"])
def test_a_card_owes_what_it_owes_with_each_card_there(variant: str) -> None:
    for trick, may in tricks(300):
        *lying, card = trick
        owes = list(
            conditional_debts(
                variant, lying, card, (may | {each: 1 << each for each in trick if each >= 0}).__getitem__
            )
        )
        for each in whole(trick, may):
            now = dict(zip(trick, each, strict=True))
            bound = {
                (key, held)
                for key, cards, given in owes
                if all(met >> now[code] & 1 for code, met in given.items())
                for held in cards_of(cards)
            }
            due = {(key, held) for key, cards in debts(variant, each[:-1], each[-1]) for held in cards_of(cards)}
            if sum(card < 0 for card in trick) > MOST_OVER:
                due = {debt for debt in due if debt[0] != "tarot.overtrump"}
            assert bound == due, (trick, each)


# --- what is said ---

BIDS = ["GardeSans", "Pass", "Pass", "Pass"]


def test_a_card_nobody_saw_leaves_its_ply_undecided_and_the_trick_to_who_leads() -> None:
    examined = judged("dementlieu", 4, [*BIDS, "KH", "5H", "~", "T02", "p3/1C"])
    assert examined.report.verdict == "undecided"
    gap = next(one for one in examined.report.findings if one.key == GAP.key)
    assert (gap.ply, gap.seat, gap.move, len(gap.legal), gap.more) == (7, "p3", "~", 8, True)
    assert gap.because == "ply 7 was not written, and 19 cards fit everything that follows"
    assert may_be(examined, 7) == set(tarot_deals.TRUMPS[2:])


def test_a_seat_that_cannot_have_won_does_not_lead() -> None:
    examined = judged("dementlieu", 4, [*BIDS, "KH", "5H", "~", "T02", "p2/1C"])
    [error] = [one for one in examined.report.findings if one.severity == "error"]
    assert (error.key, error.because) == ("tarot.play-turn", "It is p3's turn, not p2's; or it is p4's turn, not p2's")


def test_the_table_is_drawn_with_what_nobody_wrote() -> None:
    examined = judged("dementlieu", 4, [*BIDS, "KH", "5H", "~", "T02"])
    assert examined.heading.game is not None
    drawn = plain(examined.heading.game.words.picture(examined.state, None))
    assert "one of 2 positions that fit: ply 7 was not written" in drawn
    before = judged("dementlieu", 4, [*BIDS, "KH", "5H", "~"])
    assert "p3 ~" in plain(examined.heading.game.words.picture(before.state, None))


@pytest.mark.parametrize("sample", ["fft-five", "dementlieu-three", "table-revoke"])
def test_a_card_nobody_wrote_is_not_refused_as_long_as_one_fits(sample: str) -> None:
    [record] = loads((SAMPLES / "tarot" / "games" / f"{sample}.cgn").read_bytes())
    examined = examine(record)
    game, sheet = examined.heading.game, examined.heading.sheet
    assert game is not None
    assert sheet is not None
    cards = [step for step in examined.steps if isinstance(step.move, Play)]
    assert len(cards) > 50
    for step in cards:
        missed = step_of(game, step.state, "~", sheet.seats, step.calls, step.ply, exactly=True)
        assert type(missed.verdict) is Undecided, (step.ply, missed.verdict)
