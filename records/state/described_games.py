"""The games without rules that the archive knows: their descriptions, as the stream ``@games`` has them."""

from msgspec import Struct

from cartulary.notation.description import Description, DescriptionFault, read_description
from cartulary.records.log.aside_events import GameDescribed
from cartulary.records.log.contract import Log
from cartulary.records.log.recorded import ASIDE

STREAM = f"{ASIDE}games"


class DescribedGame(Struct, frozen=True):
    """A game without rules.

    Attributes:
        title: Its name.
        description: What is known of it.
        by: Who described it.
        at: When.
    """

    title: str
    description: Description
    by: str
    at: str


def described_games(store: Log) -> dict[str, DescribedGame]:
    """Return the described games by their titles in small letters, each as it was described last."""
    if store.head(STREAM) is None:
        return {}
    games: dict[str, DescribedGame] = {}
    for recorded in store.stream(STREAM):
        event = recorded.event
        if isinstance(event, GameDescribed):
            try:
                description = read_description(event.description)
            except DescriptionFault:
                continue  # written by another version; the records keep their own descriptions
            games[event.title.casefold()] = DescribedGame(event.title, description, event.by, event.at)
    return games
