"""An event of divided work, which databases of earlier versions may hold. Its stream is not a game."""

from typing import Annotated as Field

from cartulary.records.log.events import Event
from cartulary.records.log.fields import Secret, nonempty


class PartNoted(Event, frozen=True, kw_only=True):
    """Something was noted about a part of divided work, as JSON in ASCII."""

    text: Field[str, Secret(nonempty)]
