"""Boards that were stated: what lay on the table after a ply, compared with the moves, and where play goes on from it.

Where the position is known a board is a check. Where several are possible it leaves those that agree; where none does,
or none is known, judging begins again from it. A board that cannot be is ignored.

Source: notation.md, "What nobody wrote".
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from cartulary.engine import Breach, Clause, Refused, Sheet
from cartulary.engine.readings import GAP
from cartulary.notation.arbiter.gapped import agreeing
from cartulary.notation.arbiter.gaps import Several, UnknownState, plies_with_verb
from cartulary.notation.arbiter.heading import Heading
from cartulary.notation.cgn.record import NotationError, Record
from cartulary.notation.contract import AnyGame, Difference

BOARD: Clause[Any, Any] = Clause(
    "record.board",
    "If the record states what lay on the table, play goes on from that; the statement says whose turn it is, or else"
    " the record up to there does.",
    "house ruling",
)
SHOWN = 8
"""Up to how many squares are told with what lies on them; more are only named."""


class Stated(Struct, frozen=True):
    """The boards stated in a record. texts: by ply, 0 before the first; sheet: of the record

    since: the last ply before those that are judged from whose board play went on, 0 for none
    """

    texts: Mapping[int, tuple[str, ...]] = {}
    sheet: Sheet[Any] | None = None
    since: int = 0


NO_BOARDS = Stated()


class BoardFault(Struct, frozen=True):
    """What is wrong with a board. plies: which of them it puts in doubt"""

    severity: str
    because: str
    plies: tuple[int, ...] = ()


class Taken(Struct, frozen=True):
    """What came of the boards at a ply. after: the state play goes on from; holds: whether it does so from a board

    proved: what a board shows of the plies nobody wrote
    """

    after: Any
    holds: bool
    faults: tuple[BoardFault, ...] = ()
    proved: tuple[Breach, ...] = ()


class Start(Struct, frozen=True):
    """Where a record begins: the state before ply 1, the boards stated from there on, what came of one before it."""

    state: Any
    boards: Stated
    taken: Taken | None = None


def start_of(record: Record, heading: Heading) -> Start | Refused:
    """Return where a record begins, or the refusal of its set-up. heading: one with a game and a sheet"""
    assert heading.game is not None
    assert heading.sheet is not None
    state, boards = heading.game.rules.setup(heading.sheet), stated(record, heading)
    if isinstance(state, Refused):
        return state
    taken = take_board(heading.game, state, 0, boards) if 0 in boards.texts else None
    return Start(state if taken is None else taken.after, boards, taken)


def stated(record: Record, heading: Heading) -> Stated:
    """Return the boards of a record; none in a game that has no tag for them."""
    if heading.game is None or not heading.game.boards.tag or not record.boards:
        return NO_BOARDS
    return Stated(record.boards, heading.sheet)


def read_board(game: AnyGame, text: str, sheet: Sheet[Any]) -> Sheet[Any]:
    """Return a board as the set-up tag reads it. sheet: of the record

    Raises NotationError where it cannot be read.
    """
    return game.sheet.read({game.boards.tag: text}, sheet.variant, sheet.options, sheet.seats)


def take_board(game: AnyGame, state: Any, ply: int, boards: Stated) -> Taken:
    """Return what comes of the boards stated at a ply, of which the first holds. state: the one after the ply"""
    first, *more = boards.texts[ply]
    taken = _take_first(game, state, ply, first, boards)
    again = {text for text in more if text.split() != first.split()}
    if not again:
        return taken
    second = BoardFault("error", f"found a second board {_after(ply)}, expected one; the first counts")
    return Taken(taken.after, taken.holds, (*taken.faults, second), taken.proved)


def _take_first(game: AnyGame, state: Any, ply: int, text: str, boards: Stated) -> Taken:
    part = game.boards
    assert boards.sheet is not None
    try:
        sheet = read_board(game, text, boards.sheet)
    except NotationError as fault:
        return Taken(state, False, (BoardFault("error", fault.because),))
    differ: tuple[Difference, ...] = ()
    if type(state) is Several:
        left = agreeing(game, state, lambda position: not part.differ(position, sheet))
        if left is not None:
            return Taken(left.after, True, (), left.proved)
    elif type(state) is not UnknownState:
        differ = part.differ(state, sheet)
        if not differ:
            return Taken(state, True)
    number = game.turns.number(state, None)
    after = part.taken_up(sheet, game.turns.first(state) or 1, number[0] if number else 1)
    if isinstance(after, Refused):
        return Taken(state, False, (BoardFault("error", after.because),))
    if type(state) is Several:
        nearest = min((part.differ(reading.state, sheet) for reading in state.readings.each), key=len)
        return Taken(after, True, (), (_none_agrees(state, ply, nearest),))
    if type(state) is UnknownState:
        return Taken(after, True, (), tuple(_left_open(state, ply)))
    because = f"what lay on the table {_after(ply)} is not what the moves put there ({_places_text(differ)})"
    return Taken(after, True, (BoardFault("undecided", because, tuple(range(boards.since + 1, ply + 1))),))


def _none_agrees(state: Several, ply: int, nearest: Sequence[Difference]) -> Breach:
    """Return that no position after a gap is that of a board. nearest: where the one differs that comes nearest"""
    gaps = tuple(gap for gap in state.gaps if gap not in state.filled) or state.gaps
    because = (
        f"{plies_with_verb(gaps)} not written down, and no legal move leads to the board {_after(ply)}; "
        f"the board differs from the nearest position: {_places_text(nearest)}"
    )
    return Breach(tuple(dict.fromkeys((*gaps, ply))), GAP.key, because, 0)


def _left_open(state: UnknownState, ply: int) -> Iterator[Breach]:
    """Yield what stays unknown of the plies before a board from which judging begins again."""
    because = f"{state.because}; play is judged again from the board {_after(ply)}"
    yield from () if state.has_finding else (Breach((gap,), GAP.key, because, 0) for gap in state.gaps)


def _after(ply: int) -> str:
    return f"after ply {ply}" if ply else "before the first ply"


def _places_text(differ: Sequence[Difference]) -> str:
    """Return every place that differs, with what lies there where these are few."""
    if len(differ) > SHOWN:
        return ", ".join(place for place, _, _ in differ)
    return "; ".join(f"{place}: {stated} instead of {moved}" for place, stated, moved in differ)


def spelled_board(game: AnyGame, text: str, sheet: Sheet[Any]) -> str:
    """Return a board in its one spelling. sheet: of the record. Raises NotationError where it cannot be read."""
    read = read_board(game, text, sheet)
    written = game.sheet.write(read)[game.boards.tag]
    return written if read_board(game, written, sheet) == read else " ".join(text.split())
