"""The event of a part of divided work, which databases of earlier versions may hold. Its stream is no game."""

from cartulary.records.log.events import Event


class PartNoted(Event, frozen=True, kw_only=True):
    """Something was noted of a part of divided work. text: JSON in ASCII"""

    text: str
