"""The guard in front of every route: it checks the host name, finds out who asks, and adds headers to every answer.

Everybody without access gets the same answer whatever the request was, so that nothing can be learnt by asking: a game
that does not exist, a missing right, an expired link and a wrong key look alike.
"""

import asyncio
import sys
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cartulary.engine.deadline import DeadlineExceeded
from cartulary.web.joining import REFUSAL, REFUSAL_POLICY
from cartulary.web.rates import LONGEST, Buckets, time_limit
from cartulary.web.scheduling import OWN, SHARED, Busy, Schedulers, user_of
from cartulary.web.visitors import KEY_HEADER, Authenticator, LogUnreachable, Visitor

OWN_HEADER = "x-cartulary-desk"
"""A header that our pages send with every request that writes; a foreign page cannot add it."""
LOCAL = ("127.0.0.1", "localhost", "::1")
JOIN = "/join"
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load and run: our own style and script, and nothing else from anywhere."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
"""Headers of every answer, unless its page sets its own."""
NOT_ADMITTED = (
    "Nothing is shown here without a link or the key. If you followed the link on a card, ask whoever runs the evening "
    "for another card. If you run it, open the whole address that the server printed when it started.\n"
)
UNTRUSTED_PROXY = (
    "Requests come through a proxy at {0}, so all phones count as one address, and links and key are not kept for TLS "
    "alone. If that proxy is yours, start with --proxy {0}."
)
SILENT_PROXY = (
    "The proxy at {} does not say for whom it asks, so all phones count as one address. Let it set X-Forwarded-For and "
    "X-Forwarded-Proto."
)
LOG_UNREACHABLE = (
    "The desk cannot reach its log right now; try again in a moment. What waits on a table's page is kept and sent "
    "as soon as it can be."
)
"""The answer to everybody without the key while the log cannot be reached, because no link can be checked."""
RETRY_AFTER = "5"
"""Seconds after which a browser asks again for a page that could not be shown."""
READING = ("GET", "HEAD")
LIMITS = {
    "reads": (20, 300),
    "reads with many": (200, 6000),
    "writes": (10, 100),
    "joins": (2, 120),
    "knocks": (20, 600),
    "work": (0.25, 20),
    "work for many": (0.5, 60),
}
"""Rates and bursts: requests a second, and how many at once, for a link, for a link that many share, and for the
address of whoever joins or has neither link nor key. A whole club may share one address.

Work is counted in processor seconds: how many a link gains each second, and how many it can save up.
"""
WORKS = {OWN: "work", SHARED: "work for many"}
"""The limit that counts a link's work, by the prefix of its name."""
REFUSAL_PAUSE = 0.3
"""Seconds before a client that asks too often gets its answer, so that one that does not wait costs less."""
FORWARDED_FOR, FORWARDED_PROTO = "x-forwarded-for", "x-forwarded-proto"
"""Headers in which a proxy names its client, and whether that client used TLS."""


class Guard:
    """An application that checks each request first; the scope of one that passes has the visitor as ``visitor``."""

    def __init__(
        self, inside: ASGIApp, authenticator: Authenticator, hosts: Iterable[str], places: Schedulers, proxy: str = ""
    ) -> None:
        """Put the guard in front of an application.

        Args:
            inside: The application.
            authenticator: Finds out who sent a request.
            hosts: The host names the server answers to.
            places: The schedulers in which a visitor is looked up.
            proxy: The address of the one proxy whose forwarding headers are believed, empty for none.
        """
        self.inside, self.authenticator, self.places = inside, authenticator, places
        self.hosts = frozenset(map(str.lower, hosts))
        self.proxy = ip_address(proxy) if proxy else None
        self.buckets = {does: Buckets(rate, burst) for does, (rate, burst) in LIMITS.items()}
        places.meter = self._charge
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on if its sender may send it; else answer with the refusal. Every answer gets ``HEADERS``."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        self._read_forwarding(scope)
        request = Request(scope)

        async def sending(message: Message) -> None:
            """Send a part of the answer to the server, with the headers of every answer added to its start.

            A redirection is made relative, because a proxy may call this server by another name.
            """
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if "location" in headers:  # a proxy may call this server by another name
                    to = urlsplit(headers["location"])
                    here = to._replace(scheme="", netloc="", path=f"/{to.path.lstrip('/')}")
                    headers["location"] = here.geturl()
            await send(message)

        refused = await self._refusal(request)
        if refused is not None and refused.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            await asyncio.sleep(REFUSAL_PAUSE)
        await (refused or self.inside)(scope, receive, sending)

    def _read_forwarding(self, scope: Scope) -> None:
        """Put the client that the trusted proxy names into the scope, with the scheme it used, http or https.

        Forwarding headers from anybody else are ignored. The first such header, and a trusted proxy that sends none, is
        reported once on standard error.
        """
        headers, client = Headers(scope=scope), scope.get("client")
        clients = ",".join(headers.getlist(FORWARDED_FOR))
        if self.proxy is None or client is None or not _same(client[0], self.proxy):
            if clients and self.proxy is None and client is not None:
                self._warn_once(UNTRUSTED_PROXY.format(client[0]))
            return
        if not clients:
            self._warn_once(SILENT_PROXY.format(client[0]))
            return
        if address := _address_in(
            clients.rpartition(",")[2].strip()
        ):  # the proxy adds the last; the rest may be forged
            scope["client"] = (address, 0)
        if ",".join(headers.getlist(FORWARDED_PROTO)).rpartition(",")[2].strip().lower() == "https":
            scope["scheme"] = "https"

    def _warn_once(self, sentence: str) -> None:
        """Write a warning to standard error, unless this server has written any warning before."""
        if not self._warned:
            self._warned = True
            sys.stderr.write(f"cartulary: {sentence}\n")

    def _charge(self, user: str, seconds: float) -> None:
        """Take the processor seconds of a link's work from its allowance.

        Args:
            user: Who worked, as ``user_of`` names it. Nothing is taken from the operator, who has no allowance.
            seconds: How long the work took.
        """
        if does := WORKS.get(user.partition(" ")[0]):
            self.buckets[does].spend(user, seconds)

    async def _refusal(self, request: Request) -> Response | None:
        """Return the response to a request that may not pass; None if it may, and then its scope has the visitor.

        A wrong host name gives 421. The address / is always answered here, with a redirection to the list of games or a
        refusal. The address to take up a link passes without a visitor.
        """
        host = _name(request.headers.get("host", ""))
        if host not in self.hosts and not _is_server_address(host, request):
            sentence = (
                f"This server does not answer to the name {host[:80]!a}; to make it do so, start it with --allow-host."
                if host
                else "This server does not answer requests without a host name."
            )
            return PlainTextResponse(f"{sentence}\n", HTTPStatus.MISDIRECTED_REQUEST)
        path = request.scope["path"]
        if path == "/":
            return self._redirect_home(request)
        if path == JOIN and self.authenticator.links and request.method in (*READING, "POST"):
            return self._write_refusal(request) or self._too_many(request, None)
        visitor = await self._visitor(request)
        if isinstance(visitor, Response):
            return visitor
        request.scope["visitor"] = visitor
        return self._write_refusal(request) or self._too_many(request, visitor)

    async def _visitor(self, request: Request) -> Visitor | Response:
        """Return who sent a request, or the response that refuses it.

        It is 404 for nobody with access, 429 for too many requests, and 503 if the log cannot be reached.
        """
        authenticator = self.authenticator
        if authenticator.holds_key(request):
            return authenticator.as_operator()
        has_cookie = bool(authenticator.link_cookies(request.cookies))
        if not has_cookie and (refused := self._too_many(request, None)):  # before the log is read
            return refused

        def look_up() -> Visitor | None:
            """Return who sent the request by a link that may ask for its path; None if no link may."""
            with time_limit(LONGEST):
                return authenticator.by_link(request)

        try:
            visitor, answer = await self.places.lookups.run(look_up, self._shares(request)), not_admitted(request)
        except (Busy, DeadlineExceeded):
            visitor, answer = None, too_many()
        except LogUnreachable:
            visitor, answer = None, log_unreachable(request)
        return visitor or (self._too_many(request, None) if has_cookie else None) or answer

    def _redirect_home(self, request: Request) -> Response:
        """Return the response to a request for /, which for the operator redirects to the list of games.

        Everybody else is refused. A right key in the address becomes a cookie, so that it does not stay in the address.
        """
        authenticator = self.authenticator
        keys = parse_qs(request.scope["query_string"].decode("latin-1")).get("key", [])
        if request.method not in READING or not (
            any(map(authenticator.is_key, keys)) or authenticator.holds_key(request)
        ):
            return self._too_many(request, None) or not_admitted(request)
        response = RedirectResponse("/games", HTTPStatus.SEE_OTHER)
        if keys:
            secure = request.url.scheme == "https"
            response.set_cookie(
                authenticator.cookie, authenticator.key, httponly=True, samesite="strict", path="/", secure=secure
            )
        return response

    def _shares(self, request: Request) -> dict[str, int]:
        """Return for whom a visitor is looked up, with how many places of the scheduler each may hold at once.

        These are the browser, known by its link cookies, and the game if the path names one: ``{"browser 9f…": 1,
        "table g": 1}``.
        """
        browser = sha256(repr(self.authenticator.link_cookies(request.cookies)).encode("utf-8", "replace")).hexdigest()
        about = request.scope["path"].split("/")[2:3] if request.scope["path"].startswith("/games/") else []
        return {f"browser {browser}": 1} | {f"table {id}": 1 for id in about}

    def _write_refusal(self, request: Request) -> Response | None:
        """Return the response that refuses a write from a page of another site (403), or one that is not JSON (415).

        None for a write that may pass, and for all requests that only read.
        """
        if request.method in READING:
            return None
        headers = request.headers
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
        foreign = origin is not None and urlsplit(origin).netloc != headers.get("host")
        if foreign or site not in ("same-origin", "none") or not (OWN_HEADER in headers or KEY_HEADER in headers):
            return _json_error("Write from a page of this server, or with its key.", HTTPStatus.FORBIDDEN)
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return _json_error("Send what you write as application/json.", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        return None

    def _too_many(self, request: Request, visitor: Visitor | None) -> Response | None:
        """Return the 429 for a link or an address that has sent too many requests; None if this one may pass.

        The request is counted. The operator is never refused.

        Args:
            request: The request.
            visitor: Who sent it; None for somebody who is not known yet, who is counted by address.
        """
        if visitor is None:
            name = address_of(request)
            does = "joins" if request.method == "POST" and request.scope["path"] == JOIN else "knocks"
        elif visitor.link:
            name, reads = str(visitor.link), "reads with many" if visitor.shared else "reads"
            does = reads if request.method in READING else "writes"
            user = user_of(visitor)
            if not self.buckets[WORKS[user.partition(" ")[0]]].has(user):
                return too_many()
        else:
            return None
        return None if self.buckets[does].take(name) else too_many()


def address_of(request: Request) -> str:
    """Return the address a request comes from, such as ``10.0.0.7``; empty if the server does not know it."""
    return request.client.host if request.client is not None else ""


def too_many() -> Response:
    """Return the response, 429, to a client that sends too many requests or causes too much work.

    It asks the client to try again after a second, and a browser to load the page again.
    """
    answer = _json_error("Too much was asked for at once; wait a second.", HTTPStatus.TOO_MANY_REQUESTS)
    answer.headers["retry-after"] = "1"
    answer.headers["refresh"] = "2"  # a page that was being loaded is loaded again
    return answer


def not_admitted(request: Request) -> Response:
    """Return the one response to everybody without access, 404: it does not say whether there is such a page.

    It is a page for a browser that asks for one, and a plain text for everything else.
    """
    if request.method in READING and "text/html" in request.headers.get("accept", ""):
        policy = {"content-security-policy": REFUSAL_POLICY}
        return Response(REFUSAL, HTTPStatus.NOT_FOUND, policy, "text/html")
    return PlainTextResponse(NOT_ADMITTED, HTTPStatus.NOT_FOUND)


def log_unreachable(request: Request) -> Response:
    """Return the one response, 503, to everybody without the key while the log cannot be reached.

    It is a plain text for somebody who reads a page, and JSON for writes and JSON views.
    """
    headers = {"retry-after": RETRY_AFTER, "refresh": RETRY_AFTER}
    if request.method in READING and not request.scope["path"].endswith(".json"):
        return PlainTextResponse(f"{LOG_UNREACHABLE}\n", HTTPStatus.SERVICE_UNAVAILABLE, headers)
    return JSONResponse({"error": LOG_UNREACHABLE}, HTTPStatus.SERVICE_UNAVAILABLE, headers)


def _json_error(sentence: str, status: HTTPStatus) -> Response:
    """Return a response with this status and a sentence as JSON: ``{"error": "…"}``."""
    return JSONResponse({"error": sentence}, status)


def _address_in(client: str) -> str:
    """Return the IP address in a forwarding header without its port: ``[::1]:80`` gives ``::1``.

    The text is empty if there is no address in the header.
    """
    for text in (client, client.rpartition(":")[0]):
        with suppress(ValueError):
            return str(ip_address(text.strip("[]")))
    return ""


def _same(address: str, proxy: IPv4Address | IPv6Address) -> bool:
    """Say whether an address is the proxy's; an IPv4 address may be written as IPv6, ``::ffff:10.0.0.1``.

    A text that is no IP address gives False.
    """
    try:
        here = ip_address(address)
    except ValueError:
        return False
    return proxy in (here, getattr(here, "ipv4_mapped", None))


def _is_server_address(host: str, request: Request) -> bool:
    """Say whether a host, without its port, is the IP address at which the request arrived at this server.

    No name of another site can lead to such a host. A host that is a name gives False.
    """
    try:
        return ip_address(host) == ip_address((request.scope.get("server") or ("",))[0])
    except ValueError:
        return False


def _name(host: str) -> str:
    """Return the name in a Host header in small letters, without its port: ``Desk.Example:80`` gives ``desk.example``.

    The brackets around an IPv6 address are dropped.
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()
