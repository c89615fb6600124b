"""The event of a part of divided work, which databases of earlier versions may hold. Its stream is no game."""

from typing import Annotated as Field

from cartulary.records.log.events import Event
from cartulary.records.log.fields import Secret, nonempty


class PartNoted(Event, frozen=True, kw_only=True):
    """Something was noted of a part of divided work. text: JSON in ASCII"""

    text: Field[str, Secret(nonempty)]
