"""Plies that were made and not written: what is known of a record from the first of them on.

``~`` is a ply nobody wrote; a word with ``~`` in it that the game cannot read is one nobody can read in part. After it
the state is ``Several``, where all moves of a position can be listed: every legal move may be the one, and each later
word throws those away on which it is refused. Where one way is left, the state is the game's own again. Where none is,
or moves cannot be listed, it is ``Lost``: words are kept, and nobody judges them.

Source: notation.md, "What nobody wrote".
"""

from collections.abc import Iterable
from itertools import chain
from typing import Any

from msgspec import Struct

from cartulary.engine.readings import Reading, Readings
from cartulary.notation.contract import AnyGame

BUDGET = 16_384
"""How many positions are followed at most once a written word has been judged in each."""
MOST_TRIED = 131_072
"""How many times a move is tried at most for all the positions that come of plies nobody wrote.

The same record is followed equally far everywhere, because work is counted and no clock is asked. Judging a move that
may have been made counts once, carrying it out or playing a written word in a position as much as that takes more.
"""
CARRYING, PLAYING, KEEPING = 2, 3, 24
"""How often carrying a move out counts, and playing a word in a position; how many moves kept for a ply count once."""
FREE = 128
"""How much a word may take without its being counted: a few positions may be followed to the end of any record."""
MOST_APART = 64
"""How many positions are followed at most where it turns on what nobody wrote who speaks next."""


UNKNOWN_SEAT = -1
"""Who speaks where no position is known, and so whose a word without a prefix is."""


class MissedPly(Struct, frozen=True):
    """A ply that was made and not written, or not all of it; ply: which one, 0 until that is known.

    own: what the game itself means by ``~``, such as a card nobody saw; None for nothing
    """

    seat: int
    signs: str
    ply: int = 0
    own: Any = None


class Meant(Struct, frozen=True):
    """A word after a gap. said: what it says in each position, None where nothing; empty where none is known.

    seat: 0 also where the word bears no prefix, and whose it is differs by the position
    anybody: whether it bears no prefix and nobody knows whose it is
    """

    seat: int
    signs: str
    said: tuple[Any, ...] = ()
    anybody: bool = False


class Way(Struct, frozen=True, cache_hash=True):
    """A move that may be the one nobody wrote. state: the position before it"""

    ply: int
    state: Any
    move: Any


class Several(Struct, frozen=True):
    """Positions of which one is the record's. ply: how many words stand before; gaps: the plies nobody wrote

    mover: the seat whose words bear no prefix; 0 where that is another one in other positions
    filled: the gaps of which it is known what was played
    tried: how much work it was to find them, of ``MOST_TRIED``
    """

    ply: int
    gaps: tuple[int, ...]
    readings: Readings[Any]
    mover: int
    filled: tuple[int, ...] = ()
    tried: int = 0

    @property
    def first(self) -> Any:
        """The first of the positions."""
        return self.readings.each[0].state

    @property
    def first_reading(self) -> Reading[Any]:
        """The first of the positions, and what it assumes."""
        return self.readings.each[0]


class Lost(Struct, frozen=True):
    """No position is known. because: why; mover, number: whose word comes and its move number, where that is known

    told: what was found says so already; last: the last position that was known, None where several were possible
    """

    ply: int
    gaps: tuple[int, ...]
    because: str
    mover: int = 0
    number: tuple[int, bool] | None = None
    told: bool = False
    last: Any = None


GAPS = (Several, Lost)


def fits(game: AnyGame, state: Any, ply: int) -> tuple[str, ...]:
    """Return the moves that may have been made at a ply nobody wrote, in their one spelling."""
    if type(state) is Lost:
        return ()
    if type(state) is not Several:
        return _read_by_game(game, state, ply)
    each = state.readings.each
    ways = {way: None for reading in each for way in chain(*reading.assumes) if way is not None and way.ply == ply}
    own = chain(*(_read_by_game(game, reading.state, ply) for reading in each))
    return tuple(dict.fromkeys((*(spelled(game, way) for way in ways), *own)))


def _read_by_game(game: AnyGame, state: Any, ply: int) -> tuple[str, ...]:
    """Return the moves that a ply may have been whose ``~`` the game itself has read."""
    return tuple(game.words.write(move, state, None) for move in game.hidden.may_have_been(state, ply))


def spelled(game: AnyGame, way: Way) -> str:
    """Return a move that may be the one nobody wrote, in its one spelling."""
    return game.words.write(way.move, way.state, game.rules.play(way.state, way.move).after)


def plies_said(gaps: Iterable[int]) -> str:
    """Say which plies, with the verb: ``plies 3 and 5 were``."""
    said = [str(gap) for gap in gaps]
    return f"ply {said[0]} was" if len(said) == 1 else f"plies {', '.join(said[:-1])} and {said[-1]} were"
