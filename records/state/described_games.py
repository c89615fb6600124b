"""The games without rules that the archive knows: their descriptions, as the stream ``@games`` has them."""

from contextlib import suppress

from msgspec import Struct

from cartulary.notation import NotationError, find_game
from cartulary.notation.description import Description, DescriptionFault, read_description, write_description
from cartulary.notation.unjudged import NOBODY
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
    """Return the described games by their titles in small letters, each as it was described last; empty if there are
    none.

    A description that cannot be read here, because another version wrote it, is passed over.
    """
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


def description_tags(store: Log, game: str) -> tuple[str, dict[str, str]]:
    """Return the title of a described game, which has no rules here, and the tags that a record of it has.

    Args:
        store: The log.
        game: The name somebody typed, in any capitals and with any blanks.

    Returns:
        The title as it was described and the tags Rules and Description; the name itself and no tags if the game is not
        described, or its rules are installed.
    """
    with suppress(NotationError):
        find_game(game)
        return game, {}
    known = described_games(store).get(" ".join(game.split()).casefold())
    if known is None:
        return game, {}
    return known.title, {"Rules": NOBODY, "Description": write_description(known.description)}
