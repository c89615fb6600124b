"""Boards that a record states in the middle: they are compared with the moves, and play goes on from them.

If the position is known, a board is a check. If several positions are possible, those that agree with it remain. If
none agrees, or none is known, play is judged again from the board. An impossible board is ignored.

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
MOST_SHOWN = 8
"""The largest number of squares that are listed with what lies on them; more are only named."""


class StatedBoards(Struct, frozen=True):
    """The boards stated in a record, by ply, 0 before the first, with the sheet of the record.

    ``since`` is the last ply, before those that are to be judged, with a board from which play went on; 0 for none.
    """

    texts: Mapping[int, tuple[str, ...]] = {}
    sheet: Sheet[Any] | None = None
    since: int = 0


NO_BOARDS = StatedBoards()


class BoardFault(Struct, frozen=True):
    """A fault of a stated board, with the plies that it puts in doubt."""

    severity: str
    because: str
    plies: tuple[int, ...] = ()


class BoardResult(Struct, frozen=True):
    """The result of the boards at a ply: the state from which play goes on, with faults and breaches.

    ``holds`` says whether play goes on from a board. ``breaches`` has what the board shows of plies nobody wrote.
    """

    after: Any
    holds: bool
    faults: tuple[BoardFault, ...] = ()
    breaches: tuple[Breach, ...] = ()


class Start(Struct, frozen=True):
    """The start of a record: the state before ply 1, the stated boards, and the result of a board before ply 1."""

    state: Any
    boards: StatedBoards
    board: BoardResult | None = None


def start_of(record: Record, heading: Heading) -> Start | Refused:
    """Return the start of a record: the state before ply 1, and the boards that its comments state.

    If a board is stated before ply 1, play goes on from it. The heading must have a game and a sheet.

    Returns:
        The start, or the refusal if the rules cannot set up the game.
    """
    assert heading.game is not None
    assert heading.sheet is not None
    state, boards = heading.game.rules.setup(heading.sheet), stated_boards(record, heading)
    if isinstance(state, Refused):
        return state
    taken = take_board(heading.game, state, 0, boards) if 0 in boards.texts else None
    return Start(state if taken is None else taken.after, boards, taken)


def stated_boards(record: Record, heading: Heading) -> StatedBoards:
    """Return the ``[%board …]`` commands of a record by ply.

    It is NO_BOARDS if the record has none, or if its game is not known or has no tag for a position.
    """
    if heading.game is None or not heading.game.boards.tag or not record.boards:
        return NO_BOARDS
    return StatedBoards(record.boards, heading.sheet)


def read_board(game: AnyGame, text: str, sheet: Sheet[Any]) -> Sheet[Any]:
    """Return the sheet that a stated board describes; it is read as the set-up tag of the record would be.

    Args:
        game: A game with a tag for positions, such as FEN.
        text: The board, as that tag would have it.
        sheet: The sheet of the record, for its variant, options and seats.

    Raises:
        NotationError: If the board cannot be read.
    """
    return game.sheet.read({game.boards.tag: text}, sheet.variant, sheet.options, sheet.seats)


def take_board(game: AnyGame, state: Any, ply: int, boards: StatedBoards) -> BoardResult:
    """Compare the boards stated after a ply with the state there, and say from which state play goes on.

    If a ply has several boards, the first counts, and one that differs from it is an error.

    Args:
        game: The game, with gaps if its states may be.
        state: The state after the ply.
        ply: The ply, 0 before the first.
        boards: The boards of the record; it has some at this ply.

    Returns:
        The state from which play goes on, with the faults of the boards and the breaches they show.
    """
    first, *more = boards.texts[ply]
    taken = _take_first(game, state, ply, first, boards)
    again = {text for text in more if text.split() != first.split()}
    if not again:
        return taken
    second = BoardFault("error", f"found a second board {_after(ply)}, expected one; the first counts")
    return BoardResult(taken.after, taken.holds, (*taken.faults, second), taken.breaches)


def _take_first(game: AnyGame, state: Any, ply: int, text: str, boards: StatedBoards) -> BoardResult:
    """Return what comes of one stated board, by comparing it with the state after a ply.

    A board that cannot be read or taken up is an error, and play goes on from the state. If several positions are
    possible, those that agree with the board remain. If the board differs from the one position there is, or from all,
    play goes on from the board, and the plies since the last board are in doubt.
    """
    part = game.boards
    assert boards.sheet is not None
    try:
        sheet = read_board(game, text, boards.sheet)
    except NotationError as fault:
        return BoardResult(state, False, (BoardFault("error", fault.because),))
    differ: tuple[Difference, ...] = ()
    if type(state) is Several:
        left = agreeing(game, state, lambda position: not part.differ(position, sheet))
        if left is not None:
            return BoardResult(left.after, True, (), left.breaches)
    elif type(state) is not UnknownState:
        differ = part.differ(state, sheet)
        if not differ:
            return BoardResult(state, True)
    number = game.turns.number(state, None)
    after = part.taken_up(sheet, game.turns.first(state) or 1, number[0] if number else 1)
    if isinstance(after, Refused):
        return BoardResult(state, False, (BoardFault("error", after.because),))
    if type(state) is Several:
        nearest = min((part.differ(reading.state, sheet) for reading in state.readings.members), key=len)
        return BoardResult(after, True, (), (_none_agrees(state, ply, nearest),))
    if type(state) is UnknownState:
        return BoardResult(after, True, (), tuple(_left_open(state, ply)))
    because = f"what lay on the table {_after(ply)} is not what the moves put there ({_places_text(differ)})"
    return BoardResult(after, True, (BoardFault("undecided", because, tuple(range(boards.since + 1, ply + 1))),))


def _none_agrees(state: Several, ply: int, nearest: Sequence[Difference]) -> Breach:
    """Return the breach that the board after a ply is none of the positions possible after a gap, an unwritten ply.

    ``nearest`` has the differences between the board and the position most like it.
    """
    gaps = tuple(gap for gap in state.gaps if gap not in state.known_gaps) or state.gaps
    because = (
        f"{plies_with_verb(gaps)} not written down, and no legal move leads to the board {_after(ply)}; "
        f"the board differs from the nearest position: {_places_text(nearest)}"
    )
    return Breach(tuple(dict.fromkeys((*gaps, ply))), GAP.key, because, 0)


def _left_open(state: UnknownState, ply: int) -> Iterator[Breach]:
    """Yield a breach for each gap that stays open because judging begins again from a board after a ply.

    There is none if a finding has reported the gaps already.
    """
    because = f"{state.because}; play is judged again from the board {_after(ply)}"
    yield from () if state.has_finding else (Breach((gap,), GAP.key, because, 0) for gap in state.gaps)


def _after(ply: int) -> str:
    """Return where a board stands, for a sentence: ``after ply 7``, or ``before the first ply`` for 0."""
    return f"after ply {ply}" if ply else "before the first ply"


def _places_text(differ: Sequence[Difference]) -> str:
    """Return differences, each (place, stated, by the moves), as text: ``e4: nothing instead of a king``.

    If there are more than eight, only the places are listed.
    """
    if len(differ) > MOST_SHOWN:
        return ", ".join(place for place, _, _ in differ)
    return "; ".join(f"{place}: {other} instead of {own}" for place, other, own in differ)


def spelled_board(game: AnyGame, text: str, sheet: Sheet[Any]) -> str:
    """Return the text of a stated board in canonical spelling; only its blanks change if it has no such spelling.

    ``text`` is the board as the set-up tag would have it, and ``sheet`` the sheet of the record.

    Raises:
        NotationError: If it cannot be read.
    """
    read = read_board(game, text, sheet)
    written = game.sheet.write(read)[game.boards.tag]
    return written if read_board(game, written, sheet) == read else " ".join(text.split())
