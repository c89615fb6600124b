"""What tests of the desk in a browser begin with: an archive that is served, by a program or inside this process."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cartulary.records.log.store import Store
from tests.programs import served
from tests.web.served import serving


@pytest.fixture(scope="session")
def whole_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Serve an archive that the session shares; yield the address with its key, and the database.

    Every test opens games of its own in it, and looks at no others.
    """
    db = tmp_path_factory.mktemp("tables") / "games.db"
    Store(db).close()
    with served("--db", str(db)) as url:
        yield url, db


@pytest.fixture(scope="session")
def address(whole_address: tuple[str, Path]) -> tuple[str, Path]:
    """Return the same without the key, as who comes by a link has it."""
    url, db = whole_address
    return url.partition("/?")[0], db


@pytest.fixture
def client(db: Path) -> Iterator[TestClient]:
    """Serve the test's own database inside this process, to who holds the key and may write."""
    with serving(db, writes=True) as opened:
        yield opened


@pytest.fixture
def server(store: Store) -> Iterator[TestClient]:
    """Serve the test's own database inside this process, to whoever comes by a link."""
    with serving(store.path, key=None, writes=True) as client:
        yield client
