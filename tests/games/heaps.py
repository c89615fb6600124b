"""A toy game as another package may offer it: nothing of it is like the bundled ones.

Its words look like results (``3-2``), its seats are called White and Black, and a word may leave open what it means.
"""

from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint

import pytest
from msgspec import Struct

from cartulary.engine import Outcome, PlayResult, Refused, Rules, Sheet, Turns, by_clauses, clause
from cartulary.engine.contract import Unclear
from cartulary.notation import About, Game, NotationError, Words, roster
from cartulary.notation.contract import Odd
from cartulary.notation.picture import Picture, Span


class Heaps(Struct, frozen=True):
    """What lies in heap 2 and so on."""

    heaps: tuple[int, ...] = (3, 4, 5, 4, 1, 1, 1, 5, 1, 1)
    mover: int = 1
    ply: int = 0


class Take(Struct, frozen=True):
    """So many stones from a heap; heap 0: from any, as long as the word leaves that open."""

    seat: int
    heap: int
    stones: int


@clause("heaps.turn", "The seats take in turn.", "house ruling")
def turn(state: Heaps, move: Take) -> Refused | None:
    return Refused(f"It is p{state.mover}'s turn") if move.seat != state.mover else None


@clause("heaps.enough", "Nobody takes more than lies there.", "house ruling")
def enough(state: Heaps, move: Take) -> Refused | None:
    there = state.heaps[move.heap - 2]
    return Refused(f"Only {there} lie in heap {move.heap}", True) if move.stones > there else None


def apply(state: Heaps, move: Take) -> Heaps:
    left = tuple(there - move.stones * (at == move.heap) for at, there in enumerate(state.heaps, 2))
    return Heaps(left, 3 - move.seat, state.ply + 1)


_play, judge = by_clauses((turn, enough), apply)


def play(state: Heaps, said: Take, exactly: bool = False, /) -> PlayResult[Heaps, Take]:
    if said.heap:
        return _play(state, said)
    fits = tuple(move for move in candidates(state) if move.stones == said.stones)
    if len(fits) == 1:
        return _play(state, fits[0])
    return (
        PlayResult(said, Unclear(fits), None)
        if fits
        else PlayResult(said, Refused("No heap has so many", True, enough), None)
    )


def candidates(state: Heaps) -> Iterator[Take]:
    for heap, there in enumerate(state.heaps, 2):
        yield from (Take(state.mover, heap, stones) for stones in range(1, there + 1))


def outcome(state: Heaps) -> Outcome | None:
    if any(state.heaps):
        return None
    won = 3 - state.mover
    return Outcome((int(won == 1), int(won == 2)), "heaps.turn", f"p{won} took the last")


def moved(signs: str) -> bool:
    heap, _, stones = signs.partition("-")
    return heap in map(str, range(2, 12)) and stones in map(str, range(1, 10))


def read(signs: str, seat: int, state: Heaps) -> Take:
    if moved(signs):
        return Take(seat, *map(int, signs.split("-")))
    if signs[0] == "x" and signs[1:] in map(str, range(1, 10)):
        return Take(seat, 0, int(signs[1:]))
    raise NotationError(f"found {signs}, expected a heap and what is taken, such as 3-2, or x2")


def setup(sheet: Sheet[None]) -> Heaps:
    return Heaps()


def picture(state: Heaps, seat: int | None) -> Picture:
    return tuple((Span("o" * there, "frame"),) for there in state.heaps)


HEAPS = Game(
    about=About(
        key="heaps",
        title="Heaps",
        edition="heaps-1",
        seats=(2,),
        says="ten heaps",
        seat_tags=lambda seats: ("White", "Black"),
    ),
    rules=Rules(
        setup=setup,
        play=play,
        clauses=(turn, enough),
        judge=judge,
        candidates=candidates,
        complete=lambda state: True,
        outcome=outcome,
    ),
    words=Words(
        read=read, write=lambda move, state, after: f"{move.heap}-{move.stones}", picture=picture, odd=Odd(numeric=True)
    ),
    turns=Turns(number=lambda state, move: (state.ply // 2 + 1, state.ply % 2 == 0), skip=lambda state: state),
)


def offer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the game be one that another package has installed."""
    point = EntryPoint("heaps", f"{__name__}:HEAPS", roster.ENTRY_POINTS)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: (point,))
    monkeypatch.setattr(roster, "_installed", cache(roster._installed.__wrapped__))
