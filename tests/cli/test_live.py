"""The commands on live records, as a person types them: what is printed where, and with which exit code."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cartulary.cli.app import build
from cartulary.notation import loads
from tests.places import SAMPLES
from tests.snapshots import Snapshot, typed

GAMES = SAMPLES / "cardmate" / "games"
PAGE = loads((GAMES / "page-1.cgn").read_bytes())[0].line.words

Run = Callable[..., Result]


@pytest.fixture
def run(db: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("CARTULARY_DB", str(db))

    def typed(*words: str, code: int = 0) -> Result:
        result = CliRunner().invoke(build(), list(words))
        text = f"{result.stdout}\n{result.stderr}\n{result.exception!r}"
        assert result.exit_code == code, text
        assert "Traceback" not in text
        return result

    return typed


@pytest.fixture
def played(run: Run) -> str:
    run("new", "cardmate", "--id", "evening", "--player", "Ada", "--player", "Bela")
    run("move", "evening", *PAGE[:20])
    return "evening"


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_whole_evening(run: Run, tmp_path: Path, db: Path) -> None:
    id = run("new", "cardmate").stdout.strip()
    for number, word in enumerate(PAGE[:20], 1):
        assert run("move", id, word).stdout == f"{id}: ply {number}, {word}: legal\n"
    run("undo", id)
    assert run("undo", id, "18").stdout.endswith("; 1 ply remains\n")
    run("move", id, *PAGE[1:20])
    assert run("undo", id).stdout == f"{id}: took back {PAGE[19]}; 19 plies remain\n"
    refused = run("move", id, "XDa2", code=1)
    assert "refused" in refused.stdout
    assert "rule " in refused.stdout
    assert "Nothing was stored" in refused.stderr
    several = run("move", id, PAGE[19], "XDa2", code=1)
    assert f"{PAGE[19]}: legal" in several.stdout
    assert several.stderr == "None of these 2 moves was stored. With --stands they are kept, and refused ones marked.\n"
    assert "refused but let stand" in run("move", id, "XDa2", "--stands", code=1).stdout
    run("undo", id)
    run("move", id, PAGE[19])
    assert "plies 6–20 are still legal" in run("amend", id, "5", "XCi0").stdout
    assert "first conflict at ply 15" in run("amend", id, "7", "9Hi1", code=1).stdout
    run("amend", id, "7", PAGE[6])
    run("note", id, "3", "a", "quiet", "move", "--glyph", "!")
    run("close", id, "1-0", "--termination", "abandoned")
    sheet, proof = tmp_path / "sheet.cgn", tmp_path / "proof.json"
    run("export", id, "-o", str(sheet))
    run("export", id, "--format", "json", "--log", "-o", str(proof))
    elsewhere = ("--db", str(tmp_path / "elsewhere.db"))
    assert "new" in run("import", str(proof), *elsewhere).stdout
    assert run("log", id, *elsewhere).stdout == run("log", id).stdout
    assert f"{id} (known)" in run("import", str(sheet), *elsewhere).stdout
    third = ("--db", str(tmp_path / "third.db"))
    run("import", str(sheet), *third)
    [other] = objects(run("list", "--json", *third))
    text = run("export", str(other["id"]), *third).stdout.split("\n", 2)[2]
    assert text == sheet.read_text("utf-8").split("\n", 2)[2]
    assert "proved" in run("verify", str(proof)).stdout
    assert "proved" in run("verify", str(sheet)).stdout


def test_new_prints_a_short_id_and_sets_the_game_up(run: Run) -> None:
    id = run(
        "new", "Cardmate", "-p", "Ada", "-p", "?", "-t", "Event=Club", "--options", "repetition=loss"
    ).stdout.strip()
    assert id.startswith("cardmate-")
    sheet = run("export", id).stdout
    for tag in ('[Event "Club"]', '[Forehand "Ada"]', '[Rearhand "?"]', '[Options "repetition=loss"]'):
        assert tag in sheet
    assert objects(run("new", "cardmate", "--id", "x", "--json")) == [{"id": "x", "version": 2}]


def test_a_move_as_json_has_the_five_fields(run: Run, played: str) -> None:
    [legal] = objects(run("move", played, "11. " + PAGE[20], "--json"))
    assert legal == {"id": played, "version": 23, "ply": 21, "verdict": "legal", "findings": []}
    [refused] = objects(run("move", played, "8Ha9", "--json", code=1))
    assert list(refused) == ["id", "version", "ply", "verdict", "findings"]
    assert (refused["version"], refused["ply"], refused["verdict"]) == (23, 22, "refused")
    finding = refused["findings"][0]
    assert finding["severity"] == "error"
    for field in ("key", "because", "rule", "source", "legal"):
        assert finding[field]


DECLINED: tuple[tuple[tuple[str, ...], int], ...] = (
    (("move", "evening", "8Dz9"), 2),
    (("move", "evening", "8Dj2 (8Ca7"), 2),
    (("move", "evening", "0-1"), 2),
    (("move", "nobody", "8Dj2"), 2),
    (("move", "evening", PAGE[20], "--expected", "3"), 1),
    (("new", "nonesuch"), 2),
    (("new", "cardmate", "--seats", "3"), 2),
    (("note", "evening", "1", "[%ruling 1]"), 2),
    (("new", "cardmate", "--tag", "Event"), 2),
    (("new", "cardmate", "--id", "evening"), 1),
    (("undo", "evening", "99"), 1),
    (("amend", "evening", "99", "8Dj2"), 1),
    (("amend", "evening", "3"), 2),
    (("amend", "evening", "3", "8Dj2", "--remove"), 2),
    (("note", "evening", "1", "a } b"), 1),
    (("note", "evening", "1"), 2),
    (("note", "evening", "1", "--glyph", "$x"), 2),
    (("close", "evening"), 1),
    (("close", "evening", "3-0"), 2),
    (("log", "nobody"), 2),
    (("verify", "nobody"), 2),
    (("verify",), 2),
    (("verify", "evening", "--head", "7:abc"), 2),
    (("export",), 2),
    (("export", "nobody"), 2),
    (("import", "nothing.cgn"), 2),
    (("log", "\udcff"), 2),
    (("move", "evening", "\udcff"), 2),
    (("note", "evening", "1", "\udcff"), 2),
    (("undo", "evening", "--by", "\udcff"), 2),
    (("undo", "evening", "--command", "\udcff"), 2),
    (("new", "cardmate", "--id", "\udcff"), 2),
    (("new", "cardmate", "--player", "\udcff"), 2),
    (("new", "cardmate", "--tag", "Event=\udcff"), 2),
)
"""Command lines that are declined, and the exit code of each."""


def test_what_cannot_be_done_is_said_in_a_sentence_with_its_code(run: Run, played: str, snapshot: Snapshot) -> None:
    snapshot.check("".join(f"{typed(words)}{run(*words, code=code).stderr}\n" for words, code in DECLINED))


def test_what_reads_makes_no_database(run: Run, db: Path) -> None:
    for words in (("list",), ("log", "x"), ("move", "x", "8Dj2"), ("verify", "--all"), ("export", "--all")):
        assert "no database" in run(*words, code=2).stderr
    assert not db.exists()


def test_amend_removes_and_inserts(run: Run, played: str) -> None:
    assert "removed" in run("amend", played, "19", "--remove", "--plies", "2").stdout
    assert "inserted" in run("amend", played, "19", *PAGE[18:20], "--insert").stdout
    [answer] = objects(run("amend", played, "5", "XCi0", "--json"))
    assert (answer["version"], answer["ply"], answer["tail"], answer["conflict"]) == (25, 5, [6, 20], 0)
    assert (answer["before"], answer["unread"]) == ([], 0)


def test_what_an_amendment_finds_has_the_fields_that_a_move_finds(run: Run, played: str) -> None:
    [moved] = objects(run("move", played, "XSa5", "--stands", "--json", code=1))
    [amended] = objects(run("amend", played, "21", "XSa5", "--stands", "--json", code=1))
    assert amended["findings"] == moved["findings"]
    [broken] = objects(run("amend", played, "7", "9Hi1", "--json", code=1))
    for name in ("conflicts", "before"):
        assert list(broken[name][0]) == list(moved["findings"][0])


def test_a_tail_with_errors_is_not_called_legal(run: Run, played: str) -> None:
    key = objects(run("move", played, "XSa5", "--stands", "--json", code=1))[0]["findings"][0]["key"]
    assert f"evening: plies 6–21 are as before: ply 21 still breaks {key}\n" in run("amend", played, "5", "XCi0").stdout
    run("undo", played)
    assert "conflict at ply 4; unread from ply 12 on" in run("amend", played, "2", "2Ca6", code=1).stdout
    again = run("amend", played, "2", "2Ca6").stdout
    assert "plies 3–20 are as before: ply 4 still breaks" in again
    assert "; unread from ply 12 on" in again


def test_a_closed_game_is_opened_again(run: Run, played: str) -> None:
    run("close", played, "1-0")
    assert "Use `reopen` to play on" in run("move", played, PAGE[20], code=1).stderr
    assert run("reopen", played, "--reason", "too early").stdout == "evening: open again\n"
    assert "legal" in run("move", played, PAGE[20]).stdout
    assert "not closed" in run("reopen", played, code=1).stderr


def test_tags_are_written_and_taken_away(run: Run, played: str) -> None:
    result = run("tag", played, "Event=The = sign", "Forehand=Ida", "Date=").stdout.splitlines()
    assert sorted(result) == ['evening: Event "The = sign"', 'evening: Forehand "Ida"', 'evening: Rearhand "Bela"']
    [answer] = objects(run("tag", played, "Event=", "--json"))
    assert answer == {"id": played, "version": 24, "tags": [["Rearhand", "Bela"], ["Forehand", "Ida"]]}
    for words, code, says in (
        (("Rearhand=",), 2, "names a seat"),
        (("Setup=x",), 2, "is not written by hand"),
        (("Event",), 2, "NAME=VALUE"),
        (("Site=",), 1, "no tag Site"),
    ):
        assert says in run("tag", played, *words, code=code).stderr


def test_the_log_shows_everything_and_ends_with_the_head(run: Run, played: str) -> None:
    run("undo", played, "2", "--by", "p1", "--agreed", "p2", "--reason", "slip")
    lines = run("log", played).stdout.splitlines()
    assert len(lines) == 24
    assert "took back 2 plies from event 21 on, p2 agreed: slip" in lines[22]
    head = lines[-1].split()[1]
    assert objects(run("log", played, "--json"))[-1]["event"]["reason"] == "slip"
    assert f"head {head}" in run("verify", played, "--head", head).stdout


def test_verify_ends_with_three_and_proves_the_others(run: Run, played: str, db: Path) -> None:
    run("import", str(GAMES))
    other = sqlite3.connect(db, isolation_level=None)
    other.execute("DROP TRIGGER events_are_not_edited")
    other.execute("UPDATE stored_events SET state = replace(state, '8Dh3', '8Dg2') WHERE originator_id = 'evening'")
    other.close()
    result = run("verify", "--all", code=3)
    assert "evening: NOT PROVED: Event 7 of evening" in result.stdout
    assert result.stdout.count(": proved") == 5
    assert run("show", "evening", code=3).stderr
    assert "Event 7" in run("move", played, PAGE[20], code=3).stderr
    assert "Event 7" in run("reindex", code=3).stderr


def test_verify_says_of_a_file_that_proves_nothing_that_it_does_not(run: Run, played: str, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"cartulary": 1', "utf-8")
    assert "not an exported game" in run("verify", str(tmp_path / "broken.json"), code=2).stderr
    assert "holds neither an archive" in run("verify", str(GAMES / "page-1.cgn"), code=2).stderr
    run("export", played, "--format", "json", "-o", str(tmp_path / "short.json"))
    assert "holds no log" in run("verify", str(tmp_path / "short.json"), code=1).stderr


def test_verify_says_what_is_not_there_and_goes_on(run: Run, played: str, tmp_path: Path, db: Path) -> None:
    run("new", "cardmate", "--id", "other")
    result = run("verify", played, "nosuch", "other", code=2)
    assert result.stdout.count(": proved") == 2
    assert "no game nosuch" in result.stderr
    (tmp_path / "broken.json").write_text('{"cartulary": 1', "utf-8")
    assert ": proved" in run("verify", str(tmp_path / "broken.json"), played, code=2).stdout
    other = sqlite3.connect(db, isolation_level=None)
    other.execute("DELETE FROM heads WHERE id = 'other'")
    other.close()
    assert "NOT PROVED" in run("verify", "other", "nosuch", code=3).stdout


def test_an_export_of_all_goes_on_after_a_game_that_cannot_be_read(run: Run, played: str, db: Path) -> None:
    run("new", "cardmate", "--id", "a")
    run("new", "cardmate", "--id", "z")
    other = sqlite3.connect(db, isolation_level=None)
    other.execute("DELETE FROM heads WHERE id = 'a'")
    other.execute("INSERT INTO heads VALUES ('odd' || char(10) || 'id', 1, '')")
    other.close()
    result = run("export", "--all", code=3)
    assert len(loads(result.stdout)) == 2
    assert "a has 2 events but no head" in result.stderr
    assert "no game 'odd\\nid'" in result.stderr
    assert len(objects(run("export", "--all", "--format", "json", code=3))) == 2
    assert "NOT PROVED" in run("verify", "--all", code=3).stdout
    assert "no game 'odd\\nid'" in run("reindex", code=3).stderr


def test_an_archive_that_goes_on_is_taken_in_only_if_told_to(run: Run, played: str, tmp_path: Path) -> None:
    archive, elsewhere = tmp_path / "evening.json", ("--db", str(tmp_path / "elsewhere.db"))
    for words in (("note", played, "1", "first"), ("note", played, "1", "second")):
        run(*words)
        run("export", played, "--format", "json", "--log", "-o", str(archive), "--force")
        if words[-1] == "first":
            run("import", str(archive), *elsewhere)
    assert "--extend" in run("import", str(archive), *elsewhere, code=3).stderr
    assert "evening, extended" in run("import", str(archive), "--extend", *elsewhere).stdout
    archive.write_text(archive.read_text("utf-8").replace('"id":"evening"', '"id":"two words"'), "utf-8")
    assert "'two words' is not an id" in run("import", str(archive), *elsewhere, code=2).stderr


def test_import_takes_folders_archives_and_bad_files_in_their_turn(run: Run, played: str, tmp_path: Path) -> None:
    bad, archive = tmp_path / "bad.json", tmp_path / "evening.json"
    run("export", played, "--format", "json", "--log", "-o", str(archive))
    bad.write_text(archive.read_text("utf-8").replace("8Dh3", "8Dg2") + "{}\n" + archive.read_text("utf-8"), "utf-8")
    result = run("import", str(bad), str(GAMES), str(tmp_path / "none.cgn"), code=3)
    assert "bad.json:1: Event 7 of evening" in result.stderr
    assert "bad.json:2: This is not an exported game" in result.stderr
    assert "evening, known" in result.stdout
    assert "none.cgn" in result.stderr
    assert "8 games: 5 new, 1 known, 2 declined" in result.stderr
    again = run("import", str(GAMES), "--json")
    assert {answer["status"] for answer in objects(again)} == {"known"}


@pytest.mark.parametrize(("name", "text"), [("none.jsonl", ""), ("none.cgn", ""), ("none.cgn", "\n \n"), ("-", "")])
def test_import_says_that_a_file_holds_no_game_and_takes_in_the_next(
    name: str, text: str, run: Run, played: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text, "utf-8")
    errors = run("import", name, str(GAMES / "page-1.cgn"), code=2).stderr
    assert f"cartulary: {'Standard input' if name == '-' else name} holds no game" in errors
    assert errors.endswith("1 game: 1 new\n")


def test_every_reading_command_takes_an_id(run: Run, played: str) -> None:
    assert "after ply 20 of 20" in run("show", played).stdout
    assert f"{played}" in run("validate", played).stdout


def test_long_lines_are_wrapped_on_a_terminal(run: Run, played: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run("undo", played, "--reason", "a long story of who said what to whom and when, and of what came of it")
    run("new", "cardmate", "--id", "x", "--player", "A. Person of a Long Name", "--player", "Another Long Name")
    assert "\n      " not in run("log", played).stdout
    monkeypatch.setattr("cartulary.cli.shell.findings.width", lambda: 80)
    for words in (("log", played), ("list",)):
        lines = run(*words).stdout.splitlines()
        assert [line for line in lines if len(line) > 80 and not line.startswith("head ")] == []


def test_the_columns_of_the_list_stand_under_one_another(run: Run, played: str) -> None:
    run("new", "cardmate", "--id", "x", "--player", "A. Person of a Long Name", "-p", "?")
    first, second = run("list").stdout.splitlines()
    assert first.index("open ") == second.index("open ")
    assert first.index(" plies") == second.index(" plies")


def test_reindex_writes_the_list_anew(run: Run, played: str, db: Path) -> None:
    before = run("list", "--json").stdout
    other = sqlite3.connect(db, isolation_level=None)
    other.execute("DROP TABLE games")
    other.close()
    assert "`reindex` to rebuild it" in run("list", code=3).stderr
    assert run("reindex").stdout == "1 game listed\n"
    assert run("list", "--json").stdout == before


def test_a_repeated_command_is_stored_once(run: Run, played: str) -> None:
    first = run("move", played, PAGE[20], "--command", "k1", "--json").stdout
    assert run("move", played, PAGE[20], "--command", "k1", "--json").stdout == first
    assert len(run("log", played).stdout.splitlines()) == 24


@pytest.mark.parametrize(
    ("content", "code", "says"),
    [
        (b"no database at all, only text " * 20, 2, "not an SQLite database"),
        (b"SQLite format 3\x00" + b"\x00" * 40, 3, "damaged"),
    ],
)
def test_a_file_that_is_no_database_of_ours_is_left_alone(
    run: Run, db: Path, content: bytes, code: int, says: str
) -> None:
    db.write_bytes(content)
    for words in (("new", "cardmate"), ("list",), ("verify", "--all"), ("import", str(GAMES))):
        assert says in run(*words, code=code).stderr
    assert db.read_bytes() == content


def test_a_locked_database_is_said_to_be_locked(
    run: Run, played: str, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.cli.shell.live.TIMEOUT", 1)
    other = sqlite3.connect(db, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert "locked" in run("move", played, PAGE[20], code=2).stderr
    assert "open  20 plies" in run("list").stdout
    other.execute("ROLLBACK")
    other.close()


def test_export_survives_a_reader_that_goes_away(played: str, db: Path) -> None:
    script = f"{sys.executable} -m cartulary.cli log {played} | head -1"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False, env=os.environ)
    assert (done.stderr, done.stdout.count("\n")) == ("", 1)


def test_an_export_to_a_file_leaves_the_old_one_if_it_fails(run: Run, played: str, tmp_path: Path) -> None:
    out = tmp_path / "out.cgn"
    run("export", played, "-o", str(out))
    before = out.read_bytes()
    run("export", played, "nobody", "-o", str(out), "--force", code=2)
    assert out.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.iterdir() if "games" not in entry.name) == ["out.cgn"]


def test_a_ply_nobody_wrote_is_stored_told_and_exported(run: Run, tmp_path: Path) -> None:
    run("new", "cardmate", "--id", "evening")
    missed = run("move", "evening", "4Ci3", "4Db6", "~")
    assert "evening: ply 3, ~: cannot be known yet" in missed.stdout
    assert "moves fit everything that follows" in missed.stdout
    assert "positions that fit: ply 3 was not written" in run("show", "evening").stdout
    assert objects(run("moves", "evening", "--json"))[0]["ply"] == 4
    output = run("move", "evening", "8Ca7", "8Dh3").stdout
    assert "remark record.filled ply 3 can only have been 8Dj2, unless it broke a rule" in output
    assert "8Dj2" in run("why", "evening", "3").stdout
    assert "remark record.filled ply 3 can only have been 8Dj2" in run("check", "evening").stdout
    assert run("check", "evening").stdout.endswith("evening#1: 0 open questions, 0 breaches\n")
    file = tmp_path / "evening.cgn"
    run("export", "evening", "-o", str(file))
    assert "2. ~ 8Ca7" in file.read_text("utf-8")
    assert "legal" in run("validate", str(file)).stdout
    assert run("search", "--position", "evening").stdout.startswith("evening")


def test_a_board_with_too_few_cards_is_told_which_variant_takes_it(run: Run) -> None:
    run("new", "cardmate", "--id", "whole")
    board = run("board", "whole").stdout.strip()
    few = run("new", "cardmate", "--setup", board.replace("2S", "--"), code=2).stderr
    assert "2S is missing; the variant composed allows this position." in few
    run("new", "cardmate", "--setup", board.replace("2S", "--"), "--variant", "composed")
    kings = run("new", "cardmate", "--setup", board.replace("KC", "--").replace("KH", "--"), code=2).stderr
    assert "are missing." in kings


def test_a_board_of_several_positions_is_not_looked_for(run: Run) -> None:
    run("new", "cardmate", "--id", "evening")
    run("move", "evening", "4Ci3", "~")
    assert "more than one position is possible" in run("search", "--position", "evening", code=2).stderr
    run("move", "evening", "~z9")
    assert "no position is known" in run("search", "--position", "evening", code=2).stderr


def test_a_card_nobody_saw_is_told_to_each_seat_by_what_it_knows_and_written_later(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "unseen.cgn"
    seats = "".join(f'[Seat{seat} "?"]\n' for seat in range(1, 5))
    hand = "p0/p3*1C,2C,3C,4C,5C,6C,7C,8C,9C,XC,JC,NC,QC,KC,T03,T04,T05,T06"
    file.write_text(f'[Game "Tarot"]\n{seats}\n{hand} GardeSans Pass Pass Pass KH 5H ~ T02 1C *\n', "utf-8")
    id = run("import", str(file)).stdout.split("\n")[0].split(", ")[-1]
    assert "ply 8 was not written, and 4 cards fit" in run("check", id, "--seat", "p3").stdout
    assert "ply 8 was not written, and 19 cards fit" in run("check", id, "--seat", "p1").stdout
    assert "T03, T04, T05, T06: with p3 or the card of ply 8" in run("deal", id).stdout
    assert "(record.gap)" in run("why", id, "8").stdout
    assert " ~ T02 2. p3/1C" in run("export", id).stdout.replace("\n", " ")
    run("undo", id)
    assert "less" not in run("show", id, "--seat", "p1").stdout
    assert "~ is now T06" in run("amend", id, "8", "T06", "--reason", "found").stdout
    assert "0 open questions, 0 breaches" in run("check", id).stdout


def test_behind_a_word_of_the_deal_nobody_wrote_the_rest_is_kept_unjudged(run: Run, tmp_path: Path) -> None:
    sheet = (SAMPLES / "tarot" / "games" / "dementlieu-open.cgn").read_text("utf-8")
    file = tmp_path / "missed.cgn"
    file.write_text(sheet.replace(" p0/p4*1C,7C,T19", " p0/~", 1), "utf-8")
    assert "undecided, 108 plies" in run("validate", str(file)).stdout
    shown = run("show", str(file)).stdout
    assert "The position is not known: ply 5 was not written" in shown
    assert "who is to move is not known" in shown
    assert " p0/~ p0/c*1D" in run("fmt", str(file)).stdout.replace("\n", " ")
    run("import", str(file))
    assert "undecided" in run("list").stdout
    assert run("show", str(file), "--seat", "p2").stdout


def test_stands_is_named_only_where_it_keeps_every_word(run: Run) -> None:
    run("new", "draughts", "--id", "s")
    run("move", "s", "11-15", "22-18")
    assert "this cannot be carried out, so --stands cannot keep it" in run("move", "s", "22-17", code=1).stderr
    assert "With --stands the move is kept and marked" in run("move", "s", "9-13", code=1).stderr
    assert "With --stands the move is kept and marked" in run("move", "s", "9-13", "18x11", code=1).stderr
    assert run("move", "s", "9-13", "1-5", code=1).stderr.strip() == "Nothing was stored."
