"""Boards that were stated: a check where the position is known, and where it is not, from where play goes on."""

import re
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from cartulary.engine import LEGAL
from cartulary.notation import Finding, Note, Record, canonical, dumps, examine, loads, replay
from cartulary.notation.arbiter.boards import BOARD
from cartulary.notation.arbiter.gaps import GAPS, UnknownState
from cartulary.notation.cgn.record import MISSING_WORD
from cartulary.testing import Laws, tables
from tests.hunts import looks
from tests.laws.test_all_games import HELD
from tests.places import SAMPLES

STATED = [held for held in HELD if held.game().boards.tag]
HOME = (
    "Xd 8c 9s Qc Ks Kd Qs 9d 8s Xh / 7h -- 6c Jh 5c 5s Jc 6h -- 7d / 4d 2c 3h 1s -- -- 4s 3d 2h 1c"
    + " / -- -- -- -- -- -- -- -- -- --" * 4
    + " / 1D 2S 3C 4H -- -- 1H 3S 2D 4C / 7C -- 6S JD 5H 5D JS 6D -- 7S / XS 8H 9C QH KC KH QD 9H 8D XC"
)
END = "-- -- -- -- Ks -- -- -- -- --" + " / -- -- -- -- -- -- -- -- -- --" * 8 + " / QH -- -- -- KC -- -- -- -- --"


def read(words: str, game: str = "Cardmate", tags: str = "") -> Record:
    [record] = loads(f'[Game "{game}"]\n{tags}\n{words} *\n')
    return record


def found(words: str, game: str = "Cardmate", tags: str = "") -> list[Finding]:
    return list(examine(read(words, game, tags)).report.findings)


def after(words: str) -> str:
    """Return the board of Cardmate after these words."""
    examined = examine(read(words))
    assert examined.heading.game is not None
    return examined.heading.game.boards.write(examined.state)


def captured() -> Record:
    """Return a record in which the board puts a card down that is then captured, the word without its mark."""
    rows = ["-- -- -- -- Ks -- -- -- -- --", *("-- -- -- -- -- -- -- -- -- --",) * 8, "XS -- -- -- KC -- -- -- -- --"]
    home = " / ".join(rows)
    rows[4], rows[9] = "XS -- -- -- 8h -- -- -- -- --", rows[9].replace("XS", "--")
    setup = f'[Variant "composed"]\n[Setup "{home}"]\n'
    return read(f"1. XSa5 {{[%board {' / '.join(rows)} p2]}} KSd9 2. XSe5", tags=setup)


# --- where the position is known ---


def test_a_board_that_agrees_is_not_spoken_of() -> None:
    assert found(f"{{[%board {HOME}]}} 1. 4Ci3 {{[%board {after('4Ci3')}]}} 4Db6") == []


def test_a_board_that_differs_names_the_squares_and_the_words_since_the_last_that_agreed() -> None:
    true, wrong = after("4Ci3 4Db6"), after("4Ci3 4Db6 8Dj2 8Ca7").replace(" 7d /", " -- /")
    words = f"1. 4Ci3 4Db6 {{[%board {true}]}} 2. 8Dj2 8Ca7 {{[%board {wrong}]}} 3. 8Dh3"
    [one] = found(words)
    assert (one.severity, one.key, one.ply, one.plies, one.move) == ("undecided", "record.board", 4, (3, 4), "8Ca7")
    assert one.because.endswith("put there (j8: nothing instead of p2's 7D)")
    assert one.rule == BOARD.says


def test_play_goes_on_from_what_lay_on_the_table() -> None:
    wrong = after("4Ci3 4Db6 8Dj2 8Ca7")
    words = f"1. 4Ci3 4Db6 2. 9Cb1 {{[%board {wrong} p1]}} 8Dh3"
    assert [(one.key, one.ply) for one in found(words)] == [("record.board", 3)]
    assert [one.key for one in found("1. 4Ci3 4Db6 2. 9Cb1 8Dh3") if one.severity == "error"] != []


def test_a_board_from_which_play_went_on_clears_the_words_before_it() -> None:
    one, two = after("4Ci3 4Db6 8Dj2 8Ca7").replace(" 7d /", " -- /"), after("4Ci3 4Db6")
    plies = [each.plies for each in found(f"4Ci3 4Db6 8Dj2 8Ca7 {{[%board {one}]}} 8Dh3 8Cc6 {{[%board {two}]}}")]
    assert plies == [(1, 2, 3, 4), (5, 6)]


def test_a_board_before_the_first_word_is_where_play_begins() -> None:
    [one] = found(f"{{[%board {END}]}} 1. QHa8 KSd8")
    assert (one.severity, one.key, one.ply, one.plies) == ("undecided", "record.board", 0, ())
    record = read(f"{{[%board {END}]}} 1. QHa8 KSd8")
    assert dumps(canonical(record)) == dumps(canonical(canonical(record)))


def test_a_word_after_a_board_is_read_and_spelled_as_the_board_has_it() -> None:
    record = captured()
    assert canonical(record).line.words == ("XSa5", "KSd9", "XS:e5")
    *_, (state, _, verdict, _) = replay(record, strict=True)
    assert verdict is LEGAL
    assert state.board[54]
    without = replace(record, line=replace(record.line, notes={}))
    assert canonical(record, examine(without).walk) == canonical(record)
    assert canonical(without, examine(record).walk) == canonical(without)


def test_an_offer_stands_across_a_board() -> None:
    board = f"{{[%board {after('4Ci3')}]}}"
    [drawn] = found(f"1. 4Ci3 {board} Draw {board} p1/Agree {board}")
    assert drawn.because == "the movetext says *, but the game is 1/2-1/2: the game was drawn by agreement"
    assert [one.key for one in found("1. 4Ci3 p1/Agree")] == ["call.no-offer"]


def test_nothing_is_read_behind_a_word_that_cannot_be_whatever_lay_on_the_table() -> None:
    [unread] = found(f"1. 4Ci3 xx {{[%board {after('4Ci3')}]}} 4Db6 {{[%board {HOME}]}}")
    assert (unread.key, unread.ply) == ("cgn.syntax", 2)


def test_more_than_eight_squares_are_only_named() -> None:
    [one] = found(f"1. 4Ci3 {{[%board {END} p2]}}")
    assert "instead of" not in one.because
    assert one.because.count(", ") > 40


def test_whose_turn_it_is_the_record_says_unless_the_board_does() -> None:
    assert found(f"1. 4Ci3 {{[%board {after('4Ci3').removesuffix(' p2')}]}} 4Db6") == []
    [turned] = found(f"1. 4Ci3 {{[%board {after('4Ci3').removesuffix('p2')}p1]}} 8Dj2")
    assert turned.because.endswith("the turn: p1 instead of p2)")


def test_a_board_of_a_game_that_is_over_agrees_where_it_is_true() -> None:
    sheet = (SAMPLES / "cardmate" / "games" / "page-1.cgn").read_text("utf-8")
    [record] = loads(sheet)
    examined = examine(record)
    assert examined.heading.game is not None
    board = examined.heading.game.boards.write(examined.state)
    notes = record.line.notes | {len(record.line.words): Note((), (f"[%board {board}]",))}
    with_board = replace(record, line=replace(record.line, notes=notes))
    assert examine(with_board).report.findings == examined.report.findings


# --- boards that cannot be ---


@pytest.mark.parametrize(
    ("board", "because"),
    [
        ("", "found 0 ranks"),
        ("B:W18,24:B1,K3", "expected ten, from 9"),
        ("8H " * 3000, "found 1 rank on"),
        (HOME.replace("1c", "Xd"), "XD stands on j7 and on a9"),
        (HOME.replace("-- Ks", "Ks").replace("Ks Kd", "-- --"), "p2 has no King"),
        (HOME.replace("/ 1D", "/ ?!"), "found ?! on a2"),
        (HOME + " / -- --", "found 11 ranks"),
        (HOME.replace("1D 2S", "1D"), "found 9 squares on rank 2"),
    ],
)
def test_a_board_that_cannot_be_is_an_error_and_ignored(board: str, because: str) -> None:
    [one] = found(f"1. 4Ci3 {{[%board {board}]}} 4Db6")
    assert (one.severity, one.key, one.ply) == ("error", "record.board", 1)
    assert because in one.because
    assert len(one.because) < 300


def test_of_two_boards_at_one_ply_the_first_holds() -> None:
    true = after("4Ci3")
    assert found(f"1. 4Ci3 {{[%board {true}] [%board {true}]}} 4Db6") == []
    [one] = found(f"1. 4Ci3 {{[%board {true}]}} {{[%board {HOME}]}} 4Db6")
    assert (one.severity, one.ply, one.because) == (
        "error",
        1,
        "found a second board after ply 1, expected one; the first counts",
    )


def test_in_a_game_without_boards_it_stays_a_comment() -> None:
    [record] = loads((SAMPLES / "tarot" / "games" / "dementlieu-open.cgn").read_text("utf-8"))
    notes = record.line.notes | {9: Note((), ("[%board 8H]",)), 0: Note((), ("[%board 8H]",))}
    answer = replace(record, line=replace(record.line, notes=notes))
    assert examine(answer).report.findings == examine(record).report.findings
    assert "[%board 8H]" in dumps(canonical(answer))
    assert [one.key for one in found("e4 {[%board 8H]} e5", "Chess", '[Rules "none"]\n')] == []


def test_a_board_in_a_variation_is_a_comment_there() -> None:
    assert found(f"1. 4Ci3 4Db6 (1... 8Cc7 {{[%board {HOME}]}}) 2. 8Dj2") == found("1. 4Ci3 4Db6 (1... 8Cc7) 2. 8Dj2")
    text = f"1. 4Ci3 4Db6 {{[%board {after('4Ci3 4Db6')}]}} (1... 3Hc6 2. 8Dj2 8Cc7) 2. 8Dj2"
    assert found(text) == []


# --- after a gap ---


def test_after_a_gap_the_positions_that_agree_stay() -> None:
    [filled] = found(f"1. 4Ci3 4Db6 2. ~ {{[%board {after('4Ci3 4Db6 8Dj2')}]}} 8Ca7")
    assert (filled.key, filled.severity, filled.ply) == ("record.filled", "remark", 3)
    assert "can only have been 8Dj2" in filled.because


def test_several_positions_that_agree_all_stay() -> None:
    """A rook goes round two ways: the board is the same, and which way it went is not known."""
    empty = " / -- -- -- -- -- -- -- -- -- --"
    setup = "-- -- -- -- Ks -- -- -- -- --" + empty * 8 + " / XS -- -- -- KC -- -- -- -- --"
    rook = " / -- -- -- XS -- -- -- -- -- --"
    board = "-- -- -- Ks -- -- -- -- -- --" + empty * 5 + rook + empty * 2 + " / -- -- -- -- KC -- -- -- -- --"
    tags = f'[Variant "composed"]\n[Setup "{setup}"]\n'
    gap, filled = found(f"1. ~ KSd9 2. ~ {{[%board {board} p2]}}", tags=tags)
    assert (gap.severity, gap.key, gap.ply, gap.legal) == ("undecided", "record.gap", 1, ("XSd0", "XSa3"))
    assert (filled.key, filled.ply) == ("record.filled", 3)


def test_where_none_agrees_judging_begins_again_from_the_board() -> None:
    board = after("4Ci3 4Db6 8Dj2 8Ca7 8Dh3 8Cc6")
    [gap] = found(f"1. 4Ci3 4Db6 2. ~ {{[%board {board} p1]}} 9Cb1")
    assert (gap.severity, gap.key, gap.ply) == ("undecided", "record.gap", 3)
    assert "no legal move leads to the board after ply 3" in gap.because
    assert "the board differs from the nearest position: " in gap.because
    assert "the turn: p1 instead of p2" in gap.because
    mended = after("4Ci3 4Db6 8Dj2").replace(" 7d /", " -- /")
    [gap] = found(f"1. 4Ci3 4Db6 2. ~ {{[%board {mended}]}}")
    assert gap.because.endswith("the board differs from the nearest position: j8: nothing instead of p2's 7D")
    *_, wrong = found(f"1. 4Ci3 4Db6 2. ~ {{[%board {board} p1]}} 9Cj5")
    assert (wrong.key, wrong.severity) == ("cardmate.reach", "error")


@pytest.mark.parametrize("words", ["1. 4Ci3 ~z9 2. QQ9 ~", "1. ~ ~ 2. ~ ~"])
def test_where_no_position_is_known_judging_begins_again_from_the_board(words: str) -> None:
    board = after("4Ci3 4Db6 8Dj2 8Ca7")
    assert type(examine(read(words)).state) is UnknownState
    answer = found(f"{words} {{[%board {board}]}} 3. 8Dh3 9Sj5")
    assert {one.key for one in answer} == {"record.gap", "cardmate.reach"}
    assert all(one.severity == "undecided" for one in answer if one.key == "record.gap")
    assert [one.ply for one in answer if one.key == "cardmate.reach"] == [6]
    assert examine(read(f"{words} {{[%board {board}]}} 3. 8Dh3")).report.verdict == "undecided"


def test_a_board_that_cannot_be_leaves_a_gap_as_it_is() -> None:
    answer = found("1. 4Ci3 4Db6 2. ~ {[%board 8H]} 8Ca7 3. 8Dh3")
    assert {(one.severity, one.key) for one in answer} == {("error", "record.board"), ("remark", "record.filled")}


# --- by chance ---


def boards_of(record: Record) -> list[str]:
    """Return the board after each ply, the start first."""
    examined = examine(record)
    assert examined.heading.game is not None
    assert examined.walk is not None
    states = [examined.walk.start.state, *(step.after for step in examined.steps)]
    return [examined.heading.game.boards.write(state) for state in states]


def drawn(held: type[Laws], random: Random) -> Record:
    """Return a legal game as far as it goes."""
    tags, words = held().random_game(random)
    [record] = loads(tables.sheet(held.game().about.title, tags, " ".join(words[: random.randint(4, 40)])))
    return record


def stated(record: Record, boards: dict[int, str], missed: tuple[int, ...] = ()) -> Record:
    """Return a record with boards, and with plies nobody wrote, from 1."""
    words = tuple(MISSING_WORD if ply in missed else word for ply, word in enumerate(record.line.words, 1))
    notes = {ply: Note((), (f"[%board {text}]",)) for ply, text in boards.items()}
    return replace(record, line=replace(record.line, words=words, notes=notes))


@pytest.mark.hunt
@pytest.mark.parametrize("held", STATED)
@pytest.mark.parametrize("gaps", [1, 3])
def test_the_true_board_after_gaps_is_what_follows_and_nothing_is_refused(held: type[Laws], gaps: int) -> None:
    for seed in range(looks(6)):
        random = Random(f"board {held.key} {gaps} {seed}")
        record = drawn(held, random)
        true, plies = boards_of(record), len(record.line.words)
        missed = tuple(random.sample(range(1, plies + 1), min(gaps, plies)))
        at = random.randint(max(missed), plies)
        examined = examine(stated(record, {at: true[at]}, missed))
        assert not any(one.severity == "error" or one.key == BOARD.key for one in examined.report.findings)
        assert examined.plies_reached == plies
        lost = any(type(step.after) is UnknownState for step in examined.steps[:at])
        for step in examined.steps[at - 1 :] if lost else ():
            assert type(step.after) not in GAPS, "judged again from the board"
        assert examined.heading.game is not None
        for step in examined.steps[at - 1 :]:
            states = (
                [step.after] if type(step.after) not in GAPS else [each.state for each in step.after.readings.members]
            )
            written = {uncounted(examined.heading.game.boards.write(state)) for state in states}
            assert written == {uncounted(true[step.ply])}


def uncounted(board: str) -> str:
    """Return a board without the counts of a FEN: how many plies were quiet nobody knows after a gap."""
    return " ".join(board.split()[:-2]) if board.count("/") == 7 else board


def squares(board: str) -> Iterator[tuple[str, str]]:
    """Yield what lies where on a board, read from its text alone."""
    if board.count("/") == 7:
        ranks, turn, *_ = board.split()
        yield "the turn", {"w": "p1", "b": "p2"}[turn]
        for rank, row in enumerate(ranks.split("/")):
            cells = re.sub("[1-8]", lambda digit: "." * int(digit[0]), row)
            yield from ((f"{file}{8 - rank}", cell) for file, cell in zip("abcdefgh", cells, strict=True))
        return
    if ":" in board:
        turn, *sides = board.split(":")
        yield "the turn", turn
        yield from (
            (man.lstrip("K"), side[0] + man[:1] * (man[:1] == "K")) for side in sides for man in side[1:].split(",")
        )
        return
    yield "the turn", "p2" if board.endswith(" p2") else "p1"
    for rank, row in enumerate(board.removesuffix(" p2").split(" / ")):
        yield from ((f"{file}{9 - rank}", cell) for file, cell in zip("abcdefghij", row.split(), strict=True))


@pytest.mark.hunt
@pytest.mark.parametrize("held", STATED)
def test_a_wrong_board_names_the_squares_that_differ_and_no_other(held: type[Laws]) -> None:
    for seed in range(looks(20)):
        random = Random(f"wrong {held.key} {seed}")
        record = drawn(held, random)
        true, plies = boards_of(record), len(record.line.words)
        at, other = random.randint(1, plies), random.randint(0, plies)
        one, two = dict(squares(true[at])), dict(squares(true[other]))
        differ = {place for place in one.keys() | two.keys() if one.get(place) != two.get(place)} - {""}
        unsaid = {"the turn"} if "/" in true[other] and two["the turn"] == "p1" else set[str]()
        answer = examine(stated(record, {at: true[other]})).report.findings
        named = {
            place.partition(": ")[0]
            for finding in answer
            if (finding.key, finding.ply) == (BOARD.key, at)
            for place in re.split("; |, (?!not )", finding.because.partition("put there (")[2].removesuffix(")"))
        }
        assert named - unsaid == differ - unsaid, (true[at], true[other])
