"""The games that are installed, bundled ones and those of other packages, each loaded when it is asked for.

A package offers a game by an entry point of the group ``cartulary.games``: ``key = "package:GAME"``. The bundled games
have theirs too; here they are known by their folders, because reading the metadata of all packages takes longer than a
small file.
"""

from collections.abc import Iterator, MutableMapping
from functools import cache, lru_cache
from importlib import import_module
from os import listdir
from os.path import basename, dirname, isfile, join
from traceback import walk_tb
from typing import Any

from msgspec import Struct

from cartulary.notation.cgn.record import NotationError
from cartulary.notation.contract import AnyGame, Game
from cartulary.notation.guide import loosely, near_names

__all__ = [
    "GAMES",
    "LoadFault",
    "NotLoaded",
    "every_game",
    "fault_of_game",
    "find_game",
    "load_faults",
    "split_variant",
    "title_by_alias",
]

ENTRY_POINTS = "cartulary.games"


def _bundled() -> dict[str, str]:
    """Return the entry points of the bundled games by key: ``{"oh-hell": "cartulary.notation.oh_hell:GAME"}``.

    A bundled game has a folder here with a guide, and one among the rules.
    """
    folder, table = dirname(__file__), {}
    for name in sorted({*listdir(folder)}.intersection(listdir(join(dirname(folder), "engine")))):
        if isfile(join(folder, name, "guide.toml")):
            table[name.replace("_", "-")] = f"cartulary.notation.{name}:GAME"
    return table


BUNDLED_GAMES = _bundled()


class LoadFault(Struct, frozen=True):
    """A game of another package that cannot be loaded; ``because`` says why."""

    key: str
    distribution: str
    because: str

    def __str__(self) -> str:
        """Return the fault as a sentence."""
        return f"The game {self.key} of the package {self.distribution} cannot be loaded: {self.because}."


class NotLoaded(NotationError):
    """Raised for a game that is installed and cannot be loaded; its text says why."""


class Roster(MutableMapping[str, AnyGame]):
    """A mapping of keys to games that loads each game when it is first asked for."""

    def __init__(self, table: dict[str, str]) -> None:
        self._table: dict[str, str | AnyGame] = dict(table)

    def __getitem__(self, key: str) -> AnyGame:
        entry = self._table[key]
        if isinstance(entry, Game):
            return entry
        module, _, name = entry.partition(":")
        game: AnyGame = getattr(import_module(module), name)
        self._table[key] = game
        return game

    def __setitem__(self, key: str, game: AnyGame) -> None:
        self._table[key] = game

    def __delitem__(self, key: str) -> None:
        del self._table[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __contains__(self, key: object) -> bool:
        return key in self._table


GAMES = Roster(BUNDLED_GAMES)


def find_game(name: str) -> AnyGame:
    """Return the game with this title or key, in capitals or not.

    Bundled games are looked up first, so a package cannot replace one.

    Args:
        name: A title, as the tag Game has it, or a key, as it is typed.

    Raises:
        NotLoaded: If the game is installed and cannot be loaded.
        NotationError: If there is no such game; its text lists the games, and suggests one that is spelled like it.
    """
    wanted = name.strip().lower()
    key = wanted.replace(" ", "-")
    if key in GAMES:
        return GAMES[key]
    for games in (GAMES, _installed()[0]):
        for key, game in games.items():
            if wanted in (key, game.about.title.lower()):
                return game
    for fault in load_faults():
        if wanted.replace(" ", "-") == fault.key:
            raise NotLoaded(str(fault)[:-1], key="record.tag")
    titles = tuple(dict.fromkeys(game.about.title for game in every_game().values()))
    because = f"found the game {name!r}, {_suggestion(name, titles)}expected one of: {', '.join(titles)}"
    raise NotationError(because, key="record.tag")


def split_variant(name: str) -> tuple[str, str]:
    """Return the title of a game and the variant, for a text that has both: the name of a game, then of its variant.

    Args:
        name: What was typed as the name of a game, in any capitals.

    Returns:
        The title and the variant; the text itself and an empty variant if it is the name of a game, or names no
        variant.
    """
    words = name.split()
    if _game_named(name) is None:
        for at in range(len(words) - 1, 0, -1):
            game, last = _game_named(" ".join(words[:at])), " ".join(words[at:]).strip("(),").casefold()
            if game is None:
                continue
            for variant in game.about.variants:
                if variant.casefold() == last:
                    return game.about.title, variant
    return name, ""


def _game_named(name: str) -> AnyGame | None:
    """Return the game of this title or key; None if there is none, or if it cannot be loaded."""
    try:
        return find_game(name)
    except NotationError:
        return None


def title_by_alias(name: str) -> str:
    """Return the title of the game that people also call so, in another language for example.

    Args:
        name: A name, in any capitals, with accents or without.

    Returns:
        The title; empty if no game declares the name (``About.also``).
    """
    return _titles_by_alias(tuple((game.about.title, game.about.also) for game in every_game().values())).get(
        loosely(name), ""
    )


@lru_cache(8)
def _titles_by_alias(titles: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, str]:
    """Return titles by the aliases that go with them, as ``loosely`` writes names; of several games the first."""
    return {loosely(alias): title for title, aliases in reversed(titles) for alias in aliases}


@lru_cache(64)
def _suggestion(name: str, titles: tuple[str, ...]) -> str:
    """Return ``did you mean …? `` with the title most like a name; empty if none is like it."""
    return "".join(f"did you mean {near}? " for near in near_names(name, titles, 1))


@cache
def _installed() -> tuple[dict[str, AnyGame], tuple[LoadFault, ...]]:
    """Return the games of other packages by key, and those that cannot be loaded.

    The packages are searched at the first call; later calls return the same.
    """
    from importlib.metadata import entry_points

    games: dict[str, AnyGame] = {}
    faults: list[LoadFault] = []
    for point in entry_points(group=ENTRY_POINTS):
        if point.name in BUNDLED_GAMES and point.value.startswith("cartulary.notation."):
            continue  # one of the bundled games, which are known without their entry points
        game, because = (None, "another package offers it too") if point.name in games else _loaded(point)
        if game is None:
            faults.append(LoadFault(point.name, point.dist.name if point.dist else "without a name", because))
        else:
            games[point.name] = game
    return games, tuple(faults)


def _loaded(point: Any) -> tuple[AnyGame | None, str]:
    """Return the game of an entry point and no reason, or None and the reason why it cannot be loaded.

    Code of another package may raise anything, and must break nothing here.
    """
    if point.name in BUNDLED_GAMES:
        return None, f"{point.name} is a game of Cartulary itself"
    try:
        loaded = point.load()
    except (Exception, SystemExit) as fault:
        return None, f"{type(fault).__name__}: {str(fault).partition(chr(10))[0]}".rstrip(".: ")
    if not isinstance(loaded, Game):
        return None, f"{point.value} should be a cartulary.notation.Game, but is {type(loaded).__name__}"
    return loaded, ""


def every_game() -> dict[str, AnyGame]:
    """Return all games by key: the bundled ones and those of other packages that can be loaded; this loads them all."""
    return dict(GAMES) | {key: game for key, game in _installed()[0].items() if key not in GAMES}


def load_faults() -> tuple[LoadFault, ...]:
    """Return the games of other packages that cannot be loaded, each with the reason; empty for none."""
    return _installed()[1]


def fault_of_game(fault: BaseException) -> str:
    """Return a sentence that names the game of another package whose code has raised a fault; empty for none.

    It says the file and line, and the ply if the fault came up while a record was walked through: ``The game checkers
    of the package cartulary-checkers has a fault in rules.py, line 57, at ply 3,
    11-15: KeyError: 33.``.

    Args:
        fault: What was raised, with its traceback and the notes added to it.
    """
    from importlib.metadata import entry_points

    games = {point.module.partition(".")[0]: point for point in entry_points(group=ENTRY_POINTS)}
    games.pop("cartulary", None)
    frames = [
        (games[root], frame.f_code.co_filename, line)
        for frame, line in walk_tb(fault.__traceback__)
        if (root := str(frame.f_globals.get("__name__", "")).partition(".")[0]) in games
    ]
    if not frames:
        return ""
    point, file, line = frames[-1]
    where = "".join(f", {note}" for note in getattr(fault, "__notes__", ()))
    what = f"{type(fault).__name__}: {str(fault).partition(chr(10))[0]}".rstrip(".: ")
    package = point.dist.name if point.dist else "without a name"
    return (
        f"The game {point.name} of the package {package} has a fault in {basename(file)}, line {line}{where}: {what}."
    )
