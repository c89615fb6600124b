"""PGN and PDN on the command line: judged, taken in with their source, and written from logs and from files."""

import json
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.records import api
from cartulary.records.log.packing import pack, unpack
from tests.places import SAMPLES

CHESS = SAMPLES / "chess" / "games"
CLUB = """[Event "Club evening"]
[White "North, Ada"]
[Black "West, Bela"]
[Result "1-0"]
[Termination "Normal"]

1. e4 e5 2. Nf3 {[%clk 0:59:01]} Nc6 (2... d6) 3. Bb5 d6 4. d4 Nxd4 $2 1-0
"""
DRAUGHTS = '[White "Chinook"]\n[Black "Loy"]\n[Result "1-0"]\n[GameType "21"]\n\n1. 11-15 23-19 1-0\n'


class Ran:
    """What a command printed, said and ended with."""

    def __init__(self, *words: str, stdin: str = "") -> None:
        result = CliRunner().invoke(build(), words, input=stdin.encode())
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        self.out, self.said, self.code = result.stdout, result.stderr, result.exit_code


@pytest.fixture
def club(tmp_path: Path) -> str:
    path = tmp_path / "club.pgn"
    path.write_text(CLUB, "utf-8")
    return str(path)


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "games.db")


# --- judged ---


def test_a_pgn_file_is_judged_as_it_is_and_its_articles_are_cited(club: str) -> None:
    ran = Ran("validate", club)
    assert ran.code == 1
    assert "error chess.king-attacked The bishop on b5 attacks p2's king on e8" in ran.out
    assert "source  FIDE 1.4.1, 3.9.2" in ran.out
    assert ran.out.splitlines()[-1].endswith("club.pgn#1: irregular, 8 plies, 1-0, 1 error, 1 remark")


def test_json_names_the_format_of_what_is_no_cgn(club: str) -> None:
    pgn, cgn = (json.loads(Ran("validate", "--json", each).out) for each in (club, str(CHESS / "opera.cgn")))
    assert (pgn["format"], pgn["game"], pgn["variant"]) == ("pgn", "chess", "standard")
    assert "format" not in cgn


def test_the_content_decides_and_not_the_ending(tmp_path: Path) -> None:
    path = tmp_path / "club.cgn"
    path.write_text(CLUB, "utf-8")
    assert json.loads(Ran("validate", "--json", str(path)).out)["format"] == "pgn"
    (tmp_path / "sheet.pgn").write_bytes((CHESS / "opera.cgn").read_bytes())
    assert "format" not in json.loads(Ran("validate", "--json", str(tmp_path / "sheet.pgn")).out)


def test_a_folder_gives_its_files_of_every_format(tmp_path: Path, club: str) -> None:
    (tmp_path / "d.pdn").write_text(DRAUGHTS, "utf-8")
    (tmp_path / "notes.txt").write_text("no sheet", "utf-8")
    ran = Ran("validate", "--quiet", str(tmp_path), "--json")
    assert [json.loads(line)["format"] for line in ran.out.splitlines()] == ["pgn", "pdn"]


def test_what_is_shown_replayed_and_annotated_of_a_pgn_file(club: str) -> None:
    assert "North, Ada" in Ran("show", club).out
    assert "4. d4" in Ran("replay", club).out
    assert Ran("moves", f"{club}#1").code == 0
    ran = Ran("fmt", "--in-place", club)
    assert ran.code == 2
    assert "is PGN, not CGN" in ran.said
    assert Path(club).read_text("utf-8") == CLUB


# --- taken in ---


def test_what_a_game_was_read_from_is_kept_with_it_unless_told_otherwise(club: str, db: str, tmp_path: Path) -> None:
    assert Ran("import", club, "--db", db).code == 1
    with api.Store(Path(db)) as store:
        [id] = store.ids()
        kept = api.load(store, id).recorded[-1]
    assert kept.topic == "source-kept/1"
    assert json.loads(kept.body)["text"] == CLUB
    assert json.loads(kept.body)["salt"]
    assert Ran("verify", id, "--db", db).code == 0
    assert "kept the text it was read from, PGN" in Ran("log", id, "--db", db).out
    bare = str(tmp_path / "bare.db")
    assert Ran("import", club, "--no-source", "--db", bare).code == 1
    assert "kept what it was read from" not in Ran("log", id, "--db", bare).out
    assert Ran("import", club, "--db", db).out.endswith("(known)\n") or "(known)" in Ran("import", club, "--db", db).out


def test_what_it_was_read_from_goes_where_names_are_left_out_and_is_told_to_no_seat(
    club: str, db: str, tmp_path: Path
) -> None:
    Ran("import", club, "--db", db)
    with api.Store(Path(db)) as store:
        [id] = store.ids()
    archive = tmp_path / "out.json"
    assert Ran("export", id, "--format", "json", "--log", "--redact", "names", "-o", str(archive), "--db", db).code == 0
    text = archive.read_text("utf-8")
    assert "Ada" not in text
    assert "source-kept" in text
    events = [
        json.loads(line)["event"] for line in Ran("log", id, "--seat", "p2", "--json", "--db", db).out.splitlines()
    ]
    assert [event["text"] for event in events if "format" in event] == ["~"]
    elsewhere = str(tmp_path / "elsewhere.db")
    assert Ran("import", str(archive), "--db", elsewhere).code == 0
    assert Ran("verify", id, "--db", elsewhere).code == 0


def test_a_changed_source_is_a_damaged_log(club: str, db: str) -> None:
    Ran("import", club, "--db", db)
    with api.Store(Path(db)) as store:
        [id] = store.ids()
    with sqlite3.connect(db) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='trigger'").fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        [table] = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
            if {"originator_version", "state"} <= {row[1] for row in connection.execute(f'PRAGMA table_info("{name}")')}
        ]
        [stored] = connection.execute(f"SELECT state FROM \"{table}\" WHERE topic LIKE 'source-kept/%'").fetchone()
        kept = unpack(stored if isinstance(stored, bytes) else stored.encode())
        assert b"North, Ada" in kept
        other = pack(kept.replace(b"North, Ada", b"South, Eve"))
        connection.execute(f"UPDATE \"{table}\" SET state=? WHERE topic LIKE 'source-kept/%'", (other,))
    assert Ran("verify", id, "--db", db).code == 3


# --- written ---


def test_a_pgn_file_taken_in_goes_out_as_it_came(club: str, db: str) -> None:
    Ran("import", club, "--db", db)
    out = Ran("export", "--all", "--format", "pgn", "--db", db).out
    assert '[Termination "Normal"]' in out
    assert "%" not in out.replace("[%clk", "")
    assert "2. Nf3 {[%clk 0:59:01]} 2... Nc6 (2... d6) 3. Bb5 d6 4. d4" in " ".join(out.split())
    assert "Nc6xd4 $2 1-0" in " ".join(out.split())
    assert "[Game" not in out


def test_the_ending_of_the_file_says_the_format(club: str, db: str, tmp_path: Path) -> None:
    Ran("import", club, "--db", db)
    out = tmp_path / "out.pgn"
    assert Ran("export", "--all", "-o", str(out), "--db", db).code == 0
    assert Ran("validate", str(out)).out.splitlines()[-1].endswith("irregular, 8 plies, 1-0, 1 error")


def test_of_all_games_those_a_format_has_no_words_for_are_left_out_and_named(club: str, db: str) -> None:
    Ran("import", club, str(SAMPLES / "cardmate" / "games" / "page-1.cgn"), "--db", db)
    ran = Ran("export", "--all", "--format", "pgn", "--db", db)
    assert ran.code == 1
    assert ran.out.count("[Event ") == 1
    assert "was left out: PGN is for Chess, but the game is Cardmate" in ran.said


def test_a_game_named_that_a_format_is_not_for_is_refused(tmp_path: Path) -> None:
    page = str(SAMPLES / "cardmate" / "games" / "page-1.cgn")
    ran = Ran("export", page, "--format", "pgn")
    assert (ran.code, ran.out) == (2, "")
    assert "page-1.cgn#1 cannot be written: PGN is for Chess, but the game is Cardmate" in ran.said
    ran = Ran("convert", "--to", "pgn", page)
    assert ran.code == 1
    assert "PGN is for Chess" in ran.said


@pytest.mark.parametrize("format", ["cgn", "pgn", "html", "pdf", "replay", "json"])
def test_files_are_written_in_every_format_without_a_database(format: str, tmp_path: Path, club: str) -> None:
    out = tmp_path / "out"
    assert Ran("export", f"{club}#1", "--format", format, "-o", str(out)).code == 0
    written = out.read_bytes()
    assert b"cartulary chess-" not in written
    if format == "html":
        assert b"made from a file, club.pgn#1" in written
        assert b"--head" not in written
    if format in ("cgn", "pgn"):
        assert b"North, Ada" in written


def test_standard_input_is_written_and_files_do_not_mix_with_games_of_the_database(club: str, db: str) -> None:
    assert Ran("export", "-", "--format", "pgn", stdin=CLUB).out.startswith('[Event "Club evening"]')
    for words in ((club, "some-id"), (club, "--all"), (club, "--player", "Ada")):
        ran = Ran("export", *words, "--db", db)
        assert ran.code == 2
        assert "Name either files or games of the database, not both" in ran.said
    assert not Path(db).exists()


def test_a_file_that_cannot_be_set_up_is_not_written(tmp_path: Path) -> None:
    bad = tmp_path / "bad.pgn"
    bad.write_text('[White "w"]\n[Black "b"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *\n', "utf-8")
    ran = Ran("export", str(bad), "--format", "pgn")
    assert ran.code == 1
    assert "bad.pgn#1: It cannot be set up" in ran.said
    missing = Ran("export", str(tmp_path / "none.pgn"), "--format", "pgn")
    assert missing.code == 2
    assert "none.pgn" in missing.said


def test_convert_writes_results_of_pdn_with_the_first_player_first(tmp_path: Path) -> None:
    path = tmp_path / "d.pdn"
    path.write_text(DRAUGHTS, "utf-8")
    assert '[Result "1-0"]' in Ran("convert", "--to", "cgn", str(path)).out
    assert '[Result "0-1"]' in Ran("convert", "--to", "cgn", "--results", "white", str(path)).out
    out = Ran("convert", "--to", "pdn", str(path)).out
    assert '[Result "1-0"]\n[GameType "21"]' in out
    assert Ran("convert", "--to", "pdn", "-", stdin=out).out == out


@pytest.mark.parametrize("words", [("replay",), ("convert", "--to", "pgn"), ("convert",)])
def test_an_empty_file_holds_no_game_whoever_reads_it(tmp_path: Path, words: tuple[str, ...]) -> None:
    empty = tmp_path / "empty.pgn"
    empty.write_text("", "utf-8")
    result = CliRunner().invoke(build(), [*words, str(empty)])
    assert (result.exit_code, "holds no game" in result.stderr, result.stdout) == (2, True, "")


def test_a_number_behind_the_file_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text('[Event "x"]\n\n1. e4 *\n', "utf-8")
    result = CliRunner().invoke(build(), ["replay", f"{tmp_path / 'a.pgn'}#5x"])
    assert (result.exit_code, "found '5x' after #" in result.stderr) == (2, True)


def test_a_game_of_sgf_is_exported_as_sgf(tmp_path: Path) -> None:
    (tmp_path / "go.sgf").write_text("(;GM[1]FF[4]SZ[19]PB[Ada]PW[Bela];B[dp];W[pd])\n", "utf-8")
    out = Ran("export", "--format", "sgf", str(tmp_path / "go.sgf")).out
    assert out.startswith("(;")
    assert ";B[dp];W[pd]" in out


@pytest.mark.parametrize("command", ["validate", "import"])
def test_whose_result_stands_first_is_said_to_change_nothing_where_it_does_not(
    command: str, club: str, db: str, tmp_path: Path
) -> None:
    ran = Ran(command, club, "--results", "white", "--db", db)
    assert "club.pgn holds no game of PDN, so --results white changes nothing in it." in " ".join(ran.said.split())
    path = tmp_path / "d.pdn"
    path.write_text(DRAUGHTS, "utf-8")
    assert "changes nothing" not in Ran(command, str(path), "--results", "white", "--db", db).said


def test_a_tag_given_twice_is_refused(db: str) -> None:
    ran = Ran("new", "chess", "-t", "Event=A", "-t", "Event=B", "--db", db)
    assert ran.code == 2
    assert "The tag Event is given twice, as 'A' and 'B'; give it once." in " ".join(ran.said.split())
