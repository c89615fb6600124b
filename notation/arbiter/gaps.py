"""Plies that were made and not written: what is known of a record from the first of them on.

``~`` is a ply nobody wrote; a word with ``~`` in it that the game cannot read is one nobody can read in part. After it
the state is ``Several``, where all moves of a position can be listed: every legal move may be the one, and each later
word throws those away on which it is refused. Where one way is left, the state is the game's own again. Where none is,
or moves cannot be listed, it is ``UnknownState``: words are kept, and nobody judges them.

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
    """A ply that was made and not written, or not all of it.

    ``ply`` is 0 until the number of the ply is known. ``own`` is the move that the game itself reads ``~`` as, such as
    a card nobody saw, and None where the game does not read it.
    """

    seat: int
    signs: str
    ply: int = 0
    own: Any = None


class WordAfterGap(Struct, frozen=True):
    """A word after a gap, read in every position that is possible there.

    ``moves`` has the move for each position in order, None where the word cannot be read, and is empty where no
    position is known. ``seat`` is 0 also for a word without a prefix whose seat differs from position to position.
    ``anybody`` marks a word without a prefix where nobody knows who speaks.
    """

    seat: int
    signs: str
    moves: tuple[Any, ...] = ()
    anybody: bool = False


class MissedMove(Struct, frozen=True, cache_hash=True):
    """A move that may be the one nobody wrote, with the position before it."""

    ply: int
    state: Any
    move: Any


class Several(Struct, frozen=True):
    """Several positions, one of which is the record's.

    ``ply`` counts the words before it, and ``gaps`` lists the plies nobody wrote. ``mover`` is the seat whose words
    need no prefix, 0 where that differs from position to position. ``known_gaps`` lists the gaps whose move is known by
    now. ``tries`` is the work spent on finding the positions, out of ``MOST_TRIED``.
    """

    ply: int
    gaps: tuple[int, ...]
    readings: Readings[Any]
    mover: int
    known_gaps: tuple[int, ...] = ()
    tries: int = 0

    @property
    def first(self) -> Any:
        """The first of the positions: a state of the game itself."""
        return self.readings.members[0].state

    @property
    def first_reading(self) -> Reading[Any]:
        """The first of the positions, and what it assumes."""
        return self.readings.members[0]


class UnknownState(Struct, frozen=True):
    """The state where no position is known any more; ``because`` says why.

    ``mover`` and ``number`` are the seat of the next word and its move number, as far as they are known. With
    ``has_finding`` a finding already reports it. ``last`` is the last position that was known, None where several were
    possible.
    """

    ply: int
    gaps: tuple[int, ...]
    because: str
    mover: int = 0
    number: tuple[int, bool] | None = None
    has_finding: bool = False
    last: Any = None


GAPS = (Several, UnknownState)


def fits(game: AnyGame, state: Any, ply: int) -> tuple[str, ...]:
    """Return the canonical words of the moves that may have been made at a ply nobody wrote.

    Empty if no position is known, for a ply that was written, and once play goes on in one position. If the game reads
    ``~`` itself, what it says of the ply is among them, also in one position.

    Args:
        game: The game.
        state: The state after the last ply that was read.
        ply: The number of the ply.
    """
    if type(state) is UnknownState:
        return ()
    if type(state) is not Several:
        return _read_by_game(game, state, ply)
    readings = state.readings.members
    candidates = {
        candidate: None
        for reading in readings
        for candidate in chain(*reading.assumes)
        if candidate is not None and candidate.ply == ply
    }
    own = chain(*(_read_by_game(game, reading.state, ply) for reading in readings))
    return tuple(dict.fromkeys((*(spelling_of(game, candidate) for candidate in candidates), *own)))


def _read_by_game(game: AnyGame, state: Any, ply: int) -> tuple[str, ...]:
    """Return the words of the moves that a ``~`` may stand for at a ply, in a game that itself reads ``~``.

    Empty in every other game, and for a ply that was written.
    """
    return tuple(game.words.write(move, state, None) for move in game.hidden.may_have_been(state, ply))


def spelling_of(game: AnyGame, candidate: MissedMove) -> str:
    """Return the canonical spelling of a move that may be the one nobody wrote, with a prefix if it needs one.

    The move is played from the position before it, as marks such as ``+`` depend on the state after it.
    """
    move, state = candidate.move, candidate.state
    turn = 0 if game.words.whole else game.turns.first(state)
    return game.words.spell(move, state, game.rules.play(state, move).after, turn)


def plies_with_verb(gaps: Iterable[int]) -> str:
    """Return the plies in words, with their verb: ``(3,) -> "ply 3 was"``, ``(3, 5) -> "plies 3 and 5 were"``.

    There must be at least one ply, or it is an IndexError.
    """
    numbers = [str(gap) for gap in gaps]
    return f"ply {numbers[0]} was" if len(numbers) == 1 else f"plies {', '.join(numbers[:-1])} and {numbers[-1]} were"
