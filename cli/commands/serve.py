"""``serve``: shows an archive, or files, in a browser."""

import os
import re
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from errno import EADDRINUSE
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, os_fault, put, say, terminal
from cartulary.cli.shell.importing import QuietImporter, files_of
from cartulary.cli.shell.options import Db, Quiet, SeatOf, viewer_of
from cartulary.cli.shell.places import db_place
from cartulary.cli.shell.progress import Silent
from cartulary.notation.viewer import Viewer
from cartulary.records import api

PORT = 8377
LIBRARIES = ("starlette", "jinja2", "markupsafe", "uvicorn")
"""What the extra `desk` brings."""
OPEN = (
    "cartulary: Whoever has this address and can reach the port can {} everything, and nothing sent is encrypted. "
    "For TLS, put a proxy in front, and give its name to --allow-host and its address to --proxy."
)
ONLY_READ = (
    "cartulary: Nothing can be written here: this user may only read {place}. Ask its owner for the right to write, or "
    "start with --read-only."
)
ANYWHERE = ("0.0.0.0", "::")
OWN = ("127.0.0.1", "::1", "localhost")


def command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH…]", help="Score sheets, exported archives or folders; by default the archive."),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, metavar="N", help="The port; 0 picks one that is free.")
    ] = PORT,
    bind: Annotated[str, typer.Option("--bind", metavar="ADDRESS", help="Where to listen.")] = OWN[0],
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host", metavar="NAME", help="Another name that this server answers to, such as that of a proxy."
        ),
    ] = None,
    proxy: Annotated[
        str,
        typer.Option(
            "--proxy", metavar="ADDRESS", help="The address of your TLS proxy, whose X-Forwarded headers are believed."
        ),
    ] = "",
    read_only: Annotated[
        bool,
        typer.Option("--read-only", help="Write nothing to the database, not even its index, and accept no links."),
    ] = False,
    keep_key: Annotated[
        bool,
        typer.Option("--keep-key", help="Use the same key at every start, so that a bookmark goes on working."),
    ] = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Open no browser.")] = False,
    seat: SeatOf = "",
    quiet: Quiet = False,
    db: Db = None,
) -> None:
    """Show the archive in a browser: games with their positions and verdicts, search, statistics, rules.

    The first line printed is the whole address. Without the key in it you see only the game whose link you opened;
    `links` makes such links, which let phones follow and record games. Files and folders are shown from a temporary
    database and left as they are. Nothing can be written when files are shown, nor with --seat or --read-only. With
    --seat the pages show only what that seat has seen. The key is new at every start, unless --keep-key keeps it for
    this database. Ctrl-C ends the server.

    \b
    Example:
      cartulary serve "$(cartulary samples cardmate)"
    """
    viewer = viewer_of(seat, quiet)
    if proxy and not _is_address(proxy):
        fail(f"{proxy} is not the address of a machine; expected one such as 127.0.0.1, from which the proxy asks.")
    if paths and db is not None:
        fail("Files are shown from a temporary database; leave out --db, or the files.")
    try:
        from cartulary.web.serving import serve
        from cartulary.web.stores import Stores
    except ImportError as fault:
        if (fault.name or "").partition(".")[0] not in LIBRARIES:
            raise
        fail(
            "The desk needs starlette, jinja2 and uvicorn; install them with: python -m pip install 'cartulary[desk]'."
        )
    with _database(paths or (), db, viewer) as (path, files), _listen(bind, port) as listener:
        writes = not (paths or read_only or viewer.seat is not None)
        stores = Stores(path, read_only=read_only, create=writes)
        if writes and not stores.writable:
            say(ONLY_READ.format(place=path))
        try:
            serve(
                stores,
                listener,
                allow_host or (),
                viewer,
                files,
                writes,
                lambda url: _announce(url, bind, no_open, writes),
                proxy,
                _kept_key(str(path)) if keep_key else "",
            )
        finally:
            stores.close()


@contextmanager
def _database(
    paths: Sequence[str], db: str | None, viewer: Viewer
) -> Iterator[tuple["Path | api.Server", dict[str, str]]]:
    """Yield once the database to show, and for each game id the file it was read from.

    Without files that is the database itself, and no files. Files are imported into a temporary database, which is
    removed when the block ends; the program ends if they hold no game.

    Args:
        paths: The files and folders to show.
        db: The database, None for the default one.
        viewer: As whom the operator looks; a seat is not shown why a game was declined.
    """
    if not paths:
        yield db_place(db), {}
        return
    with TemporaryDirectory(prefix="cartulary-") as folder:
        # Pages read a log, so the files become one; it goes with the server, and the files stay as they are.
        path = Path(folder) / "shown.db"
        with api.Store(path) as store:
            importer = QuietImporter(store, viewer.seat is not None)
            for name, fault in files_of(paths):
                if fault:
                    say(f"cartulary: {fault}")
                else:
                    importer.path(name, Silent())
            if not store.ids():
                fail("There is no game to show; name files that hold one.")
        yield path, importer.files


def _kept_key(place: str) -> str:
    """Return the key that is kept for a database, made at the first start; only this user may read its file.

    The program ends if the file cannot be read or written, or holds no key.

    Args:
        place: The path or address of the database, which says which key is meant.
    """
    from platformdirs import user_state_path

    file = user_state_path("cartulary", appauthor=False) / "keys" / sha256(place.encode()).hexdigest()[:32]
    try:
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with open(file, "x", encoding="ascii", opener=lambda path, flags: os.open(path, flags, 0o600)) as made:
                made.write(token_urlsafe(16))
        key = file.read_text("ascii").strip()
    except (OSError, UnicodeError) as fault:
        fail(f"Cannot keep a key in {file}: {os_fault(fault) if isinstance(fault, OSError) else 'it holds no key'}.")
    if not re.fullmatch(r"[\w-]{22,}", key, re.ASCII):
        fail(f"{file} holds no key; expected one. Delete the file, and a new one is made.")
    return key


def _is_address(text: str) -> bool:
    """Say whether a text is an IP address, not a name."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _listen(bind: str, port: int) -> socket.socket:
    """Return a socket that listens at an address and port; end the program with a sentence if that is not possible.

    Port 0 stands for any free one.
    """
    from cartulary.web.serving import listening

    try:
        return listening(bind, port)
    except (TypeError, UnicodeError):  # of a name that is no Unicode, and of one that no network could have
        fail(f"--bind {bind!r} is no address; expected one of this machine, such as {OWN[0]}.")
    except OSError as fault:
        if fault.errno == EADDRINUSE:
            fail(f"Port {port} is taken on {bind}; --port 0 picks one that is free.")
        fail(f"Cannot listen at {bind}, port {port}: {os_fault(fault)}; give another --bind or --port.")


def _announce(url: str, bind: str, no_open: bool, writes: bool) -> None:
    """Print the address of the server, warn if others can reach it, and open a browser if there is a display.

    Args:
        url: The address with the key.
        bind: The address that the server listens at.
        no_open: Whether to open no browser.
        writes: Whether games are written on this server.
    """
    put(url)
    sys.stdout.flush()
    if bind not in OWN:
        say(OPEN.format("read and write" if writes else "read"))
    if bind in ANYWHERE:
        from cartulary.web.serving import address_of_this_machine

        if own_address := address_of_this_machine():
            port = url.partition("/?")[0].rpartition(":")[2]
            say(
                f"cartulary: Phones on this network find the server at http://{own_address}:{port}; `links` takes that "
                "as --base-url."
            )
    has_display = sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    if not no_open and terminal() and has_display:
        import webbrowser

        webbrowser.open(url)
