"""The games there are: each a rules module paired with its notation. A sixth game is one more line in GAMES."""

import sys
from collections.abc import Mapping
from functools import cache
from importlib.util import LazyLoader, find_spec, module_from_spec
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import Struct

from cartulary.engine import Rules, Sheet
from cartulary.engine.contract import HasSeat
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.picture import Picture

if TYPE_CHECKING:
    from cartulary.engine import arcanoid, cardmate, tarot, tarot_duel, zarcana
    from cartulary.notation import arcanoid as arcanoid_words
    from cartulary.notation import cardmate as cardmate_words
    from cartulary.notation import tarot as tarot_words
    from cartulary.notation import tarot_duel as tarot_duel_words
    from cartulary.notation import zarcana as zarcana_words
else:

    def _when_asked(name: str) -> Any:
        """Return a module that is loaded when something is first asked of it, so that a command loads one game."""
        if name in sys.modules:
            return sys.modules[name]
        spec = find_spec(name)
        spec.loader = LazyLoader(spec.loader)
        module = sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    arcanoid, arcanoid_words = _when_asked("cartulary.engine.arcanoid"), _when_asked("cartulary.notation.arcanoid")
    cardmate, cardmate_words = _when_asked("cartulary.engine.cardmate"), _when_asked("cartulary.notation.cardmate")
    tarot, tarot_words = _when_asked("cartulary.engine.tarot"), _when_asked("cartulary.notation.tarot")
    tarot_duel = _when_asked("cartulary.engine.tarot_duel")
    tarot_duel_words = _when_asked("cartulary.notation.tarot_duel")
    zarcana, zarcana_words = _when_asked("cartulary.engine.zarcana"), _when_asked("cartulary.notation.zarcana")

ENTRY_POINTS = "cartulary.games"

S = TypeVar("S", contravariant=True)
M = TypeVar("M", bound=HasSeat)
T = TypeVar("T")
State = TypeVar("State")


class Script(Protocol[S, M, T]):
    """A game's notation pair: a module of functions, parse and format side by side."""

    def seat_tags(self, seats: int, /) -> tuple[str, ...]:
        """Return the tags that name the players, in seat order."""

    def own_tags(self) -> tuple[str, ...]:
        """Return the names of the game's own tags, which ``parse_sheet`` reads."""

    def parse_sheet(self, tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int, /) -> Sheet[T]:
        """Return the sheet; raises NotationError whose ``key`` is ``record.tag``."""

    def format_sheet(self, sheet: Sheet[T], /) -> dict[str, str]:
        """Return the game's own tags in their one spelling; none where the sheet has none."""

    def parse_move(self, text: str, state: S, /) -> M:
        """Return the move a word means in the state before it; raises NotationError."""

    def format_move(self, move: M, state: S, /) -> str:
        """Return the one spelling of a move in the state before it."""

    def led(self, state: S, /) -> str:
        """Return the suit led in the trick that is played as cards are written, T for trumps; empty for no trick.

        At a table a rank alone is a card of that suit.
        """

    def number(self, state: S, move: M | None, /) -> tuple[int, bool] | None:
        """Return a ply's move number and whether it is the first of its round; None for no number.

        move: None for a word that could not be read, and for a call
        """

    def came_of(self, before: S, move: M, after: S, /) -> str:
        """Return what a score sheet says came of a ply, such as who took the trick; empty for nothing."""

    def scores(self, state: S, /) -> dict[str, str]:
        """Return the tags that say what the seats have won so far; none in a game without points."""

    def misstated(self, tags: Mapping[str, str], result: str, state: S, /) -> tuple[tuple[str, str, str], ...]:
        """Return (tag, key, because) of every tag that contradicts the points of the moves.

        result: as stated, ``*`` for none; it is contradicted under the tag Result
        """

    def whereabouts(self, state: S, /) -> tuple[tuple[str, str], ...]:
        """Return (cards, places) of all cards that are not played, cards alike in one line, the fewest first; exact.

        Places are said as a sentence says them: ``with p2 or in the discards``.
        """

    def picture(self, state: S, seat: int, /) -> Picture:
        """Return the position as the seat sees it, 0 for all, drawn to be played from within 80 columns."""


class Game(Struct, Generic[State, M, T], frozen=True):
    """A game's rules and its notation."""

    rules: Rules[State, M, T]
    script: Script[State, M, T]


def pair(rules: Rules[State, M, T], script: Script[State, M, T]) -> Game[State, M, T]:
    """Return the game; a type checker refuses rules and notation that do not belong together."""
    return Game(rules, script)


GAMES: dict[str, Game[Any, Any, Any]] = {
    "arcanoid": pair(arcanoid, arcanoid_words),
    "cardmate": pair(cardmate, cardmate_words),
    "tarot": pair(tarot, tarot_words),
    "tarot-duel": pair(tarot_duel, tarot_duel_words),
    "zarcana": pair(zarcana, zarcana_words),
}


def find_game(name: str) -> Game[Any, Any, Any]:
    """Return a game by its title or key, capitals or not; installed games of others are looked up last.

    Raises NotationError that names the games there are.
    """
    wanted = name.strip().lower()
    bundled = GAMES.get(wanted.replace(" ", "-"))
    if bundled is not None:
        return bundled
    for key, game in GAMES.items():
        if wanted in (key, game.rules.TITLE.lower()):
            return game
    for key, game in _installed():
        if wanted in (key, game.rules.TITLE.lower()):
            GAMES[key] = game
            return game
    known = ", ".join(game.rules.TITLE for game in GAMES.values())
    raise NotationError(f"found the game {name!r}, expected one of: {known}", key="record.tag")


@cache
def _installed() -> tuple[tuple[str, Game[Any, Any, Any]], ...]:
    from importlib.metadata import entry_points

    found = ((point.name, point.load()) for point in entry_points(group=ENTRY_POINTS))
    return tuple((key, game) for key, game in found if isinstance(game, Game))


def every_game() -> dict[str, Game[Any, Any, Any]]:
    """Return the bundled games and those other packages installed, by key."""
    return GAMES | {key: game for key, game in _installed() if key not in GAMES}
