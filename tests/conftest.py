"""What many suites begin with: a database in a folder of its own, open, and the command line on it."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.records.log.store import Store
from tests.records.archives import Run, runner


def pytest_configure() -> None:
    """Let the programs that are tested keep what they compile, and Ctrl-C reach them though the suite ignores it.

    A signal that is ignored stays so in every program started from here; one that is caught does not.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: None)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def store(db: Path) -> Iterator[Store]:
    with Store(db) as opened:
        yield opened


@pytest.fixture
def run(db: Path) -> Run:
    return runner(db)
