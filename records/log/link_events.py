"""The events of links: who may come to a game, and as what. Their stream is no game, and is never exported.

A link's number is the version of the event that made it. What opens it is kept as a digest only.
"""

from typing import Annotated as Field

from cartulary.records.log.events import Event
from cartulary.records.log.fields import (
    LONGEST_DELAY,
    MOST_SEATS,
    Public,
    Secret,
    between,
    earlier,
    link_role,
    nonempty,
    sha256_hex,
)


class LinkMade(Event, frozen=True, kw_only=True):
    """A link to a game was made. role: ``scribe``, ``p1`` …, ``rail``, ``arbiter`` or ``reader``

    plays: the seat of a scribe who plays, 0 for one who does not; delay: seconds the rail is behind
    hashed: SHA-256 of what opens it, in hex
    """

    game: Field[str, Public(nonempty)]
    role: Field[str, Public(link_role)]
    plays: Field[int, Public(between(0, MOST_SEATS))]
    delay: Field[int, Public(between(0, LONGEST_DELAY))]
    hashed: Field[str, Secret(sha256_hex)]


class LinkTaken(Event, frozen=True, kw_only=True):
    """A link for one person was taken up. link: its number

    hashed: SHA-256 of what the browser keeps, in hex
    """

    link: Field[int, Public(earlier)]
    hashed: Field[str, Secret(sha256_hex)]


class LinkRevoked(Event, frozen=True, kw_only=True):
    """A link opens nothing any more. link: its number"""

    link: Field[int, Public(earlier)]
