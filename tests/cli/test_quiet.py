"""Quiet records as a person types them: one line a word, and nothing of what the rules say."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cartulary.cli.app import build
from tests.records.archives import Run

PLAYED = ("4Ci3", "4Db6", "8Dj2", "8Ca7")
QUIET = "g is quiet: its verdicts are shown once it is closed, or revealed by the arbiter (`cartulary reveal g`).\n"


@pytest.fixture(autouse=True)
def opened(run: Run, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARTULARY_DB", str(db))
    run("new", "cardmate", "--id", "g")
    run("move", "g", *PLAYED, "--quiet")


def typed(words: tuple[str, ...], lines: str = "", **env: str) -> Result:
    return CliRunner().invoke(build(), list(words), input=lines, env=env)


def test_a_word_that_breaks_a_rule_is_confirmed_in_one_line_and_ends_with_0(run: Run) -> None:
    result = run("move", "g", "9Hc5", "--quiet")
    assert (result.stdout, result.stderr) == ("g: ply 5, 9Hc5: written\n", "")
    data = json.loads(run("move", "g", "2Ca6", "--seat", "p2", "--json").stdout)
    assert data == {"id": "g", "version": 8, "ply": 6, "verdict": "quiet", "findings": []}


def test_stands_does_not_go_with_quiet() -> None:
    for asked in ("--quiet",), ("--seat", "p1"):
        result = typed(("move", "g", "9Hc5", "--stands", *asked))
        assert result.exit_code == 2, asked
        assert "kept whatever rule it breaks" in result.stderr


def test_what_cannot_be_played_is_said_to_be_so_and_no_more() -> None:
    typed(("new", "draughts", "--id", "d"))
    result = typed(("move", "d", "18-22", "--quiet"))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "cartulary: 18-22 cannot be played as written.\n"
    misspelt = typed(("move", "g", "8Dj", "--quiet"))
    assert (misspelt.exit_code, "did you mean" in misspelt.stderr) == (2, False)


@pytest.mark.parametrize("value", ["0", "", "no"])
def test_the_environment_turns_it_on_and_off(value: str) -> None:
    assert typed(("check", "g"), CARTULARY_QUIET="1").stdout == QUIET
    assert typed(("check", "g"), CARTULARY_QUIET=value).stdout == "g#1: 0 open questions, 0 breaches\n"
    wrong = typed(("check", "g"), CARTULARY_QUIET="loud")
    assert (wrong.exit_code, "CARTULARY_QUIET" in wrong.stderr) == (2, True)


@pytest.mark.parametrize("asked", [("--quiet",), ("--seat", "p1"), ("--seat", "rail")])
def test_every_view_of_a_quiet_record_says_so_and_how_it_ends(run: Run, asked: tuple[str, ...]) -> None:
    typed(("move", "g", "9Hc5", "--quiet"))
    for words in (("check",), ("why",), ("moves",), ("deal",), ("show",), ("replay",)):
        result = typed((*words, "g", *(("5",) if words == ("why",) else ()), *asked))
        assert result.exit_code == 0, words
        assert result.stdout.removeprefix("; ").endswith(QUIET), words
        assert not {"cardmate.", "legal move"} & {w for w in ("cardmate.", "legal move") if w in result.stdout}, words
    for words in (("check",), ("why",), ("deal",)):
        output = typed((*words, "g", *(("5",) if words == ("why",) else ()), "--json", *asked)).stdout
        assert json.loads(output) == {"quiet": True}, words
    shown = [json.loads(line) for line in typed(("replay", "g", "--json", *asked)).stdout.splitlines()]
    assert {(each["verdict"], tuple(each["keys"])) for each in shown} == {("quiet", ())}
    assert "irregular" not in typed(("export", "g", *asked)).stdout
    assert "irregular" in run("export", "g").stdout


def test_a_quiet_archive_goes_to_the_arbiter_only() -> None:
    for format in (("--log",), ("--format", "json", "--log"), ("--format", "json")):
        result = typed(("export", "g", *format, "--quiet"))
        assert (result.exit_code, result.stdout) == (1, ""), format
        assert "g is quiet" in result.stderr
    assert typed(("export", "g", "--log")).exit_code == 0


def test_the_reveal_tells_it_all_again_from_the_same_log(run: Run, db: Path) -> None:
    before = run("check", "g", code=0).stdout
    output = run("reveal", "g", "--by", "arbiter").stdout
    assert output == f"g: revealed; `cartulary check g --db {db}` lists what was found\n"
    assert run("check", "g", "--seat", "p1").stdout == run("check", "g", "--quiet").stdout == before
    again = run("reveal", "g", code=1)
    assert "g is not quiet" in again.stderr
    assert "arbiter   revealed what the rules say" in run("log", "g").stdout
    run("close", "g", "1-0", "--termination", "adjudication")
    assert "g is closed" in run("reveal", "g", code=1).stderr
    assert "revealed" not in run("log", "g", "--seat", "p1", "--json").stdout.splitlines()[0]


def test_a_scribe_is_told_nothing_until_it_is_revealed() -> None:
    result = typed(("record", "g", "--plain", "--quiet"), "9Hc5\nstands 2Ca6\n2Ca6\ncheck\nlegal\nwhy\nundo\n")
    assert result.stdout.splitlines() == [
        "ply 5, 9Hc5: written",
        "ply 6, 2Ca6: written",
        QUIET.strip(),
        "Moves are not listed while verdicts are kept quiet.",
        QUIET.strip(),
        "took back 2Ca6; 5 plies remain",
    ]
    assert "kept whatever rule it breaks" in result.stderr
    result = typed(("record", "g", "--plain", "--quiet"), "reveal\ncheck\n")
    assert "cardmate.path" in result.stdout
    assert result.exit_code == 1
