"""The links that commands have made: printed, or written as cards to print, with what their address needs."""

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Annotated
from urllib.parse import urlsplit

import typer

from cartulary.cli.shell.console import fail, put, put_bytes, put_json, say, terminal
from cartulary.cli.shell.destination import check_spare, file_of, write_file
from cartulary.notation.cgn.controls import isolate
from cartulary.records.sheets.link_cards import LinkCard, for_whom, link_cards
from cartulary.records.sheets.qr import qr, qr_lines
from cartulary.records.state.links import link_fields

HERE = "http://127.0.0.1:8377"
"""The address of the server on this machine."""
_BASE = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+")
BaseUrl = Annotated[
    str,
    typer.Option(
        "--base-url",
        metavar="URL",
        envvar="CARTULARY_BASE_URL",
        help="The address at which phones find the server that `serve` runs.",
    ),
]
CardsFile = Annotated[
    str | None, typer.Option("-o", metavar="FILE", help="Write the links as cards to print, to this HTML file.")
]


def check_output(base_url: str, output: str | None, json: bool, force: bool) -> str:
    """Return the address of the server without a slash at its end; end the program for options that do not fit.

    They do not fit if ``--force`` comes without ``-o``, if JSON is to go to a file, if the address is not one of http
    or https, or if the file is a database with games.

    Args:
        base_url: The option ``--base-url``.
        output: The option ``-o``; None for none.
        json: The option ``--json``.
        force: Whether the file of ``-o`` may be replaced; if not, it must not be there yet.

    Raises:
        OSError: The file is there and may not be replaced.
    """
    if force and output is None:
        fail("--force needs -o.")
    if json and output is not None:
        fail("-o writes cards to print, not JSON; leave out --json or -o.")
    base = base_url.rstrip("/")
    if not _BASE.fullmatch(base):
        fail(
            f"--base-url {base_url[:60]!r}: expected http:// or https:// and a name, for example https://desk.example."
        )
    file = file_of(output)
    if file is not None:
        check_spare(file, key=None, over=force)
    return base


def put_cards(cards: Sequence[LinkCard], output: str | None, json: bool, force: bool) -> None:
    """Print links with their addresses, or write them as cards to be printed.

    The arguments are those of ``check_output``. The cards hold secrets, so that only this user may read the file.
    """
    file = file_of(output)
    if file is not None:
        write_file(file, [link_cards(cards)], force, private=True)
    elif output is not None:
        put_bytes(link_cards(cards))
    else:
        for card in cards:
            _put(card, json)


def say_where(base: str) -> None:
    """Report that addresses work on this machine only, or what ``serve`` must be started with for them to work.

    Nothing is said of an address that works anyway. ``base`` is the address of the server, ``HERE`` if none was given.
    """
    if base == HERE:
        say(
            "cartulary: These addresses work on this machine only; use --base-url to give the address that phones can "
            "reach."
        )
    elif option := _served_with(base):
        say(f"cartulary: These addresses work if `serve` is started with {option}.")


def _served_with(base: str) -> str:
    """Return the option that ``serve`` needs to answer at an address, empty if it needs none.

    It is ``--bind 10.0.0.2`` for an IP address, or ``--allow-host club.example`` for a name.
    """
    try:
        host = urlsplit(base).hostname or ""
        address = ip_address(host)
    except ValueError:
        return "" if not host or host == "localhost" else f"--allow-host {host}"
    return "" if address.is_loopback else f"--bind {host}"


def _put(card: "LinkCard", json: bool) -> None:
    """Print a link and its address, or both as one JSON object; at a terminal also the address as a QR code."""
    link = card.link
    if json:
        put_json(link_fields(link) | {"url": card.url})
        return
    put(f"{isolate(card.place)}: {isolate(card.who)}, link {link.number}. {for_whom(link, card.names)}")
    put(f"  {card.url}")
    if terminal():
        for line in qr_lines(qr(card.url)):
            put(line)
