"""The marks of positions, by which games are found in which a position occurred.

A *mark* is a digest of everything that matters for how play can go on, and of nothing else. So a position is found
even if other moves led to it. In a game with hidden cards every ply has a mark of what the record knows, and one of
what each seat knows that may move then. The marks of a game are put into the index when somebody first looks for a
position, and again after the game has changed.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import chain
from typing import Any

import msgspec
from msgspec import Struct

from cartulary.engine import PlayResult, Refused
from cartulary.engine.numbers import seats_named
from cartulary.engine.play import speakers
from cartulary.notation import AnyGame, NotationError, Record, read_heading
from cartulary.notation.arbiter.boards import Start, start_of
from cartulary.notation.arbiter.gaps import GAPS, Several
from cartulary.notation.arbiter.replay import CALLS, plies, read_word
from cartulary.notation.unjudged import nobody_judges
from cartulary.notation.viewer import EVERYTHING, Everything, Seat, Spectator, Viewer
from cartulary.records.faults import Fault, Unfit
from cartulary.records.log.contract import Log
from cartulary.records.state.fold import LiveGame, book_of, sheet

DIGEST = 6
"""The bytes of a mark. Among ten million positions, one search in some ten million finds a wrong one by chance."""

# --- what makes a position ---


_encode = msgspec.json.Encoder(order="deterministic", enc_hook=str).encode


def mark_function(game: AnyGame) -> Callable[[Any, int | None], int]:
    """Return the function that works out marks of a game. A mark is a number by which equal positions are found.

    Args:
        game: The game.

    Returns:
        A function from a state and a seat to the mark of what the seat knows; 0 is the public, None what the whole
        record knows. If all cards lie open, the mark is the same for all.
    """
    key, encoded, hidden = game.about.key, game.place.key, game.hidden
    empty_digests: dict[int | None, Any] = {None: blake2b(digest_size=DIGEST, person=f"{key[:13]}/0".encode())}

    def mark(state: Any, seat: int | None) -> int:
        """Return the mark of a state, a number of 48 bits: as a seat knows it, 0 being the public, or for None as the
        record does.
        """
        if hidden.face_up:
            seat = None
        elif seat is not None:
            state = hidden.view(state, seat)
        if seat not in empty_digests:
            whose = f"{key[:13]}/{seat}" if seat else f"{key[:11]}/rail"
            empty_digests[seat] = blake2b(digest_size=DIGEST, person=whose.encode())
        digest = empty_digests[seat].copy()  # faster than a new digest
        digest.update(_encode(encoded(state)))
        return int.from_bytes(digest.digest())

    return mark


# --- the marks of a game ---


class Trail(Struct, frozen=True):
    """The marks of one game.

    Attributes:
        number: The number of the game in the index.
        version: The version of the game from which they were worked out.
        marks: Each mark, and the first ply that has it.
    """

    number: int
    version: int
    marks: tuple[tuple[int, int], ...]


def marks_of(record: Record, legal: bool = False) -> Iterator[tuple[int, int]]:
    """Yield the ply and the mark of every position of a record, as far as it can be read; 0 is the start.

    With hidden cards a position has several marks, first that of what the record knows. A record that cannot be set up,
    or that nobody judges, has none, and neither has a position that is not known because of a ply nobody wrote.

    Args:
        record: The record.
        legal: Whether all words are known to be legal and in canonical spelling, and need not be judged again.
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None or nobody_judges(heading.game):
        return
    start = start_of(record, heading)
    if isinstance(start, Refused):
        return
    yield from _marks(heading.game, _states(heading.game, start, record.line.words, heading.sheet.seats, legal))


def _marks(game: AnyGame, states: Iterable[Any]) -> Iterator[tuple[int, int]]:
    """Yield the ply and the mark of every state, 0 being the ply of the first.

    For each state there is the mark of what the record knows, then, if cards are hidden, of what each seat knows that
    may move. States in which a ply is missing that nobody wrote down have no mark. A mark is the number by which a
    position is found.
    """
    mark = mark_function(game)
    for ply, after in enumerate(states):
        if type(after) in GAPS:
            continue
        yield ply, mark(after, None)
        if not game.hidden.face_up:
            for seat in filter(None, speakers(game, after)):
                yield ply, mark(after, seat)


def _states(game: AnyGame, start: Start, words: tuple[str, ...], seats: int, legal: bool = False) -> Iterator[Any]:
    """Yield the state at the start and after each word, until a word cannot be read or carried out.

    Args:
        game: The rules.
        start: The state at the start, and the boards stated later, from which play goes on.
        words: The words; one that breaks a rule is let stand if it can be carried out.
        seats: The number of seats.
        legal: Whether all words are known to be legal, so that they need not be judged again.
    """
    state = start.state
    yield state
    carry = game.rules.carry if legal and game.hidden.face_up else None
    if carry is None:
        played = plies(game, state, words, seats, boards=start.boards)
        yield from (step.after for step in played if isinstance(step, PlayResult) or step.applied)
        return
    skip, called = game.turns.skip, game.turns.calls
    for word in words:
        spoken = word in CALLS and CALLS[word][1] in called
        state = skip(state) if spoken else carry(state, read_word(game, state, word, seats))
        yield state


def trail(store: Log, id: str, number: int, legal: bool = False) -> Trail:
    """Return the marks of a stored game, the numbers by which its positions are found, each with its first ply.

    It has none if the game cannot be read or judged here; nothing is raised.

    Args:
        store: The store.
        id: The id of the game.
        number: Its number in the index.
        legal: Whether all words are known to be legal and in canonical spelling, and need not be judged again.
    """
    version = 1 << 62
    try:
        recorded = store.stream(id)
        version = len(recorded)
        return _trail(number, version, marks_of(sheet(book_of(id, recorded)), legal))
    except (Fault, NotationError):
        return Trail(number, version, ())


def trail_of(live: LiveGame) -> Trail:
    """Return the marks of a game that has been judged, with 0 in place of its number in the index.

    It has none if it cannot be set up or if nobody judges it.
    """
    game, walk = live.examined.heading.game, live.examined.walk
    if game is None or walk is None or nobody_judges(game):
        return Trail(0, live.head.version, ())
    states = (each.after for each in walk.results if isinstance(each, PlayResult) or each.applied)
    return _trail(0, live.head.version, _marks(game, chain((walk.start.state,), states)))


def _trail(number: int, version: int, marks: Iterable[tuple[int, int]]) -> Trail:
    """Return the trail of a game: each of its marks once, with the first ply that has it.

    ``marks`` are pairs of ply and mark, in ply order.
    """
    found: dict[int, int] = {}
    for ply, each in marks:
        found.setdefault(each, ply)
    return Trail(number, version, tuple(found.items()))


def position_mark(record: Record, at: int | None, viewer: Viewer = EVERYTHING) -> int:
    """Return the mark of a position of a record, the number by which equal positions are found.

    Args:
        record: The record.
        at: After how many plies; None for the last position that can be followed.
        viewer: Who asks. For a seat, it is the mark of what this seat knew.

    Raises:
        Unfit: The record cannot be set up, nobody judges it, or it has no such position or seat; the position is not
            known because of a ply nobody wrote; or cards are hidden from the viewer, who may not move in it.
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
    has_turn = viewer.seat in actors and not isinstance(viewer, Spectator)  # 0 among the actors is the table
    if not isinstance(viewer, Everything) and not heading.game.hidden.face_up and not has_turn:
        if isinstance(viewer, Spectator):
            raise Unfit(
                "A position is looked up as a seat knew it on its turn, and the rail never has a turn; name a seat."
            )
        whose = " and ".join(f"p{each}" for each in actors) or "nobody"
        raise Unfit(
            f"In this position {whose} may move, and {viewer.name} may not; "
            f"look for a position on {viewer.name}'s turn."
        )
    return mark_function(heading.game)(found, viewer.seat)
