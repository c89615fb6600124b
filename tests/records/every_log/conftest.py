"""A log of each kind: what stands in this folder is asked of all of them.

What only one kind can show stands apart: `test_store.py` and `test_store_file.py` have what concerns one SQLite file,
`test_server_log.py` what only a server can do: be killed, cut a connection, let transactions overlap.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.records import api
from cartulary.records.log.contract import Log
from cartulary.records.log.server import Server
from tests.records.logs import LOGS, Place


@pytest.fixture(params=LOGS)
def place(request: pytest.FixtureRequest, db: Path) -> Place:
    """Give where a log is to be kept; there is none yet. Without PostgreSQL the server's half is skipped."""
    return db if request.param == "sqlite" else Server(request.getfixturevalue("address"))


@pytest.fixture
def log(place: Place) -> Iterator[Log]:
    with api.open_store(place, timeout=1) as opened:
        yield opened


@pytest.fixture
def other(place: Place, log: Log) -> Iterator[Log]:
    """Open the log a second time, as another desk does."""
    with api.open_store(place) as opened:
        yield opened
