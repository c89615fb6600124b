"""Names of games: which are known in a log, and which known ones a mistyped name is like."""

from cartulary.notation import NotationError, find_game
from cartulary.notation.guide import near_names
from cartulary.notation.roster import NotLoaded, every_game, split_variant, title_by_alias
from cartulary.records.faults import Unfit
from cartulary.records.library.search import EVERY_GAME, Query, conditions_of, search, values_of, where
from cartulary.records.log.contract import Log
from cartulary.records.state.described_games import described_games


def game_titles(store: Log) -> list[str]:
    """Return the titles of the installed games, then those of the games that were described in a log, each in no fixed
    order.
    """
    described = described_games(store).values()
    return [*(game.about.title for game in every_game().values()), *(game.title for game in described)]


def recorded_titles(store: Log) -> list[str]:
    """Return the names of the games that are recorded and not installed, in alphabetical order; games set aside do not
    count.

    Raises:
        Declined: The games list is not up to date.
    """
    conditions, installed = conditions_of(store, EVERY_GAME), every_game()
    recorded = store.index.rows(f"SELECT DISTINCT g.game FROM games g WHERE {where(conditions)}", values_of(conditions))
    return sorted(game for (game,) in recorded if game not in installed)


def near_titles(store: Log, name: str) -> list[str]:
    """Return the titles of games that are spelled nearly like a name, the likest first; the name itself is left out.

    The games are installed, described or recorded. If the name is another one of an installed game, such as ``Schach``,
    the answer is that game alone. It is empty if nothing is like the name.

    Raises:
        Declined: The games list is not up to date.
    """
    if alias := title_by_alias(name):
        return [alias]
    titles = [*game_titles(store), *recorded_titles(store)]
    return [title for title in near_names(name, titles) if title.casefold() != name.casefold()]


def is_unknown_title(store: Log, name: str) -> bool:
    """Say whether a name is that of no game: none is installed or described so, and no record here has that name.

    A game that is installed but cannot be loaded is known.
    """
    try:
        find_game(name)
    except NotLoaded:
        return False
    except NotationError:
        pass
    else:
        return False
    if " ".join(name.split()).casefold() in described_games(store):
        return False
    try:
        return not search(store, Query(game=name), limit=1)[0]
    except Unfit:
        return True


def meant_title(store: Log, name: str) -> str:
    """Return the title of the installed game that is also called so: a French name -> its title.

    It is the name itself if there is none, or if the log has described or recorded a game of this name.

    Raises:
        Declined: The index is not up to date.
    """
    alias = title_by_alias(name)
    return alias if alias and is_unknown_title(store, name) else name


def meant_variant(store: Log, name: str) -> tuple[str, str]:
    """Return the title of an installed game and a variant, for a name that is the one followed by the other.

    The answer is the name itself and an empty variant for any other name, or if the log has described or recorded a
    game of this name.

    Raises:
        Declined: The index is not up to date.
    """
    title, variant = split_variant(name)
    return (title, variant) if variant and is_unknown_title(store, name) else (name, "")
