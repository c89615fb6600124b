"""Making, taking up and revoking links, by which somebody joins a game over a network without an account.

Links are kept in a stream of their own beside the games, so that every server on the same log knows of a revocation.
"""

import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

from msgspec import Struct

from cartulary.engine.numbers import seats_named
from cartulary.notation.cgn.signs import cut
from cartulary.notation.viewer import RAIL
from cartulary.records.commands.request import Request, field, reused_key
from cartulary.records.commands.reveal import make_quiet
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.aside_events import LinkMade, LinkRevoked, LinkTaken
from cartulary.records.log.aside_streams import append_aside
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event
from cartulary.records.log.fields import LONGEST_DELAY
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.games import load
from cartulary.records.state.links import (
    ARBITER,
    READER,
    SCRIBE,
    STREAM,
    Link,
    Links,
    closed_at,
    digest,
    leads_to,
    links_of,
    seat_in,
)
from cartulary.records.texts import clean_name, keepable, now


class MadeLink(Struct, frozen=True):
    """A link with the secret that opens it.

    Attributes:
        link: The link.
        secret: The secret, which is stored nowhere.
    """

    link: Link
    secret: str


def roles_of(game: LiveGame) -> tuple[str, ...]:
    """Return the roles in a game in their usual order: scribe, p1, p2 and so on, rail, arbiter, reader."""
    return (SCRIBE, *(f"p{seat}" for seat in range(1, game.book.seats + 1)), RAIL, ARBITER, READER)


class LinksRequest(Request, frozen=True):
    """Links to a game to be made.

    Attributes:
        roles: ``scribe``, ``p1`` and so on, ``rail``, ``arbiter``, ``reader``; empty for all that lead to the game
            now.
        plays: The seat of a scribe who plays, 0 for one who does not.
        delay: How many seconds later the rail sees what happens.
        verdicts: Whether players and the rail are shown verdicts at once. Otherwise such a link makes an open record
            quiet.
    """

    roles: Annotated[
        tuple[str, ...],
        field("Whom the links are for: scribe, p1 …, rail, arbiter or reader; by default all of them.", "ROLE"),
    ] = ()
    plays: Annotated[
        int, field("The scribe also plays, at this seat, and so writes without seeing verdicts.", "p1")
    ] = 0
    delay: Annotated[int, field("How many seconds later the rail sees what happens.", "SECONDS")] = 0
    verdicts: Annotated[
        bool, field("Show verdicts to the seats and the rail at once, not only after the game is closed.")
    ] = False


class RevokeRequest(Request, frozen=True):
    """A link to be revoked, by its number. Nothing is written if it has been revoked already."""

    link: Annotated[int, field("The link, by its number.", "N")]


def make_links(store: Log, id: str, request: LinksRequest) -> tuple[MadeLink, ...]:
    """Make links to a game, all or none, and return them with the secret that opens each, in the order of the roles.

    A command that was given before makes no other links. What opens those it made is stored nowhere, so that it cannot
    be returned again. Links for players or the rail make an open record quiet, unless the request asks for verdicts.

    Args:
        store: Where the game is kept.
        id: The game.
        request: Whom the links are for.

    Raises:
        Unfit: A role, a seat or a delay cannot be.
        Declined: The game was closed more than a day ago and a role other than the reader's is asked for; or the
            command was given before. The sentence then names the links made then.
        UnknownGame: There is no such game.
        Damaged: Its log is damaged.
    """
    roles, plays, delay, by, command = request.roles, request.plays, request.delay, request.by, request.command
    keepable(command, "The command id")
    game = load(store, id)

    def check_unused(links: Links) -> None:
        made_before = [
            link for link in links.by_number.values() if command and (link.game, link.command) == (id, command)
        ]
        if made_before:
            same = _is_same_request(made_before, game, roles, plays, delay, clean_name(by))
            raise _made_before_fault(made_before) if same else reused_key(command, id)

    check_unused(links_of(store))
    wanted = tuple(dict.fromkeys(roles)) or _roles_that_lead(game)
    _check_request(game, wanted, plays, delay)
    if not request.verdicts and not game.book.closed and any(_withholds_verdicts(role, plays) for role in wanted):
        make_quiet(store, id, by=by)
    secrets_by_role = {role: secrets.token_urlsafe(16) for role in wanted}

    def draft(links: Links) -> Sequence[Event]:
        check_unused(links)
        at, who = now(), clean_name(by)
        return [
            LinkMade(
                at=at,
                by=who,
                command=command,
                game=id,
                role=role,
                plays=plays if role == SCRIBE else 0,
                delay=delay if role == RAIL else 0,
                secret_hash=digest(secret),
            )
            for role, secret in secrets_by_role.items()
        ]

    links = _store_links(store, draft)
    link_by_digest = {link.secret_digest: link for link in links.by_number.values()}
    return tuple(MadeLink(link_by_digest[digest(secret)], secret) for secret in secrets_by_role.values())


def _is_same_request(
    made: Sequence[Link], game: LiveGame, roles: Sequence[str], plays: int, delay: int, by: str
) -> bool:
    """Say whether the links that a command made before are those that it asks for now.

    They must be for the same roles in the same order, with the same seat and delay, by the same writer. A request
    without roles may have made all links, or only the reader's if the game was closed then.

    Args:
        made: The links made before, in order.
        game: The game.
        roles: The roles asked for now; empty for all.
        plays: The seat that the scribe plays, 0 for none.
        delay: The delay of the rail, in seconds.
        by: Who asks.
    """
    all_roles = (roles_of(game), (READER,))
    wanted = (tuple(dict.fromkeys(roles)),) if roles else all_roles
    return tuple(link.role for link in made) in wanted and all(
        (link.plays, link.delay, link.made_by) == (plays * (link.role == SCRIBE), delay * (link.role == RAIL), by)
        for link in made
    )


def _made_before_fault(made: Sequence[Link]) -> Declined:
    """Return the fault that a command has made these links before; at least one.

    Their secrets cannot be shown again.
    """
    many = len(made) > 1
    *first, last = (str(link.number) for link in made)
    numbers = f"{', '.join(first)} and {last}" if many else last
    revoke = " ".join(f"--revoke {link.number}" for link in made)
    return Declined(
        f"{'Links' if many else 'Link'} {numbers} of {made[0].game} {'were' if many else 'was'} made by this command "
        f"before. What opens a link is shown once and stored nowhere; if it is lost, revoke {'them' if many else 'it'} "
        f"with `links {revoke}` and make {'others' if many else 'another'} with another key."
    )


def take_up(store: Log, secret: str, secrets_kept: Iterable[str] = ()) -> MadeLink | None:
    """Take up a link, which binds it to the first browser that opens it.

    A shared link keeps the secret it has, and is bound to no browser. Any other gets a new secret, so that only the
    first browser has it.

    Args:
        store: Where the links are kept.
        secret: The secret in the address.
        secrets_kept: The secrets that the browser keeps already. With the right one it takes up the same link again.

    Returns:
        The link with the secret that the browser is to keep; None if the secret opens no link, if the link was revoked,
        or if another browser has taken it up.
    """
    secret_digest, token = digest(secret), secrets.token_urlsafe(16)
    links = links_of(store).by_number.values()
    link = next((other for other in links if other.secret_digest == secret_digest and not other.revoked_at), None)
    if link is None:
        return None
    if link.shared:
        return MadeLink(link, secret)
    own_secret = next((secret_kept for secret_kept in secrets_kept if digest(secret_kept) == link.browser_digest), None)
    if own_secret is not None:
        return MadeLink(link, own_secret)
    number = link.number

    def draft(links: Links) -> Sequence[Event]:
        current = links.by_number[number]
        return (
            ()
            if current.browser_digest or current.revoked_at
            else (LinkTaken(at=now(), link=number, secret_hash=digest(token)),)
        )

    taken_link = _store_links(store, draft).by_number[number]
    return MadeLink(taken_link, token) if taken_link.browser_digest == digest(token) else None


def revoke_link(store: Log, request: RevokeRequest) -> Link:
    """Revoke a link and return it: from now on it opens nothing, on every server of the log.

    A link that has been revoked is returned as it is, and nothing is written.

    Raises:
        Declined: There is no such link.
        Unfit: The id of the command cannot be kept.
    """
    keepable(request.command, "The command id")
    number = request.link

    def draft(links: Links) -> Sequence[Event]:
        link = links.by_number.get(number)
        if link is None:
            in_use = ", ".join(
                str(other_number) for other_number, other in links.by_number.items() if not other.revoked_at
            )
            raise Declined(f"There is no link {number}; {f'links made: {in_use}' if in_use else 'none was made'}.")
        revoked = LinkRevoked(at=now(), by=clean_name(request.by), command=request.command, link=number)
        return () if link.revoked_at else (revoked,)

    return _store_links(store, draft).by_number[number]


def _roles_that_lead(game: LiveGame) -> tuple[str, ...]:
    """Return the roles for which links are made if none are named.

    They are all roles of an open game, in the order of ``roles_of``, and only the reader of a closed one. It is closed
    from the moment of closing, although other links still lead to it for a day.
    """
    return (READER,) if closed_at(game) is not None else roles_of(game)


def _withholds_verdicts(role: str, plays: int) -> bool:
    """Say whether a link is for somebody who plays or watches, from whom verdicts are to be withheld.

    That is so for the seats, the rail, and a scribe who plays; not for the arbiter, the reader and any other scribe.

    Args:
        role: The role of the link.
        plays: The seat that the scribe plays, 0 for none.
    """
    return bool(seat_in(role)) or role == RAIL or (role == SCRIBE and plays > 0)


def _check_request(game: LiveGame, roles: Sequence[str], plays: int, delay: int) -> None:
    """Check the roles, the scribe's seat and the delay (in seconds) for which links to a game are asked.

    Raises:
        Unfit: A role or the seat is none of the game, the delay is out of range, or seat or delay are given without the
            scribe's or the rail's link.
        Declined: The game was closed more than a day ago, so that a link other than the reader's would not lead to it.
    """
    there = roles_of(game)
    for role in roles:
        if role not in there:
            raise Unfit(f"{cut(role)} is not a role in {game.id}; expected one of: {', '.join(there)}.")
    if plays and f"p{plays}" not in there:
        raise Unfit(f"p{plays} is not a seat of {game.id}; expected {seats_named(game.book.seats)}.")
    if plays and SCRIBE not in roles:
        raise Unfit("Only a scribe's link can say which seat the scribe plays; leave the seat out.")
    if not 0 <= delay <= LONGEST_DELAY:
        raise Unfit(f"{delay} is not a delay; expected seconds from 0 to {LONGEST_DELAY}.")
    if delay and RAIL not in roles:
        raise Unfit("Only the rail's link can have a delay; leave the delay out.")
    for role in roles:
        link = Link(0, game.id, role, plays if role == SCRIBE else 0, delay, "", "")
        if role != READER and not leads_to(link, game):
            raise Declined(f"{game.id} was closed more than a day ago; only a reader's link can still show it.")


def _store_links(store: Log, draft: Callable[[Links], Sequence[Event]]) -> Links:
    """Store the events that ``draft`` makes of the present links, and return all links of the log as they are then.

    If somebody else writes first, the events are drafted again. If ``draft`` returns none, nothing is written.

    Raises:
        Declined: Too many others were writing at once.
        Fault: What ``draft`` raises.
    """
    append_aside(store, STREAM, lambda recorded: draft(links_of(store)))
    return links_of(store)
