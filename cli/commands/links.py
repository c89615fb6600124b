"""``links``: makes links to a game for phones, lists them and takes them back."""

import re
from typing import Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, fail, put, put_bytes, put_json, say, terminal
from cartulary.cli.shell.destination import check_spare, file_of, write_file
from cartulary.cli.shell.live import opened
from cartulary.cli.shell.options import By, Db, Force, Json, seat_named
from cartulary.records import desk

_BASE = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+")
HERE = "http://127.0.0.1:8377"


def command(
    id: Annotated[str, typer.Argument(metavar="[ID]", help="What `new` printed.")] = "",
    role: Annotated[
        list[str] | None,
        typer.Option("--role", metavar="ROLE", help="scribe, p1 …, rail, arbiter or reader; all of them if none."),
    ] = None,
    plays: Annotated[
        str, typer.Option("--plays", metavar="p1", help="The scribe plays too, at this seat, and so writes quietly.")
    ] = "",
    delay: Annotated[int, typer.Option("--delay", metavar="SECONDS", help="How far the rail is behind the table.")] = 0,
    base_url: Annotated[
        str,
        typer.Option(
            "--base-url", metavar="URL", envvar="CARTULARY_BASE_URL", help="Where phones find the server of `serve`."
        ),
    ] = HERE,
    verdicts: Annotated[
        bool,
        typer.Option("--verdicts", help="Show seats and rail what the rules say at once, not only after the close."),
    ] = False,
    output: Annotated[
        str | None, typer.Option("-o", metavar="FILE", help="Write cards to print, as HTML, instead.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the links there are, without what opens them.")] = False,
    revoke: Annotated[
        int | None, typer.Option("--revoke", metavar="N", help="Take link N back: it opens nothing any more.")
    ] = None,
    force: Force = False,
    by: By = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Make links by which people come to a game on the server of `serve`: as scribe, seat, rail, arbiter or reader.

    Each is printed once and kept nowhere; in a terminal with a code for a camera. Scribe, arbiter and seats are for one
    phone each, whichever opens the link first. Links write until the game is closed, and lead to it for a day after.
    With a link for a seat, the rail or a scribe who plays the record becomes quiet: what the rules say of it is shown
    to the arbiter and to a scribe who does not play, and to everybody after the close or `reveal`.

    \b
    Example:
      cartulary links evening --base-url https://desk.example -o links.html
    """
    if listing or revoke is not None:
        if (listing and revoke is not None) or role or plays or delay or verdicts or output or force:
            fail("--list and --revoke N go by themselves")
        with opened(db) as store:
            if revoke is not None:
                _revoke(store, id, revoke, by, json)
            else:
                _list(store, id, json)
        return
    if not id:
        fail("say which game: `links ID` makes links, `links --list` lists all there are")
    if force and output is None:
        fail("--force goes with -o")
    if json and output is not None:
        fail("-o writes cards to print; --json goes without it")
    if not _BASE.fullmatch(base_url.rstrip("/")):
        fail(f"--base-url {base_url[:60]!r}: expected http:// or https:// and a name, such as https://desk.example")
    seat = seat_named(plays) if plays else 0
    if plays and not seat:
        fail(f"--plays {plays[:24]}: expected a seat such as p1")
    file = file_of(output)
    if file is not None:
        check_spare(file, key=None, over=force)
    with opened(db) as store:
        game = desk.load(store, id)
        made = desk.make_links(store, id, role or (), plays=seat or 0, delay=delay, verdicts=verdicts, by=by)
    base, names = base_url.rstrip("/"), desk.players(game.record)
    cards = [desk.LinkCard(each.link, names, f"{base}/join#{each.secret}") for each in made]
    if file is not None:
        write_file(file, [desk.link_cards(cards)], force)
    elif output is not None:
        put_bytes(desk.link_cards(cards))
    else:
        for card in cards:
            _put(card, json)
    if base == HERE:
        say("cartulary: these addresses lead to this machine only; --base-url says where phones find it")


def _put(card: "desk.LinkCard", json: bool) -> None:
    link = card.link
    if json:
        put_json(desk.link_fields(link) | {"url": card.url})
        return
    put(f"{link.game}: {link.role}, link {link.number}. {desk.for_whom(link, card.names)}")
    put(f"  {card.url}")
    if terminal():
        for line in desk.qr_lines(desk.qr(card.url)):
            put(line)


def _revoke(store: "desk.Store", id: str, number: int, by: str, json: bool) -> None:
    if id and all(one.game != id for one in desk.links_of(store).by_number.values() if one.number == number):
        fail(f"{id} has no link {number}; --list lists them", FINDINGS)
    link = desk.revoke_link(store, number, by=by)
    if json:
        put_json(desk.link_fields(link))
    else:
        put(f"{link.game}: link {link.number}, {link.role}, opens nothing any more")


def _list(store: "desk.Store", id: str, json: bool) -> None:
    if id:
        desk.load(store, id)
    for link in desk.links_of(store).by_number.values():
        if id in ("", link.game):
            if json:
                put_json(desk.link_fields(link))
            else:
                put(f"{link.game}: link {link.number}, {link.role}, {link.state}, made {link.made}")
