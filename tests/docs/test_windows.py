"""What README.md and docs/first-steps.md say of Windows: commands that do what those of other systems do, and what
they promise the program does without.

No test runs there. These hold the pages to the program, as far as that can be done elsewhere.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.places import DOCS, ROOT

README = (ROOT / "README.md").read_text("utf-8")
SAID = " ".join((DOCS / "first-steps.md").read_text("utf-8").partition("## On Windows")[2].split())
LAYERS = ("engine", "notation", "records", "cli", "web", "testing", "samples")
ONLY_UNIX = frozenset(("fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "posix", "syslog", "curses"))
"""Modules that Python lacks on Windows."""
MISSING = frozenset(
    ("fork", "getuid", "geteuid", "killpg", "setsid", "mkfifo", "chown", "statvfs", "sched_getaffinity")
)
"""Functions that ``os`` lacks on Windows; ``register_at_fork`` is looked for before it is used."""


def in_powershell(command: str) -> str:
    """Return a command of a Unix shell as PowerShell takes it."""
    typed = command.replace("python3 -m venv", "py -m venv").replace(" && ", "; ")
    return re.sub(r"(?<=\s)(\.venv|samples)/\S+", lambda path: path[0].replace("/", "\\"), typed).replace(
        "\\bin\\", "\\Scripts\\"
    )


def test_the_commands_in_powershell_do_what_the_others_do() -> None:
    commands = re.findall(r"<!-- (?:set up|test) -->\n```sh\n(.+)\n```", README)
    [windows] = re.findall(r"```powershell\n(.+?)\n```", README, re.DOTALL)
    assert windows.split("\n") == [in_powershell(command) for command in commands]
    assert "&&" not in windows


def test_every_link_of_the_checkout_is_where_the_page_says_and_only_the_checker_needs_it() -> None:
    places = [path for path in ROOT.iterdir() if path.name not in (".git", ".venv")]
    links = [path for place in places for path in (place, *place.rglob("*")) if path.is_symlink()]
    assert {link.relative_to(ROOT).parts[0] for link in links} == {".src"}
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    naming = {name for name, answer in settings["tool"].items() if ".src" in repr(answer)}
    assert naming <= {"mypy", "ruff"}, naming
    assert ".src" not in repr(settings["project"])
    assert "`.src/`" in SAID


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for layer in LAYERS:
        for path in (ROOT / layer).rglob("*.py"):
            yield path, ast.parse(path.read_text("utf-8"))


def _is_for_others(node: ast.AST) -> bool:
    """Say whether what stands below is for other systems alone: ``if sys.platform != "win32"``."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "sys.platform != 'win32'"


def test_no_module_of_the_program_needs_what_python_lacks_on_windows() -> None:
    found = []
    for path, tree in sources():
        elsewhere = {id(node) for branch in ast.walk(tree) if _is_for_others(branch) for node in ast.walk(branch)}
        for node in (each for each in ast.walk(tree) if id(each) not in elsewhere):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found += [(path.name, name) for name in names if name.split(".")[0] in ONLY_UNIX]
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
                found += [(path.name, node.attr)] if node.attr in MISSING else []
    assert found == []


def test_the_page_says_what_does_not_run_there() -> None:
    for word in ("`.ci/run`", "pexpect", "`-o`", "PowerShell", "`$env:CARTULARY_DB"):
        assert word in SAID, word
