"""``links``: makes links to a game for phones, lists them and takes them back."""

from collections.abc import Sequence
from typing import Annotated

import typer

from cartulary.cli.shell.cards import HERE, BaseUrl, CardsFile, check_output, put_cards, say_where
from cartulary.cli.shell.console import FINDINGS, fail, put, put_json
from cartulary.cli.shell.invocation import Invocation, from_request, option
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import Force
from cartulary.engine.numbers import seat_number
from cartulary.notation.cgn.controls import isolate
from cartulary.records import api
from cartulary.records.sheets.link_cards import LinkCard
from cartulary.records.state.links import link_fields
from cartulary.records.state.seat_view import players


def _plays(text: str) -> int | None:
    """Return the number of the seat that ``--plays`` names, such as 1 for ``p1``; None for an empty text.

    The program ends for anything else.
    """
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
    base_url: BaseUrl = HERE,
    output: CardsFile = None,
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
    base = check_output(base_url, output, typed.json, force)
    request = typed.request
    with open_log(typed.db) as store:
        game = api.load(store, id)
        made = api.make_links(store, id, request)
    names = players(game.record)
    put_cards([LinkCard(issue.link, names, f"{base}/join#{issue.secret}") for issue in made], output, typed.json, force)
    say_where(base)


def _revoke(store: "api.Log", typed: "Invocation[api.LinksRequest]", numbers: Sequence[int]) -> None:
    """Revoke links by their numbers, so that they open nothing any more, and print each.

    If one of them is a link of another game than the one that was typed, none is revoked, and the program ends.

    Args:
        store: The open log.
        typed: What was typed, with the id of the game, which may be empty.
        numbers: The numbers of the links.
    """
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
            put(f"{_whose(link)}, no longer opens anything")


def _list(store: "api.Log", id: str, json: bool) -> None:
    """Print the links of a game, or of all games if the id is empty, without their secrets.

    Raises UnknownGame for an id that no game has.
    """
    if id:
        api.load(store, id)
    for link in api.links_of(store).by_number.values():
        if id in ("", link.game):
            if json:
                put_json(link_fields(link))
            else:
                end = f" {link.revoked_at}" if link.revoked_at else ""
                end += f" by {link.revoked_by}" if link.revoked_by else ""
                put(f"{_whose(link)}, {link.state}{end}, made {link.made_at}")


def _whose(link: "api.Link") -> str:
    """Return the beginning of a line about a link: ``g: link 3, scribe``, or with its evening and person."""
    place, who = (link.evening, isolate(link.person)) if link.evening else (link.game, link.role)
    return f"{place}: link {link.number}, {who}"
