"""Serving the application: an address to listen on, and the server, until it is interrupted."""

import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from secrets import token_urlsafe

import uvicorn

from cartulary.notation.viewer import Viewer
from cartulary.web.app import application
from cartulary.web.connections import BACKLOG, HttpServer, bounded_connections
from cartulary.web.guard import LOCAL
from cartulary.web.stores import Stores

SWITCH = 0.0005
"""Seconds between thread switches of Python, so that a short request overtakes a long one."""
FAREWELL = 2
"""Seconds to wait for unfinished answers when the server stops."""
ANYWHERE = ("0.0.0.0", "::", "")


def listening(bind: str, port: int) -> socket.socket:
    """Return a socket that listens at an address of this machine and at a port, 0 for any free one.

    Raises:
        OSError: The address is in use, or is not one of this machine.
    """
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    return socket.create_server((bind, port), family=family)


def address_of_this_machine() -> str:
    """Return this machine's IPv4 address in its network, empty if it is in none; nothing is sent."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address nobody has: only the way there is looked up
        address: str = probe.getsockname()[0]
        return address
    return ""


def serve(
    stores: Stores,
    listener: socket.socket,
    hosts: Sequence[str],
    viewer: Viewer,
    files: Mapping[str, str],
    writes: bool,
    on_start: Callable[[str], None],
    proxy: str = "",
    key: str = "",
) -> None:
    """Serve until the process is interrupted; Ctrl-C makes it return.

    Args:
        stores: The pool of the log, which the caller closes.
        listener: The socket to listen on.
        hosts: The host names to answer to, besides those of the socket and of this machine.
        viewer: As whom the operator looks. If quiet, nobody is shown verdicts on quiet records.
        files: The file that each game was read from, by id, if the log was made from files.
        writes: Whether games are written here, and links open them.
        on_start: Called with the whole address, which holds the key, before the first request is answered.
        proxy: The address of the proxy whose forwarding headers are believed, empty for none.
        key: The key under which the operator is served; empty for a new random one.
    """
    bind, port = listener.getsockname()[:2]
    key = key or token_urlsafe(16)
    own = [] if bind in ANYWHERE else [bind]
    names = (*LOCAL, *own, *hosts)
    app = application(
        stores,
        key,
        names,
        cookie=f"cartulary-{port}",
        viewer=viewer,
        files=files,
        writes=writes,
        proxy=proxy,
    )
    config = uvicorn.Config(
        app,
        http=bounded_connections(),
        backlog=BACKLOG,
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=FAREWELL,
    )
    host = own[0] if own else next(iter(hosts), LOCAL[0])
    sys.setswitchinterval(SWITCH)
    with suppress(KeyboardInterrupt):
        on_start(f"http://{f'[{host}]' if ':' in host else host}:{port}/?key={key}")
        HttpServer(config).run(sockets=[listener])
