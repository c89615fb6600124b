"""The events of streams that are not games: links, divided work, descriptions of games, people, and evenings.

Links and parts are never exported. A link says who may open a game, and in which role. Its number is the version of the
event that made it. Of the secret that opens it only a digest is stored.
"""

from typing import Annotated as Field

from cartulary.records.log.events import Event
from cartulary.records.log.fields import (
    LONGEST_DELAY,
    MOST,
    MOST_SEATS,
    Free,
    Name,
    Public,
    Secret,
    between,
    earlier,
    link_role,
    nonempty,
    one_of,
    sha256_hex,
)

BYES = ("pairing", "full", "half", "zero")
"""The kinds of byes: without an opponent because the number of players is odd, which counts as a win, or asked for and
counted as a win, a draw or nothing."""


class LinkMade(Event, frozen=True, kw_only=True, rename={"secret_hash": "hashed"}):
    """A link to a game was made.

    Attributes:
        game: The id of the game.
        role: ``scribe``, ``p1`` …, ``rail``, ``arbiter`` or ``reader``.
        plays: The seat of a scribe who plays too, 0 for one who does not.
        delay: By how many seconds the view of the rail is delayed.
        secret_hash: The SHA-256 of the secret that opens it, in hex.
    """

    game: Field[str, Public(nonempty)]
    role: Field[str, Public(link_role)]
    plays: Field[int, Public(between(0, MOST_SEATS))]
    delay: Field[int, Public(between(0, LONGEST_DELAY))]
    secret_hash: Field[str, Secret(sha256_hex)]


class EveningLinkMade(Event, frozen=True, kw_only=True, rename={"secret_hash": "hashed"}):
    """A link for one person at an evening was made, which leads to whichever seat the person has.

    Attributes:
        evening: The key of the evening.
        person: The name of the person.
        quiet: Whether the games of the evening are quiet on account of it.
        secret_hash: The SHA-256 of the secret that opens it, in hex.
    """

    evening: Field[str, Public(nonempty)]
    person: Field[str, Name(nonempty)]
    quiet: Field[bool, Public()]
    secret_hash: Field[str, Secret(sha256_hex)]


class LinkTaken(Event, frozen=True, kw_only=True, rename={"secret_hash": "hashed"}):
    """A link for one person was opened in a browser, which alone can use it from then on.

    Attributes:
        link: The number of the link.
        secret_hash: The SHA-256 of the secret that the browser stores, in hex.
    """

    link: Field[int, Public(earlier)]
    secret_hash: Field[str, Secret(sha256_hex)]


class LinkRevoked(Event, frozen=True, kw_only=True):
    """A link was revoked and opens nothing any more.

    Attributes:
        link: The number of the link.
    """

    link: Field[int, Public(earlier)]


# --- divided work ---


class PartNoted(Event, frozen=True, kw_only=True):
    """Something was noted about a part of divided work, as JSON in ASCII."""

    text: Field[str, Secret(nonempty)]


# --- games without rules ---


class GameDescribed(Event, frozen=True, kw_only=True):
    """A game without rules was described, or described again: the last description of a title counts.

    Attributes:
        title: The name of the game.
        description: What is known of it, as in the tag Description.
    """

    title: Field[str, Public(nonempty)]
    description: Field[str, Free()]


class HouseRuleAdded(Event, frozen=True, kw_only=True):
    """The club decided about a rule or an option of a game, or decided again: the last decision of a key counts.

    Attributes:
        game: The key of the game.
        key: The key of the house rule.
        rule: The key of the game's rule that it is about; empty for an option, or for words alone.
        decision: ``waived``, ``remark``, ``option NAME=VALUE``, or ``words`` for words alone.
        date: When it was decided, as 2026-11-01.
        decided_by: Who decided it.
        words: The decision in the words of the club.
    """

    game: Field[str, Public(nonempty)]
    key: Field[str, Public(nonempty)]
    rule: Field[str, Public()]
    decision: Field[str, Public(nonempty)]
    date: Field[str, Public(nonempty)]
    decided_by: Field[str, Name(nonempty)]
    words: Field[str, Free()]


class HouseRuleWithdrawn(Event, frozen=True, kw_only=True):
    """A house rule was withdrawn: games that begin later do not have it.

    Attributes:
        game: The key of the game.
        key: The key of the house rule.
    """

    game: Field[str, Public(nonempty)]
    key: Field[str, Public(nonempty)]


# --- people ---


class PeopleMerged(Event, frozen=True, kw_only=True):
    """Two names were found to be one person's; lists and standings show the second name for both.

    Attributes:
        name: The name as records have it.
        into: The name that is shown.
    """

    name: Field[str, Name(nonempty)]
    into: Field[str, Name(nonempty)]


class PersonSplit(Event, frozen=True, kw_only=True):
    """A name that was merged into another stands for a person of its own again.

    Attributes:
        name: The name as records have it.
    """

    name: Field[str, Name(nonempty)]


# --- evenings ---


class EveningOpened(Event, frozen=True, kw_only=True):
    """An evening was opened, or opened again: the last title, date and place count.

    Attributes:
        title: What the evening is called.
        date: The day, as in the tag Date.
        place: Where it is, empty if nobody said.
    """

    title: Field[str, Public(nonempty)]
    date: Field[str, Public(nonempty)]
    place: Field[str, Free()]


class TableSet(Event, frozen=True, kw_only=True):
    """A game was opened at a table of an evening.

    Attributes:
        round: The round.
        table: The number of the table in the round.
        game: The id of the game.
        players: The persons at the seats of the game, in order.
        waiting: The persons at the table who sit out, in the order in which they come to a seat.
    """

    round: Field[int, Public(between(1, MOST))]
    table: Field[int, Public(between(1, MOST))]
    game: Field[str, Public(nonempty)]
    players: Field[tuple[str, ...], Name()]
    waiting: Field[tuple[str, ...], Name()]


class PersonCame(Event, frozen=True, kw_only=True):
    """A person came to an evening.

    Attributes:
        person: The name.
    """

    person: Field[str, Name(nonempty)]


class PersonLeft(Event, frozen=True, kw_only=True):
    """A person left an evening.

    Attributes:
        person: The name.
    """

    person: Field[str, Name(nonempty)]


class ByeSet(Event, frozen=True, kw_only=True):
    """A person got a bye for a round of an evening: no game, and points of its kind. The last kind of a round counts.

    Attributes:
        round: The round.
        person: The name.
        kind: One of ``BYES``.
    """

    round: Field[int, Public(between(1, MOST))]
    person: Field[str, Name(nonempty)]
    kind: Field[str, Public(one_of(BYES))]


class EntrantsNumbered(Event, frozen=True, kw_only=True):
    """The persons of an evening got start numbers. Whoever comes later has the next ones.

    Attributes:
        persons: The names, from start number 1.
        details: For each, what a tournament report says: sex, title, rating, federation, FIDE number and birth, with a
            semicolon between two; empty for nothing.
    """

    persons: Field[tuple[str, ...], Name()]
    details: Field[tuple[str, ...], Name()]


class TournamentStated(Event, frozen=True, kw_only=True):
    """An evening was stated to be a tournament, or stated again: the last number of rounds and the last lines count.

    Attributes:
        rounds: How many rounds it is to have, 0 if nobody said.
        lines: Lines of a tournament report that belong to no player and no game, as they stand there.
    """

    rounds: Field[int, Public(between(0, MOST))]
    lines: Field[tuple[str, ...], Free()]
