"""The event of a part of divided work: what merging needs to know beside the games. Its stream is no game."""

from cartulary.records.log.events import Event


class PartNoted(Event, frozen=True, kw_only=True):
    """Something was noted of a part: what it is of, what became of its games, that it is whole. text: JSON in ASCII"""

    text: str
