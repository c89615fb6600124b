"""Links made, taken up and revoked: how somebody joins a game over a network without an account.

They are kept in a stream of their own beside the games, so that every desk on the same log knows of a revocation.
"""

import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

from msgspec import Struct

from cartulary.engine.numbers import seats_named
from cartulary.notation.cgn.signs import cut
from cartulary.notation.viewer import RAIL
from cartulary.records.commands.aside import append_aside
from cartulary.records.commands.request import Request, field, used
from cartulary.records.commands.reveal import make_quiet
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.aside_events import LinkMade, LinkRevoked, LinkTaken
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
    """A link that was made. secret: what opens it, which is kept nowhere"""

    link: Link
    secret: str


def roles_of(game: LiveGame) -> tuple[str, ...]:
    """Return the roles of a game, in the order they are listed."""
    return (SCRIBE, *(f"p{seat}" for seat in range(1, game.book.seats + 1)), RAIL, ARBITER, READER)


class LinksRequest(Request, frozen=True):
    """Links to a game to be made.

    Attributes:
        roles: ``scribe``, ``p1`` …, ``rail``, ``arbiter``, ``reader``; none for all that lead to the game as it stands.
        plays: The seat of a scribe who plays, 0 for one who does not.
        delay: Seconds the rail is behind.
        verdicts: Who plays and who watches is told what the rules say; else an open record becomes quiet with such a
            link.
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
    """A link to be taken back, by its number. Nothing is written where that was done before."""

    link: Annotated[int, field("The link, by its number.", "N")]


def make_links(store: Log, id: str, request: LinksRequest) -> tuple[MadeLink, ...]:
    """Make links to a game, all or none, and return them with what opens each.

    A command that was given before makes no other links. What opens those it made is stored nowhere, so that it cannot
    be returned again.

    Args:
        store: Where the game is kept.
        id: The game.
        request: Whom the links are for.

    Raises:
        Unfit: A role, a seat or a delay cannot be.
        Declined: A role leads to a closed game no more, or the command was given before; it names the links made then.
    """
    roles, plays, delay, by, command = request.roles, request.plays, request.delay, request.by, request.command
    keepable(command, "The command id")
    game = load(store, id)

    def check_new(links: Links) -> None:
        there = [each for each in links.by_number.values() if command and (each.game, each.command) == (id, command)]
        if there:
            same = _asked_alike(there, game, roles, plays, delay, clean_name(by))
            raise _made_before(there) if same else used(command, id)

    check_new(links_of(store))
    wanted = tuple(dict.fromkeys(roles)) or _leading(game)
    _check(game, wanted, plays, delay)
    if not request.verdicts and not game.book.closed and any(_looks_on(role, plays) for role in wanted):
        make_quiet(store, id, by=by)
    opening = {role: secrets.token_urlsafe(16) for role in wanted}

    def draft(links: Links) -> Sequence[Event]:
        check_new(links)
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
                hashed=digest(secret),
            )
            for role, secret in opening.items()
        ]

    links = _written(store, draft)
    hashed = {each.hashed: each for each in links.by_number.values()}
    return tuple(MadeLink(hashed[digest(secret)], secret) for secret in opening.values())


def _asked_alike(made: Sequence[Link], game: LiveGame, roles: Sequence[str], plays: int, delay: int, by: str) -> bool:
    """Say whether the links that a command made are what is asked for now.

    Without roles they may be all there are, or the reader's alone: the game was open then, or closed.
    """
    all_roles = (roles_of(game), (READER,))
    wanted = (tuple(dict.fromkeys(roles)),) if roles else all_roles
    return tuple(each.role for each in made) in wanted and all(
        (each.plays, each.delay, each.made_by) == (plays * (each.role == SCRIBE), delay * (each.role == RAIL), by)
        for each in made
    )


def _made_before(made: Sequence[Link]) -> Declined:
    """Return the fault that a command made links before, which cannot be shown again."""
    many = len(made) > 1
    *first, last = (str(each.number) for each in made)
    numbers = f"{', '.join(first)} and {last}" if many else last
    revoke = " ".join(f"--revoke {each.number}" for each in made)
    return Declined(
        f"{'Links' if many else 'Link'} {numbers} of {made[0].game} {'were' if many else 'was'} made by this command "
        f"before. What opens a link is shown once and stored nowhere; if it is lost, revoke {'them' if many else 'it'} "
        f"with `links {revoke}` and make {'others' if many else 'another'} with another key."
    )


def take_up(store: Log, secret: str, kept: Iterable[str] = ()) -> MadeLink | None:
    """Take a link up by what opens it, and return what the browser is to keep; None where it opens nothing.

    kept: what the browser keeps already; with it a link is taken up again that this browser took up before. A shared
    link is kept as it is.
    """
    hashed, token = digest(secret), secrets.token_urlsafe(16)
    links = links_of(store).by_number.values()
    link = next((each for each in links if each.hashed == hashed and not each.revoked), None)
    if link is None:
        return None
    if link.shared:
        return MadeLink(link, secret)
    again = next((one for one in kept if digest(one) == link.taken), None)
    if again is not None:
        return MadeLink(link, again)
    number = link.number

    def draft(links: Links) -> Sequence[Event]:
        found = links.by_number[number]
        return () if found.taken or found.revoked else (LinkTaken(at=now(), link=number, hashed=digest(token)),)

    taken = _written(store, draft).by_number[number]
    return MadeLink(taken, token) if taken.taken == digest(token) else None


def revoke_link(store: Log, request: RevokeRequest) -> Link:
    """Revoke a link: from now on it opens nothing, on every desk of the log. Raises Declined for one there is not."""
    keepable(request.command, "The command id")
    number = request.link

    def draft(links: Links) -> Sequence[Event]:
        link = links.by_number.get(number)
        if link is None:
            there = ", ".join(str(each) for each, one in links.by_number.items() if not one.revoked)
            raise Declined(f"There is no link {number}; {f'links made: {there}' if there else 'none was made'}.")
        revoked = LinkRevoked(at=now(), by=clean_name(request.by), command=request.command, link=number)
        return () if link.revoked else (revoked,)

    return _written(store, draft).by_number[number]


def _leading(game: LiveGame) -> tuple[str, ...]:
    """Return the roles whose links lead to a game as it stands, or will when it is closed."""
    return (READER,) if closed_at(game) is not None else roles_of(game)


def _looks_on(role: str, plays: int) -> bool:
    """Say whether a link is for somebody who plays or watches."""
    return bool(seat_in(role)) or role == RAIL or (role == SCRIBE and plays > 0)


def _check(game: LiveGame, roles: Sequence[str], plays: int, delay: int) -> None:
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


def _written(store: Log, draft: Callable[[Links], Sequence[Event]]) -> Links:
    """Return the links as they are once a draft is stored; where others write first, it is drafted anew."""
    append_aside(store, STREAM, lambda recorded: draft(links_of(store)))
    return links_of(store)
