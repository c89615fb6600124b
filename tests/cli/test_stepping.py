"""``replay -i``: a game stepped through with keys, its variations entered and left."""

from pathlib import Path

import pytest

from cartulary.cli.scribe.page import GAP, NARROWEST, beside, lay_out
from cartulary.cli.stepping.stepper import Stepper, open_notebook
from cartulary.notation.picture import Span
from tests.cli.scribe_terminal import CTRL_C, ENTER, Terminal
from tests.places import SAMPLES
from tests.records.archives import Run

PAGE = SAMPLES / "cardmate" / "games" / "page-1.cgn"
NESTED = SAMPLES / "cardmate" / "games" / "nested.cgn"
REVOKE = SAMPLES / "tarot" / "games" / "table-revoke.cgn"
BACKSPACE = "\x7f"
RIGHT, LEFT, UP, DOWN, HOME, END = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B", "\x1b[H", "\x1b[F"


def stepping(path: Path, seat: str = "") -> Stepper:
    return Stepper(open_notebook(str(path), None, seat, quiet=False))


def said(stepper: Stepper) -> str:
    page = stepper.page(60, 24)
    return "\n".join((page.title, page.last, *page.messages, page.verdict))


def test_every_step_ends_somewhere_and_past_an_end_is_that_end() -> None:
    stepper = stepping(PAGE)
    assert "ply 0 of 40" in said(stepper)
    stepper.step(-1)
    assert stepper.track.at == 0
    stepper.go(17)
    assert "ply 17 of 40" in said(stepper)
    assert "9S:c5 [9. 2Sa3] 9S:a3" in said(stepper)
    stepper.step(99)
    assert stepper.track.at == 40
    stepper.go(99)
    assert "there is no ply 99; the line can be followed to ply 40" in said(stepper)
    assert "[QS:e0×]" in said(stepper)


def test_variations_are_entered_and_left_to_their_full_depth() -> None:
    stepper = stepping(NESTED)
    stepper.enter(1)
    assert "there is no variation here" in said(stepper)
    deepest = 0
    while deepest < 3:
        notes = stepper.track.notes
        stepper.go(next(at for at in sorted(notes) if at and notes[at].variations))
        assert "variation 1: " in said(stepper)
        stepper.enter(9)
        assert "there is no variation 9 here" in said(stepper)
        stepper.enter(1)
        deepest += 1
        assert said(stepper).count("variation 1 of ply") == deepest, said(stepper)
        assert stepper.track.at == 1
    for left in range(deepest, 0, -1):
        assert len(stepper.tracks) == left + 1
        stepper.leave()
    stepper.leave()
    assert "this is the main line" in said(stepper)


def test_where_one_game_is_open_it_is_said_that_there_is_no_other() -> None:
    for by in (1, -1):
        stepper = stepping(PAGE)
        stepper.turn(by)
        assert "no other game is open" in said(stepper)


def test_what_is_said_of_a_ply_stands_beside_it() -> None:
    stepper = stepping(REVOKE)
    stepper.go(17)
    assert "error tarot.follow-suit: South, Carl held 9S, but did not follow suit (proved by ply 40)" in said(stepper)
    assert "    rule: " in said(stepper)
    stepper.go(16)
    assert "tarot.follow-suit" not in said(stepper)


def test_what_is_said_stands_beside_the_board_where_the_terminal_is_wide_enough() -> None:
    stepper = stepping(REVOKE)
    stepper.go(17)
    wide, narrow = stepper.page(140, 24), stepper.page(60, 24)
    rows = ["".join(span.text for span in row) for row in wide.body]
    across = max(sum(len(span.text) for span in row) for row in narrow.body)
    assert wide.messages == ()
    assert any("error tarot.follow-suit: South, Carl held" in row[across:] for row in rows)
    assert any("    rule: " in row[across:] for row in rows)
    assert max(map(len, rows)) <= 140
    assert any("error tarot.follow-suit" in line for line in narrow.messages)
    for columns in range(20, 200, 9):
        page = stepper.page(columns, 24)
        assert {len(line) <= columns for line in lay_out(page, 24, columns, colour=False)} == {True}
        assert not page.messages or columns < across + GAP + NARROWEST


def test_text_beside_a_board_commands_no_terminal() -> None:
    [row] = beside(((Span("board"),),), ("a \x1b[2J b",), 80)
    assert "\x1b" not in "".join(span.text for span in row)


def test_it_begins_at_the_ply_that_is_named(db: Path, run: Run) -> None:
    with Terminal(db, str(REVOKE), "-i", "--at", "17", command="replay", columns=140) as terminal:
        terminal.until(r"^ply 17 of ", r"\S +error tarot.follow-suit: South, Carl held 9S")
        terminal.type("q")
        assert terminal.ended() == 0
    assert "--at needs -i, which starts there" in run("replay", str(PAGE), "--at", "3", code=2).stderr
    with Terminal(db, str(PAGE), "-i", "--at", "41", command="replay") as terminal:
        assert terminal.ended() == 2
        assert "there is no ply 41: the game can be followed for 40 plies" in " ".join(terminal.raw.decode().split())


def test_a_seat_steps_through_what_it_has_seen(tmp_path: Path) -> None:
    deal = SAMPLES / "tarot" / "games" / "dementlieu-open.cgn"
    whole, seen = stepping(deal), stepping(deal, "p1")
    for one in (whole, seen):
        one.go(34)
    drawn = ["\n".join("".join(span.text for span in row) for row in one.page(80, 24).body) for one in (whole, seen)]
    assert "unknown" not in drawn[0]
    assert "unknown" in drawn[1]


def test_files_of_several_games_are_gone_through(tmp_path: Path) -> None:
    both = tmp_path / "both.cgn"
    both.write_text(PAGE.read_text("utf-8") + "\n" + REVOKE.read_text("utf-8"), "utf-8")
    stepper = stepping(both)
    stepper.open(1)
    assert "Tarot" in said(stepper)
    stepper.open(9)
    assert stepper.number == 1
    stepper.open(-1)
    assert "Cardmate" in said(stepper)


def test_a_variation_with_a_gap_is_drawn_and_a_legal_ply_is_said_to_be(tmp_path: Path) -> None:
    stepper = stepping(PAGE)
    stepper.go(17)
    assert "\nlegal\n" in said(stepper)
    assert gone_through(stepper)


def gone_through(stepper: Stepper) -> int:
    """Look at every ply of every variation below here; return how many of the words have gaps."""
    gaps = 0
    for at in [at for at, note in stepper.track.notes.items() if at and note.variations]:
        stepper.go(at)
        for number, line in enumerate(stepper.track.note.variations, 1):
            stepper.enter(number)
            for place in range(len(stepper.track.positions)):
                stepper.go(place)
                assert said(stepper)
            gaps += sum("~" in word for word in line.words) + gone_through(stepper)
            stepper.leave()
    return gaps


def test_help_takes_the_place_of_the_board(tmp_path: Path) -> None:
    stepper = stepping(PAGE)
    stepper.helping = True
    assert "q, Ctrl-C         leave" in "\n".join(row[0].text for row in stepper.page(80, 24).body)
    assert stepper.page(20, 5).verdict == ""


def test_it_needs_a_terminal_and_a_name(run: Run) -> None:
    assert "needs a terminal" in run("replay", str(PAGE), "-i", code=2).stderr
    assert "--json for a program" in run("replay", str(PAGE), "-i", "--json", code=2).stderr
    assert "name a file or an id" in run("replay", "-i", code=2).stderr


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (40, 120)])
def test_a_person_steps_with_keys(db: Path, rows: int, columns: int) -> None:
    with Terminal(db, str(NESTED), "-i", command="replay", rows=rows, columns=columns) as terminal:
        terminal.until(r"^ply 0 of ")
        terminal.type(RIGHT)
        terminal.until(r"^ply 1 of ")
        terminal.type("g8" + ENTER)
        terminal.until(r"^ply 8 of ", r"variation 2: ")
        terminal.type("2")
        terminal.until(r"^ply 1 of 2: \[4Da6\]")
        terminal.type(UP + DOWN)
        terminal.until(r"^ply 1 of 4: \[8Cc6\]")
        terminal.type(BACKSPACE + "g99" + 3 * BACKSPACE)
        terminal.until(r"^ply 8 of ", r"^left, right;")
        terminal.type(ENTER)
        terminal.until(r"^ply 1 of 4: \[8Cc6\]")
        terminal.type(UP + "?")
        terminal.until(r"^n, p +the next game")
        terminal.type(END + LEFT + HOME)
        terminal.until(r"^ply 0 of ", r"^left, right;")
        terminal.type(CTRL_C)
        assert terminal.ended() == 130


def test_a_small_window_shows_where_one_stands(db: Path) -> None:
    with Terminal(db, str(PAGE), "-i", command="replay", rows=5, columns=20) as terminal:
        terminal.until(r"^ply 0 of 40")
        terminal.type(RIGHT)
        terminal.until(r"^ply 1 of 40")
        terminal.type("q")
        assert terminal.ended() == 0


def test_plies_that_cannot_be_followed_are_said_to_be_there(tmp_path: Path) -> None:
    path = tmp_path / "unread.cgn"
    path.write_text('% CGN 1.0\n[Game "Cardmate"]\n\n1. 4Ci3 (1. 8Dzz9 4Db6) 4Db6 2. 8Dzz9 8Ca7 *\n')
    stepper = stepping(path)
    stepper.go(1)
    assert not any("cannot be followed" in line for line in stepper.page(80, 24).messages)
    stepper.enter(1)
    assert "2 more plies are written but cannot be followed" in stepper.page(80, 24).messages
    stepper.leave()
    stepper.go(2)
    answer = stepper.page(80, 24).messages
    assert "2 more plies are written but cannot be followed" in answer
    assert any(line.startswith("error cgn.syntax: found zz9 in 8Dzz9") for line in answer)
