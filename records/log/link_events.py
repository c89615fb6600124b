"""The events of links: who may come to a game, and as what. Their stream is no game, and is never exported.

A link's number is the version of the event that made it. What opens it is kept as a digest only.
"""

from cartulary.records.log.events import Event


class LinkMade(Event, frozen=True, kw_only=True):
    """A link to a game was made. role: ``scribe``, ``p1`` …, ``rail``, ``arbiter`` or ``reader``

    plays: the seat of a scribe who plays, 0 for one who does not; delay: seconds the rail is behind
    hashed: SHA-256 of what opens it, in hex
    """

    game: str
    role: str
    plays: int
    delay: int
    hashed: str


class LinkTaken(Event, frozen=True, kw_only=True):
    """A link for one person was taken up. link: its number

    hashed: SHA-256 of what the browser keeps, in hex
    """

    link: int
    hashed: str


class LinkRevoked(Event, frozen=True, kw_only=True):
    """A link opens nothing any more. link: its number"""

    link: int
