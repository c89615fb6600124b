"""What many suites begin with: a database in a folder of its own, open, and the command line on it."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.records.log.store import Store
from tests.records.archives import Run, runner


def pytest_configure() -> None:
    """Let Ctrl-C reach the programs that are tested, though the suite itself was told to ignore it.

    What is ignored stays so in every program started from here; what is caught does not.
    """
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
