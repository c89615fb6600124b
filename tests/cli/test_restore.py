"""``restore`` as it is typed: files, stored games, what is written and what is refused."""

import json
from pathlib import Path

import pytest

from cartulary.cli.shell import findings
from cartulary.notation import load, loads
from tests.places import SAMPLES
from tests.programs import typed

PAGE = SAMPLES / "cardmate" / "games" / "page-1.cgn"
GOOD = '[Game "Cardmate"]\n\n1. 4Ci3 {fine} 4Db6 *\n'
SLIP = PAGE.read_text("utf-8").replace("8Dh3", "8Dh9", 1)
OPEN = '[Game "Cardmate"]\n\n1. 4Ci3 ~ 2. 8Dj2 *\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"slip": SLIP, "good": GOOD, "open": OPEN}.items():
        (tmp_path / f"{name}.cgn").write_text(text, "utf-8")
    return tmp_path


def run(folder: Path, line: str, code: int = 0) -> str:
    ended = typed(line.split(), folder, {"CARTULARY_DB": str(folder / "games.db"), "NO_COLOR": "1"})
    assert ended.exit_code == code, ended.output
    return ended.output


def test_each_game_has_a_line_and_its_changes(folder: Path) -> None:
    assert run(folder, "restore slip.cgn good.cgn") == (
        "slip.cgn#1: one game, 1 slip away\n"
        "    ply 5: 8Dh9, now 8Dh3, a character misread\n"
        "good.cgn#1: legal, nothing to restore\n"
    )


def test_several_games_are_listed_up_to_eight(folder: Path) -> None:
    result = run(folder, "restore open.cgn", 1).splitlines()
    assert result[0].startswith("open.cgn#1: several, ")
    assert "each without a slip; they first differ at ply 2: " in result[0]
    assert result[1].startswith("    1. ply 2: ~, now ")
    assert len(result) == 10
    assert result[9].startswith("    and ")


def test_more_than_one_slip_is_a_proposal(folder: Path) -> None:
    (folder / "two.cgn").write_text(SLIP.replace("8Cc6", "8Cc9", 1), "utf-8")
    assert run(folder, "restore two.cgn").startswith("two.cgn#1: one game, 2 slips away: a proposal, not a proof\n")
    assert run(folder, "restore two.cgn --slips 1", 1) == "two.cgn#1: none, no legal game was found within 1 slip\n"


def test_lines_are_no_wider_than_a_terminal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "width", lambda: 80)
    assert max(map(len, run(folder, "restore open.cgn", 1).splitlines())) <= 80


def test_json_has_a_line_a_game(folder: Path) -> None:
    lines = [json.loads(line) for line in run(folder, "restore slip.cgn good.cgn open.cgn --json", 1).splitlines()]
    [record] = load(PAGE)
    change = {"kind": "misread", "ply": 5, "at": 5, "was": "8Dh9", "now": "8Dh3"}
    assert lines[0] == {
        "path": "slip.cgn",
        "index": 1,
        "slips": 1,
        "answer": "one",
        "count": 1,
        "games": [{"words": list(record.line.words), "changes": [change]}],
    }
    assert [line["answer"] for line in lines] == ["one", "legal", "several"]
    assert lines[2]["count"] > len(lines[2]["games"]) == 8


def test_only_what_has_one_answer_is_changed_in_the_file_that_is_written(folder: Path) -> None:
    run(folder, "restore slip.cgn good.cgn open.cgn --write out.cgn", 1)
    text = (folder / "out.cgn").read_text("utf-8")
    assert '8Dh3 {[%restored "8Dh9"]}' in text
    assert GOOD in text
    assert OPEN in text
    assert len(loads(text)) == 3
    assert run(folder, "restore out.cgn#1") == "out.cgn#1: legal, nothing to restore\n"
    assert (folder / "slip.cgn").read_text("utf-8") == SLIP


def test_no_file_is_replaced_unasked(folder: Path) -> None:
    result = run(folder, "restore slip.cgn --write good.cgn", 2)
    assert "it already exists; --force replaces it" in result
    assert (folder / "good.cgn").read_text("utf-8") == GOOD
    run(folder, "restore slip.cgn --force --write good.cgn")
    assert "restored" in (folder / "good.cgn").read_text("utf-8")


def test_a_dry_run_writes_no_file(folder: Path) -> None:
    assert "Nothing was stored" in run(folder, "restore slip.cgn --write out.cgn --dry-run")
    assert not (folder / "out.cgn").exists()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("restore slip.cgn --write", "Give --write OUT.cgn for restored sheets"),
        ("restore none.cgn", "none.cgn cannot be read"),
        ("restore empty.cgn", "empty.cgn holds no game"),
        ("restore other.cgn", "found the game 'Nonesuch', expected one of"),
        ("restore slip.cgn --slips 10", "10"),
        ("restore game --write out.cgn", "give --write without a file name"),
        ("restore game", "holds no live records yet"),
    ],
)
def test_what_cannot_be_restored_at_all_ends_with_2(folder: Path, line: str, says: str) -> None:
    (folder / "empty.cgn").write_text("")
    (folder / "other.cgn").write_text('[Game "Nonesuch"]\n\n1. a *\n')
    assert says in " ".join(run(folder, line, 2).split())


# --- stored games ---

PLAYED = (
    "new cardmate --id game",
    "move game 4Ci3 4Db6 8Dj2 8Ca7 8Dh3 8Cc6 7Cb1",
    "note game 6 later",
)


def stored(folder: Path, *lines: str) -> None:
    for line in (*PLAYED, *lines):
        run(folder, line)


def test_a_stored_game_is_corrected_by_a_bare_write(folder: Path) -> None:
    stored(folder, "amend game 3 ~")
    assert run(folder, "restore game") == "game: one game, without a slip\n    ply 3: ~, now 8Dj2, nobody wrote it\n"
    assert "restored" not in run(folder, "log game")
    assert "Nothing was stored" in run(folder, "restore game --by arbiter --dry-run --write")
    assert "restored" not in run(folder, "log game")
    assert run(folder, "restore game --by arbiter --command once --write").startswith(
        "game: one game, without a slip\n"
    )
    run(folder, "restore game --by arbiter --command once --write")
    log = run(folder, "log game")
    assert log.count("to 8Dj2: restored: the one legal game nearest to the sheet\n") == 1
    sheet = run(folder, "export game")
    assert '8Dj2 {[%restored "~"]}' in sheet
    assert "8Cc6 {later}" in sheet
    assert run(folder, "restore game") == "game: legal, nothing to restore\n"
    assert "legal" in run(folder, "validate game")


def test_a_ply_left_out_and_one_written_twice_are_put_right_in_a_stored_game(folder: Path) -> None:
    stored(folder)
    run(folder, "amend game 4 --remove", 1)
    result = run(folder, "restore game --write --by arbiter")
    assert result == "game: one game, 1 slip away\n    before ply 4: 8Ca7, left out\n"
    sheet = run(folder, "export game")
    assert '8Ca7 {[%restored ""]}' in sheet
    assert "8Cc6 {later}" in sheet
    run(folder, "verify game")


def test_nothing_is_stored_where_several_games_lie_nearest(folder: Path) -> None:
    stored(folder, "amend game 7 ~")
    before = run(folder, "log game")
    assert run(folder, "restore game --write", 1).startswith("game: several, ")
    assert run(folder, "log game") == before


def test_a_seat_is_answered_from_what_it_has_seen(folder: Path) -> None:
    table = SAMPLES / "tarot" / "games" / "table-open.cgn"
    assert run(folder, f"restore {table} --seat p1") == f"{table}#1: legal, nothing to restore\n"
    run(folder, "new tarot --id deal --variant fft --seats 4")
    run(folder, "move deal p0/p2*3C,4C,5C,6C,2D,3D,4D,5D,2H,3H,4H,5H,2S,3S,4S,T01,T02,T03 Pass")
    assert run(folder, "restore deal --seat p1") == "deal: legal, nothing to restore\n"
    assert "cards that p1 has not seen; ask the arbiter" in run(folder, "restore deal --seat p1 --write", 1)
    assert "The rail only watches" in run(folder, "restore deal --seat rail --write", 2)


def test_a_word_that_is_no_move_is_named_where_nothing_is_found(folder: Path) -> None:
    text = '[Game "Chess"]\n\n1. e4 e5 2. illegible Nc6 3. Qh9 Qa9 4. Qb9 Qc9 5. Qd9 Qe9 *\n'
    (folder / "night.cgn").write_text(text, "utf-8")
    result = run(folder, "restore night.cgn", 1)
    assert "ply 3, illegible, cannot be read as a move; write ~ in its place if nobody can read it" in result


def test_a_name_that_says_another_format_is_refused_and_what_is_left_is_counted(folder: Path) -> None:
    result = run(folder, "restore slip.cgn --write out.pgn", 2)
    assert "restored sheets are CGN; name it `out.cgn`, and `convert` turns it into PGN" in result
    assert not (folder / "out.pgn").exists()
    assert "1 of 2 games restored, the others written as they were" in run(
        folder, "restore slip.cgn open.cgn --write o.cgn", 1
    )
