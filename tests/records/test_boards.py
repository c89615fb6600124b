"""What lies on the table: stated, printed, carried by every view, and followed by corrections and take-backs."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cartulary.cli.app import build
from cartulary.cli.scribe.scribe import Scribe
from cartulary.notation.viewer import Seat
from cartulary.records import api
from cartulary.records.log.store import Store
from tests.places import SAMPLES

Run = Callable[..., Result]
OTHER = "B:W18,24:B1,K3"


@pytest.fixture
def run(store: Store, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("CARTULARY_DB", str(store.path))

    def typed(*words: str, code: int = 0) -> Result:
        result = CliRunner().invoke(build(), list(words))
        assert result.exit_code == code, f"{result.stdout}\n{result.stderr}\n{result.exception!r}"
        return result

    return typed


@pytest.fixture
def evening(run: Run) -> str:
    """Give a game of Cardmate, four plies of it played."""
    run("new", "cardmate", "--id", "evening", "-p", "Ada", "-p", "Bela")
    run("move", "evening", "4Ci3", "4Db6", "8Dj2", "8Ca7")
    return "evening"


def printed(run: Run, id: str) -> str:
    return run("board", id).stdout.strip()


def test_the_board_is_printed_as_it_is_stated(run: Run, evening: str) -> None:
    board = printed(run, evening)
    assert board.startswith("Xd -- 9s Qc Ks")
    assert json.loads(run("board", evening, "-", "--json").stdout) == {
        "id": "evening",
        "version": 6,
        "ply": 4,
        "text": board,
        "positions": 1,
    }
    assert run("board", evening, board).stdout == "evening: board stated after ply 4, which agrees with the moves\n"


def test_a_board_that_differs_is_told_everywhere(run: Run, evening: str, tmp_path: Path) -> None:
    board = printed(run, evening).replace(" 7d /", " -- /")
    output = run("board", evening, board, "--by", "arbiter").stdout
    assert output.startswith(
        "evening: board stated after ply 4\n  undecided record.board what lay on the table after ply 4"
    )
    assert "j8: nothing instead of p2's 7D" in " ".join(output.split())
    assert printed(run, evening) == board
    assert "record.board" in run("check", evening).stdout
    assert "record.board" in run("why", evening, "4").stdout
    assert f"stated the board after event 6: {board}" in run("log", evening).stdout
    assert f"stated the board after event 6: {board}" in run("log", evening, "--seat", "p1").stdout
    for seat in ((), ("--seat", "rail"), ("--seat", "p2")):
        assert "v7D" not in run("show", evening, *seat).stdout
        assert "v7D" not in run("replay", evening, *seat).stdout.rpartition("8Ca7")[2]
    sheet = " ".join(run("export", evening).stdout.split())
    assert f"8Ca7 {{[%board {board}]}}" in sheet
    assert "[%board" in run("export", evening, "--format", "html").stdout
    undecided = run("move", evening, "8Dh3", "7Di7", code=1).stdout
    assert "cardmate" in undecided


def test_a_word_is_read_and_told_by_the_board_before_it(run: Run, evening: str, tmp_path: Path) -> None:
    rows = printed(run, evening).split(" / ")
    rows[7], rows[5] = rows[7].replace("8D", "--"), "-- -- -- -- 8D -- -- -- -- --"
    run("board", evening, " / ".join(rows))
    run("move", evening, "8Df6")
    for seat in ((), ("--seat", "p1")):
        assert run("log", evening, *seat).stdout.replace("\n", " ").count("p1 played 8Df6  ") <= 1
        assert "8Df6 (" not in run("log", evening, *seat).stdout
    sheet = tmp_path / "one.cgn"
    run("export", evening, "-o", str(sheet))
    assert "8D at f6" not in run("show", str(sheet)).stdout
    for source in (evening, str(sheet)):
        assert json.loads(run("replay", source, "--json").stdout.splitlines()[-1])["verdict"] == "legal"


def test_a_board_goes_out_and_comes_back(run: Run, evening: str, tmp_path: Path) -> None:
    run("board", evening, printed(run, evening).replace(" 7d /", " -- /"))
    run("move", evening, "8Dh3")
    sheet, archive, other = tmp_path / "one.cgn", tmp_path / "one.json", tmp_path / "other.db"
    run("export", evening, "-o", str(sheet))
    run("export", evening, "--format", "json", "--log", "-o", str(archive))
    head = run("log", evening).stdout.splitlines()[-1]
    run("import", str(archive), "--db", str(other))
    assert run("log", evening, "--db", str(other)).stdout.splitlines()[-1] == head
    sheets = ("--db", str(tmp_path / "sheets.db"))
    run("import", str(sheet), *sheets)
    [id] = [json.loads(line)["id"] for line in run("list", "--json", *sheets).stdout.splitlines()]
    assert run("board", id, *sheets).stdout == run("board", evening).stdout
    again = tmp_path / "again.cgn"
    run("export", id, *sheets, "-o", str(again))
    for words in (("show", str(sheet)), ("show", str(sheet), "--at", "4"), ("show", evening)):
        assert "v7D" not in run(*words).stdout
    assert run("moves", str(sheet), "--json").stdout == run("moves", evening, "--json").stdout
    assert again.read_text("utf-8").split("\n\n")[1] == sheet.read_text("utf-8").split("\n\n")[1]
    run("verify", evening)
    redacted = run("export", evening, "--format", "json", "--log", "--redact", "names", "-o", str(tmp_path / "r.json"))
    assert "event 7" not in redacted.stderr
    assert "{[%board Xd" in run("export", evening, "--format", "json").stdout


def test_a_take_back_takes_the_board_with_its_ply(run: Run, evening: str) -> None:
    run("board", evening, printed(run, evening).replace(" 7d /", " -- /"))
    run("undo", evening)
    assert "record.board" not in run("check", evening).stdout
    run("move", evening, "8Ca7")
    assert "7d" in printed(run, evening)


def test_a_correction_before_a_board_is_held_against_it(run: Run, evening: str) -> None:
    board = printed(run, evening)
    run("board", evening, board)
    output = run("amend", evening, "3", "9Cb1").stdout
    assert output.endswith("evening: ply 4 is as before: ply 4 leaves open record.board\n")
    assert printed(run, evening) == board, "play goes on from what lay on the table"
    run("amend", evening, "3", "8Dj2")
    assert "record.board" not in run("check", evening).stdout


def test_a_correction_of_its_ply_keeps_the_board(run: Run, evening: str) -> None:
    board = printed(run, evening)
    run("board", evening, board)
    assert "record.board" in run("amend", evening, "4", "8Cc6", "--stands", code=1).stdout
    assert printed(run, evening) == board
    run("amend", evening, "4", "--remove")
    assert "record.board" not in run("check", evening, code=0).stdout


def test_a_later_board_takes_the_place_of_one_at_the_same_ply(run: Run, evening: str) -> None:
    true = printed(run, evening)
    run("board", evening, true.replace(" 7d /", " -- /"))
    data = json.loads(run("board", evening, true, "--json").stdout)
    assert (data["before"], data["findings"], data["ply"]) == (true.replace(" 7d /", " -- /"), [], 4)
    assert "record.board" not in run("check", evening).stdout
    assert run("export", evening).stdout.count("[%board") == 1


def test_a_note_leaves_the_board_where_it_is(run: Run, evening: str, tmp_path: Path) -> None:
    board = printed(run, evening).replace(" 7d /", " -- /")
    run("board", evening, board)
    run("note", evening, "4", "a long think")
    run("note", evening, "4", "--replace", "a short one")
    assert printed(run, evening) == board
    assert "only the program writes" in run("note", evening, "4", "[%board 8H]", code=2).stderr
    sheet = tmp_path / "one.cgn"
    run("export", evening, "-o", str(sheet))
    run("import", str(sheet), "--db", str(tmp_path / "other.db"))
    [id] = [
        json.loads(line)["id"] for line in run("list", "--json", "--db", str(tmp_path / "other.db")).stdout.splitlines()
    ]
    run("note", id, "4", "--replace", "nothing much", "--db", str(tmp_path / "other.db"))
    assert run("board", id, "--db", str(tmp_path / "other.db")).stdout.strip() == board
    run("board", id, printed(run, evening).replace("Xd --", "-- --"), "--db", str(tmp_path / "other.db"))
    assert run("export", id, "--db", str(tmp_path / "other.db")).stdout.count("[%board") == 1


def test_a_board_may_stand_before_the_first_ply(run: Run) -> None:
    run("new", "draughts", "--id", "d")
    assert printed(run, "d") == "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    output = run("board", "d", OTHER).stdout
    assert output.startswith("d: board stated before the first ply\n  undecided record.board")
    run("move", "d", "3-7")
    assert run("export", "d").stdout.count(f"{{[%board {OTHER}]}}") == 1
    run("undo", "d")
    assert printed(run, "d") == OTHER
    run("board", "d", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12")
    run("check", "d")
    run("move", "d", "11-15")


def test_nothing_is_stored_by_a_dry_run_a_conflict_or_a_command_given_again(run: Run, evening: str) -> None:
    board = printed(run, evening).replace(" 7d /", " -- /")
    before = run("log", evening).stdout
    asked = run("board", evening, board, "--dry-run")
    assert "record.board" in asked.stdout
    assert "Nothing was stored" in asked.stderr
    run("board", evening, board, "--expected", "3", code=1)
    assert run("log", evening).stdout == before
    once = run("board", evening, board, "--command", "k", "--json").stdout
    assert run("board", evening, board, "--command", "k", "--json").stdout == once
    run("board", evening, printed(run, evening).replace("Xd", "--"), "--command", "k", code=1)
    assert run("log", evening).stdout.count("stated the board") == 1


def test_after_a_ply_nobody_wrote_a_board_says_what_it_was(run: Run, store: Store, evening: str) -> None:
    true = printed(run, evening)
    run("undo", evening, "2")
    scribe = Scribe(store, evening)
    offered = scribe.enter("~ 8Ca7")
    assert "`board TEXT` states what lies on the table, as the tag Setup spells it." in offered.remark
    assert scribe.enter("board").lines[0].startswith("Xd --")
    assert "one of" in run("board", evening).stderr
    answer = scribe.enter(f"board {true}")
    assert "can only have been 8Dj2" in " ".join(answer.lines)
    assert scribe.enter("board").lines == (true,)
    assert "8H" in scribe.enter("board 8H").retry
    assert run("search", "--position", evening).stdout.startswith("evening")


def test_where_no_position_is_known_a_board_begins_anew(run: Run, evening: str) -> None:
    true = printed(run, evening)
    run("undo", evening, "2")
    run("move", evening, "~z9", "~")
    assert "is not known" in run("board", evening, code=1).stderr
    assert "record.gap" in run("board", evening, true).stdout
    assert "legal" in run("move", evening, "8Dh3").stdout
    assert "legal" in run("move", evening, "8Cc6").stdout
    assert "record.gap" in run("check", evening).stdout
    seen = run("log", evening, "--seat", "p2").stdout
    assert seen.splitlines()[-1].endswith("p2 played 8Cc6")
    assert "p1 played 8Dh3\n" in seen
    assert run("search", "--position", evening).stdout.startswith("evening")


def test_a_position_is_found_that_a_board_led_to(run: Run, evening: str) -> None:
    run("board", evening, printed(run, evening).replace(" 7d /", " -- /"))
    run("new", "cardmate", "--id", "two", "--variant", "composed", "--setup", printed(run, evening))
    found = run("search", "--position", "two").stdout
    assert "evening" in found
    assert "two" in found


def test_an_adjourned_game_is_set_up_again_from_its_board(run: Run, evening: str) -> None:
    board = printed(run, evening)
    run("new", "cardmate", "--id", "morning", "--variant", "composed", "--setup", board)
    assert printed(run, "morning") == board
    one, two = (json.loads(run("moves", id, "--json").stdout)["moves"] for id in (evening, "morning"))
    assert one == two
    run("move", "morning", "8Dh3")
    run("move", evening, "8Dh3")
    assert printed(run, "morning") == printed(run, evening)
    assert printed(run, evening).endswith(" p2")
    run("new", "cardmate", "--id", "noon", "--variant", "composed", "--setup", printed(run, evening))
    run("move", "noon", "p2/8Cc6")
    run("new", "draughts", "--id", "table", "--setup", OTHER)
    run("new", "Draughts", "--id", "again", "--setup", printed(run, "table"))
    assert printed(run, "again") == OTHER
    assert f'[FEN "{OTHER}"]' in run("export", "again").stdout


@pytest.mark.parametrize(
    ("text", "because"),
    [
        (OTHER, "expected ten, from 9"),
        ("", "found 0 ranks"),
        ("8H " * 3334, "found 1 rank on"),
        ("8H\x07", "control character"),
        ("}", "}"),
        ("twice", "XD stands on"),
        ("small", "expected ten, from a"),
        ("kingless", "has no King"),
        ("ace", "but the One that becomes it"),
    ],
)
def test_what_is_no_board_is_refused_in_a_sentence(run: Run, evening: str, text: str, because: str) -> None:
    true = printed(run, evening)
    made = {
        "twice": true.replace("9s", "Xd"),
        "small": true.replace("Xd -- 9s", "Xd 9s"),
        "kingless": true.replace("Ks Kd", "-- --"),
        "ace": true.replace("XC", "AS"),
    }
    result = run("board", evening, made.get(text, text), code=1 if text == "}" else 2)
    assert because in " ".join(result.stderr.split())
    assert len(result.stderr) < 400
    assert "stated the board" not in run("log", evening).stdout


def test_a_board_may_begin_with_empty_squares(run: Run, evening: str) -> None:
    board = printed(run, evening).replace("Xd --", "-- --")
    run("board", evening, board, "--by", "p1")
    assert printed(run, evening) == board
    assert "There is no option --bye" in run("board", evening, "--bye", code=2).stderr


def test_where_no_board_can_be_stated_it_says_why(run: Run, evening: str) -> None:
    board = printed(run, evening)
    run("close", evening, "1-0")
    assert "is closed" in run("board", evening, board, code=1).stderr
    assert printed(run, evening) == board
    run("new", "tarot", "--id", "deal", "--seats", "4", "-p", "A", "-p", "B", "-p", "C", "-p", "D")
    for words in ((), (OTHER,), ("-",)):
        assert "cannot be stated or printed in Tarot" in run("board", "deal", *words, code=2).stderr
    run("new", "Chess", "--id", "free", "--unjudged")
    assert "cannot be stated or printed in Chess" in run("board", "free", OTHER, code=2).stderr
    run("board", "nobody", code=2)
    run("board", evening, board, "--seat", "rail", code=2)
    assert run("board", evening, "--seat", "rail").stdout.strip() == board
    run("board", evening, "--seat", "p7", code=2)


def test_a_board_of_a_game_that_is_over_agrees_where_it_is_true(run: Run) -> None:
    run("import", str(SAMPLES / "cardmate" / "games" / "page-1.cgn"))
    [id] = [json.loads(line)["id"] for line in run("list", "--json").stdout.splitlines()]
    assert "is closed" in run("board", id, printed(run, id), code=1).stderr
    run("reopen", id)
    assert "which agrees with the moves" in run("board", id, printed(run, id)).stdout


def test_a_board_is_one_call_from_python(store: Store) -> None:
    api.open_game(store, api.NewRequest("draughts", id="d", players=("Ada", "Bela")))
    api.play(store, "d", api.WordsRequest(("11-15", "~")))
    before = api.present_board(store, "d")
    assert before.positions > 1
    answer = api.state_board(store, "d", api.BoardRequest(before.text, by="p1"), viewer=Seat(1))
    assert [found.key for found in answer.findings] == ["record.filled"]
    assert api.present_board(store, "d").positions == 1
