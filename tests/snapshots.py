"""Wording that a test holds word for word lies in a file beside it, and a person accepts what changed.

    python -m pytest tests/cli/test_live.py --accept-snapshots

writes what the program says now; read the difference before you commit it. Exit codes, verdicts, rules and stored bytes
stand in the tests, which no program writes: a snapshot is for wording alone.
"""

import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

ACCEPT = "--accept-snapshots"
FOLDER = "snapshots"


class Snapshot:
    """The wording that one test holds, in a file that bears its name."""

    def __init__(self, test: Path, name: str, accepts: bool) -> None:
        self.path = test.parent / FOLDER / test.stem / f"{name}.txt"
        self._accepts = accepts

    def check(self, text: str) -> None:
        """Hold a text to the file; write the file instead where snapshots are accepted."""
        if self._accepts:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(text, "utf-8", newline="\n")
        before = self.path.read_text("utf-8") if self.path.exists() else ""
        assert text == before, f"{self.path.name}: accept it with `python -m pytest {ACCEPT}` if it reads well"


def typed(words: Sequence[str]) -> str:
    """Return a command line as a snapshot shows it, on a line that begins with ``$``."""
    return f"$ {shlex.join(['cartulary', *words])}\n".encode("utf-8", "backslashreplace").decode()


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Snapshot:
    """Give the snapshot of the test that asks for it."""
    return Snapshot(request.path, request.node.name, request.config.getoption(ACCEPT))
