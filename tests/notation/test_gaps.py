"""Plies nobody wrote: every legal move stays possible that the words after it allow, and no other."""

import re
import tracemalloc
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.engine.deadline import set_deadline
from cartulary.engine.readings import ONLY_MOVE, Readings, branch
from cartulary.notation import Examination, Finding, Record, canonical, dumps, examine, judged_words, loads, story
from cartulary.notation.arbiter import gap_play
from cartulary.notation.arbiter.gaps import MOST_TRIED, Several, UnknownState, fits
from cartulary.notation.cgn.record import MISSING_WORD
from cartulary.notation.picture import WIDTH, plain
from cartulary.testing import Laws, tables
from cartulary.testing.play import may_have_been
from tests.hunts import looks
from tests.laws.test_all_games import HELD
from tests.places import SAMPLES

LISTED = [held for held in HELD if held.key in ("cardmate", "draughts")]


def read(words: str, game: str = "Cardmate", tags: str = "") -> Record:
    [record] = loads(f'[Game "{game}"]\n{tags}\n{words} *\n')
    return record


def found(words: str, game: str = "Cardmate") -> list[Finding]:
    return [one for one in examine(read(words, game)).report.findings if one.key != "record.tag"]


def withheld(held: type[Laws], random: Random, most: int) -> tuple[Record, list[str], int]:
    """Return a game with a word made ``~``, its words, and which one it is, from 0."""
    tags, words = held().random_game(random)
    words = words[: random.randint(1, most)]
    at = random.randrange(len(words))
    spoiled = [MISSING_WORD if each == at else word for each, word in enumerate(words)]
    [record] = loads(tables.sheet(held.game().about.title, tags, " ".join(spoiled)))
    return record, list(words), at


# --- what may have been played ---


def by_substitution(record: Record, at: int) -> set[str]:
    """Return the words with which the whole game is legal, each tried in its place."""
    line = record.line
    before = examine(replace(record, line=replace(line, words=line.words[:at])))
    assert before.heading.game is not None
    fit = set[str]()
    for word in judged_words(before.heading.game, before.state, before.calls)[0]:
        words = (*line.words[:at], word, *line.words[at + 1 :])
        report = examine(replace(record, line=replace(line, words=words))).report
        if all(one.severity != "error" for one in report.findings):
            fit.add(word.rstrip("+×#"))
    return fit


def by_reading(examined: Examination, ply: int) -> set[str]:
    """Return the words that the readings leave."""
    filled = [one.because.split()[6] for one in examined.report.findings if one.key == ONLY_MOVE.key]
    assert examined.heading.game is not None
    words = filled or fits(examined.heading.game, examined.state, ply)
    return {word.rstrip(",").rstrip("+×#") for word in words}


@pytest.mark.hunt
@pytest.mark.parametrize("held", LISTED)
def test_readings_are_the_words_that_can_be_put_in_the_place_of_a_gap(held: type[Laws]) -> None:
    known = 0
    for seed in range(looks(30)):
        record, words, at = withheld(held, Random(f"gap {held.key} {seed}"), 40)
        examined = examine(record)
        assert by_reading(examined, at + 1) == by_substitution(record, at), record
        assert may_have_been(examined, at + 1, words[at])
        known += any(one.key == ONLY_MOVE.key for one in examined.report.findings)
    assert 0 < known < looks(30)


def dropping(whole: Callable[..., Readings[Any]]) -> Callable[..., Readings[Any]]:
    """Return a branching that loses the last reading where there are several."""

    def drop(*args: Any) -> Readings[Any]:
        readings = whole(*args)
        return Readings(readings.members[:-1] or readings.members, readings.whole)

    return drop


def test_a_reading_that_is_dropped_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gap_play, "branch", dropping(branch))
    games = (withheld(LISTED[0], Random(f"gap cardmate {seed}"), 40) for seed in range(200))
    assert not all(may_have_been(examine(record), at + 1, words[at]) for record, words, at in games)


def test_one_legal_move_that_fits_is_a_remark() -> None:
    [filled, *_] = found("1. 4Ci3 4Db6 2. ~ 8Ca7 3. 8Dh3")
    assert (filled.severity, filled.key, filled.ply, filled.decided_by) == ("remark", "record.filled", 3, 5)
    assert filled.because == "ply 3 can only have been 8Dj2, unless it broke a rule"


def test_several_moves_that_fit_leave_the_ply_undecided() -> None:
    [gap] = found("1. 4Ci3 ~ 2. 8Dj2")
    assert (gap.severity, gap.key, gap.ply, gap.move, gap.seat) == ("undecided", "record.gap", 2, "~", "p2")
    fit = by_substitution(read("1. 4Ci3 ~ 2. 8Dj2"), 1)
    assert gap.because == f"ply 2 was not written, and {len(fit)} moves fit everything that follows"
    assert set(gap.legal) < fit
    assert (len(gap.legal), gap.more) == (8, True)
    assert examine(read("1. 4Ci3 ~ 2. 8Dj2")).report.verdict == "undecided"


def test_no_legal_move_that_fits_leaves_both_plies_undecided_and_the_rest_unjudged() -> None:
    examined = examine(read("1. 4Ci3 3Dh6 2. ~ 6C:b6 3. QQ9 4Db6"))
    [gap] = examined.report.findings
    assert (gap.severity, gap.key, gap.plies) == ("undecided", "record.gap", (3, 4))
    assert examined.words[-2:] == ("QQ9", "4Db6")
    assert (examined.plies_reached, examined.report.verdict) == (6, "undecided")
    assert story(read("1. 4Ci3 3Dh6 2. ~ 6C:b6 3. QQ9 4Db6"), 5).verdict == "unjudged"


@pytest.mark.parametrize(("word", "may"), [("~3", "...3"), ("4C~", "4C.*"), ("~C~", ".C.*"), ("4Ci~", "4Ci.")])
def test_a_part_that_cannot_be_read_leaves_what_is_written_so(word: str, may: str) -> None:
    legal = {each for each in by_substitution(read("~"), 0) if re.fullmatch(may, each)}
    assert legal
    assert by_reading(examine(read(word)), 1) == legal


def test_what_is_written_like_no_legal_move_is_undecided() -> None:
    [gap] = found("~z9 4Db6")
    assert (gap.severity, gap.key, gap.ply) == ("undecided", "record.gap", 1)
    assert gap.because == "no legal move at ply 1 matches ~z9"


# --- what stays as it was ---


def test_a_word_that_cannot_be_read_is_an_error_behind_a_gap_too() -> None:
    [error, *_] = [one for one in found("1. 4Ci3 ~ 2. 8Dx2") if one.severity == "error"]
    assert (error.key, error.ply) == ("cgn.syntax", 3)


def test_a_game_that_is_over_has_no_gap() -> None:
    [error] = [one for one in found("1. 4Ci3 Resign 2. ~") if one.severity == "error"]
    assert error.key == "cardmate.over" or error.key.startswith("call.")


def test_calls_are_no_gaps_and_stand_behind_one() -> None:
    examined = examine(read("1. 4Ci3 ~ 2. Resign"))
    assert examined.outcome is not None
    assert examined.outcome.shares == (0, 1)


def test_numbers_go_on_behind_a_gap() -> None:
    assert [one.key for one in found("1. 4Ci3 3Dh6 2. ~ 6C:b6 3. QQ9 4Db6 4. xx")] == ["record.gap"]
    text = dumps(canonical(read("4Ci3 3Dh6 ~ 6C:b6 QQ9 4Db6 xx")))
    assert "1. 4Ci3 3Dh6 2. ~ 6C:b6 3. QQ9 4Db6 4. xx *" in text


LAST_TURN = (
    "p0/p1*T06,6C,T10,XS,T05,T11 p0/p2*5W,ND,T02,NS,KS,T21 p0/*T09,T13,9C,2W,XC,9S,1C,T19,4W,9D,2S,5C,6W,7S,7C,T12,"
    "T01,3W,QC,7D,7W,KW,3C,8C,JW,QW,T17,T18,T07,JS,XD,3S,2C,1W,QD,XW,1S,3D,NW,4C,4S,NC,8S,KC,T03,6S,JD,1D,T00,JC,8D,"
    "8W,5D,T16,T15,6D,T20,QS,5S,9W,T14,KD,2D,T08,4D,T04 T11=1*T09,T13 T21@s*9C T10-*2W 9C-*XC T05-*9S T02-*1C "
    "2W@w*T19 1C,XC@c*4W,9D T19-*2S ND@d*5C T09*6W NS-*7S 6C@~c*7C 5C-*T12 2S-*T01 p1/T13-*3W T12>p1 "
    "p0/p1*QC,7D,7W,KW,3C,8C,JW p0/p2*QW 7W-*T17 p1/T17>9S*T18 4W,5W@w QC-*T07 p1/T18-*JS T07,7D@r*XD,3S r@d"
)
"""Arcanoid over one round, up to the last commitment; what p1 laid on the cups lies face down yet."""


@pytest.mark.parametrize(("more", "refused"), [("p1/^c=6C", 0), ("~", 0), ("p1/^c=6C ~", 31)])
def test_what_is_turned_up_behind_the_last_turn_may_stay_unwritten(more: str, refused: int) -> None:
    tags = '[Seat1 "?"]\n[Seat2 "?"]\n[Variant "koblenz"]\n[Options "rounds=1 tie=fewer-cards"]'
    examined = examine(read(f"{LAST_TURN} {more}", "Arcanoid", tags))
    assert sum(one.ply for one in examined.report.findings if one.severity == "error") == refused
    assert examined.plies_reached == len(f"{LAST_TURN} {more}".split()) - bool(refused)


def test_a_taken_back_word_brings_readings_back() -> None:
    record = read("1. 4Ci3 4Db6 2. ~ 8Ca7 3. 8Dh3")
    fewer = replace(record, line=replace(record.line, words=record.line.words[:-1], numbers={}))
    walked = examine(record).walk
    assert isinstance(examine(fewer, cached=walked).state, Several)
    assert examine(fewer, cached=walked).report == examine(fewer).report


def sheets(held: type[Laws]) -> Iterator[Record]:
    for seed in range(looks(6)):
        random = Random(f"kept {held.key} {seed}")
        tags, words = held().random_game(random)
        spoiled = [MISSING_WORD if random.random() < 0.03 else word for word in words]
        yield from loads(tables.sheet(held.game().about.title, tags, " ".join(spoiled)))


@pytest.mark.hunt
@pytest.mark.parametrize("held", HELD)
def test_a_record_with_gaps_is_kept_whole_and_drawn(held: type[Laws]) -> None:
    for record in sheets(held):
        examined = examine(record)
        assert examined.plies_reached == len(record.line.words)
        once = dumps(canonical(record))
        assert dumps(canonical(loads(once)[0])) == once
        assert examined.heading.game is not None
        for seat in (None, 0, 1):
            drawn = plain(examined.heading.game.words.picture(examined.state, seat))
            assert max(map(len, drawn.split("\n"))) <= WIDTH


def test_a_seat_is_shown_none_of_several_positions_with_hidden_cards() -> None:
    [tarot] = [held for held in HELD if held.key == "tarot"]
    shown = 0
    for seed in range(40):
        random = Random(f"several {seed}")
        tags, words = tarot().random_game(random)
        at = random.randrange(len(words))
        spoiled = [MISSING_WORD if each == at else word for each, word in enumerate(words)]
        [record] = loads(tables.sheet("Tarot", tags, " ".join(spoiled)))
        examined = examine(record)
        assert examined.heading.game is not None
        for step in examined.steps[at:]:
            if type(step.after) is Several:
                shown += 1
                assert type(examined.heading.game.hidden.view(step.after, 1)) is UnknownState
    assert shown


def test_many_gaps_in_a_row_end_in_words_nobody_judges() -> None:
    examined = examine(read(" ".join(["~"] * 200)))
    assert isinstance(examined.state, UnknownState)
    assert "more than 16,384 positions fit" in examined.report.findings[-1].because
    assert examined.plies_reached == 200


SPREAD = {
    "cardmate": (
        "Cardmate",
        "~ 3Dg6 3Cd3 3Dh5 3Ce4 JHc6 JSf4 4Sf7 ~ JCg7 2Sc3 JHb4 6Sb2 3Hd6 JSh4 9Sb8 ~ 1Sd8 4Hd2 8Sg8 JSf4 6Hi9 7Si1 JCf5"
        " ~ JC:e4 JS:d6 1Cj6 JS:f8 QS:f8 XCj1 9S:h2 ~ 9S:i1 6Sa3 2Ca6 4Ci3 6Cb8 XC:j6 3Dh6 ~ KDg9",
    ),
    "chess": (
        "Chess",
        "Nf3 ~ g3 Nf6 ~ Bg7 O-O ~ d3 d6 ~ c5 a4 ~ Na3 Nc6 ~ a6 b3 ~ Bb2 Rb8 ~ Bd7 Qd2 ~ Rfd1 Qc7 ~ h6",
    ),
    "draughts": ("Draughts", " ".join(["~"] * 40)),
    "king": ("Draughts", " ".join(["~"] * 600), '[FEN "B:W32,K29:BK1,5"]\n'),
}
"""Plies nobody wrote so far apart, or so few moves at each, that the positions stay few and the ways there grow."""


@pytest.mark.parametrize("sheet", SPREAD.values(), ids=SPREAD)
def test_the_work_that_unwritten_plies_may_be_has_a_bound(sheet: tuple[str, str] | tuple[str, str, str]) -> None:
    game, words, *tags = sheet
    record, tries = read(words, game, "".join(tags)), 0

    def counted() -> bool:
        nonlocal tries
        tries += 1
        assert tries <= MOST_TRIED
        return False

    with set_deadline(counted):
        examined = examine(record)
    assert isinstance(examined.state, UnknownState)
    assert examined.plies_reached == len(words.split())
    gaps = [one for one in examined.report.findings if one.key == "record.gap"]
    assert re.search(r"more than (16,384 positions fit|131,072 tries)$", gaps[0].because)
    assert (examined.report.verdict, gaps[0].ply) == ("undecided", words.split().index("~") + 1)


def test_the_moves_kept_for_unwritten_plies_take_no_more_memory_than_the_positions() -> None:
    game, words, *_ = SPREAD["cardmate"]
    record = read(words, game)
    tracemalloc.start()
    examine(record)
    grown = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert grown < 60_000_000


@pytest.mark.parametrize("more", ["4Db6", "4Db6 4Ci3"])
def test_what_a_word_takes_in_few_positions_is_not_counted(more: str) -> None:
    state, later = examine(read("~")).state, examine(read(f"~ {more}")).state
    assert isinstance(state, Several)
    assert isinstance(later, Several)
    assert 0 < state.tries == later.tries


def test_what_many_positions_take_is_counted_over_the_whole_line() -> None:
    counted = [examine(read(f"~ ~{more}")).state.tries for more in ("", " 4Ci3", " 4Ci3 4Db6", " 4Ci3 4Db6 8Dj2")]
    assert counted[0] > 0
    assert counted == sorted({*counted})


def test_readings_that_come_to_one_position_are_one_with_every_word_that_leads_there() -> None:
    state = examine(read("~ 4Db6 ~ 8Ca7")).state
    assert isinstance(state, Several)
    assert max(len(reading.assumes) for reading in state.readings.members) > 1


def test_each_gap_is_filled_by_the_word_that_shows_it() -> None:
    filled = [one for one in found("1. 4Ci3 ~ 2. ~ 8Ca7 3. 8Dh3 8Cc6") if one.key == "record.filled"]
    assert [(one.ply, one.decided_by) for one in filled] == [(2, 4), (3, 5)]


def test_what_was_open_before_a_gap_stays_open() -> None:
    [table] = loads((SAMPLES / "tarot" / "games" / "table-revoke.cgn").read_bytes())
    at = table.line.words.index("1H")
    before = examine(replace(table, line=replace(table.line, words=table.line.words[:at])))
    words = (*table.line.words[:at], "1~", *table.line.words[at + 1 :])
    after = examine(replace(table, line=replace(table.line, words=words)))
    asked = [(one.ply, one.key, one.because) for one in before.report.findings if one.severity == "undecided"]
    assert asked
    now = [(one.ply, one.key, one.because) for one in after.report.findings if one.severity == "undecided"]
    assert now[: len(asked)] == asked
    assert [key for _, key, _ in now[len(asked) :]] == ["record.gap"]


# --- what stops a record ---


@pytest.mark.parametrize("blank", ["???", "...?", "--"])
def test_a_sign_that_stands_for_nothing_is_told_how_a_missing_ply_is_written(blank: str) -> None:
    [error] = [one for one in found(f"1. 4Ci3 {blank} 2. 8Dj2") if one.severity == "error"]
    assert (error.key, "; a ply nobody wrote is ~; kept unread" in error.because) == ("cgn.syntax", True)
    [other] = [one for one in found("1. 4Ci3 4Dz9 2. 8Dj2") if one.severity == "error"]
    assert "nobody wrote" not in other.because


def test_what_stopped_a_record_stands_before_what_its_tags_say_of_points_and_hints_at_a_missing_word() -> None:
    sheet = (SAMPLES / "tarot" / "games" / "dementlieu-open.cgn").read_text("utf-8")
    [record] = loads(sheet.replace(" T03 T08", " T08", 1))
    errors = [one for one in examine(record).report.findings if one.severity == "error"]
    assert [one.key for one in errors] == ["tarot.in-hand", *["tarot.settlement"] * 3]
    assert "; where a word is missing before it, write ~; kept unread after it: " in errors[0].because
    [whole] = loads(sheet.replace('[Score "10:10:-30:10"]', '[Score "10:10:-30:11"]', 1))
    assert [one.key for one in examine(whole).report.findings if one.severity == "error"] == ["tarot.settlement"]


def test_a_missing_word_without_a_seat_may_be_of_any_seat_that_may_speak() -> None:
    """All four pass at once, so the one who did is not the first of them."""
    words = (
        "p0/p1*2C,8C,5D,XD,AD,6H,9H,2S,3S,4S,XS,JS,KS p0/p2*3C,5C,KC,3D,4D,JD,3H,KH,AH,5S,6S,9S,QS "
        "p0/p3*4C,6C,XC,JC,9D,4H,5H,7H,8H,XH,QH,7S,8S p0/p4*7C,9C,QC,AC,2D,6D,7D,8D,QD,KD,2H,JH,AS "
        "p3/6C,7H,XH>p4 ~ AD,3S,XS>p2 3D,3H,9S>p3 p1/2C 5C 4C 7C"
    )
    [record] = loads(tables.sheet("Hearts", {}, words))
    examined = examine(record)
    assert [found.key for found in examined.report.findings if found.severity == "error"] == []
    assert examined.heading.game is not None
    assert "p4/8D,QD,KD>p1" in fits(examined.heading.game, examined.state, 6)


def test_a_missing_word_of_which_only_the_form_is_known_is_said_so() -> None:
    [record] = loads(tables.sheet("Hearts", {}, "~,~,~>p2 ~ ~,~,~>p4 ~,~,~>p1 p1/2C"))
    [filled, *_] = examine(record).report.findings
    form = "ply 2 can only have been of the form ~,~,~>p3, unless it broke a rule; what each ~ was is not known"
    assert (filled.key, filled.because) == ("record.filled", form)


def test_a_word_of_the_table_keeps_its_prefix_where_it_is_open_who_speaks() -> None:
    """Two hands are missing, or two bids, until the table deals a third hand."""
    unseen = ",".join(MISSING_WORD * 13)
    words = f"~ ~ p0/p3*{unseen} p0/p4*{unseen} Bid=3"
    [record] = loads(tables.sheet("Spades", {}, words))
    examined = examine(record)
    assert examined.words == tuple(words.split())
    assert [found.severity for found in examined.report.findings if found.ply] == ["undecided", "undecided"]
