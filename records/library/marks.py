"""The marks of positions, by which the games are found in which a position stood.

A *mark* is a digest of all that matters for how play can go on, and of nothing that only tells how it came about; so a
position is found again where other moves led to it. In a game with hidden cards every ply has the mark of what the
record holds, and one for each seat that may speak then, of what this seat knows. Games are put into the index when a
position is first looked for, and again once they have changed.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import chain
from typing import Any

import msgspec
from msgspec import Struct

from cartulary.engine import Played, Refused
from cartulary.engine.numbers import seats_named
from cartulary.engine.play import speakers
from cartulary.notation import AnyGame, NotationError, Record, read_heading
from cartulary.notation.arbiter.boards import Start, start_of
from cartulary.notation.arbiter.gaps import GAPS, Several
from cartulary.notation.arbiter.replay import CALLS, plies, read_word
from cartulary.notation.unjudged import nobody_judges
from cartulary.notation.viewer import EVERYTHING, Everything, Seat, Spectator, Viewer
from cartulary.records.faults import Fault, Unfit
from cartulary.records.log.store import Store
from cartulary.records.state.fold import LiveGame, book_of, sheet

DIGEST = 6
"""Bytes of a mark: two positions among ten million have the same one by chance once in some ten million searches."""

# --- what makes a position ---


_encode = msgspec.json.Encoder(order="deterministic", enc_hook=str).encode


def marking(game: AnyGame) -> Callable[[Any, int | None], int]:
    """Return what gives the mark of a position: of what a seat knows of it, of all the record holds for None."""
    key, encoded, hidden = game.about.key, game.place.key, game.hidden
    begun: dict[int | None, Any] = {None: blake2b(digest_size=DIGEST, person=f"{key[:13]}/0".encode())}

    def mark(state: Any, seat: int | None) -> int:
        if hidden.face_up:
            seat = None
        elif seat is not None:
            state = hidden.view(state, seat)
        if seat not in begun:
            whose = f"{key[:13]}/{seat}" if seat else f"{key[:11]}/rail"
            begun[seat] = blake2b(digest_size=DIGEST, person=whose.encode())
        digest = begun[seat].copy()  # faster than a digest made anew
        digest.update(_encode(encoded(state)))
        return int.from_bytes(digest.digest())

    return mark


# --- the marks of a game ---


class Trail(Struct, frozen=True):
    """The marks of one game. number: its own in the read model; version: how many events they were worked out from."""

    number: int
    version: int
    marks: tuple[tuple[int, int], ...]


def marks_of(record: Record, legal: bool = False) -> Iterator[tuple[int, int]]:
    """Yield (ply, mark) of every position of a record, as far as it can be followed.

    legal: every word is known to be legal and spelled canonically, so that it need not be judged again
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None or nobody_judges(heading.game):
        return
    start = start_of(record, heading)
    if isinstance(start, Refused):
        return
    yield from _marks(heading.game, _states(heading.game, start, record.line.words, heading.sheet.seats, legal))


def _marks(game: AnyGame, states: Iterable[Any]) -> Iterator[tuple[int, int]]:
    mark = marking(game)
    for ply, after in enumerate(states):
        if type(after) in GAPS:
            continue
        yield ply, mark(after, None)
        if not game.hidden.face_up:
            for seat in filter(None, speakers(game, after)):
                yield ply, mark(after, seat)


def _states(game: AnyGame, start: Start, words: tuple[str, ...], seats: int, legal: bool = False) -> Iterator[Any]:
    state = start.state
    yield state
    carry = game.rules.carry if legal and game.hidden.face_up else None
    if carry is None:
        played = plies(game, state, words, seats, boards=start.boards)
        yield from (step.after for step in played if isinstance(step, Played) or step.applied)
        return
    skip, called = game.turns.skip, game.turns.calls
    for word in words:
        spoken = word in CALLS and CALLS[word][1] in called
        state = skip(state) if spoken else carry(state, read_word(game, state, word, seats))
        yield state


def trail(store: Store, id: str, number: int, legal: bool = False) -> Trail:
    """Return the marks of a stored game; of one that cannot be read or judged here none. legal: see ``marks_of``"""
    version = 1 << 62
    try:
        recorded = store.stream(id)
        version = len(recorded)
        return _trail(number, version, marks_of(sheet(book_of(id, recorded)), legal))
    except (Fault, NotationError):
        return Trail(number, version, ())


def trail_of(live: LiveGame) -> Trail:
    """Return the marks of a game that is judged, its number not told."""
    game, walk = live.examined.heading.game, live.examined.walk
    if game is None or walk is None or nobody_judges(game):
        return Trail(0, live.head.version, ())
    states = (each.after for each in walk.played if isinstance(each, Played) or each.applied)
    return _trail(0, live.head.version, _marks(game, chain((walk.start.state,), states)))


def _trail(number: int, version: int, marks: Iterable[tuple[int, int]]) -> Trail:
    found: dict[int, int] = {}
    for ply, each in marks:
        found.setdefault(each, ply)
    return Trail(number, version, tuple(found.items()))


def sought(record: Record, at: int | None, viewer: Viewer = EVERYTHING) -> int:
    """Return the mark of the position after so many plies of a record, of the last one without.

    viewer: who asks; for a seat it is as this seat knew it when it could speak
    Raises Unfit where the record has no such position, or the seat no word to say in it.
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        raise Unfit(f"The record cannot be set up: {heading.because}.")
    if nobody_judges(heading.game):
        raise Unfit("The record is not judged, so it has no positions; name one that is.")
    start = start_of(record, heading)
    if isinstance(start, Refused):
        raise Unfit(f"The record cannot be set up: {start.because}.")
    if isinstance(viewer, Seat) and not 1 <= viewer.seat <= heading.sheet.seats:
        raise Unfit(f"{viewer.name} is not a seat of this game; expected {seats_named(heading.sheet.seats)}.")
    words = record.line.words if at is None else record.line.words[: max(at, 0)]
    states = list(_states(heading.game, start, words, heading.sheet.seats))
    if at is not None and at != len(states) - 1:
        raise Unfit(f"There is no ply {at}; expected at most {len(states) - 1}, as far as the game can be followed.")
    found = states[-1]
    if type(found) in GAPS:
        because = "more than one position is possible" if type(found) is Several else "no position is known"
        raise Unfit(f"After a ply that nobody wrote down, {because}; look for an earlier position.")
    actors = speakers(heading.game, found)
    if not isinstance(viewer, Everything) and not heading.game.hidden.face_up and viewer.seat not in actors:
        if isinstance(viewer, Spectator):
            raise Unfit(
                "A position is looked up as a seat knew it on its turn, and the rail never has a turn; name a seat."
            )
        whose = " and ".join(f"p{each}" for each in actors) or "nobody"
        raise Unfit(
            f"In this position {whose} may move, and {viewer.name} may not; "
            f"look for a position on {viewer.name}'s turn."
        )
    return marking(heading.game)(found, viewer.seat)
