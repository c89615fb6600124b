"""What many suites begin with: a database in a folder of its own, open, and the command line on it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.records.store import Store
from tests.archives import Run, runner


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
