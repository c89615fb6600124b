"""Deals of which only the score was kept: their tags come to what the second scoring makes of the whole deal."""

import re
from fractions import Fraction
from random import Random

import pytest

from cartulary.engine import LEGAL, Refused, Sheet
from cartulary.engine.tarot import State
from cartulary.engine.tarot.score import BOUTS, PlayedDeal, half_points, seats_with_most
from cartulary.engine.tarot.settlement import impossible, score_text
from cartulary.engine.tarot.state import ScoredDeal
from cartulary.notation import Line, NotationError, Record, canonical, examine
from cartulary.notation.tarot import GAME
from cartulary.notation.tarot.scored import TAGS
from tests.games.test_tarot_deals import TABLES, played
from tests.hunts import looks
from tests.referees.tarot import score as tarot_score

PRODUCT = re.compile(r"(-?)(?:\((\d+) \+ (\d+)\)|(\d+)) × (\d+) = ([-+]\d+)")
CHELEMS = {(True, 0): "announced", (False, 1): "made", (True, 1): "announced-made", (False, -1): "defence"}


def tags_of(variant: str, score: PlayedDeal, stakes: tuple[int, ...], most: tuple[int, ...]) -> dict[str, str]:
    """Return what somebody would write down who kept the score of a deal alone."""
    tags = {"Taker": f"p{score.taker}", "Bid": score.bid, "Bouts": str(score.bouts), "Points": f"{score.halves / 2:g}"}
    if variant == "dementlieu":
        stakes_said = ":".join(map(str, stakes))
        bid = f"{score.bid}={stakes[score.taker - 1]}"
        return tags | {"Bid": bid, "Stakes": stakes_said, "Most": ",".join(f"p{seat}" for seat in most)}
    shown = {3: 13, 4: 10, 5: 8}[score.seats]
    tags |= {"Partner": f"p{score.partner}"} if score.partner else {}
    tags |= {"Poignee": f"p{score.taker}:{shown}"} if score.poignees else {}
    tags |= {"Petit": "taker" if score.petit > 0 else "defence"} if score.petit else {}
    chelem = CHELEMS.get((score.announced, score.swept))
    return tags | ({"Chelem": chelem} if chelem else {})


def first_state(variant: str, seats: int) -> State:
    state = GAME.rules.setup(Sheet(variant, {}, seats))
    assert not isinstance(state, Refused)
    return state


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_the_tags_of_a_deal_come_to_what_the_deal_does(variant: str, seats: int) -> None:
    rng, start = Random(f"scored {variant} {seats}"), first_state(variant, seats)
    for _ in range(looks(300)):
        deal, piles, score, stakes = played(rng, variant, seats)
        unpaid = (variant, seats) == ("fft", 4) and score.halves % 2
        if unpaid or (score.announced and score.swept < 0):
            continue
        expected = tarot_score.settle(deal)
        most = seats_with_most(variant, piles.own) if variant == "dementlieu" else ()
        answer = GAME.points.from_tags(tags_of(variant, score, stakes, most), start)
        assert answer is not None
        assert answer.faults == ()
        assert list(map(Fraction, answer.state.totals)) == list(expected.scores)
        assert variant == "fft" or answer.state.pot == expected.pot
        tags = tags_of(variant, score, stakes, most)
        word = "&".join(f"{name}={tags[name].replace(' ', '+')}" for name in TAGS if name in tags)
        move = GAME.words.read(word, 0, start)
        after = GAME.rules.play(start, move)
        assert (after.verdict, GAME.words.write(move, start, after.after)) == (LEGAL, word)
        assert after.after is not None
        assert (after.after.totals, after.after.pot) == (answer.state.totals, answer.state.pot)


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_no_deal_that_was_played_is_said_to_be_impossible(variant: str, seats: int) -> None:
    rng = Random(f"impossible {variant} {seats}")
    for _ in range(looks(300)):
        deal, piles, score, _ = played(rng, variant, seats)
        assert (piles.side & BOUTS).bit_count() == score.bouts
        unpaid = seats == 4 and piles.side.bit_count() % 2  # no card of half a point was there to give for the fool
        put_away = set(deal.discards) & {"T00", "T01", "T21", "KC", "KD", "KH", "KS"}  # chance minds no rule
        if variant == "fft" and (unpaid or put_away or (score.announced and score.swept < 0)):
            continue
        most = seats_with_most(variant, piles.own) if variant == "dementlieu" else None
        assert impossible(variant, score, most) == ("", "")


@pytest.mark.hunt
def test_a_deal_with_other_bouts_and_the_petit_on_the_other_side_is_often_impossible() -> None:
    rng, refused = Random("impossible"), 0
    for _ in range(looks(300)):
        _, _, score, _ = played(rng, "fft", 4)
        with_petit = score.petit and not score.bouts
        assert not with_petit or score.petit < 0
        turned = PlayedDeal(4, score.taker, 0, score.bid, 3 - score.bouts, score.halves, -score.petit)
        refused += impossible("fft", turned) != ("", "")
    assert refused
    assert half_points("fft", BOUTS) == 27


def test_a_record_of_tags_alone_is_told_with_its_sum_and_one_of_words_is_not() -> None:
    tags = (("Game", "Tarot"), ("Variant", "fft"), *((f"Seat{seat}", "?") for seat in range(1, 5)))
    scored = (("Taker", "p1"), ("Bid", "Garde"), ("Bouts", "2"), ("Points", "49"), ("Score", "1:1:1:-3"))
    alone = examine(Record((*tags, *scored), Line(result="1-0-0-0")))
    [finding] = alone.report.findings
    assert finding.key == "tarot.settlement"
    assert "p1 has 49 points with 2 bouts and needs 41: contract made by 8; (25 + 8) × 2 = +66" in finding.because
    assert alone.score[-1].score == "198:-66:-66:-66"
    assert alone.ruled_score == ""
    pot = (
        ("Taker", "p1"),
        ("Bid", "Garde=5"),
        ("Bouts", "2"),
        ("Points", "43"),
        ("Stakes", "5:1:0:2"),
        ("Most", "p1,p4"),
    )
    [line] = examine(Record((("Game", "Tarot"), *pot), Line(result="*"))).score
    assert line.how.endswith("stake 5 × 2 = +10; each of 3 defenders -10, p1 +30; the pot of 8 to p1 and p4, 4 each")
    answer = examine(Record((*tags, *scored[:-1]), Line(words=("Pass",) * 4, result="*")))
    assert (answer.report.findings, answer.score) == ((), ())


@pytest.mark.parametrize(
    ("deal", "steps"),
    [
        (
            PlayedDeal(4, 1, 0, "Garde", 2, 81, petit=-1, poignees=(20,)),
            "missed by ½; -(25 + 1) × 2 = -52; petit au bout -10 × 2 = -20; poignée -20;",
        ),
        (PlayedDeal(4, 1, 0, "GardeSans", 0, 1), "p1 has ½ point with no bouts and needs 56: contract missed by 55½;"),
        (PlayedDeal(4, 1, 0, "Prise", 2, 83), "made by ½; (25 + 1) × 1 = +26;"),
    ],
)
def test_every_step_of_a_settlement_is_right_as_it_is_written(deal: PlayedDeal, steps: str) -> None:
    answer = score_text("fft", ScoredDeal(deal))
    assert steps in answer
    for minus, some, more, one, times, comes_to in PRODUCT.findall(answer):
        factor = int(some) + int(more) if some else int(one)
        assert factor * int(times) * (-1 if minus else 1) == int(comes_to)


def test_a_file_names_players_in_any_case_and_a_misspelt_tag_is_a_remark() -> None:
    tags = (("Game", "Tarot"), ("Variant", "fft"), *((f"Seat{seat}", name) for seat, name in enumerate("ABCD", 1)))
    deal = (("Taker", "b"), ("Bid", "petite"), ("Bouts", "2"), ("Points", "49"), ("poignee", "p2:10"), ("Hall", "3"))
    record = Record((*tags, *deal), Line(result="*"))
    examined = examine(record)
    assert examined.score[-1].score == "-33:99:-33:-33"
    assert [found.severity for found in examined.report.findings] == ["remark", "remark"]
    poignee, hall = sorted((found.because for found in examined.report.findings), reverse=True)
    assert poignee.startswith(
        "the tag poignee tells nothing of the score; did you mean Poignee? expected one of: Taker"
    )
    assert hall.startswith("the tag Hall tells nothing of the score; expected one of: Taker")
    spelled = dict(canonical(record).tags)
    assert (spelled["Taker"], spelled["Bid"], spelled["Points"], spelled["poignee"]) == ("p2", "Prise", "49", "p2:10")
    words = Record((*tags, *deal), Line(words=("Pass",) * 4, result="*"))
    assert examine(words).report.findings == ()
    assert dict(canonical(words).tags)["Taker"] == "b"


@pytest.mark.parametrize("taker", ["A", "p9", "p5", "?", "", "Ada"])
def test_a_name_that_two_players_bear_or_nobody_does_is_no_seat(taker: str) -> None:
    names = {"Seat1": "Ada", "Seat2": "ADA", "Seat3": "?", "Seat4": "B"}
    answer = GAME.points.from_tags(
        names | {"Taker": taker, "Bid": "Garde", "Bouts": "2", "Points": "49"}, first_state("fft", 4)
    )
    assert answer is not None
    [(tag, _, because)] = answer.faults
    assert tag == "Taker"
    assert "expected a seat p1 to p4 or the name of a player" in because


@pytest.mark.parametrize(
    ("word", "because"),
    [
        ("Taker=p2&Bid=Garde&Bouts=3", "Points is missing"),
        ("Taker=p9&Bid=Garde&Bouts=3&Points=54", "Taker says p9, expected a seat p1 to p4"),
        ("Taker=p2&Taker=p3", "found Taker twice, expected it once"),
        ("Taker=p2&Bids=Garde", "expected a name and a value, joined by =; the names are Taker, Partner"),
        ("Taker=p2&", "expected a name and a value"),
        ("Taker=-&Bid=Garde", "all passed, but Bid describes a deal that was played"),
        ("Taker=p2&Bid=Garde&Bouts=3&Points=99", "Points says 99, expected card points from 0 to 91"),
    ],
)
def test_a_scored_deal_that_cannot_be_read_says_where_and_what_was_expected(word: str, because: str) -> None:
    with pytest.raises(NotationError) as fault:
        GAME.words.read(word, 0, first_state("fft", 4))
    assert because in str(fault.value)


def test_a_round_is_entered_by_answers_and_gives_the_word() -> None:
    start = first_state("fft", 4)
    names = [field.name for field in GAME.rounds.fields(start)]
    assert names == ["Taker", "Bid", "Bouts", "Points", "Petit", "Poignee", "Chelem"]
    answers = {"Taker": "p2", "Bid": "garde", "Bouts": "3", "Points": "54", "Poignee": "p1:10 p3:10", "Petit": ""}
    word = GAME.rounds.word(answers, start)
    assert word == "p0/Taker=p2&Bid=Garde&Bouts=3&Points=54&Poignee=p1:10+p3:10"
    assert GAME.rounds.word({"Taker": "-", "Bid": "Garde"}, start) == "p0/Taker=-"
    with pytest.raises(NotationError, match="found nothing for Points"):
        GAME.rounds.word({"Taker": "p2", "Bid": "Garde", "Bouts": "1"}, start)
    begun = GAME.rules.play(start, GAME.words.read("Pass", 1, start)).after
    assert begun is not None
    assert GAME.rounds.fields(begun) == ()
