"""The desk in a browser, served inside this process: a client that holds the key."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from anyio.from_thread import start_blocking_portal
from starlette.testclient import TestClient

from cartulary.web.app import application
from cartulary.web.guard import LIMITS, OWN_HEADER, Guard
from cartulary.web.rates import Buckets
from cartulary.web.routes import DESCRIBED, OWN, resources
from cartulary.web.stores import Stores

KEY, HOST = "k3y", "desk.example"
HEADER = {"x-cartulary-key": KEY}


def unlimited(client: TestClient) -> None:
    """Let the server of a client be asked as often as anybody likes."""
    assert isinstance(client.app, Guard)
    client.app.buckets = dict.fromkeys(LIMITS, Buckets(rate=1e9, burst=10**9))


@contextmanager
def serving(
    db: Path,
    seat: int | None = None,
    *,
    read_only: bool = False,
    quiet: bool = False,
    key: str | None = KEY,
    files: Mapping[str, str] | None = None,
    writes: bool = False,
    proxy: str = "",
) -> Iterator[TestClient]:
    """Serve a database, and yield a client that follows no redirect.

    key: what it holds; files, writes, proxy: as of the application
    """
    stores = Stores(db, read_only=read_only)
    app = application(stores, KEY, [HOST], seat=seat, quiet=quiet, files=files, writes=writes, proxy=proxy)
    headers = {} if key is None else {"x-cartulary-key": key}
    try:
        with start_blocking_portal() as portal:
            client = TestClient(app, f"http://{HOST}", headers=headers, follow_redirects=False)
            client.portal = portal  # one loop for all requests, as a server has; else each begins a thread with its own
            yield client
    finally:
        stores.close()


def by_link(client: TestClient, url: str) -> TestClient:
    """Return another browser that has opened a link. url: it, or what stands behind its #"""
    browser = TestClient(client.app, f"http://{HOST}", follow_redirects=False)
    browser.portal = client.portal
    joined = browser.post("/join", json={"secret": url.rpartition("#")[2]}, headers={OWN_HEADER: "1"})
    assert joined.status_code == 200, joined.text
    return browser


def addresses(writes: bool = False, /, **names: str) -> list[str]:
    """Return an address of every page there is and of every twin. names: the parts of a path by name"""
    found = [*OWN, DESCRIBED]
    for place in resources(writes):
        path = place.path.format(**names)
        found += [path, *((f"{path}.json",) if place.twin is not None else ())]
    return found
