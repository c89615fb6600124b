"""The marks of positions, by which the games are found in which a position stood.

A *mark* is a digest of all that matters for how play can go on, and of nothing that only tells how it came about; so a
position is found again where other moves led to it. In a game with hidden cards every ply has the mark of what the
record holds, and one for each seat that may speak then, of what this seat knows. Games are put into the index when a
position is first looked for, and again once they have changed.
"""

from collections.abc import Callable, Iterator
from hashlib import blake2b
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import Struct

from cartulary.engine import Refused
from cartulary.notation import Game, NotationError, Record, read_heading, steps
from cartulary.notation.arbiter.replay import CALLS
from cartulary.records.faults import Fault, Unfit
from cartulary.records.log.store import Store
from cartulary.records.state.fold import book_of, sheet

Marks = list[tuple[int, int]]
"""(ply, mark) of a game, every position once."""

DIGEST = 6
"""Bytes of a mark: two positions among ten million have the same one by chance once in some ten million searches."""

# --- what makes a position ---


def _tarot(state: Any) -> tuple[object, ...]:
    start = state.round
    deal = (start.dealer, start.dealt, start.counts, start.bids, start.taker, start.bid, start.called, start.chien)
    laid = (state.house, state.phase, state.turn, state.laid, state.by, state.led, state.played, state.can, state.sure)
    told = (start.discards, start.poignees, start.chelem)
    return deal, laid, told, sorted(map(_encode, state.tricks))


def _zarcana(state: Any) -> tuple[object, ...]:
    hands = tuple(bytes(sorted(hand)) for hand in state.hands)
    board = (sorted(state.cards.items()), sorted(state.men.items()))
    table = (state.house, board, state.deck, state.pile, state.stash, state.known)
    return hands, table, state.turn, state.course, state.unseen.slots


_DUEL = attrgetter("house", "sides", "turn", "flags", "due", "act", "loose", "fresh", "marks", "unseen.slots", "ended")
_COUNTS = frozenset(("ply", "round", "turns", "lap", "clock", "proved"))


def _uncounted(state: Any) -> tuple[object, ...]:
    """Return a state without what only counts plies and rounds: for games nobody has said more of."""
    return tuple(getattr(state, name) for name in state.__struct_fields__ if name not in _COUNTS)


MATTERS: dict[str, Callable[[Any], object]] = {
    "cardmate": attrgetter("board", "mover", "won"),
    "tarot": _tarot,
    "tarot-duel": _DUEL,
    "zarcana": _zarcana,
}
"""By game, what of a state makes the position; every other game has all of it but what counts plies and rounds."""

_encode = msgspec.json.Encoder(order="deterministic", enc_hook=str).encode


def mark(game: Game[Any, Any, Any], state: Any, seat: int = 0) -> int:
    """Return the mark of a position. seat: of what this seat knows of it; 0 for all the record holds."""
    key = game.rules.KEY
    if seat and not game.rules.FACE_UP:
        state = game.rules.view(state, seat)
    else:
        seat = 0
    body = _encode(MATTERS.get(key, _uncounted)(state))
    return int.from_bytes(blake2b(body, digest_size=DIGEST, person=f"{key[:13]}/{seat}".encode()).digest())


# --- the marks of a game ---


class Trail(Struct, frozen=True):
    """The marks of one game. number: its own in the read model; version: how many events they were worked out from."""

    number: int
    version: int
    marks: tuple[tuple[int, int], ...]


def marks_of(record: Record, legal: bool = False) -> Iterator[tuple[int, int]]:
    """Yield (ply, mark) of every position of a record, as far as it can be followed.

    legal: every word is known to be legal and canonical, so that where all lies open none is judged again
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        return
    state = heading.game.rules.setup(heading.sheet)
    if isinstance(state, Refused):
        return
    for ply, after in enumerate(_states(heading.game, state, record.line.words, heading.sheet.seats, legal)):
        yield ply, mark(heading.game, after)
        if not heading.game.rules.FACE_UP:
            for seat in heading.game.rules.actors(after):
                yield ply, mark(heading.game, after, seat)


def _states(game: Game[Any, Any, Any], state: Any, words: tuple[str, ...], seats: int, legal: bool) -> Iterator[Any]:
    yield state
    if not (legal and game.rules.FACE_UP):
        yield from (step.after for step in steps(game, state, words, seats) if step.applied)
        return
    parse, apply, skip = game.script.parse_move, game.rules.apply, game.rules.skip
    for word in words:
        state = skip(state) if word in CALLS else apply(state, parse(word, state))
        yield state


def trail(store: Store, id: str, number: int, legal: bool) -> Trail:
    """Return the marks of a stored game; of one that cannot be read or judged here none."""
    version = 1 << 62
    try:
        recorded = store.stream(id)
        version = len(recorded)
        found: dict[int, int] = {}
        for ply, each in marks_of(sheet(book_of(id, recorded)), legal):
            found.setdefault(each, ply)
    except (Fault, NotationError):
        return Trail(number, version, ())
    return Trail(number, version, tuple((each, ply) for each, ply in found.items()))


def sought(record: Record, at: int | None, seat: int = 0) -> int:
    """Return the mark of the position after so many plies of a record, of the last one without.

    seat: as this seat knew it when it could speak
    Raises Unfit where the record has no such position, or the seat no word to say in it.
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        raise Unfit(f"The record cannot be set up: {heading.because}.")
    state = heading.game.rules.setup(heading.sheet)
    if isinstance(state, Refused):
        raise Unfit(f"The record cannot be set up: {state.because}.")
    if not 0 <= seat <= heading.sheet.seats:
        raise Unfit(f"p{seat} is no seat of this game: its seats are p1 to p{heading.sheet.seats}.")
    words = record.line.words if at is None else record.line.words[: max(at, 0)]
    states = list(_states(heading.game, state, words, heading.sheet.seats, False))
    if at is not None and at != len(states) - 1:
        raise Unfit(f"There is no ply {at}: the game can be followed for {len(states) - 1} plies.")
    found = states[-1]
    actors = heading.game.rules.actors(found)
    if seat and not heading.game.rules.FACE_UP and seat not in actors:
        whose = " and ".join(f"p{each}" for each in actors) or "nobody"
        raise Unfit(f"p{seat} has no word to say in this position, but {whose}: look for one in which it may speak.")
    return mark(heading.game, found, seat)
