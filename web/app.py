"""The application: every route behind the guard, and every fault a page in sentences."""

import os
import sys
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import nullcontext
from hashlib import sha256
from http import HTTPStatus
from typing import Any, TypeAlias
from urllib.parse import parse_qsl

import msgspec
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from cartulary.notation import NotationError
from cartulary.notation.arbiter.positions import NoPly
from cartulary.notation.cgn.controls import visible
from cartulary.records import desk
from cartulary.records.faults import Damaged, Declined, Fault, StoreFault, Unfit, Uninstalled, UnknownGame
from cartulary.web.asked import Inquiry, Wrong
from cartulary.web.guard import Guard
from cartulary.web.pages import ICON, SCRIPT, Pages, game_link
from cartulary.web.routes import RESOURCES, Resource, described
from cartulary.web.stores import Stores

Endpoint: TypeAlias = Callable[..., Awaitable[Response]]
JSON = "application/json"
MOST_WORDS = 50
"""How many words may stand behind the question mark."""
STATUS: tuple[tuple[type[Exception], HTTPStatus], ...] = (
    (UnknownGame, HTTPStatus.NOT_FOUND),
    (NoPly, HTTPStatus.NOT_FOUND),
    (Uninstalled, HTTPStatus.NOT_IMPLEMENTED),
    (Unfit, HTTPStatus.BAD_REQUEST),
    (Declined, HTTPStatus.CONFLICT),
    (Damaged, HTTPStatus.INTERNAL_SERVER_ERROR),
    (StoreFault, HTTPStatus.SERVICE_UNAVAILABLE),
    (Fault, HTTPStatus.BAD_REQUEST),
)
"""The status of each fault, the first that it is one of."""
_SAID = {
    404: "There is no such page; the games, the search and the rules lead to those there are.",
    405: "Nothing is written here; a page is only read.",
}
ODD = "This is a fault of the program itself; please report it with the address of this page."


def application(
    stores: Stores,
    key: str,
    hosts: Iterable[str],
    *,
    cookie: str = "cartulary",
    seat: int | None,
    quiet: bool = False,
    files: Mapping[str, str] | None = None,
) -> ASGIApp:
    """Return the application. key: what opens it; hosts: the names it answers to; cookie: what keeps the key

    seat: whose view it shows, 0 the bystander's, None everything; quiet: nobody is told what the rules say of quiet
    records; files: the file each game was read from, by id, where the games are those of files
    """
    serving = _Serving(stores, seat, quiet, files if files is not None and seat is None else {})
    return Guard(Starlette(routes=serving.routes(), exception_handlers=serving.faults()), key, hosts, cookie)


class _Serving:
    """What answers requests."""

    def __init__(self, stores: Stores, seat: int | None, quiet: bool, files: Mapping[str, str]) -> None:
        self.stores, self.seat, self.quiet, self.files, self.pages = stores, seat, quiet, files, Pages(seat)

    def routes(self) -> list[Route]:
        """Return the routes, twins before what they are the twins of: a name may hold a dot."""
        found = [
            Route("/desk.css", _own(self.pages.style, "text/css")),
            Route("/desk.js", _own(SCRIPT, "text/javascript")),
            Route("/icon.svg", _own(ICON, "image/svg+xml")),
            Route("/openapi.json", _own(msgspec.json.encode(described()), JSON)),
        ]
        for resource in RESOURCES:
            if resource.twin is not None:
                found.append(Route(f"{resource.path}.json", self._answering(resource, json=True)))
            found.append(Route(resource.path, self._answering(resource, json=False)))
        return found

    def faults(self) -> dict[Any, Endpoint]:
        """Return what answers where no route does."""

        async def answer(request: Request, fault: HTTPException) -> Response:
            json = request.scope["path"].endswith(".json")
            because = _SAID.get(fault.status_code, fault.detail)
            return self._faulty(request, json, because, fault.status_code, fault.headers)

        return {HTTPException: answer}

    def _answering(self, resource: Resource, json: bool) -> Endpoint:
        async def answer(request: Request) -> Response:
            return await run_in_threadpool(self._answer, resource, json, request)

        return answer

    def _answer(self, resource: Resource, json: bool, request: Request) -> Response:
        """Return the answer of a route; of what goes wrong a page that says so."""
        try:
            with self.stores.one() as store:
                return self._made(resource, json, self._asked(resource, json, store, request))
        except Wrong as fault:
            return self._faulty(request, json, str(fault), fault.status)
        except (Fault, NotationError) as fault:
            status = next((status for kind, status in STATUS if isinstance(fault, kind)), HTTPStatus.BAD_REQUEST)
            return self._faulty(request, json, _sentence(fault), status)
        except Exception as fault:
            if os.environ.get("CARTULARY_DEBUG"):
                raise
            sys.stderr.write(f"cartulary: a fault of the program itself: {visible(repr(fault))}\n")
            return self._faulty(request, json, ODD, HTTPStatus.INTERNAL_SERVER_ERROR)

    def _asked(self, resource: Resource, json: bool, store: "desk.Store", request: Request) -> Inquiry:
        """Return what a request asks for. Raises Wrong for a word the route does not know."""
        try:
            query = request.scope["query_string"].decode("latin-1")
            words = parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_WORDS)
        except ValueError:
            raise Wrong(f"Too much is asked for at once; expected at most {MOST_WORDS} words.") from None
        for name, _ in words:
            if name not in resource.words:
                known = f"expected one of: {', '.join(resource.words)}" if resource.words else "it is asked for nothing"
                raise Wrong(f"{name[:40]!r} is nothing {resource.path} is asked by; {known}.")
        return Inquiry(store, self.seat, self.quiet, dict(request.path_params), tuple(words), self.files)

    def _made(self, resource: Resource, json: bool, asked: Inquiry) -> Response:
        if resource.whole is not None:
            body = resource.whole(asked)
            return Response(body, media_type="text/html", headers={"content-security-policy": _policy(resource, body)})
        if json and resource.path == "/games/{id}" and asked.store.head(f"{asked.names['id']}.json") is not None:
            json, asked = False, replace(asked, names={"id": f"{asked.names['id']}.json"})
        with self.stores.indexed(asked.store) if resource.indexes else nullcontext(asked.store) as indexed:
            more = (indexed,) if resource.indexes else ()
            if json and resource.twin is not None:
                return Response(_json(resource.twin(asked, *more)), media_type=JSON)
            assert resource.page is not None
            values = resource.page(asked, *more)
            status = values.get("status", HTTPStatus.OK)
            return Response(self.pages.page(resource.template, values), status, media_type="text/html")

    def _faulty(
        self, request: Request, json: bool, because: str, status: int, more: Mapping[str, str] | None = None
    ) -> Response:
        """Return the answer that something cannot be shown, and why."""
        headers = dict(more or {})
        if json:
            return Response(_json({"error": because}), status, headers, JSON)
        id = request.path_params.get("id", "")
        log = game_link(id, "log") if id and "log" not in request.scope["path"].split("/")[3:] else ""
        values = {"because": because, "title": HTTPStatus(status).phrase, "log": log if status != 404 else ""}
        return Response(self.pages.page("fault", values), status, headers, "text/html")


def _sentence(fault: Exception) -> str:
    because = fault.because if isinstance(fault, NotationError) else ""
    return f"{because[:1].upper()}{because[1:]}." if because else str(fault)


def _own(body: bytes, kind: str) -> Endpoint:
    async def answer(request: Request) -> Response:
        return Response(body, media_type=kind, headers={"cache-control": "private, max-age=3600"})

    return answer


def _json(value: object) -> bytes:
    """Return a value as the command line writes it."""
    return visible(msgspec.json.encode(value).decode()).encode() + b"\n"


def _policy(resource: Resource, body: bytes) -> str:
    """Return what a whole document may load and run: a replay its style and script, a sheet the style in its head."""
    if resource.path.endswith("replay"):
        return desk.policy()
    style = body.partition(b"<style>")[2].partition(b"</style>")[0]
    digest = b64encode(sha256(style).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
