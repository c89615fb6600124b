"""Standard input, output and error as shells may hand them over: full, or closed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import SAMPLES
from tests.records.archives import PAGE, runner

BAD = str(SAMPLES / "cardmate" / "games" / "stands.cgn")


def ended(line: str, folder: Path, redirected: str, stdin: str = "</dev/null") -> "subprocess.CompletedProcess[str]":
    """Return how a command ends under a shell's redirections."""
    return subprocess.run(
        ["sh", "-c", f'exec "$0" -m cartulary.cli {line} {stdin} {redirected}', sys.executable],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"CARTULARY_DB": str(folder / "games.db")},
        check=False,
    )


TELLING = ["--help", "--version", "games", "games --help", f"validate {PAGE}", f"fmt {PAGE}", "new cardmate"]


@pytest.mark.parametrize("line", TELLING)
@pytest.mark.parametrize(("redirected", "why"), [(">/dev/full", "no space left on device"), (">&-", "it is closed")])
def test_output_that_cannot_be_written_is_told_in_a_sentence(
    line: str, redirected: str, why: str, tmp_path: Path
) -> None:
    answer = ended(line, tmp_path, redirected)
    assert (answer.stderr, answer.returncode) == (f"cartulary: Standard output: {why}.\n", 2)


def test_a_damaged_log_stays_graver_than_output_that_cannot_be_written(tmp_path: Path) -> None:
    run = runner(tmp_path / "games.db")
    run("new", "cardmate", "--id", "evening")
    archive = tmp_path / "archive.json"
    archive.write_text(run("export", "evening", "--format", "json", "--log").stdout.replace("evening", "morning"))
    for redirected in ("", ">/dev/full", ">&-"):
        assert ended(f"verify {archive}", tmp_path, redirected).returncode == 3


@pytest.mark.parametrize(("line", "code"), [("list", 2), (f"validate {BAD}", 1), ("vaildate", 2)])
@pytest.mark.parametrize("redirected", ["2>/dev/full", "2>&-"])
def test_messages_that_cannot_be_written_change_neither_data_nor_code(
    line: str, code: int, redirected: str, tmp_path: Path
) -> None:
    answer, heard = ended(line, tmp_path, redirected), ended(line, tmp_path, "")
    assert (answer.returncode, answer.stdout) == (heard.returncode, heard.stdout)
    assert answer.returncode == code


@pytest.mark.parametrize(
    "line", ["validate", "fmt", "fmt --check -", "convert --to cgn -", "import -", "record evening"]
)
def test_input_that_is_closed_is_told_in_a_sentence(line: str, tmp_path: Path) -> None:
    runner(tmp_path / "games.db")("new", "cardmate", "--id", "evening")
    answer = ended(line, tmp_path, "", "<&-")
    assert "it is closed" in answer.stderr
    assert answer.returncode == 2


def test_what_needs_no_stream_is_done_without_it(tmp_path: Path) -> None:
    answer = ended(f"fmt --check {PAGE}", tmp_path, ">&- 2>&-", "<&-")
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")


def test_a_game_is_stored_though_its_id_cannot_be_printed(tmp_path: Path) -> None:
    assert ended("new cardmate --id evening", tmp_path, ">&- 2>&-", "<&-").returncode == 2
    assert "evening" in runner(tmp_path / "games.db")("list").stdout
