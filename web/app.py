"""The application: every route behind the guard, what is read and what is written, and every fault as a sentence."""

import asyncio
import os
import re
import sys
from base64 import b64encode
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from hashlib import sha256
from http import HTTPStatus
from itertools import count
from random import random
from time import monotonic, sleep
from typing import Any, TypeAlias, TypeVar
from urllib.parse import parse_qsl

import msgspec
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from cartulary.engine.deadline import DeadlineExceeded
from cartulary.notation import NotationError
from cartulary.notation.arbiter.positions import NoPly
from cartulary.notation.cgn.controls import visible
from cartulary.notation.viewer import EVERYTHING, SPECTATOR, Viewer
from cartulary.records import api
from cartulary.records.faults import (
    Conflict,
    Damaged,
    Declined,
    DiskFull,
    Fault,
    ReadOnly,
    StoreFault,
    Unfit,
    Uninstalled,
    UnknownGame,
    Unread,
    decode_fault,
)
from cartulary.records.sheets.replay_page import policy
from cartulary.web import joining
from cartulary.web.answers import Answers
from cartulary.web.asked import Inquiry, Wrong
from cartulary.web.deeds import Deed
from cartulary.web.following import MOST_FOLLOWED
from cartulary.web.guard import JOIN, READING, Guard, address_of, away, closed, too_many
from cartulary.web.pages import (
    AWAY_SCRIPT,
    ICON,
    QUEUE_SCRIPT,
    SCRIPT,
    TABLE_SCRIPT,
    WATCH_SCRIPT,
    Pages,
    game_link,
    visited,
)
from cartulary.web.rates import LONGEST, limited
from cartulary.web.routes import DEEDS, DESCRIBED, EVENTS, OWN, Resource, described, doors, resources
from cartulary.web.scheduling import Busy, Departed, Scheduler, Schedulers, client_of, shares_of
from cartulary.web.screen import follower
from cartulary.web.stores import Stores
from cartulary.web.streams import Streams
from cartulary.web.who import DESK, TARGET, WRITES, Away, Entrance, Target, Visitor, is_away

Endpoint: TypeAlias = Callable[..., Awaitable[Response]]
JSON = "application/json"
Asks = TypeVar("Asks")
RACING = 6.0
"""Seconds for which a request that names no version is tried again while others write to the same game."""
PAUSE = 0.02
"""Seconds it waits before that at most."""
LONGEST_BODY = 16 * 1024
"""Bytes of a request that writes."""
FIRST = {"rail": "watch", "arbiter": "arbiter"}
"""The page a link leads to first, below that of its game; whoever writes comes to the table."""
LASTS = 400 * 24 * 60 * 60
"""Seconds a browser keeps a link, which may end sooner here."""
NOBODY = Visitor("", SPECTATOR, "")
MOST_WORDS = 50
"""How many words may stand behind the question mark."""
SLOWEST_BODY = 10.0
"""Seconds in which the body of a request must have come."""
OTHER_STREAMS = ("/games/{id}/links",)
"""Pages of a game that show what stands in other streams of the log than its own."""
STATUS: tuple[tuple[type[Exception], HTTPStatus], ...] = (
    (UnknownGame, HTTPStatus.NOT_FOUND),
    (NoPly, HTTPStatus.NOT_FOUND),
    (Uninstalled, HTTPStatus.NOT_IMPLEMENTED),
    (Unfit, HTTPStatus.BAD_REQUEST),
    (Declined, HTTPStatus.CONFLICT),
    (Conflict, HTTPStatus.CONFLICT),
    (Unread, HTTPStatus.UNPROCESSABLE_ENTITY),
    (Damaged, HTTPStatus.INTERNAL_SERVER_ERROR),
    (ReadOnly, HTTPStatus.FORBIDDEN),
    (StoreFault, HTTPStatus.SERVICE_UNAVAILABLE),
    (Fault, HTTPStatus.BAD_REQUEST),
)
"""The status of each fault, the first that it is one of."""
_SAID = {
    404: "There is no such page; start from the games, the search or the rules.",
    405: "This address does not accept such a request; /openapi.json lists those it accepts.",
}
TOO_LONG = "What the rules say about this takes too long to work out here; the command line waits for the answer."
NOT_STORED = " Nothing was stored."
RACED = "Others kept writing to {id} at the same time. Nothing was stored; send it again."
ONLY_READ = "This desk may only read its log, so nothing was stored. Tell whoever runs the evening."
FULL = "The disk of this desk is full, so nothing was stored. Tell whoever runs the evening."
ODD = "The program itself has a fault; please report it with the address of this page."


def application(
    stores: Stores,
    key: str,
    hosts: Iterable[str],
    *,
    cookie: str = "cartulary",
    viewer: Viewer = EVERYTHING,
    files: Mapping[str, str] | None = None,
    writes: bool = False,
    proxy: str = "",
) -> ASGIApp:
    """Return the application.

    Args:
        stores: The database.
        key: What opens it.
        hosts: The names it answers to.
        cookie: The name of the cookie that keeps the key.
        viewer: Who looks with the key. If quiet, nobody is shown what the rules say of quiet records.
        files: The file each game was read from, by id, if the games are those of files.
        writes: Whether games are written here, and links lead to them.
        proxy: The address of the proxy that says for whom it asks, empty for none.
    """
    entrance = Entrance(stores, key, cookie, doors(), viewer=viewer, links=writes)
    places = Schedulers()
    serving = _Serving(entrance, files if files is not None and viewer.seat is None else {}, places)
    inside = Starlette(routes=serving.routes(), exception_handlers=serving.faults())
    return Guard(inside, entrance, hosts, places, proxy)


class _Serving:
    """What answers requests. places: where the work is done; answers: what was worked out before"""

    def __init__(self, entrance: Entrance, files: Mapping[str, str], places: Schedulers) -> None:
        self.entrance, self.stores, self.files = entrance, entrance.stores, files
        self.pages, self.places, self.answers = Pages(entrance.links), places, Answers()
        self.streams = Streams(entrance.stores, self.pages, places.reads)

    def routes(self) -> list[Route]:
        """Return the routes, twins before what they are the twins of: a name may hold a dot."""
        scripts = (SCRIPT, QUEUE_SCRIPT, TABLE_SCRIPT, WATCH_SCRIPT, AWAY_SCRIPT)
        bodies = [(self.pages.style, "text/css"), *((script, "text/javascript") for script in scripts)]
        bodies.append((ICON, "image/svg+xml"))
        found = [
            *(Route(path, _own(body, kind)) for path, (body, kind) in zip(OWN, bodies, strict=True)),
            Route(DESCRIBED, _own(msgspec.json.encode(described(self.entrance.links)), JSON)),
        ]
        if self.entrance.links:
            found += [Route(EVENTS, self._followed)]
            found += [Route(JOIN, self._joined, methods=["POST"]), Route(JOIN, _join)]
            found += [Route(deed.path, self._doing(deed), methods=["POST"]) for deed in DEEDS]
        for resource in resources(self.entrance.links):
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
            return await _placed(self.places.reads, request, lambda: self._answer(resource, json, request))

        return answer

    def _answer(self, resource: Resource, json: bool, request: Request) -> Response:
        """Return the answer of a route."""

        def made() -> Response:
            with self.entrance.store_for(request) as (store, target):
                if target.doorway is None:
                    raise Wrong(_SAID[404], HTTPStatus.NOT_FOUND)
                return self._made(resource, target.doorway.as_json, self._asked(resource, store, request))

        return self._said(request, json, made)

    def _said(self, request: Request, json: bool, made: Callable[[], Response]) -> Response:
        """Return an answer; of what goes wrong while it is made one that says so."""
        try:
            with limited(LONGEST):
                return made()
        except DeadlineExceeded:
            writes = request.method not in READING
            status = HTTPStatus.UNPROCESSABLE_ENTITY if writes else HTTPStatus.SERVICE_UNAVAILABLE
            return self._faulty(request, json, TOO_LONG + NOT_STORED * writes, status)
        except Wrong as fault:
            return self._faulty(request, json, str(fault), fault.status)
        except Away as fault:
            if isinstance(fault.__cause__, DiskFull):
                return self._faulty(request, json, FULL, HTTPStatus.INSUFFICIENT_STORAGE)
            return away(request)
        except (Fault, NotationError) as fault:
            outside = request.scope["visitor"].role != DESK  # is told nothing of where the log is
            if isinstance(fault, DiskFull):
                says = FULL if outside else str(fault)
                return self._faulty(request, json, says, HTTPStatus.INSUFFICIENT_STORAGE)
            if outside and is_away(fault):
                return away(request)
            status = next((status for kind, status in STATUS if isinstance(fault, kind)), HTTPStatus.BAD_REQUEST)
            says = ONLY_READ if outside and isinstance(fault, ReadOnly) else _sentence(fault)
            return self._faulty(request, json, says, status, fields=_fields(fault))
        except Exception as fault:
            if os.environ.get("CARTULARY_DEBUG"):
                raise
            sys.stderr.write(f"cartulary: The program itself has a fault: {visible(repr(fault))}\n")
            return self._faulty(request, json, ODD, HTTPStatus.INTERNAL_SERVER_ERROR)

    def _asked(self, resource: Resource, store: "api.Log", request: Request) -> Inquiry:
        """Return what a request asks for. Raises Wrong for a word the route does not know."""
        visitor: Visitor = request.scope["visitor"]
        try:
            query = request.scope["query_string"].decode("latin-1")
            words = parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_WORDS)
        except ValueError:
            raise Wrong(f"Too much was asked for at once; expected at most {MOST_WORDS} parameters.") from None
        for name, _ in words:
            if name not in (*resource.words, *(("as",) if visitor.link else ())):
                known = f"expected one of: {', '.join(resource.words)}" if resource.words else "expected none"
                raise Wrong(f"{name[:40]!r} is not a parameter of {resource.path}; {known}.")
        return self._inquiry(store, request, [(name, value) for name, value in words if name != "as"])

    def _inquiry(self, store: "api.Log", request: Request, words: Sequence[tuple[str, str]] = ()) -> Inquiry:
        visitor: Visitor = request.scope["visitor"]
        parts = self.entrance.target(request, store).parts
        return Inquiry(self.stores, store, visitor, parts, tuple(words), self.files)

    def _made(self, resource: Resource, json: bool, asked: Inquiry) -> Response:
        """Return the answer of a route, worked out once for all who see the same."""
        about = _depends_on(resource, json, asked)
        if about is None:
            return self._worked_out(resource, json, asked)
        return self.answers.once(about, lambda: self._worked_out(resource, json, asked))

    def _worked_out(self, resource: Resource, json: bool, asked: Inquiry) -> Response:
        if resource.whole is not None:
            body = resource.whole(asked)
            return Response(body, media_type="text/html", headers={"content-security-policy": _policy(resource, body)})
        with self.stores.indexed(asked.store) if resource.indexes else nullcontext(asked.store) as indexed:
            more = (indexed,) if resource.indexes else ()
            if json and resource.twin is not None:
                return Response(_json(resource.twin(asked, *more)), media_type=JSON)
            assert resource.page is not None
            values = resource.page(asked, *more)
            status = values.get("status", HTTPStatus.OK)
            return Response(self.pages.page(resource.template, values, asked.visitor), status, media_type="text/html")

    def _faulty(
        self,
        request: Request,
        json: bool,
        because: str,
        status: int,
        more: Mapping[str, str] | None = None,
        fields: Mapping[str, object] | None = None,
    ) -> Response:
        """Return the answer that something is not done, and why. more: headers; fields: of its twin"""
        headers = dict(more or {})
        if json:
            return Response(_json({"error": because} | dict(fields or {})), status, headers, JSON)
        id = request.scope.get(TARGET, Target()).id
        log = game_link(id, "log") if id and "log" not in request.scope["path"].split("/")[3:] else ""
        values = {
            "because": because,
            "title": HTTPStatus(status).phrase.capitalize(),
            "log": log if status != 404 else "",
        }
        return Response(self.pages.page("fault", values, request.scope["visitor"]), status, headers, "text/html")

    # --- following ---

    async def _followed(self, request: Request) -> Response:
        """Open a stream of the games that are asked for; one that may not be followed closes the door to all."""
        asked = request.query_params
        ids = list(dict.fromkeys(asked.getlist("game")))[:MOST_FOLLOWED]
        visitor: Visitor = request.scope["visitor"]
        address = address_of(request)
        if self.streams.full(visitor, address):
            return Response(
                _json({"error": "Too many people are already following; try again later."}),
                HTTPStatus.SERVICE_UNAVAILABLE,
                media_type=JSON,
            )

        def may_follow() -> dict[str, Visitor | None]:
            with limited(LONGEST):
                return {id: self.entrance.to_game(request, id) for id in ids}

        try:
            games = await self.places.lookups.run(may_follow, shares_of(visitor))
        except (Busy, DeadlineExceeded):
            return too_many()
        except Away:
            return away(request)
        if not games or None in games.values():
            return closed()
        try:
            followers = {id: follower(one, asked.multi_items()) for id, one in games.items() if one is not None}
        except Wrong as fault:
            return self._faulty(request, True, str(fault), fault.status)
        last = request.headers.get("last-event-id", "")
        places = last.split(",") if last else asked.getlist("since")
        since = {id: int(place) for id, place in zip(ids, places, strict=False) if re.fullmatch("[0-9]{1,9}", place)}
        return StreamingResponse(self.streams.follow(followers, since, address), media_type="text/event-stream")

    # --- writing ---

    def _doing(self, deed: Deed) -> Endpoint:
        """Return what does a deed: of one link one after the other, since a word after missed ones can take seconds.

        Those that write hold no place of those that read: they may have to wait for whoever else has the log.
        """
        scheduler = self.places.writes if deed.stores else self.places.reads

        async def answer(request: Request) -> Response:
            body = await _body(request)
            if body is None:
                return _late()
            return await _placed(
                scheduler, request, lambda: self._said(request, True, lambda: self._done(deed, body, request))
            )

        return answer

    def _done(self, deed: Deed, body: bytes, request: Request) -> Response:
        """Do what a request asks. If somebody else wrote at the same moment, try again on the game as it now stands.

        A request that names a version is tried again only once, because the writer may have been the same request, sent
        twice: then the second try finds its answer. Any other request is tried again until ``RACING`` seconds are over.
        """
        asks = _read(body, deed.asks)
        named = getattr(asks, "expected", None) is not None
        until = monotonic() + RACING
        for tries in count():
            try:
                with self.entrance.store_for(request) as (store, _):
                    done = deed.do(self._inquiry(store, request), asks)
                break
            except Conflict as fault:
                if (named and tries) or not fault.expected:  # there is such a game already
                    raise
                if monotonic() > until:
                    raise Wrong(RACED.format(id=fault.id), HTTPStatus.CONFLICT) from fault
                sleep(random() * PAUSE)
        self.streams.wake()
        status = HTTPStatus.OK if done.stored else HTTPStatus.UNPROCESSABLE_ENTITY
        return Response(_json(done.body), status, media_type=JSON)

    async def _joined(self, request: Request) -> Response:
        """Take a link up: the browser keeps what opens it from now on, and is told where it leads."""
        body = await _body(request)
        if body is None:
            return _late()
        request.scope["visitor"] = NOBODY
        return await _placed(
            self.places.writes, request, lambda: self._said(request, True, lambda: self._join(body, request))
        )

    def _join(self, body: bytes, request: Request) -> Response:
        made = self.entrance.join(_read(body, joining.JoinRequest).secret, request.cookies)
        if made is None:
            return closed()
        link = made.link
        comer = self.entrance.visitor_of(link)
        below = "table" if comer.may(WRITES) else FIRST.get(comer.role, "")
        to = visited(comer, link.game, *filter(None, (below,)))
        answer = Response(_json({"to": to}), media_type=JSON)
        secure = request.url.scheme == "https" or request.headers.get("origin", "").startswith("https:")
        name = self.entrance.cookie_of(link)
        answer.set_cookie(name, made.secret, LASTS, httponly=True, samesite="strict", path="/", secure=secure)
        return answer


async def _join(request: Request) -> Response:
    return Response(joining.PAGE, media_type="text/html", headers={"content-security-policy": joining.POLICY})


async def _placed(scheduler: Scheduler, request: Request, work: Callable[[], Response]) -> Response:
    """Return what work comes to, once there is a place for it; it ends where its client goes away."""
    visitor: Visitor = request.scope["visitor"]
    shares = shares_of(visitor, request.path_params.get("id", ""), address_of(request))
    async with client_of(request.receive) as client:
        try:
            return await scheduler.run(work, shares, client)
        except Busy:
            return too_many()
        except Departed:
            return Response(status_code=HTTPStatus.SERVICE_UNAVAILABLE)  # nobody reads it


async def _body(request: Request) -> bytes | None:
    """Return the body of a request, of one that is too long its beginning, longer than the most there may be.

    Return None where it does not come in time.
    """
    body = b""
    try:
        async with asyncio.timeout(SLOWEST_BODY):
            async for piece in request.stream():
                body += piece
                if len(body) > LONGEST_BODY:
                    break
    except TimeoutError:
        return None
    except ClientDisconnect:
        return b""
    return body


def _late() -> Response:
    error = {"error": "The request did not come in time. Nothing was stored."}
    return Response(_json(error), HTTPStatus.REQUEST_TIMEOUT, {"connection": "close"}, JSON)


def _depends_on(resource: Resource, json: bool, asked: Inquiry) -> Hashable | None:
    """Return everything an answer depends on, where that is one game as it stands; else None.

    Whoever sees the table late sees another game every second.
    """
    visitor, id = asked.visitor, asked.names.get("id", "")
    if not id or visitor.delay or resource.path in OTHER_STREAMS:
        return None
    head = asked.store.head(id)
    names = tuple(sorted(asked.names.items()))
    view = replace(visitor, link=int(bool(visitor.link)))
    return (resource.path, json, names, tuple(asked.words), view, head) if head is not None else None


def _read(body: bytes, type_: type[Asks]) -> Asks:
    """Return what a request says. Raises Wrong for what says nothing of the kind."""
    if len(body) > LONGEST_BODY:
        raise Wrong(
            f"The request is too long; expected at most {LONGEST_BODY // 1024} kB.", HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        )
    try:
        return msgspec.json.decode(body, type=type_)
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise Wrong(f"The request cannot be read: {visible(decode_fault(fault))}.") from None


def _fields(fault: Exception) -> dict[str, object]:
    """Return what a script needs of a fault: where somebody wrote first, and which word cannot be read."""
    if isinstance(fault, Conflict):
        return {"expected": fault.expected, "actual": fault.actual}
    return {"word": fault.text, "column": fault.column} if isinstance(fault, Unread) else {}


def _sentence(fault: Exception) -> str:
    because = fault.because if isinstance(fault, (NotationError, Unread)) else ""
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
        return policy()
    style = body.partition(b"<style>")[2].partition(b"</style>")[0]
    digest = b64encode(sha256(style).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
