"""What a seat is told of a Tarot record whose hands it may not see: nothing that tells two deals apart.

Two *worlds* are records of one deal in which the cards a seat has not seen lie otherwise. In the second a revoke may
hide, or a discard against the rules; whoever sits there does not know.
"""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.notation import as_seen, dumps, examine, loads
from cartulary.testing import tables
from tests.games.test_tarot_engine import one_deal
from tests.hunts import looks
from tests.places import SAMPLES
from tests.referees.tarot import deals as tarot_deals
from tests.referees.tarot import score as tarot_score

TABLES = [("dementlieu", 3), ("dementlieu", 4), ("fft", 3), ("fft", 4), ("fft", 5)]
Run = Callable[..., str]


class World(NamedTuple):
    """A deal of which every card is on record, broken off in the play. before: bids, call, chien, discards."""

    hands: tuple[tuple[str, ...], ...]
    chien: tuple[str, ...]
    discards: tuple[str, ...]
    before: tuple[str, ...]
    said: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The record."""
        dealt = [f"p0/p{seat}*{','.join(tarot_deals.in_order(hand))}" for seat, hand in enumerate(self.hands, 1)]
        away = f"{','.join(tarot_deals.in_order(self.discards))}-"
        before = [away if word.endswith("-") else word for word in self.before]
        return (*dealt, f"p0/c*{','.join(tarot_deals.in_order(self.chien))}", *before, *self.said)

    def told_otherwise(self, random: Random, variant: str, seat: int) -> "World":
        """Return the deal with the cards the seat has not seen lying otherwise."""
        shown = {card for word in self.before if word.startswith("p0/^") for card in word[4:].split(",")}
        named = {card for word in self.said if "=" in word for card in word.partition("=")[2].split(",")}
        trumps = {card for card in self.discards if variant == "fft" and tarot_score.is_trump(card)}
        seen = {*self.hands[seat - 1], *self.said, *shown, *named, *trumps}
        other = dict(zip(tarot_deals.DECK, tarot_deals.DECK, strict=True))
        # Trumps an fft taker puts away are shown, so unseen discards stay suit cards.
        for kind in (True, False):
            pool = [card for card in tarot_deals.DECK if card not in seen and tarot_score.is_trump(card) is kind]
            other |= zip(pool, random.sample(pool, len(pool)), strict=True)
        hands = tuple(tuple(other[card] for card in hand) for hand in self.hands)
        return World(
            hands,
            tuple(other[card] for card in self.chien),
            tuple(other[card] for card in self.discards),
            self.before,
            self.said,
        )


def world(random: Random, variant: str, seats: int) -> World:
    """Return a random deal, broken off, whose chien was shown if somebody took it."""
    while True:
        deal = one_deal(random, variant, seats)
        assert deal.deal is not None
        cards = [card for trick in deal.deal.tricks for _, card in trick]
        first = deal.words.index(cards[0])
        before = tuple(word for word in deal.words[:first] if "*" not in word and "Poignee" not in word)
        answer = deal.words[first : deal.words.index(cards[random.randrange(seats, len(cards) // 2)])]
        if any(word.startswith("p0/^") for word in before) or not deal.deal.discards:
            return World(deal.hands, deal.deal.chien, deal.deal.discards, before, answer)


def sheet(variant: str, seats: int, words: tuple[str, ...]) -> str:
    tags = {"Variant": variant} | {f"Seat{seat}": "?" for seat in range(1, seats + 1)}
    return tables.sheet("Tarot", tags, " ".join(words))


def pair(random: Random, variant: str, seats: int, seat: int) -> tuple[World, World]:
    """Return two worlds that differ and look the same to the seat."""
    while True:
        one = world(random, variant, seats)
        two = one.told_otherwise(random, variant, seat)
        if one.words != two.words:
            return one, two


@pytest.mark.hunt
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_the_record_a_seat_has_seen_is_the_same_in_two_worlds_at_every_ply(variant: str, seats: int) -> None:
    random = Random(f"worlds {variant} {seats}")
    hidden = 0
    for number in range(looks(24)):
        seat = random.randint(1, seats)
        one, two = pair(random, variant, seats, seat)
        for ply in range(number % 3, len(one.words) + 1, 3):
            here, there = (loads(sheet(variant, seats, each.words[:ply]))[0] for each in (one, two))
            assert dumps(as_seen(here, seat)) == dumps(as_seen(there, seat))
        reports = [examine(loads(sheet(variant, seats, each.words))[0]).report for each in (one, two)]
        hidden += reports[0].findings != reports[1].findings
        seen = as_seen(loads(sheet(variant, seats, one.words))[0], seat)
        assert [found for found in examine(seen).report.findings if found.severity == "error"] == []
    assert hidden, "the second world never hid anything; the worlds are too alike to prove a thing"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    def typed(db: str, *words: str, stdin: str = "") -> str:
        monkeypatch.setenv("CARTULARY_DB", str(tmp_path / f"{db}.db"))
        result = CliRunner().invoke(build(), list(words), input=stdin)
        assert "Traceback" not in result.output
        return f"{result.exit_code}\n{result.stdout}\n{result.stderr}"

    return typed


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_every_command_on_a_file_tells_a_seat_the_same_of_two_worlds(run: Run, variant: str, seats: int) -> None:
    random = Random(f"files {variant} {seats}")
    seat = random.randint(1, seats)
    texts = [sheet(variant, seats, each.words) for each in pair(random, variant, seats, seat)]
    plies = len(loads(texts[0])[0].line.words)
    at = str(random.randint(seats + 1, plies))
    asked = [
        ("replay", "-"),
        ("replay", "-", "--json"),
        ("show", "-", "--at", at),
        ("show", "-", "--json"),
        ("moves", "-", "--at", at),
        ("moves", "-", "--json"),
        ("check", "-"),
        ("check", "-", "--json"),
        ("deal", "-", "--at", at),
        ("why", "-", at),
        ("why", "-", str(plies), "--json"),
        ("show", "-", "--at", "999"),
    ]
    differing = 0
    for words in asked:
        one, two = (run("none", *words, "--seat", f"p{seat}", stdin=text) for text in texts)
        assert one == two, words
        differing += len({run("none", *words, stdin=text) for text in texts}) == 2
    assert differing > len(asked) // 3


TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_live_record_tells_a_seat_the_same_of_two_worlds_after_take_backs_too(
    run: Run, variant: str, seats: int
) -> None:
    random = Random(f"live {variant} {seats}")
    seat = random.randint(1, seats)
    both = pair(random, variant, seats, seat)
    mine = next(card for card in both[0].hands[seat - 1] if card not in both[0].said)
    other = seat % seats + 1
    kept = len(both[0].words) - 3
    asked = [
        ("new", "tarot", "--id", "g", "--variant", variant, "--seats", str(seats)),
        ("move", "g", "--stands", "WORDS"),
        ("move", "g", "Zebra", "--seat", "SEAT"),
        ("move", "g", f"p{other}/{mine}", "--seat", "SEAT"),
        ("move", "g", "p0/c*T01", "--seat", "SEAT"),
        ("undo", "g", "3", "--seat", "SEAT", "--by", "p1"),
        ("move", "g", "--seat", "SEAT", "TAIL"),
        ("amend", "g", str(kept), "--stands", "WORD"),
        ("note", "g", "3", "a word about T01"),
        ("log", "g", "--seat", "SEAT"),
        ("log", "g", "--seat", "SEAT", "--json"),
        ("export", "g", "--seat", "SEAT"),
        ("show", "g", "--seat", "SEAT"),
        ("replay", "g", "--seat", "SEAT"),
        ("moves", "g", "--seat", "SEAT", "--json"),
        ("check", "g", "--seat", "SEAT"),
        ("why", "g", str(kept), "--seat", "SEAT"),
        ("undo", "g", str(kept + 3), "--seat", "SEAT"),
        ("log", "g", "--seat", "SEAT"),
    ]
    for words in asked:
        answers = []
        for name, each in zip(("one", "two"), both, strict=True):
            full = each.words
            filled = {"WORDS": full, "TAIL": full[kept:], "WORD": (full[kept - 1],), "SEAT": (f"p{seat}",)}
            typed = [piece for word in words for piece in filled.get(word, (word,))]
            answers.append(TIME.sub("TIME", run(name, *typed)))
        if "SEAT" in words:
            assert answers[0] == answers[1], words
    assert run("one", "log", "g") != run("two", "log", "g")


def test_moves_for_a_seat_that_may_not_see_the_hand_list_nothing_of_it(run: Run) -> None:
    table = world(Random("moves"), "fft", 4)
    text = sheet("fft", 4, table.words)
    whole = run("none", "moves", "-", "--json", stdin=text)
    turn = re.search(r'"seats":\["p(\d)"', whole)
    assert turn is not None
    others = [seat for seat in range(1, 5) if seat != int(turn[1])]
    statements = {run("none", "moves", "-", "--json", "--seat", f"p{seat}", stdin=text) for seat in others}
    assert len(statements) == 1
    assert '"moves":[],"open":[]' in statements.pop()
    assert '"moves":[]' not in whole
    assert run("none", "moves", "-", "--json", "--seat", f"p{turn[1]}", stdin=text) == whole


def test_a_seat_number_the_game_has_not_is_refused_on_a_live_record(run: Run) -> None:
    run("one", "new", "tarot", "--id", "g", "--variant", "fft", "--seats", "3")
    for words in (("log", "g"), ("export", "g"), ("undo", "g"), ("move", "g", "Pass"), ("show", "g")):
        answer = run("one", *words, "--seat", "p4")
        assert answer.startswith("2\n"), answer
        assert "p1 to p3" in answer


OPEN_HANDS = (
    "p0/p1*1C,2C,3C,4C,5C,6C,7C,8C,9C,XC,JC,NC,QC,KC,1D,2D,3D,4D",
    "p0/p2*5D,6D,7D,8D,9D,XD,JD,ND,QD,KD,1H,2H,3H,4H,5H,6H,7H,8H",
    "p0/p3*9H,XH,JH,NH,QH,KH,1S,2S,3S,4S,5S,6S,7S,8S,9S,XS,JS,NS",
    "p0/p4*QS,KS,T00,T01,T02,T03,T04,T05,T06,T07,T08,T09,T10,T11,T12,T13,T14,T15",
)


def test_a_card_that_cannot_be_played_ends_the_record_for_a_seat_that_cannot_know_why(run: Run) -> None:
    words = (*OPEN_HANDS, "Pass", "Pass", "Pass", "GardeSans", "1D", "5D", "5H", "QS")
    text = sheet("dementlieu", 4, words)
    whole = run("none", "validate", "-", stdin=text)
    assert "tarot.in-hand" in whole
    result = run("none", "check", "-", "--seat", "p1", stdin=text)
    assert "the record cannot be followed from ply 11 on" in result
    assert "follow-suit" not in result
    assert "5H" not in run("none", "show", "-", "--seat", "p1", stdin=text)
    assert "5H" in run("none", "show", "-", "--seat", "p2", stdin=text)


def test_with_a_seat_only_its_own_words_are_written_where_others_are_hidden(run: Run) -> None:
    run("one", "new", "tarot", "--id", "g", "--seats", "4")
    run("one", "move", "g", *OPEN_HANDS, "Pass", "Pass", "Pass", "GardeSans")
    for card in ("1D", "5D"):
        for who in ("--seat", "--by"):
            answer = run("one", "move", "g", card, who, "p3")
            assert f"{card} is a word of p1, who is to move. g holds cards that p3 has not seen; " in answer
            assert "with --seat p3 or --by p3 it accepts words of p3 only" in answer
    ahead = run("one", "move", "g", "1D", "p2/5D", "p3/KD", "--seat", "p1")
    assert "p2/5D is a word of p2, who is to move. g holds cards that p1 has not seen" in ahead
    early = run("one", "move", "g", "p2/5D", "--by", "p1")
    assert "p2/5D is a word of p2. g holds cards that p1 has not seen" in early
    table = run("one", "move", "g", "p0/^7C", "--by", "p1")
    assert "p0/^7C is a word of the table. g holds cards that p1 has not seen" in table
    assert run("one", "move", "g", "1D", "--seat", "p1").startswith("0\ng: ply 9, 1D: legal")


def test_a_card_that_proves_an_earlier_breach_says_so_as_it_is_written(run: Run) -> None:
    run("one", "new", "tarot", "--id", "g", "--seats", "4")
    assert "undecided" in run("one", "move", "g", "Pass Pass Pass GardeSans 1D 5H 6D 7D".replace(" ", "  "))
    answer = run("one", "move", "g", "8D 9D XD")
    assert answer.startswith("0\n")
    assert "error tarot.follow-suit p2 held XD, but did not follow suit" in answer
    assert "proved  by ply 11" in answer
    assert "tarot.follow-suit" not in run("one", "log", "g").splitlines()[-2]


def test_a_bid_from_an_unknown_hand_raises_no_question(run: Run) -> None:
    run("one", "new", "tarot", "--id", "g", "--seats", "4")
    assert run("one", "move", "g", "Pass").startswith("0\ng: ply 1, Pass: legal")
    listed = run("one", "moves", "g")
    assert "Prise\nGarde\n" in listed
    assert "PetitSec" not in listed


def test_a_proved_breach_that_was_ruled_on_is_a_remark_where_rulings_are_accepted(run: Run) -> None:
    path = SAMPLES / "tarot" / "games" / "table-revoke.cgn"
    ruled = "T03 {[%irregular tarot.follow-suit] [%ruling stands, arbiter]} {p3"
    text = path.read_text("utf-8").replace("T03 {p3", ruled, 1)
    assert "[%irregular" in text
    assert run("none", "validate", "-", stdin=text).startswith("1\n")
    assert run("none", "validate", "-", "--accept-rulings", stdin=text).startswith("0\n")


def test_an_imported_record_is_logged_for_a_seat_with_all_its_seats(run: Run) -> None:
    run("one", "import", str(SAMPLES / "tarot" / "games" / "fft-five.cgn"))
    listed = run("one", "list", "--json")
    id = re.findall(r'"id":"([^"]+)"', listed)[0]
    assert "90 plies, 0-0-0-1-0, legal" in run("one", "log", id, "--seat", "p5")


def test_what_was_open_in_a_deal_called_off_stays_open(run: Run) -> None:
    text = '[Game "Tarot"]\n\nPass Pass Pass GardeSans 1. 1D 5H Maldonne *\n'
    answer = run("none", "check", "-", stdin=text)
    assert "undecided tarot.follow-suit its cards were never seen" in answer
