"""``links``: makes links to a game for phones, lists them and takes them back."""

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Annotated
from urllib.parse import urlsplit

import typer

from cartulary.cli.shell.console import FINDINGS, fail, put, put_bytes, put_json, say, terminal
from cartulary.cli.shell.destination import check_spare, file_of, write_file
from cartulary.cli.shell.invocation import Invocation, from_request, option
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import Force
from cartulary.engine.numbers import seat_number
from cartulary.records import api
from cartulary.records.sheets.link_cards import LinkCard, for_whom, link_cards
from cartulary.records.sheets.qr import qr, qr_lines
from cartulary.records.state.links import link_fields
from cartulary.records.state.seat_view import players

_BASE = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+")
HERE = "http://127.0.0.1:8377"


def _plays(text: str) -> int | None:
    """Return the number of the seat that ``--plays`` names, None without it; end the program for anything else."""
    if not text:
        return None
    seat = seat_number(text)
    if not seat:
        fail(f"--plays {text[:24]}: expected a seat such as p1.")
    return seat


@from_request(
    api.LinksRequest,
    view=None,
    roles=option("--role"),
    plays=option(typed=str, read=_plays, default=""),
    delay=option(default=0),
    order=(
        *("id", "roles", "plays", "delay", "base_url", "verdicts", "output", "listing", "revoke", "force"),
        *("by", "command"),
    ),
)
def command(
    typed: "Invocation[api.LinksRequest]",
    id: Annotated[str, typer.Argument(metavar="[ID]", help="What `new` printed.")] = "",
    base_url: Annotated[
        str,
        typer.Option(
            "--base-url",
            metavar="URL",
            envvar="CARTULARY_BASE_URL",
            help="The address at which phones find the server that `serve` runs.",
        ),
    ] = HERE,
    output: Annotated[
        str | None, typer.Option("-o", metavar="FILE", help="Write the links as cards to print, to this HTML file.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the links of a game, without their addresses.")] = False,
    revoke: Annotated[
        list[int] | None,
        typer.Option(
            "--revoke",
            metavar="N",
            help="Revoke link N, so that it no longer opens anything; repeat it for more links.",
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Make links that let people join a game on the server that `serve` runs: as scribe, seat, rail, arbiter or
    reader.

    Each link is shown once and stored nowhere; a terminal also shows a code to scan. A link for the scribe, the arbiter
    or a seat is for one phone: the first to open it. Links take moves until the game is closed, and show it for
    one more day. A reader's link shows it only while it is closed. A link for a seat, the rail or a scribe who plays
    makes the record quiet, except with --verdicts. Then only the arbiter and a scribe who does not play see the
    verdicts. The others see them once the game is closed or `reveal` is used.

    \b
    Example:
      cartulary links evening --base-url https://desk.example -o links.html
    """
    if listing or revoke:
        making = any(typed.typed[name] for name in ("roles", "plays", "delay", "verdicts"))
        if (listing and revoke) or making or output or force:
            fail("Use either --list or --revoke N, and leave out --role.")
        if typed.typed["command"]:
            fail("--command is for making links; leave it out with --list and --revoke, which can be repeated anyway.")
        with open_log(typed.db) as store:
            if revoke:
                _revoke(store, typed, revoke)
            else:
                _list(store, id, typed.json)
        return
    if not id:
        fail("Say which game: `links ID` makes its links; `links --list` lists all there are.")
    if force and output is None:
        fail("--force needs -o.")
    if typed.json and output is not None:
        fail("-o writes cards to print, not JSON; leave out --json or -o.")
    if not _BASE.fullmatch(base_url.rstrip("/")):
        fail(
            f"--base-url {base_url[:60]!r}: expected http:// or https:// and a name, for example https://desk.example."
        )
    request = typed.request
    file = file_of(output)
    if file is not None:
        check_spare(file, key=None, over=force)
    with open_log(typed.db) as store:
        game = api.load(store, id)
        made = api.make_links(store, id, request)
    base, names = base_url.rstrip("/"), players(game.record)
    cards = [LinkCard(issue.link, names, f"{base}/join#{issue.secret}") for issue in made]
    if file is not None:
        write_file(file, [link_cards(cards)], force, private=True)
    elif output is not None:
        put_bytes(link_cards(cards))
    else:
        for card in cards:
            _put(card, typed.json)
    if base == HERE:
        say(
            "cartulary: These addresses work on this machine only; use --base-url to give the address that phones can "
            "reach."
        )
    elif option := _served_with(base):
        say(f"cartulary: These addresses work if `serve` is started with {option}.")


def _served_with(base: str) -> str:
    """Return the option that ``serve`` needs to answer at an address, such as ``--bind 10.0.0.2``; empty for none."""
    try:
        host = urlsplit(base).hostname or ""
        address = ip_address(host)
    except ValueError:
        return "" if not host or host == "localhost" else f"--allow-host {host}"
    return "" if address.is_loopback else f"--bind {host}"


def _put(card: "LinkCard", json: bool) -> None:
    """Print a link and its address; at a terminal also as a QR code."""
    link = card.link
    if json:
        put_json(link_fields(link) | {"url": card.url})
        return
    put(f"{link.game}: {link.role}, link {link.number}. {for_whom(link, card.names)}")
    put(f"  {card.url}")
    if terminal():
        for line in qr_lines(qr(card.url)):
            put(line)


def _revoke(store: "api.Log", typed: "Invocation[api.LinksRequest]", numbers: Sequence[int]) -> None:
    """Revoke links by their numbers and print each; end the program if one is not a link of the game."""
    id = typed.id
    links = api.links_of(store).by_number
    for number in numbers:
        if id and number in links and links[number].game != id:
            fail(f"{id} has no link {number}; --list lists them.", FINDINGS)
    for number in numbers:
        link = api.revoke_link(store, typed.as_request(api.RevokeRequest, link=number))
        if typed.json:
            put_json(link_fields(link))
        else:
            put(f"{link.game}: link {link.number}, {link.role}, no longer opens anything")


def _list(store: "api.Log", id: str, json: bool) -> None:
    """Print the links of a game, or of all games if the id is empty, without their secrets."""
    if id:
        api.load(store, id)
    for link in api.links_of(store).by_number.values():
        if id in ("", link.game):
            if json:
                put_json(link_fields(link))
            else:
                end = f" {link.revoked}" if link.revoked else ""
                end += f" by {link.revoked_by}" if link.revoked_by else ""
                put(f"{link.game}: link {link.number}, {link.role}, {link.state}{end}, made {link.made}")
