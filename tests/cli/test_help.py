"""The help keeps its word: every command shows an example, and each is run as it stands."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.main import get_command
from typer.testing import Result

from cartulary.cli.app import OVERVIEW, build
from tests.programs import typed

COMMANDS = sorted(name for lines in OVERVIEW.values() for name in lines if name != "serve")
"""Those that end by themselves; how `serve` begins and ends, tests/web/test_serve.py says."""
PLAYED = (
    "cartulary new cardmate --id evening --player Ada --player Bela",
    "cartulary move evening 4Ci3 4Db6 8Dj2 8Ca7 8Dh3 8Cc6 7Cb1 7Di8",
    "cartulary tag evening Round=3",
)
BEFORE: dict[str, tuple[str, ...]] = {
    "new": (),
    "move": PLAYED[:1],
    "record": PLAYED[:1],
    "aside": PLAYED,
    "redo": (*PLAYED, "cartulary undo evening"),
    "reveal": (PLAYED[0], "cartulary move evening 4Ci3 --quiet"),
    "agree": (*PLAYED, "cartulary close evening 1-0 --termination adjudication"),
    "pad": ("cartulary new tarot --variant fft --id evening -p Ann -p Bea -p Cy -p Di",),
    "people": (
        'cartulary result Catan -p "Ann Lee"=10 -p Bea=7',
        'cartulary result Catan -p "ann lee"=8 -p Bea=10',
    ),
    "csv": ("cartulary result tarot -p Ann=30 -p Bea=-10 -p Cy=-20 --date 2026-01-05",),
    "standings": ("cartulary result tarot -p Ann=30 -p Bea=-10 -p Cy=-20 --date 2026-01-05",),
    "reopen": (*PLAYED, "cartulary close evening 1-0 --termination adjudication"),
}
"""What is done before a command's example; PLAYED if nothing is said."""
FILES = {
    "house": {
        "club.toml": """[[rule]]
key = "jump"
game = "chess"
rule = "chess.reach"
decision = "waived"
words = "Kings may jump"
by = "the board"
date = 2026-11-01
"""
    },
    "games": {"catan.toml": 'title = "Catan"\nseats = "3-4"\nwinner = "first"\ngoal = 10\n'},
}
"""The files that lie in the folder where a command's example is run."""
STARTED = ("samples", "record", "move")
"""Commands whose examples a shell runs, in processes, as it does a line with a pipe; the others are run in this one."""
WITHIN = re.compile(r"\$\((cartulary [^)]+)\)")


def examples(name: str) -> Iterator[str]:
    """Yield the lines of a command's examples as its help prints them."""
    command = get_command(build())
    assert isinstance(command, typer.core.TyperGroup)
    named = command.get_command(typer.Context(command), name)
    assert named is not None
    shown = named.get_help(typer.Context(named, info_name=f"cartulary {name}"))
    for block in re.findall(r"Examples?:\n((?: {4,}\S.*\n)+)", shown):
        yield from (line.strip() for line in block.splitlines())


class Desk:
    """A shell in an empty folder with its own database and `cartulary` on the path."""

    def __init__(self, folder: Path) -> None:
        (folder / "bin").mkdir(parents=True)
        program = folder / "bin" / "cartulary"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cartulary.cli "$@"\n')
        program.chmod(0o755)
        self.folder = folder
        self.environment = {
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "CARTULARY_DB": str(folder / "records.db"),
            "NO_COLOR": "1",
        }

    def run(self, line: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            line,
            shell=True,
            cwd=self.folder,
            env=os.environ | self.environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def type(self, line: str) -> Result:
        """Run a line of no shell but ``$(cartulary ...)`` in this process."""
        whole = WITHIN.sub(lambda found: self.type(found[1]).stdout.rstrip("\n"), line)
        named, *words = shlex.split(whole)
        assert named == "cartulary", line
        result = typed(words, self.folder, self.environment)
        assert result.exit_code == 0, f"{line}\n{result.output}"
        return result


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], Path]:
    """Databases with what comes before the examples, each made once."""
    made = {}
    for lines in {PLAYED, *BEFORE.values()}:
        desk = Desk(tmp_path_factory.mktemp("table") / "desk")
        for line in lines:
            desk.type(line)
        made[lines] = desk.folder / "records.db"
    return made


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_of_every_command_runs_as_it_stands(
    name: str, tables: dict[tuple[str, ...], Path], tmp_path: Path
) -> None:
    desk, before = Desk(tmp_path / "desk"), tables[BEFORE.get(name, PLAYED)]
    if before.exists():
        shutil.copy(before, desk.folder / "records.db")
    for file, text in FILES.get(name, {}).items():
        (desk.folder / file).write_text(text)
    lines = list(examples(name))
    assert lines, f"`{name} --help` shows no example"
    assert any(re.search(rf"\bcartulary {name}\b", line) for line in lines)
    for line in lines:
        if name not in STARTED and "|" not in line:
            desk.type(line)
            continue
        ended = desk.run(line)
        assert ended.returncode == 0, f"{line}\n{ended.stdout}{ended.stderr}"
