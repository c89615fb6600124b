"""What people type first, and what is not quite a command: it is done, or the right form is named."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cartulary.cli.app import build
from tests.records.archives import Run


@pytest.fixture
def table(run: Run) -> Run:
    run("new", "cardmate", "--id", "tm1", "-p", "Ada", "-p", "Bela")
    run("move", "tm1", "4Ci3")
    run("note", "tm1", "1", "a brave opening")
    return run


def typed(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(build(), list(words), env={"NO_COLOR": "1", "COLUMNS": "80"})
    assert result.exit_code == code, result.output
    return result


def test_help_alone_and_with_a_command_is_what_dash_h_prints() -> None:
    assert typed("help").stdout == typed("-h").stdout
    assert typed("help", "move").stdout == typed("move", "-h").stdout
    assert "No such command 'moov'" in typed("help", "moov", code=2).stderr
    assert typed("version").stdout == typed("--version").stdout


@pytest.mark.parametrize("command", ["restore", "import", "validate", "fmt"])
def test_a_backup_where_a_sheet_is_read_is_led_to_backup_into(table: Run, tmp_path: Path, command: str) -> None:
    backup = str(tmp_path / "backup.db")
    table("backup", backup)
    errors = table(command, backup, code=2).stderr
    assert f"`backup {backup} --into DB`" in errors
    assert "--db" in errors


@pytest.mark.parametrize("words", [("--restore",), ("--restore", "backup.db"), ("backup.db", "--restore")])
def test_backup_restore_names_into(table: Run, words: tuple[str, ...]) -> None:
    errors = table("backup", *words, code=2).stderr
    assert "; to restore, `backup FILE --into DB`" in errors.replace("\n", " ")


def test_words_behind_search_are_looked_for_in_comments(table: Run) -> None:
    assert table("search", "brave").stdout == table("search", "--text", "brave").stdout != ""
    assert "tm1" in table("search", "brave", "opening").stdout
    assert "tm1" not in table("search", "brave", "--text", "heart").stdout
    errors = table("search", "Bela").stderr
    assert "`search --player Bela`" in errors
    assert "--player" not in table("search", "brave").stderr


def test_what_is_no_argument_of_a_list_is_led_to_where_it_is_one(table: Run) -> None:
    assert "`search brave`" in table("list", "brave", code=2).stderr
    assert "`rules tarot`" in typed("games", "tarot", code=2).stderr


def test_an_id_in_other_capitals_is_named(table: Run) -> None:
    for command in (("record", "TM1"), ("show", "TM1"), ("log", "Tm1"), ("verify", "TM1"), ("export", "TM1")):
        assert "Did you mean tm1?" in table(*command, code=2).stderr, command
    assert "Did you mean" not in table("show", "other", code=2).stderr
    assert "Did you mean tm1?" in table("show", "tm", code=2).stderr


def test_a_variant_is_read_in_any_capitals(run: Run) -> None:
    run("new", "tarot", "--id", "t", "--variant", "FFT", "--seats", "4")
    assert '[Variant "fft"]' in run("export", "t").stdout
    bout = ("rules", "tarot", "bout", "--variant")
    assert typed(*bout, "Fft").stdout == typed(*bout, "fft").stdout
    assert "expected one of: dementlieu, fft" in run("new", "tarot", "--variant", "ffft", code=2).stderr


@pytest.mark.parametrize("game", ["tarot", "cardmate"])
def test_a_revoke_is_the_rule_it_breaks(game: str) -> None:
    assert typed("rules", game, "revoke").stdout == typed("rules", game, f"{game}.follow-suit").stdout


def test_a_word_that_stands_in_a_rule_alone_leads_to_it() -> None:
    assert "did you mean tarot.play-turn?" in typed("rules", "tarot", "winner", code=2).stderr
