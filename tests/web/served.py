"""The desk in a browser, served inside this process: a client that holds the key, and an ear that follows games."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from starlette.testclient import TestClient

from cartulary.notation.viewer import viewer_of_seat
from cartulary.web.app import application
from cartulary.web.assets import ASSETS
from cartulary.web.guard import LIMITS, OWN_HEADER, Guard
from cartulary.web.rates import Buckets
from cartulary.web.routes import OPENAPI_PATH, resources
from cartulary.web.stores import Stores

KEY, HOST = "k3y", "desk.example"
HEADER = {"x-cartulary-key": KEY}
PLAIN = {"accept-encoding": "identity"}
"""The header of a client that is answered without compression: what it gets is compared byte for byte, and the length
of gzip would depend on the digits of times."""


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
    app = application(
        stores, KEY, [HOST], viewer=viewer_of_seat(seat, quiet=quiet), files=files, writes=writes, proxy=proxy
    )
    headers = PLAIN if key is None else PLAIN | {"x-cartulary-key": key}
    try:
        with start_blocking_portal() as portal:
            client = TestClient(app, f"http://{HOST}", headers=headers, follow_redirects=False)
            client.portal = portal  # one loop for all requests, as a server has; else each begins a thread with its own
            yield client
    finally:
        stores.close()


def by_link(client: TestClient, url: str) -> TestClient:
    """Return another browser that has opened a link. url: it, or what stands behind its #"""
    browser = TestClient(client.app, f"http://{HOST}", headers=PLAIN, follow_redirects=False)
    browser.portal = client.portal
    joined = browser.post("/join", json={"secret": url.rpartition("#")[2]}, headers={OWN_HEADER: "1"})
    assert joined.status_code == 200, joined.text
    return browser


@contextmanager
def any_id() -> Iterator[None]:
    """Let new games be called as they could be once, such as ``evening.json``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cartulary.records.commands.new.check_new_id", lambda id: None)
        yield


def addresses(writes: bool = False, /, **names: str) -> list[str]:
    """Return an address of every page there is and of every twin. names: the parts of a path by name"""
    found = [*ASSETS, OPENAPI_PATH]
    for place in resources(writes):
        path = place.path.format(**names)
        found += [path, *((f"{path}.json",) if place.json_view is not None else ())]
    return found


class Ear:
    """A stream of events that is heard inside this process. Use it in a ``with`` block."""

    def __init__(self, client: TestClient, words: str) -> None:
        """client: a browser whose portal is open; words: what stands behind ``/events?``"""
        self.client, self.words = client, words
        self.status, self.ended = 0, False
        self.deaf = False
        self._heard: list[bytes] = []
        self._headers: list[tuple[bytes, bytes]] = []
        self._gone: asyncio.Event | None = None
        self._hears: asyncio.Event | None = None

    def __enter__(self) -> "Ear":
        assert self.client.portal is not None
        self._task = self.client.portal.start_task_soon(self._listen)
        self.until(lambda: bool(self.status))
        return self

    def __exit__(self, *_: object) -> None:
        assert self.client.portal is not None
        if self._gone is not None:
            self.client.portal.call(self._gone.set)
        self.shut(False)
        self._task.result(5)

    def shut(self, deaf: bool) -> None:
        """Take nothing more from the server, as a phone does whose network is gone; or take it again."""
        assert self.client.portal is not None
        assert self._hears is not None
        self.deaf = deaf
        self.client.portal.call(self._hears.clear if deaf else self._hears.set)

    async def _listen(self) -> None:
        self._gone, self._hears = asyncio.Event(), asyncio.Event()
        self._hears.set()
        path, _, query = f"/events?{self.words}".partition("?")
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        headers = {"host": HOST, "cookie": cookies} | dict(self.client.headers)
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "client": ("testclient", 50000),
            "server": (HOST, 80),
            "state": {},
        }
        asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Any:
            if (first := next(asked, None)) is not None:
                return first
            assert self._gone is not None
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            assert self._hears is not None
            await self._hears.wait()
            if message["type"] == "http.response.start":
                self.status, self._headers = message["status"], list(message["headers"])
            else:
                self._heard.append(message.get("body", b""))

        try:
            await self.client.app(scope, receive, send)
        finally:
            self.ended, self.status = True, self.status or 599

    @property
    def text(self) -> str:
        """Everything that was heard so far."""
        return b"".join(self._heard).decode()

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the answer."""
        return {name.decode(): value.decode() for name, value in self._headers}

    def until(self, happens: Callable[[], bool], seconds: float = 10) -> None:
        """Wait until something is so. Raises TimeoutError where it never is."""
        end = monotonic() + seconds
        while not happens():
            if monotonic() > end:
                raise TimeoutError(self.text)
            sleep(0.005)

    def heard(self, version: int, game: str = "g") -> bool:
        """Say whether a version of a game was heard of, or one behind it."""
        return any(answer["game"] == game and answer["version"] >= version for answer in self.events())

    def events(self) -> list[dict[str, Any]]:
        """Return every event that was heard, in order."""
        lines = (line for line in self.text.split("\n") if line.startswith("data: "))
        return [data for line in lines if "game" in (data := json.loads(line.removeprefix("data: ")))]
