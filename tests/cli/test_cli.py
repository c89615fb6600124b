"""The command line as a whole: help, version, shell completion, and what happens when a person stops it."""

import inspect
import os
import pty
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from cartulary.cli.app import OVERVIEW, build
from cartulary.cli.shell.console import WorkerStopped, sentences
from cartulary.records import faults
from tests.places import ROOT

COMMANDS = [name for lines in OVERVIEW.values() for name in lines]
GAME = '[Game "Cardmate"]\n\n1. 4Ci3 4Db6 2. 8Dj2 8Ca7 *\n\n'


def process(*words: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "cartulary.cli", *words],
        input=stdin,
        capture_output=True,
        env=os.environ | environment,
        check=False,
    )


@pytest.mark.smoke
def test_the_version_is_that_of_the_distribution() -> None:
    from importlib.metadata import version

    assert process("--version").stdout.decode() == f"cartulary {version('cartulary')}\n"
    within = CliRunner().invoke(build(), ["--version"])
    assert within.output == f"cartulary {version('cartulary')}\n"


def test_nothing_typed_shows_the_overview() -> None:
    shown = CliRunner().invoke(build(), []).output
    assert [name for name in COMMANDS if f"\n  {name} " not in shown] == []


@pytest.mark.smoke
def test_the_overview_names_every_command_in_one_line_each() -> None:
    shown = CliRunner().invoke(build(), ["--help"], env={"COLUMNS": "80"}).output
    groups = re.findall(r"^([A-Z][a-z ]+):\n((?:  [a-z].*\n)+)", shown, re.MULTILINE)
    assert [heading for heading, _ in groups] == list(OVERVIEW)
    for heading, block in groups:
        listed = block.splitlines()
        assert [line.split()[0] for line in listed] == list(OVERVIEW[heading])
        assert [line for line in listed if len(line) > 80 or not line.endswith(".")] == []


def test_a_command_is_a_file_with_the_name_a_user_types() -> None:
    files = {path.stem for path in (ROOT / "cli" / "commands").glob("*.py")}
    assert sorted(files - {"__init__"}) == sorted(COMMANDS)
    group = get_command(build())
    assert isinstance(group, TyperGroup)
    for name in COMMANDS:
        command = group.get_command(typer.Context(group), name)
        assert command is not None
        assert command.name == name
        assert command.callback is not None
        assert inspect.unwrap(command.callback).__module__ == f"cartulary.cli.commands.{name}"


def test_an_unknown_command_ends_with_usage() -> None:
    ended = process("vaildate")
    assert ended.returncode == 2
    assert b"validate" in ended.stderr
    assert b"Traceback" not in ended.stderr


@pytest.mark.smoke
@pytest.mark.parametrize("words", [("why",), ("perft", "cardmate"), ("move",), ("new",), ("note", "evening"), ("tag",)])
def test_an_argument_that_is_missing_is_named(words: tuple[str, ...]) -> None:
    ended = CliRunner().invoke(build(), words)
    assert ended.exit_code == 2
    assert "Missing argument" in ended.output


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("line", "at", "offered"),
    [("cartulary val", 1, "validate"), ("cartulary log g --seat r", 4, "rail"), ("cartulary show --seat p2", 3, "p2")],
)
def test_the_shell_completes_commands_and_seats(line: str, at: int, offered: str) -> None:
    words = {"COMP_WORDS": line, "COMP_CWORD": str(at), "_CARTULARY_COMPLETE": "complete_bash"}
    script = "import sys; sys.argv[0] = 'cartulary'; from cartulary.cli.__main__ import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=os.environ | words, encoding="utf-8", check=False
    )
    assert ended.stdout.split() == [offered]


def test_data_is_utf_8_whatever_the_locale_says() -> None:
    game = '[Game "Cardmate"]\n[Site "Köln"]\n\n1. 4Ci3 *\n'.encode()
    for command in ("fmt", "convert"):
        ended = process(command, stdin=game, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
        assert "Köln" in ended.stdout.decode()
    assert process("validate", stdin=b'[Game "K\xc3\xb6ln"]\n\n*\n', PYTHONIOENCODING="ascii").returncode == 1


def test_a_file_whose_name_is_no_text_is_judged_like_any_other(tmp_path: Path) -> None:
    path = os.path.join(os.fsencode(tmp_path), b"K\xf6ln.cgn")
    with open(path, "wb") as file:
        file.write(GAME.encode())
    for options in ((), ("--json",), ("--jobs", "2")):
        ended = process("validate", *options, os.fsdecode(path))
        assert (ended.returncode, ended.stderr) == (0, b"1 game: 1 legal\n")
    assert process("show", os.fsdecode(path) + "#1").returncode == 0
    assert process("replay", os.fsdecode(path)).returncode == 0


def test_a_fault_of_the_program_is_told_in_one_sentence() -> None:
    script = (
        "import sys, cartulary.cli.app as app\n"
        "def build(): raise ZeroDivisionError('of all things')\n"
        "app.build = build\n"
        "sys.argv = ['cartulary', 'games']\n"
        "from cartulary.cli.__main__ import main\n"
        "main()\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=False)
    assert ended.returncode == 70
    assert "of all things" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("command", ["validate", "validate --jobs 2", "fmt", "replay", "convert"])
def test_a_reader_that_stops_early_ends_the_program_quietly(command: str, tmp_path: Path) -> None:
    path = tmp_path / "many.cgn"
    path.write_text(GAME * 3000)
    words = " ".join([sys.executable, "-m", "cartulary.cli", command, str(path)])
    ended = subprocess.run(
        ["bash", "-c", f"{words} | head -n 1; exit ${{PIPESTATUS[0]}}"], capture_output=True, check=False
    )
    assert ended.stderr == b""
    assert ended.returncode == 0
    assert ended.stdout.count(b"\n") == 1


def test_a_listener_that_went_away_changes_neither_work_nor_code(tmp_path: Path) -> None:
    path = tmp_path / "bad.cgn"
    path.write_text('[Game "Cardmate"]\n\n1. 4Ci9 *\n')
    ended = []
    for heard in (True, False):
        reading, writing = os.pipe()
        if not heard:
            os.close(reading)
        command = [sys.executable, "-m", "cartulary.cli", "validate", str(path)]
        ended.append(subprocess.run(command, stdout=subprocess.PIPE, stderr=writing, check=False))
        os.close(writing)
        if heard:
            assert os.read(reading, 1000)
            os.close(reading)
    assert ended[0].returncode == ended[1].returncode == 1
    assert ended[0].stdout == ended[1].stdout != b""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_it_at_once_without_a_traceback(jobs: str, tmp_path: Path) -> None:
    path = tmp_path / "many.cgn"
    path.write_text(GAME * 100_000)
    running = subprocess.Popen(
        [sys.executable, "-m", "cartulary.cli", "validate", "--jobs", jobs, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert running.stdout is not None
    running.stdout.readline()
    os.killpg(running.pid, signal.SIGINT)
    begun = time.monotonic()
    _, answer = running.communicate(timeout=60)
    assert running.returncode == 130
    assert time.monotonic() - begun < 20
    assert answer.decode() == "cartulary: Interrupted; what was printed is sound. Run the command again for the rest.\n"


def test_the_suite_runs_under_a_shell_that_ignores_interrupts() -> None:
    tested = f"{__file__}::{test_an_interrupt_ends_it_at_once_without_a_traceback.__name__}[1]"
    line = """trap "" INT; exec "$@" -q -p no:cacheprovider"""
    ended = subprocess.run(
        ["sh", "-c", line, "sh", sys.executable, "-m", "pytest", tested],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert "1 passed" in ended.stdout, ended.stdout


def on_terminal(*words: str, columns: int, data: int | None = None) -> str:
    """Return what a terminal of so many columns shows; ``data`` is where standard output goes instead."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "cartulary.cli", *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs if data is None else data,
        stderr=theirs,
        env={name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        | {"COLUMNS": str(columns), "TERM": "xterm"},
    )
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # how Linux says that the other end is closed
        while piece := os.read(ours, 65536):
            shown += piece
    running.wait()
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def test_findings_are_wrapped_between_words_where_the_terminal_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.cgn").write_text('[Game "Cardmate"]\n\n1. 4Ci3 4Db6 2. 8D:h9 8Ca7 *\n')
    shown = on_terminal("validate", "a.cgn", columns=80)
    plain = re.sub(r"\x1b\[[\d;]*m", "", shown)
    assert plain != shown
    assert [line for line in plain.splitlines() if len(line) > 80] == []
    assert "\n    rule    A card goes only where its rank lets it go.\n" in plain


@pytest.mark.parametrize(
    "words",
    [
        "rules cardmate",
        "rules cardmate cardmate.castling",
        "games",
        "validate --accept-rulings long.cgn none.cgn",
        "fmt --check long.cgn",
        "fmt long.cgn#9",
        "show long.cgn --at 7",
        "replay long.cgn",
        "perft nonesuch 1",
    ],
)
def test_no_line_is_wider_than_the_terminal_but_for_what_cannot_be_broken(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a club with a long name" / "season 2000"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    path = folder / "long.cgn"
    path.write_text('[Game "Cardmate"]\n\n1. 4Ci3 4Db6 2. 8D:h9 8Ca7 *')
    whole = [word.replace("long.cgn", str(path)) for word in words.split()]
    shown = on_terminal(*whole, columns=80)
    plain = re.sub(r"\x1b\[[\d;]*m", "", shown)
    assert [line for line in plain.splitlines() if len(line) > 80 and " " in line.strip()] == []
    assert plain.strip()


def test_a_board_in_colour_keeps_its_shape(tmp_path: Path) -> None:
    path = tmp_path / "a.cgn"
    path.write_text(GAME)
    shown = on_terminal("show", str(path), columns=60)
    assert "\x1b[1;36m^XS\x1b[0m" in shown
    plain = re.sub(r"\x1b\[[\d;]*m", "", shown)
    assert len([line for line in plain.splitlines() if len(line) == 57]) >= 10


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (faults.Unfit("no such variant"), 2),
        (faults.Unread("no move"), 2),
        (faults.Declined("the game is closed"), 1),
        (faults.UnknownGame("x"), 2),
        (faults.Damaged("a digest is wrong"), 3),
        (WorkerStopped("The workers were lost."), 2),
    ],
)
def test_a_fault_of_the_records_ends_with_its_own_code(fault: Exception, code: int) -> None:
    with pytest.raises(typer.Exit) as ended, sentences():
        raise fault
    assert ended.value.exit_code == code


def test_a_long_work_draws_its_progress_beside_the_data_and_not_into_it(tmp_path: Path) -> None:
    path, out = tmp_path / "many.cgn", tmp_path / "out.txt"
    path.write_text(f'[Game "Cardmate"]\n\n{{{"word " * 1000}}} 1. 4Ci3 *\n\n' * 1000)
    with out.open("wb") as data:
        shown = on_terminal("validate", str(path), columns=80, data=data.fileno())
    assert "validate" in shown
    assert "%" in shown
    assert shown.rstrip().endswith("1000 games: 1000 legal")
    assert out.read_text().count("#") == 1000
    assert ".cgn#" not in shown
