"""The desk in a browser, served inside this process: a client that holds the key."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from starlette.testclient import TestClient

from cartulary.web.app import application
from cartulary.web.routes import RESOURCES
from cartulary.web.stores import Stores

KEY, HOST = "k3y", "desk.example"
HEADER = {"x-cartulary-key": KEY}


@contextmanager
def serving(
    db: Path,
    seat: int | None = None,
    *,
    read_only: bool = False,
    quiet: bool = False,
    key: str | None = KEY,
    files: Mapping[str, str] | None = None,
) -> Iterator[TestClient]:
    """Serve a database, and yield a client that follows no redirect.

    key: what it holds; files: as of the application
    """
    stores = Stores(db, read_only=read_only)
    app = application(stores, KEY, [HOST], seat=seat, quiet=quiet, files=files)
    headers = {} if key is None else {"x-cartulary-key": key}
    try:
        yield TestClient(app, f"http://{HOST}", headers=headers, follow_redirects=False)
    finally:
        stores.close()


def addresses(**names: str) -> list[str]:
    """Return an address of every page there is and of every twin. names: the parts of a path by name"""
    found = ["/desk.css", "/desk.js", "/icon.svg", "/openapi.json"]
    for place in RESOURCES:
        path = place.path.format(**names)
        found += [path, *((f"{path}.json",) if place.twin is not None else ())]
    return found
