"""Figures ``serve_…``: pages of the desk in a browser, each against what it should cost no more than.

The whole application, guard and threads included, is asked for a page without a socket: what a client or a network
adds is not ours.
"""

import asyncio
import contextlib
import io
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from archive import mixed
from corpora import PLIES, Corpora
from figures import Figure, Reach, by_turns, figure
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Scope

from cartulary.cli.commands.replay import command as replay
from cartulary.cli.commands.show import command as show
from cartulary.notation import load
from cartulary.records import api
from cartulary.web.app import application
from cartulary.web.guard import OWN_HEADER
from cartulary.web.stores import Stores

KEY, HOST = "key", "localhost"
PAGES = 20
"""How many pages are asked for at once, so that the clock is fine enough."""
COPIES = 8
"""How many games are shown by turns, so that each is read from the file every time."""


def serving(corpora: Corpora, games: int, rounds: int) -> list[Figure]:
    """Measure a page of a list of so many games, and the page of a game of 80 plies."""
    with TemporaryDirectory(dir=corpora.folder) as folder:
        path = Path(folder) / "records.db"
        with api.Store(path) as store:
            for _ in api.import_records(store, load(str(mixed(corpora, games)))):
                pass
            ids = list(_played(corpora, store))
        stores = Stores(path)
        try:
            app = application(stores, KEY, [HOST])
            return [_list(app, games, rounds), _game(app, path, ids, rounds)]
        finally:
            stores.close()


def _played(corpora: Corpora, store: "api.Store") -> Iterator[str]:
    """Write ``COPIES`` games of at most 80 plies, word by word as at a table, and yield their ids."""
    longest = sorted(load(str(corpora.cardmate(max(COPIES, 40)))), key=lambda record: -len(record.line.words))
    for number, record in enumerate(longest[:COPIES]):
        opened = api.open_game(store, api.NewRequest("cardmate", id=f"game-{number}"))
        api.play(store, opened.id, api.WordsRequest(record.line.words[:PLIES], stands=True))
        yield opened.id


def _list(app: ASGIApp, games: int, rounds: int) -> Figure:
    """Return the figure of a page of the list of games, against the same bytes from a bare Starlette."""
    page = asyncio.run(answered(app, "/games"))
    bare = Starlette(routes=[Route("/games", lambda request: Response(page, media_type="text/html"))])
    return figure(
        "serve_list",
        "a page of 50 games of the list, against the same bytes sent by Starlette alone",
        "ms",
        by_turns(rounds, _cost(app, ["/games"]), _cost(bare, ["/games"])),
        Reach("≤", 5, "ms"),
        {"games": games, "bytes": len(page)},
        "guard, search, template and headers; no socket; one process, processor time",
    )


def _game(app: ASGIApp, path: Path, ids: Sequence[str], rounds: int) -> Figure:
    """Return the figure of the page of a game, against the commands that print the same."""
    ways, names = [f"/games/{id}" for id in ids], cycle(ids)

    def told() -> float:
        start = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()):
            for _ in range(PAGES):
                id = next(names)
                show(id, db=str(path))
                show(id, db=str(path))
                replay(id, db=str(path))
        return 1e3 * (time.process_time() - start) / PAGES

    return figure(
        "serve_game",
        "the page of a game of 80 plies, against `show` twice and `replay` once, as text",
        "ms",
        by_turns(rounds, _cost(app, ways), told),
        Reach("≤", 1),
        {"plies a game": PLIES, "bytes": len(asyncio.run(answered(app, ways[0])))},
        "loaded, judged, drawn and sent, each time another game; the commands in one process; processor time",
    )


def _cost(app: ASGIApp, paths: Sequence[str]) -> Callable[[], float]:
    """Return a function that asks for ``PAGES`` pages by turns, and returns the milliseconds of processor
    time of one.
    """

    async def several() -> None:
        for _, path in zip(range(PAGES), cycle(paths), strict=False):
            await answered(app, path)

    def measured() -> float:
        start = time.process_time()
        asyncio.run(several())
        return 1e3 * (time.process_time() - start) / PAGES

    return measured


async def answered(app: ASGIApp, path: str, body: bytes = b"") -> bytes:
    """Return the body that an application answers with to the operator's browser; ``body`` is JSON to send, empty for a
    GET. Raises AssertionError for any status but 200.
    """
    sent: list[Message] = []
    headers = [(b"host", HOST.encode()), (b"cookie", f"cartulary={KEY}".encode()), (b"accept", b"text/html")]
    headers += [(b"content-type", b"application/json"), (OWN_HEADER.encode(), b"1")] if body else []
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST" if body else "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 2),
    }

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    assert sent[0]["status"] == 200, path
    return b"".join(message.get("body", b"") for message in sent[1:])
