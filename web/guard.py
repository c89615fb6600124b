"""The guard before every route: whose name was called, whether the key is there, and what every answer bears.

Whoever lacks the key is told the same whatever was asked for, so that nothing can be learnt by asking.
"""

from collections.abc import Iterable
from hmac import compare_digest
from http import HTTPStatus
from urllib.parse import parse_qs

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "x-cartulary-key"
LOCAL = ("127.0.0.1", "localhost", "::1")
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
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
CLOSED = "Nothing is shown here without the key: open the whole address that the server printed when it was started.\n"


class Guard:
    """An application behind the guard."""

    def __init__(self, inside: ASGIApp, key: str, hosts: Iterable[str], cookie: str) -> None:
        """key: what opens it; hosts: the names it answers to; cookie: what the key is kept under in a browser"""
        self.inside, self.key, self.cookie = inside, key, cookie
        self.hosts = frozenset(map(str.lower, hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass that knows the key; answer every other one alike."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in BORNE.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope)
        refused = self._refusal(request)
        await (refused or self.inside)(scope, receive, sending)

    def _refusal(self, request: Request) -> Response | None:
        """Return what is answered in place of a page; None where the request may pass."""
        host = _name(request.headers.get("host", ""))
        if host not in self.hosts:
            named = f"the name {host[:80]!a}" if host else "a request without a host"
            sentence = f"This server does not answer to {named}; --allow-host lets it answer to another.\n"
            return PlainTextResponse(sentence, HTTPStatus.MISDIRECTED_REQUEST)
        if request.scope["path"] == "/":
            return self._entered(request)
        return None if self._known(request) else _closed()

    def _entered(self, request: Request) -> Response:
        """Return the way to the games, with the key as a cookie where the address holds it."""
        given = parse_qs(request.scope["query_string"].decode("latin-1")).get("key", [])
        if request.method not in ("GET", "HEAD") or not (any(map(self._opens, given)) or self._known(request)):
            return _closed()
        response = RedirectResponse("/games", HTTPStatus.SEE_OTHER)
        if given:
            response.set_cookie(self.cookie, self.key, httponly=True, samesite="strict", path="/")
        return response

    def _known(self, request: Request) -> bool:
        return self._opens(request.headers.get(HEADER, "")) or self._opens(request.cookies.get(self.cookie, ""))

    def _opens(self, given: str) -> bool:
        return compare_digest(given.encode("utf-8", "surrogateescape"), self.key.encode())


def _closed() -> Response:
    return PlainTextResponse(CLOSED, HTTPStatus.NOT_FOUND)


def _name(host: str) -> str:
    """Return the name in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()
