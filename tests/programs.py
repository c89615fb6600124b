"""Programs that tests run: those beyond Python some need, and ours in this process, where the process is not the point.

Without one beyond Python a test is skipped on a player's machine, never where all must run.
"""

import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest
from typer.testing import CliRunner, Result

from cartulary.cli.app import build


def program(*names: str, package: str) -> str:
    """Return the path of the first of these programs there is; without one the test is skipped, or fails in CI."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        _lacks(f"{names[0]}: `apt-get install {package}`, or the like, brings it")
    return found


def package(name: str, extra: str) -> Any:
    """Return a module of an extra; without it the test is skipped, or fails in CI."""
    try:
        return import_module(name)
    except ImportError:
        _lacks(f"{name.partition('.')[0]}, as the extra `{extra}` brings it")


def _lacks(needs: str) -> NoReturn:
    because = f"this test needs {needs}"
    if os.environ.get("CARTULARY_EVERY_TEST"):
        pytest.fail(because)
    pytest.skip(because, allow_module_level=True)


@contextmanager
def chromium() -> Iterator[Any]:
    """Open a browser, and yield it."""
    path = program("chromium", "chromium-browser", "google-chrome", package="chromium")
    with package("playwright.sync_api", extra="test").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def served(*words: str) -> Iterator[str]:
    """Begin ``serve`` as a program and yield its whole address; it must end at Ctrl-C, with 0."""
    command = [sys.executable, "-m", "cartulary.cli", "serve", "--port", "0", "--no-open", *words]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
    assert program.stdout
    try:
        yield program.stdout.readline().rstrip("\n")
        program.send_signal(signal.SIGINT)
        assert program.wait(20) == 0
    finally:
        program.kill()
        program.communicate()


class Installed:
    """A package built and installed into a folder, as pip does with no network, and our programs run beside it.

    What is installed here stays as it is: only these processes find it.
    """

    def __init__(self, package: Path, folder: Path) -> None:
        try:
            if not version("pip") or int(version("setuptools").partition(".")[0]) < 77:
                _lacks("setuptools 77 or newer, of the extra `test`")
        except PackageNotFoundError as fault:
            _lacks(f"{fault.name}, as the extra `test` and every venv bring it")
        self.folder, place = folder, folder / "site-packages"
        source = shutil.copytree(package, folder / "source")  # building leaves files beside what is built
        self.environment = {"CARTULARY_DB": str(folder / "games.db"), "NO_COLOR": "1"}
        self.environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # they take longer to load than most tests here
        self._run(
            *("pip", "install", "-q", "--no-deps", "--no-index", "--no-build-isolation"),
            *("--target", str(place), str(source)),
        )
        self.environment["PYTHONPATH"] = str(place)
        self._program: subprocess.Popen[str] | None = None

    def start(self, *words: str, code: int = 0) -> str:
        """Return what a program started for this command line prints, as ``run`` does."""
        return self._run("cartulary.cli", *words, code=code)

    def run(self, *words: str, code: int = 0) -> str:
        """Return what a command line prints, all of it where it does not end with 0; it must end with the code.

        One program, started once, is given all of them.
        """
        if self._program is None:
            self._program = subprocess.Popen(
                [sys.executable, "-c", LISTENER],
                cwd=self.folder,
                env=os.environ | self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
        assert self._program.stdin
        assert self._program.stdout
        print(json.dumps(words), file=self._program.stdin, flush=True)
        ended, printed, data = json.loads(self._program.stdout.readline())
        return self._said(ended, printed, data, code)

    def test(self, *words: str, code: int = 0) -> str:
        """Return what pytest prints; it must end with the code."""
        return self._run("pytest", "-q", "-p", "no:cacheprovider", *words, code=code)

    def close(self) -> None:
        """End the program that listens."""
        if self._program:
            self._program.communicate()

    def _run(self, *words: str, code: int = 0) -> str:
        ended = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=self.folder,
            env=os.environ | self.environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return self._said(ended.returncode, ended.stdout, ended.stderr, code)

    def _said(self, ended: int, printed: str, told: str, code: int) -> str:
        text = f"{printed}\n{told}"
        assert ended == code, text
        return printed if code == 0 else text


class Begun(NamedTuple):
    """A command line that is run in a process of its own, forked and not started."""

    number: int
    printed: Path
    told: Path

    def code(self) -> int:
        """Wait for its end and return its exit code."""
        [code] = _asked({"wait": self.number})
        return code

    def ended(self) -> "subprocess.CompletedProcess[str]":
        """Wait for its end; return its code and what it wrote on each stream, or on both where they are one."""
        code = self.code()
        written = [path.read_text("utf-8") for path in (self.printed, self.told)]
        return subprocess.CompletedProcess((), code, *written)


def begin(
    words: Sequence[str], folder: Path, environment: Mapping[str, str], written: Path, together: bool = False
) -> Begun:
    """Run a command line in a process forked from one that has imported what most need: starting one takes longer.

    It begins as a started one does, with no game of others loaded; the start itself and a closed stream are tested by
    programs that are started.
    folder: in which it is typed; environment: all of it; written: a folder for what it writes; together: on both
        streams into one file, in the order it came
    """
    printed = written / f"{next(_numbers)}.out"
    answer = printed if together else printed.with_suffix(".err")
    paths = [str(folder), str(printed), str(answer)]
    [number] = _asked({"words": list(words), "paths": paths, "environment": dict(environment)})
    return Begun(number, printed, answer)


def forked(*words: str) -> "subprocess.CompletedProcess[str]":
    """Run a command line in a forked process and return what came of it, as ``begin`` does."""
    with tempfile.TemporaryDirectory() as folder:
        return begin(words, Path(folder), os.environ, Path(folder)).ended()


_numbers = count()


def _asked(question: object) -> list[int]:
    listening = _forking()
    assert listening.stdin
    assert listening.stdout
    print(json.dumps(question), file=listening.stdin, flush=True)
    answer: list[int] = json.loads(listening.stdout.readline())
    return answer


@cache
def _forking() -> "subprocess.Popen[str]":
    """Start the program that forks, once a session; it ends when nobody can ask it any more."""
    listening = subprocess.Popen(
        [sys.executable, "-c", FORKING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    atexit.register(listening.communicate)
    return listening


FORKING = """
import json, os, sys
import eventsourcing.sqlite, prompt_toolkit, rich.console, rich.table, sqlite_utils
import cartulary.cli.app, cartulary.records.api
from cartulary.cli.__main__ import main

def run(words, paths, environment):
    folder, *written = paths
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.path[0] = folder
    sys.path[1:1] = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, path in enumerate(written, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT), number)
    sys.stdin = open(0, closefd=False)  # main opens the others anew
    sys.argv = ["cartulary", *words]
    main()

for line in sys.stdin:
    asked = json.loads(line)
    if "wait" in asked:
        answer = os.waitstatus_to_exitcode(os.waitpid(asked["wait"], 0)[1])
    else:
        answer = os.fork()
        if not answer:
            code = 70
            try:
                run(**asked)
            except SystemExit as ended:
                code = ended.code or 0
            finally:
                for stream in (sys.stdout, sys.stderr):
                    stream.flush()
                os._exit(code)
    print(json.dumps([answer]), flush=True)
"""
"""A program that forks itself for every command line and says how it ended."""

LISTENER = """
import json, sys
from typer.testing import CliRunner
from cartulary.cli.app import build
for line in sys.stdin:
    ended = CliRunner().invoke(build(), json.loads(line))
    fault = "" if ended.exception is None or isinstance(ended.exception, SystemExit) else repr(ended.exception)
    print(json.dumps((ended.exit_code, ended.stdout, ended.stderr + fault)), flush=True)
"""
"""A program that reads command lines and writes what came of each."""


def typed(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Result:
    """Return what came of a command line typed in a folder, run in this process: starting one takes longer than most.

    What ended in a fault of the program itself fails the test.
    """
    with chdir(folder):
        result = CliRunner().invoke(build(), list(words), env=environment)
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    return result
