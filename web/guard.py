"""The guard in front of every route: which host name was used, who asks, and what every answer carries.

Whoever may not come in is told the same whatever was asked for, so that nothing can be learnt by asking: no game, no
right to it, a link that is over and a key that is wrong are one answer.
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
from cartulary.web.rates import LONGEST, Buckets, limited
from cartulary.web.scheduling import OWN, SHARED, Busy, Schedulers, user_of
from cartulary.web.who import HEADER, Away, Entrance, Visitor

OWN_HEADER = "x-cartulary-desk"
"""Borne by every request of our pages that writes; a foreign page cannot add it."""
LOCAL = ("127.0.0.1", "localhost", "::1")
JOIN = "/join"
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load and run: our own style and script, and nothing else from anywhere."""
BORNE = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
"""What every answer bears, unless its page has a header of its own."""
CLOSED = (
    "Nothing is shown here without a link or the key. If you followed the link on a card, ask whoever runs the evening "
    "for another card. If you run it, open the whole address that the server printed when it started.\n"
)
UNNAMED = (
    "Requests come through a proxy at {0}, so all phones count as one address, and links and key are not kept for TLS "
    "alone. If that proxy is yours, start with --proxy {0}."
)
SILENT = (
    "The proxy at {} does not say for whom it asks, so all phones count as one address. Let it set X-Forwarded-For and "
    "X-Forwarded-Proto."
)
AWAY = (
    "The desk cannot reach its log right now; try again in a moment. What waits on a table's page is kept and sent "
    "as soon as it can be."
)
"""What everybody without the key is told then, whatever they asked for: nobody can be told from anybody else."""
LATER = "5"
"""Seconds after which a page that could not be shown is asked for again."""
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
"""How often anything may be done, in requests a second, and how many at once: by a link, one that many share, or an
address for whoever joins or has nothing that opens a door. A whole club may stand behind one address.

Work is counted in seconds of a processor: how many a link has each second, and how many it can save up.
"""
WORKS = {OWN: "work", SHARED: "work for many"}
"""Which of these counts the work of a link, by how its name begins."""
PAUSE = 0.3
"""Seconds after which whoever asks too often is told so: who asks on without waiting costs less then."""
FORWARDED_FOR, FORWARDED_PROTO = "x-forwarded-for", "x-forwarded-proto"
"""Where a proxy says for whom it asks, and whether that was over TLS."""


class Guard:
    """An application behind the guard. The scope of a request that passes holds who asks as ``visitor``."""

    def __init__(
        self, inside: ASGIApp, entrance: Entrance, hosts: Iterable[str], places: Schedulers, proxy: str = ""
    ) -> None:
        """hosts: the names it answers to; places: where it is found out who asks

        proxy: the address of the proxy that is believed when it says for whom it asks, empty for none
        """
        self.inside, self.entrance, self.places = inside, entrance, places
        self.hosts = frozenset(map(str.lower, hosts))
        self.proxy = ip_address(proxy) if proxy else None
        self.buckets = {does: Buckets(rate, burst) for does, (rate, burst) in LIMITS.items()}
        places.meter = self._measured
        self._told = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass whose sender is known; answer every other one alike."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        self._forwarded(scope)
        request = Request(scope)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in BORNE.items():
                    headers.setdefault(name, value)
                if "location" in headers:  # whoever stands between may call this server by another name
                    to = urlsplit(headers["location"])
                    here = to._replace(scheme="", netloc="", path=f"/{to.path.lstrip('/')}")
                    headers["location"] = here.geturl()
            await send(message)

        refused = await self._refusal(request)
        if refused is not None and refused.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            await asyncio.sleep(PAUSE)
        await (refused or self.inside)(scope, receive, sending)

    def _forwarded(self, scope: Scope) -> None:
        """Note for whom the proxy asks that is named, and whether over TLS; what anybody else says is left aside.

        If somebody else says such a thing, or that proxy says nothing, it is told once to whoever runs the server.
        """
        headers, client = Headers(scope=scope), scope.get("client")
        said = ",".join(headers.getlist(FORWARDED_FOR))
        if self.proxy is None or client is None or not _same(client[0], self.proxy):
            if said and self.proxy is None and client is not None:
                self._tell_once(UNNAMED.format(client[0]))
            return
        if not said:
            self._tell_once(SILENT.format(client[0]))
            return
        if address := _address_in(said.rpartition(",")[2].strip()):  # what stands before it anybody can have said
            scope["client"] = (address, 0)
        if ",".join(headers.getlist(FORWARDED_PROTO)).rpartition(",")[2].strip().lower() == "https":
            scope["scheme"] = "https"

    def _tell_once(self, sentence: str) -> None:
        if not self._told:
            self._told = True
            sys.stderr.write(f"cartulary: {sentence}\n")

    def _measured(self, user: str, seconds: float) -> None:
        """Take what work has cost from what a link has."""
        if does := WORKS.get(user.partition(" ")[0]):
            self.buckets[does].spend(user, seconds)

    async def _refusal(self, request: Request) -> Response | None:
        """Return what is answered in place of a page; None where the request may pass."""
        host = _name(request.headers.get("host", ""))
        if host not in self.hosts and not _is_where_it_came(host, request):
            sentence = (
                f"This server does not answer to the name {host[:80]!a}; to make it do so, start it with --allow-host."
                if host
                else "This server does not answer requests without a host name."
            )
            return PlainTextResponse(f"{sentence}\n", HTTPStatus.MISDIRECTED_REQUEST)
        path = request.scope["path"]
        if path == "/":
            return self._entered(request)
        if path == JOIN and self.entrance.links and request.method in (*READING, "POST"):
            return self._unfit(request) or self._too_many(request, None)
        visitor = await self._visitor(request)
        if isinstance(visitor, Response):
            return visitor
        request.scope["visitor"] = visitor
        return self._unfit(request) or self._too_many(request, visitor)

    async def _visitor(self, request: Request) -> Visitor | Response:
        """Return who asks, or what nobody is answered."""
        entrance = self.entrance
        if entrance.holds_key(request):
            return entrance.at_desk()
        named = bool(entrance.kept(request.cookies))
        if not named and (refused := self._too_many(request, None)):  # before the log is asked anything
            return refused

        def found() -> Visitor | None:
            with limited(LONGEST):
                return entrance.by_link(request)

        try:
            visitor, answer = await self.places.lookups.run(found, self._shares(request)), closed()
        except (Busy, DeadlineExceeded):
            visitor, answer = None, too_many()
        except Away:
            visitor, answer = None, away(request)
        return visitor or (self._too_many(request, None) if named else None) or answer

    def _entered(self, request: Request) -> Response:
        """Return the way to the games, with the key as a cookie where the address holds it."""
        entrance = self.entrance
        given = parse_qs(request.scope["query_string"].decode("latin-1")).get("key", [])
        if request.method not in READING or not (any(map(entrance.opens, given)) or entrance.holds_key(request)):
            return self._too_many(request, None) or closed()
        response = RedirectResponse("/games", HTTPStatus.SEE_OTHER)
        if given:
            secure = request.url.scheme == "https"
            response.set_cookie(
                entrance.cookie, entrance.key, httponly=True, samesite="strict", path="/", secure=secure
            )
        return response

    def _shares(self, request: Request) -> dict[str, int]:
        """Return for whom it is found out who asks: whoever has these cookies, and the table they ask about."""
        kept = sha256(repr(self.entrance.kept(request.cookies)).encode("utf-8", "replace")).hexdigest()
        about = request.scope["path"].split("/")[2:3] if request.scope["path"].startswith("/games/") else []
        return {f"browser {kept}": 1} | {f"table {id}": 1 for id in about}

    def _unfit(self, request: Request) -> Response | None:
        """Return the answer to a request that would write and does not come from a page of ours, nor with the key."""
        if request.method in READING:
            return None
        headers = request.headers
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
        foreign = origin is not None and urlsplit(origin).netloc != headers.get("host")
        if foreign or site not in ("same-origin", "none") or not (OWN_HEADER in headers or HEADER in headers):
            return _said("Write from a page of this server, or with its key.", HTTPStatus.FORBIDDEN)
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return _said("Send what you write as application/json.", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        return None

    def _too_many(self, request: Request, visitor: Visitor | None) -> Response | None:
        """Return the answer to who asks too often: by a link, or from an address; whoever holds the key may."""
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
    """Return the address a request comes from."""
    return request.client.host if request.client is not None else ""


def too_many() -> Response:
    """Return the answer to who asks for too much."""
    answer = _said("Too much was asked for at once; wait a second.", HTTPStatus.TOO_MANY_REQUESTS)
    answer.headers["retry-after"] = "1"
    return answer


def closed() -> Response:
    """Return the one answer to whoever may not come in."""
    return PlainTextResponse(CLOSED, HTTPStatus.NOT_FOUND)


def away(request: Request) -> Response:
    """Return the one answer to everybody without the key while the log cannot be reached."""
    headers = {"retry-after": LATER, "refresh": LATER}
    if request.method in READING and not request.scope["path"].endswith(".json"):
        return PlainTextResponse(f"{AWAY}\n", HTTPStatus.SERVICE_UNAVAILABLE, headers)
    return JSONResponse({"error": AWAY}, HTTPStatus.SERVICE_UNAVAILABLE, headers)


def _said(sentence: str, status: HTTPStatus) -> Response:
    return JSONResponse({"error": sentence}, status)


def _address_in(said: str) -> str:
    """Return the address a proxy names, without a port; empty for what is none."""
    for text in (said, said.rpartition(":")[0]):
        with suppress(ValueError):
            return str(ip_address(text.strip("[]")))
    return ""


def _same(address: str, proxy: IPv4Address | IPv6Address) -> bool:
    """Say whether an address is the proxy's, as IPv4 may be written in IPv6 too."""
    try:
        here = ip_address(address)
    except ValueError:
        return False
    return proxy in (here, getattr(here, "ipv4_mapped", None))


def _is_where_it_came(host: str, request: Request) -> bool:
    """Say whether a name is the very address the request came to: no name of somebody else's can lead to that."""
    try:
        return ip_address(host) == ip_address((request.scope.get("server") or ("",))[0])
    except ValueError:
        return False


def _name(host: str) -> str:
    """Return the name in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()
