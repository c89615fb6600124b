"""The README keeps its word: its session, its links and its pictures are run, looked up and drawn."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs import pictures
from tests.places import DOCS, ROOT, SAMPLES
from tests.programs import program, typed

README = (ROOT / "README.md").read_text("utf-8")
SESSIONS = ("README.md", *(f"docs/{name}.md" for name in ("first-steps", "arbiter", "archive", "evidence", "formats")))
"""The documents whose sessions are run, each from the start in a folder of its own that has the samples.

README.md's is run as a reader runs it, in processes; the others in this one.
"""
SHOWN = re.compile(r"\b[0-9a-f]{8}…|\b[0-9a-f]{64}\b|\b\d{4}-\d\d-\d\dT[\d:.]+Z|SHA256:[\w+/]{8}(?:…|[\w+/]{35})")
SHELL = ("ssh-keygen", "echo", "sed", "ls")
"""The other programs a session may use; they are given to the shell as they stand."""


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)\n```", text, re.DOTALL)


def session(document: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a document's session with what is printed below it."""
    for block in blocks("console", (ROOT / document).read_text("utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown.rstrip("\n")


def printed(command: str, folder: Path, environment: dict[str, str], started: bool) -> str:
    """Return what a command prints, both streams as they come. started: in a process of its own, ours too"""
    named, *words = shlex.split(command)
    assert named == "cartulary" or named in SHELL
    if named == "cartulary" and not started:
        return typed(words, folder, environment).output
    ours = [sys.executable, "-m", "cartulary.cli", *words]
    return subprocess.run(
        ours if named == "cartulary" else ["sh", "-c", command],
        cwd=folder,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    ).stdout


@pytest.mark.parametrize("document", SESSIONS)
def test_a_session_prints_what_its_document_shows(document: str, tmp_path: Path) -> None:
    (tmp_path / "samples").symlink_to(SAMPLES)
    environment = {"CARTULARY_DB": str(tmp_path / "records.db"), "NO_COLOR": "1", "COLUMNS": "80"}
    steps = list(session(document))
    assert len(steps) >= 5
    if any(command.startswith("ssh-keygen") for command, _ in steps):
        program("ssh-keygen", package="openssh-client")
    for command, shown in steps:
        found = printed(command, tmp_path, environment, started=document == "README.md")
        assert SHOWN.sub("<any>", found.rstrip("\n")) == SHOWN.sub("<any>", shown), command


def test_what_the_readme_shows_can_be_read_without_scrolling() -> None:
    assert [line for block in blocks("console") for line in block.split("\n") if len(line) > 130] == []


@pytest.mark.parametrize("mark", ["set up", "test"])
def test_each_set_up_command_is_one_line_that_makes_its_own_environment(mark: str) -> None:
    (command,) = re.findall(rf"<!-- {mark} -->\n\n?```sh\n(.+)\n```", README)
    assert command.startswith("python3 -m venv .venv && .venv/bin/python -m pip install ")
    assert "sudo" not in command


def test_every_file_the_readme_names_is_there() -> None:
    named = re.findall(r"""(?:\]\(|src=")([\w/.-]+)[)"]""", README) + re.findall(r"samples/[\w/.-]+\.cgn", README)
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_readme_is_two_screens_long() -> None:
    assert len(README.split("\n")) <= 130


def test_the_pictures_are_what_the_program_shows(browser: Any, tmp_path: Path) -> None:
    pictures.draw(browser, tmp_path)
    drawn = {path.name for path in tmp_path.iterdir()}
    assert set(re.findall(r"docs/pictures/([\w.-]+)", README)) == drawn, "python -m tests.docs.pictures"
    for name in drawn:
        assert compared(tmp_path / name) == compared(DOCS / "pictures" / name), name


def compared(picture: Path) -> bytes:
    """Return an SVG as it is, of a PNG its size: fonts differ from machine to machine."""
    return picture.read_bytes() if picture.suffix == ".svg" else picture.read_bytes()[16:24]


def test_no_document_names_a_place_on_one_machine() -> None:
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *DOCS.glob("*.md")]:
        text = path.read_text("utf-8")
        assert not re.search(r"(?<![\w.])/(tmp|work|root|home)/", text), path.name
