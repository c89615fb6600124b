"""Making links for the persons at an evening: each leads to whichever seat its holder has, round after round."""

import secrets
from collections.abc import Sequence
from typing import Annotated

from cartulary.records.commands.links import MadeLink
from cartulary.records.commands.request import Request, field, reused_key
from cartulary.records.commands.reveal import make_quiet
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.aside_events import EveningLinkMade
from cartulary.records.log.aside_streams import append_aside
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.evenings import ClubEvening, evening_of
from cartulary.records.state.games import load
from cartulary.records.state.links import STREAM, Link, digest, links_of, needs_quiet
from cartulary.records.state.people import people_of
from cartulary.records.texts import canonical_name, clean_name, keepable, now


class EveningLinksRequest(Request, frozen=True):
    """Links for persons at an evening to be made.

    Attributes:
        evening: The title of the evening.
        persons: Whom the links are for; empty for everybody there who has none.
        verdicts: Whether players are shown verdicts at once. Otherwise the open games of the evening become quiet.
    """

    evening: Annotated[str, field("The title of the evening.", "EVENING")]
    persons: Annotated[tuple[str, ...], field("Whom a link is for; by default all who have none.", "NAME")] = ()
    verdicts: Annotated[bool, field("Show verdicts at once, not only after a game is closed.")] = False


def make_evening_links(store: Log, request: EveningLinksRequest) -> tuple[MadeLink, ...]:
    """Make a link for each person at an evening, all or none, and return them with what opens each.

    A link opens what a link to the person's seat would: the game of each table where the person has a seat, until a day
    after that game is closed, and nothing else. The next round needs no other link. Unless the request asks for
    verdicts, the open games of the evening become quiet.

    Args:
        store: The log.
        request: The evening and the persons.

    Returns:
        The links in the order of the persons.

    Raises:
        Unfit: There is no such evening, or a person is not there.
        Declined: Nobody is there yet, everybody has a link, or the command was given before.
    """
    evening = evening_of(store, request.evening)
    by, command = clean_name(request.by), keepable(request.command, "The command id")
    _check_unused(store, evening, command)
    persons = _persons(store, evening, request.persons)
    secrets_by_person = {person: secrets.token_urlsafe(16) for person in persons}

    def draft(_: tuple[RecordedEvent, ...]) -> Sequence[Event]:
        _check_unused(store, evening, command)
        at, quiet = now(), not request.verdicts
        return [
            EveningLinkMade(
                at=at,
                by=by,
                command=command,
                evening=evening.key,
                person=person,
                quiet=quiet,
                secret_hash=digest(secret),
            )
            for person, secret in secrets_by_person.items()
        ]

    append_aside(store, STREAM, draft)
    made = {link.secret_digest: link for link in links_of(store).by_number.values()}
    _quieten(store, evening_of(store, request.evening), by)
    return tuple(MadeLink(made[digest(secret)], secret) for secret in secrets_by_person.values())


def _quieten(store: Log, evening: ClubEvening, by: str) -> None:
    """Make the open games of an evening quiet, if some link of the evening asks for that.

    In a quiet record the seats are shown no verdicts.
    """
    if needs_quiet(store, evening.key):
        for table in evening.tables:
            if not load(store, table.game).book.closed:
                make_quiet(store, table.game, by=by)


def _persons(store: Log, evening: ClubEvening, names: Sequence[str]) -> tuple[str, ...]:
    """Return the persons who get a link, each once: those named, or everybody at the evening who has none.

    Args:
        store: The log.
        evening: The evening.
        names: The names, empty for everybody. A revoked link does not count as one.

    Raises:
        Unfit: Somebody who is named is not there.
        Declined: Nobody is there, or everybody has a link.
    """
    shown = people_of(store).display_name
    persons = tuple(dict.fromkeys(shown(canonical_name(name, "The person's name")) for name in names))
    for person in persons:
        if person not in evening.present:
            name = person or "Nobody"
            raise Unfit(f"{name} is not at {evening.title}; `evening came '{evening.title}' NAME` says who came.")
    if not persons:
        have_one = {shown(link.person) for link in _links(store, evening) if not link.revoked_at}
        persons = tuple(person for person in evening.present if person not in have_one)
    if not persons and not evening.present:
        raise Declined(f"Nobody is at {evening.title} yet; `evening came '{evening.title}' NAME…` says who is.")
    if not persons:
        raise Declined(f"Everybody at {evening.title} has a link; name whoever needs another with -p NAME.")
    return persons


def _links(store: Log, evening: ClubEvening) -> tuple[Link, ...]:
    """Return the links of persons at an evening in the order in which they were made, revoked ones too."""
    return tuple(link for link in links_of(store).by_number.values() if link.evening == evening.key)


def _check_unused(store: Log, evening: ClubEvening, command: str) -> None:
    """Raise Declined if a command made links before. An empty key was never used.

    What opens those links is stored nowhere and cannot be shown again; the sentence names them by their numbers.
    """
    made = [link for link in links_of(store).by_number.values() if command and link.command == command]
    if any(link.evening != evening.key for link in made):
        raise reused_key(command, evening.title)
    if made:
        numbers = ", ".join(str(link.number) for link in made)
        revoke = " ".join(f"--revoke {link.number}" for link in made)
        raise Declined(
            f"The links {numbers} were made by this command before. What opens a link is shown once and stored nowhere;"
            f" if one is lost, revoke it with `links {revoke}` and make another with another key."
        )
