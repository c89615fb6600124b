"""The web application: the function that answers each route, inside the guard."""

import asyncio
import re
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
from cartulary.notation.cgn.controls import visible
from cartulary.notation.viewer import EVERYTHING, SPECTATOR, Viewer
from cartulary.records import api
from cartulary.records.faults import Conflict, decode_fault
from cartulary.records.sheets.replay_page import policy
from cartulary.records.state.people import STREAM as PEOPLE
from cartulary.web import joining, seat
from cartulary.web.actions import Action
from cartulary.web.answers import Answers
from cartulary.web.assets import ASSETS
from cartulary.web.compression import compress, takes_gzip
from cartulary.web.fault_answers import LOST_RACE, NO_ROUTE, FaultAnswer, answer_to
from cartulary.web.following import MOST_FOLLOWED
from cartulary.web.guard import JOIN, READING, Guard, address_of, log_unreachable, not_admitted, too_many
from cartulary.web.inquiry import Inquiry, RequestFault
from cartulary.web.pages import Pages, game_link, game_link_for
from cartulary.web.parts import only_parts
from cartulary.web.rates import LONGEST, time_limit
from cartulary.web.routes import ACTIONS, EVENTS, OPENAPI_PATH, Resource, access_rules, openapi, resources
from cartulary.web.scheduling import Busy, ClientGone, Scheduler, Schedulers, client_of, shares_of
from cartulary.web.screen import follower
from cartulary.web.stores import Stores
from cartulary.web.streams import Streams
from cartulary.web.visitors import OPERATOR, TARGET, WRITES, Authenticator, LogUnreachable, Target, Visitor

Endpoint: TypeAlias = Callable[..., Awaitable[Response]]
JSON = "application/json"
Body = TypeVar("Body")
RACING = 6.0
"""Seconds for which a request that names no version is tried again while others write to the same game."""
PAUSE = 0.02
"""Seconds to wait at most before it is tried again."""
LONGEST_BODY = 16 * 1024
"""Bytes that the body of a request may have."""
FIRST_PAGES = {"rail": "watch", "arbiter": "arbiter"}
"""The page that a link leads to first, below that of its game, by role; whoever writes comes to the table."""
COOKIE_SECONDS = 400 * 24 * 60 * 60
"""Seconds for which a browser keeps a link; the link itself may end sooner."""
NOBODY = Visitor("", SPECTATOR, "")
MOST_PARAMETERS = 50
"""How many query parameters a request may have."""
SLOWEST_BODY = 10.0
"""Seconds in which the body of a request must have come."""
OTHER_STREAMS = ("/games/{id}/links",)
"""Pages of a game that show what stands in other streams of the log than its own, and so are never cached."""


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
    """Return the whole web application, inside the guard that refuses requests which may not pass.

    Args:
        stores: The pool of the log.
        key: The key of the operator, who may see and write everything.
        hosts: The host names to answer to.
        cookie: The name of the cookie that holds the key.
        viewer: As whom the operator looks. If quiet, nobody is shown verdicts on quiet records.
        files: The file that each game was read from, by id, if the log was made from files; a server that shows the
            view of a seat does not use it.
        writes: Whether games are written here, and links open them.
        proxy: The address of the proxy whose forwarding headers are believed, empty for none.
    """
    authenticator = Authenticator(stores, key, cookie, access_rules(), viewer=viewer, links=writes)
    schedulers = Schedulers()
    endpoints = _Endpoints(authenticator, files if files is not None and viewer.seat is None else {}, schedulers)
    inside = Starlette(routes=endpoints.routes(), exception_handlers=endpoints.exception_handlers())
    return Guard(inside, authenticator, hosts, schedulers, proxy)


class _Endpoints:
    """The functions that answer the requests of each route, and what they share."""

    def __init__(self, authenticator: Authenticator, files: Mapping[str, str], schedulers: Schedulers) -> None:
        self.authenticator, self.stores, self.files = authenticator, authenticator.stores, files
        self.pages, self.schedulers, self.answers = Pages(authenticator.links), schedulers, Answers()
        self.streams = Streams(authenticator.stores, self.pages, schedulers.reads)

    def routes(self) -> list[Route]:
        """Return the routes in the order in which they are matched.

        A JSON view comes before its page, because the id of a game may hold a dot. Without links there are no routes
        for events, for joining and for writing.
        """
        routes = [
            *(Route(path, _asset_endpoint(body, kind)) for path, (body, kind) in ASSETS.items()),
            Route(OPENAPI_PATH, _asset_endpoint(msgspec.json.encode(openapi(self.authenticator.links)), JSON)),
        ]
        if self.authenticator.links:
            routes += [Route(EVENTS, self._stream)]
            routes += [Route(JOIN, self._take_up_link, methods=["POST"]), Route(JOIN, _join_page)]
            routes += [Route(action.path, self._action_endpoint(action), methods=["POST"]) for action in ACTIONS]
        for resource in resources(self.authenticator.links):
            if resource.json_view is not None:
                routes.append(Route(f"{resource.path}.json", self._resource_endpoint(resource, json=True)))
            routes.append(Route(resource.path, self._resource_endpoint(resource, json=False)))
        return routes

    def exception_handlers(self) -> dict[Any, Endpoint]:
        """Return the function that answers requests which no route matches, under the class of exception it handles.

        The answer is JSON if the path ends with ``.json``, else a page.
        """

        async def answer(request: Request, fault: HTTPException) -> Response:
            """Answer with the fault as JSON if the path ends with ``.json``, else as a page.

            The status is that of the fault.
            """
            json = request.scope["path"].endswith(".json")
            sentence = NO_ROUTE.get(fault.status_code, fault.detail)
            return self._fault_response(request, json, FaultAnswer(sentence, fault.status_code), fault.headers)

        return {HTTPException: answer}

    # --- reading ---

    def _resource_endpoint(self, resource: Resource, json: bool) -> Endpoint:
        """Return the function that answers requests for a page, or for its JSON view if ``json`` is true.

        It waits for a place in the scheduler, and packs the response if the client takes gzip.
        """

        async def answer(request: Request) -> Response:
            return await _schedule(
                self.schedulers.reads,
                request,
                lambda: compress(only_parts(self._resource_response(resource, json, request), request), request),
            )

        return answer

    def _resource_response(self, resource: Resource, json: bool, request: Request) -> Response:
        """Return the response to a request for a page or its JSON view, from the cache if it is there.

        Faults become responses too. Whether a path that ends with ``.json`` is the page of a game of that name is
        decided here; ``json`` only says in which form a fault is answered.
        """

        def make() -> Response:
            """Return the response, from a store that is checked out for it.

            Raise RequestFault, 404, if no route fits.
            """
            with self.authenticator.store_for(request) as (store, target):
                if target.rule is None:
                    raise RequestFault(NO_ROUTE[404], HTTPStatus.NOT_FOUND)
                return self._cached_response(
                    resource, target.rule.as_json, self._read_inquiry(resource, store, request)
                )

        return self._respond(request, json, make)

    def _respond(self, request: Request, json: bool, make: Callable[[], Response]) -> Response:
        """Return the response that ``make`` makes, or one that says why it could not.

        Args:
            request: The request.
            json: Whether a fault is answered as JSON, instead of as a page.
            make: Makes the response. Whatever it raises, also for lack of time after ``LONGEST`` seconds, becomes a
                response.
        """
        try:
            with time_limit(LONGEST):
                return make()
        except Exception as fault:
            is_operator = request.scope["visitor"].role == OPERATOR
            answer = answer_to(fault, is_operator=is_operator, writes=request.method not in READING)
            return log_unreachable(request) if answer is None else self._fault_response(request, json, answer)

    def _read_inquiry(self, resource: Resource, store: "api.Log", request: Request) -> Inquiry:
        """Return a request for a resource, with its query parameters but without ``as``, which names a role.

        Raises:
            RequestFault: The resource has no such parameter, or there are too many.
        """
        visitor: Visitor = request.scope["visitor"]
        try:
            query = request.scope["query_string"].decode("latin-1")
            parameters = parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_PARAMETERS)
        except ValueError:
            raise RequestFault(
                f"Too much was asked for at once; expected at most {MOST_PARAMETERS} parameters."
            ) from None
        for name, _ in parameters:
            if name not in (*resource.parameters, *(("as",) if visitor.link else ())):
                known = f"expected one of: {', '.join(resource.parameters)}" if resource.parameters else "expected none"
                raise RequestFault(f"{name[:40]!r} is not a parameter of {resource.path}; {known}.")
        return self._inquiry(store, request, [(name, value) for name, value in parameters if name != "as"])

    def _inquiry(self, store: "api.Log", request: Request, parameters: Sequence[tuple[str, str]] = ()) -> Inquiry:
        """Return a request in the form that its handler takes.

        It holds the visitor, the named parts of the path, and the given query parameters as pairs of name and value.
        """
        visitor: Visitor = request.scope["visitor"]
        parts = self.authenticator.target(request, store).parts
        return Inquiry(self.stores, store, visitor, parts, tuple(parameters), self.files)

    def _cached_response(self, resource: Resource, json: bool, inquiry: Inquiry) -> Response:
        """Return the response to an inquiry.

        A response about a single game is made once for all visitors who have the same view, and again after the game
        has changed; others are made each time.
        """
        about = _cache_key(resource, json, inquiry)
        if about is None:
            return self._make_response(resource, json, inquiry)
        return self.answers.once(about, lambda: self._make_response(resource, json, inquiry))

    def _make_response(self, resource: Resource, json: bool, inquiry: Inquiry) -> Response:
        """Make the document, the JSON view or the page of a resource, and return it as the response.

        A document that is not HTML is sent as a file to be saved. What the functions of the resource raise is not
        caught.
        """
        if resource.document is not None:
            body = resource.document(inquiry)
            if resource.media_type != "text/html":
                name = resource.path.rpartition("/")[2]
                headers = {"content-disposition": f'attachment; filename="{name}"'}
                return Response(body, media_type=resource.media_type, headers=headers)
            return Response(body, media_type="text/html", headers={"content-security-policy": _policy(resource, body)})
        with self.stores.indexable(inquiry.store) if resource.needs_index else nullcontext(inquiry.store) as indexed:
            more = (indexed,) if resource.needs_index else ()
            if json and resource.json_view is not None:
                return Response(_json_bytes(resource.json_view(inquiry, *more)), media_type=JSON)
            assert resource.page is not None
            values = resource.page(inquiry, *more)
            status = values.get("status", HTTPStatus.OK)
            return Response(self.pages.page(resource.template, values, inquiry.visitor), status, media_type="text/html")

    def _fault_response(
        self, request: Request, json: bool, answer: FaultAnswer, headers: Mapping[str, str] | None = None
    ) -> Response:
        """Return the response to a fault, as JSON or as a page.

        The JSON is ``{"error": …}`` with the fields of the answer. The page links to the log of the game that the
        request is about, unless the status is 404 or the request was about that log.

        Args:
            request: The request, in whose scope the visitor stands.
            json: Whether to answer as JSON.
            answer: The sentence, the status and more fields.
            headers: Headers to send with it.
        """
        status = answer.status
        if json:
            return Response(
                _json_bytes({"error": answer.sentence} | dict(answer.fields)),
                status,
                dict(headers or {}),
                JSON,
            )
        id = request.scope.get(TARGET, Target()).id
        log = game_link(id, "log") if id and "log" not in request.scope["path"].split("/")[3:] else ""
        values = {
            "because": answer.sentence,
            "title": HTTPStatus(status).phrase.capitalize(),
            "log": log if status != 404 else "",
        }
        page = self.pages.page("fault", values, request.scope["visitor"])
        return Response(page, status, dict(headers or {}), "text/html")

    # --- following ---

    async def _stream(self, request: Request) -> Response:
        """Open a stream of events of the games that the query names with ``game``, at most ``MOST_FOLLOWED``.

        If one of them may not be followed, none is, and the answer is 404. It is 503 if there are too many streams or
        the log cannot be reached, and 429 if no place came free. ``since`` or the header Last-Event-ID says for each
        game after which version to begin; ``boards=no`` leaves out the drawings.
        """
        query = request.query_params
        ids = list(dict.fromkeys(query.getlist("game")))[:MOST_FOLLOWED]
        visitor: Visitor = request.scope["visitor"]
        address = address_of(request)
        if self.streams.is_full(visitor, address):
            return Response(
                _json_bytes({"error": "Too many people are already following; try again later."}),
                HTTPStatus.SERVICE_UNAVAILABLE,
                media_type=JSON,
            )

        def may_follow() -> dict[str, Visitor | None]:
            """Return as whom each game may be followed, by its id; None for one that may not."""
            with time_limit(LONGEST):
                return {id: self.authenticator.to_game(request, id) for id in ids}

        try:
            games = await self.schedulers.lookups.run(may_follow, shares_of(visitor))
        except (Busy, DeadlineExceeded):
            return too_many()
        except LogUnreachable:
            return log_unreachable(request)
        if not games or None in games.values():
            return not_admitted(request)
        try:
            followers = {id: follower(one, query.multi_items()) for id, one in games.items() if one is not None}
        except RequestFault as fault:
            return self._fault_response(request, True, FaultAnswer(str(fault), fault.status))
        last = request.headers.get("last-event-id", "")
        places = last.split(",") if last else query.getlist("since")
        since = {id: int(place) for id, place in zip(ids, places, strict=False) if re.fullmatch("[0-9]{1,9}", place)}
        packed = takes_gzip(request)
        headers = {"vary": "accept-encoding"} | ({"content-encoding": "gzip"} if packed else {})
        boards = query.get("boards") != "no"
        stream = self.streams.follow(followers, since, address, packed=packed, boards=boards)
        return StreamingResponse(stream, media_type="text/event-stream", headers=headers)

    # --- writing ---

    def _action_endpoint(self, action: Action) -> Endpoint:
        """Return the function that answers requests for an action, such as playing a word.

        Actions that store have places of their own, because they may wait for another program that holds the log. A
        link has one place, so its actions run one after the other: a word after missing ones can take seconds.
        """
        scheduler = self.schedulers.writes if action.stores else self.schedulers.reads

        async def answer(request: Request) -> Response:
            body = await _read_body(request)
            if body is None:
                return _timeout_response()
            return await _schedule(
                scheduler,
                request,
                lambda: self._respond(request, True, lambda: self._carry_out(action, body, request)),
            )

        return answer

    def _carry_out(self, action: Action, body: bytes, request: Request) -> Response:
        """Carry out an action, and return its answer as JSON; the status is 422 if nothing was stored.

        If somebody else writes at the same moment, it is tried again on the game as it then stands. A request that
        names a version is tried again only once, because the writer may have been the same request, sent twice: then
        the second try finds its answer. Any other request is tried again until ``RACING`` seconds are over.

        Raises:
            RequestFault: The body cannot be read, or others have written for all that time; then the status is 409.
            Conflict: The version that the request names is no longer the last one.
        """
        decoded = _decode(body, action.body_type)
        names_version = getattr(decoded, "expected", None) is not None
        until = monotonic() + RACING
        for tries in count():
            try:
                with self.authenticator.store_for(request) as (store, _):
                    result = action.carry_out(self._inquiry(store, request), decoded)
                break
            except Conflict as fault:
                if (names_version and tries) or not fault.expected:  # 0: a game with the id of a new one exists
                    raise
                if monotonic() > until:
                    raise RequestFault(LOST_RACE.format(id=fault.id), HTTPStatus.CONFLICT) from fault
                sleep(random() * PAUSE)
        self.streams.wake()
        status = HTTPStatus.OK if result.stored else HTTPStatus.UNPROCESSABLE_ENTITY
        return Response(_json_bytes(result.body), status, media_type=JSON)

    async def _take_up_link(self, request: Request) -> Response:
        """Exchange the secret of a link, in the body, for a cookie, and answer with the address that the link leads to.

        If the body does not come in time the answer is 408.
        """
        body = await _read_body(request)
        if body is None:
            return _timeout_response()
        request.scope["visitor"] = NOBODY
        return await _schedule(
            self.schedulers.writes, request, lambda: self._respond(request, True, lambda: self._join(body, request))
        )

    def _join(self, body: bytes, request: Request) -> Response:
        """Return the response that sets the cookie of a link, with the page to go to: ``{"to": ADDRESS}``.

        If the secret in the body opens nothing, it is the answer to everybody without access, 404.
        """
        made = self.authenticator.join(_decode(body, joining.JoinRequest).secret, request.cookies)
        if made is None:
            return not_admitted(request)
        link = made.link
        visitor = self.authenticator.visitor_of(link)
        below = "table" if visitor.may(WRITES) else FIRST_PAGES.get(visitor.role, "")
        to = seat.PAGE if link.evening else game_link_for(visitor, link.game, *filter(None, (below,)))
        answer = Response(_json_bytes({"to": to}), media_type=JSON)
        secure = request.url.scheme == "https" or request.headers.get("origin", "").startswith("https:")
        name = self.authenticator.cookie_of(link)
        answer.set_cookie(name, made.secret, COOKIE_SECONDS, httponly=True, samesite="strict", path="/", secure=secure)
        return answer


async def _join_page(request: Request) -> Response:
    """Answer with the page that takes up a link.

    The same for every link, since the secret comes after # in its address.
    """
    return Response(joining.PAGE, media_type="text/html", headers={"content-security-policy": joining.POLICY})


async def _schedule(scheduler: Scheduler, request: Request, work: Callable[[], Response]) -> Response:
    """Run work for a request in a thread once the scheduler has a place, and return its response.

    It is 429 if there are too many requests. If the client goes away the work is dropped.
    """
    visitor: Visitor = request.scope["visitor"]
    shares = shares_of(visitor, request.path_params.get("id", ""), address_of(request))
    async with client_of(request.receive) as client:
        try:
            return await scheduler.run(work, shares, client)
        except Busy:
            return too_many()
        except ClientGone:
            return Response(status_code=HTTPStatus.SERVICE_UNAVAILABLE)  # nobody reads it


async def _read_body(request: Request) -> bytes | None:
    """Return the body of a request; None if it does not come within ``SLOWEST_BODY`` seconds.

    Reading stops once the body is longer than ``LONGEST_BODY``, so that ``_decode`` can refuse it. If the client goes
    away it is empty.
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


def _timeout_response() -> Response:
    """Return the response, 408, to a request whose body did not come in time."""
    error = {"error": "The request did not come in time. Nothing was stored."}
    return Response(_json_bytes(error), HTTPStatus.REQUEST_TIMEOUT, {"connection": "close"}, JSON)


def _cache_key(resource: Resource, json: bool, inquiry: Inquiry) -> Hashable | None:
    """Return everything that a response depends on; None if it must not be cached.

    Only what shows a single game, as it stands now, is cached: the head of its log changes with every event, and that
    of the people with every name that is shown otherwise. A delayed viewer sees another game every second.
    """
    visitor, id = inquiry.visitor, inquiry.path_parts.get("id", "")
    if not id or visitor.delay or resource.path in OTHER_STREAMS:
        return None
    head = inquiry.store.head(id)
    names = tuple(sorted(inquiry.path_parts.items()))
    view = replace(visitor, link=int(bool(visitor.link)))
    if head is None:
        return None
    return resource.path, json, names, tuple(inquiry.parameters), view, head, inquiry.store.head(PEOPLE)


def _decode(body: bytes, body_type: type[Body]) -> Body:
    """Return the body of a request, which is JSON, as a value of its type.

    Raises:
        RequestFault: It is too long (status 413), is not JSON, or lacks a field or has one too many (status 400).
    """
    if len(body) > LONGEST_BODY:
        raise RequestFault(
            f"The request is too long; expected at most {LONGEST_BODY // 1024} kB.", HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        )
    try:
        return msgspec.json.decode(body, type=body_type)
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise RequestFault(f"The request cannot be read: {visible(decode_fault(fault))}.") from None


def _asset_endpoint(body: bytes, kind: str) -> Endpoint:
    """Return a function that answers every request with the same bytes, which browsers may keep for an hour.

    Args:
        body: The bytes.
        kind: Their media type, such as ``text/css``.
    """

    async def answer(request: Request) -> Response:
        return compress(Response(body, media_type=kind, headers={"cache-control": "private, max-age=3600"}), request)

    return answer


def _json_bytes(value: object) -> bytes:
    """Return a value as one line of JSON in UTF-8, with its line break; control characters are made visible."""
    return visible(msgspec.json.encode(value).decode()).encode() + b"\n"


def _policy(resource: Resource, body: bytes) -> str:
    """Return the content security policy of an HTML document: which scripts and styles the browser may run.

    A replay may run its own script. A score sheet has no script, and of styles only the one in ``body``.
    """
    if resource.path.endswith("replay"):
        return policy()
    style = body.partition(b"<style>")[2].partition(b"</style>")[0]
    digest = b64encode(sha256(style).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
