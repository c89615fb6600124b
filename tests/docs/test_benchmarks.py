"""The benchmarks run: every figure is measured on next to nothing. Nothing here holds a time against a bound."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import DOCS, ROOT

TABLE = DOCS / "benchmarks.md"
FIELDS = {"name", "what", "unit", "ours", "rival", "ratio", "spread", "cpu", "reach", "met", "sizes", "how"}


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(ROOT / "benchmarks" / "run.py"), *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("corpora"))


def test_every_figure_of_the_table_is_measured_and_printed_as_json(corpora: str) -> None:
    ended = run("--tiny", "--folder", corpora)
    assert ended.returncode == 0, ended.stderr
    figures = [json.loads(line) for line in ended.stdout.splitlines()]
    assert all(set(figure) == FIELDS and figure["ours"] > 0 for figure in figures)
    in_the_table = re.findall(r"^\| `(\w+)` \|", TABLE.read_text("utf-8"), re.MULTILINE)
    assert [figure["name"] for figure in figures] == in_the_table


def test_the_table_is_printed_as_markdown(corpora: str) -> None:
    ended = run("--tiny", "--table", "--only", "memory", "--folder", corpora)
    header, _, row, *_ = ended.stdout.splitlines()
    assert header.count("|") == row.count("|") == 8


def test_a_file_without_the_marks_of_the_table_is_left_as_it_is(corpora: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text("Nothing to replace.\n", "utf-8")
    ended = run("--tiny", "--only", "memory", "--write", str(file), "--folder", corpora)
    assert ended.returncode == 1
    assert "nothing is written" in ended.stderr
    assert file.read_text("utf-8") == "Nothing to replace.\n"
