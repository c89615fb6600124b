"""What lay on the table after the words so far: stated, compared with the moves, and played on from; or shown."""

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import AnyGame, Finding, NotationError
from cartulary.notation.arbiter.boards import BOARD, spelled_board
from cartulary.notation.arbiter.gaps import Several, UnknownState
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.commands.request import GameRequest, Plan, after, execute, field, readable, still_open
from cartulary.records.faults import Declined, Unfit, Unread
from cartulary.records.log.contract import Log
from cartulary.records.log.events import BoardStated
from cartulary.records.state.book import found_of
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.state.games import load
from cartulary.records.state.seat_view import check_seat, hidden_from, muted, seen_version
from cartulary.records.texts import clean_name, now, plain


class BoardAnswer(Struct, frozen=True):
    """What lay on the table after a ply was stated. before: the board stated there before, empty for none.

    findings: what it shows, that was not found before; dry: it was only asked what it would show
    quiet: nobody tells what it shows
    """

    id: str
    version: int
    ply: int
    text: str
    before: str
    findings: tuple[Finding, ...]
    dry: bool = False
    quiet: bool = False


class PresentBoard(Struct, frozen=True):
    """What lies on the table after the last ply. positions: how many are possible; it is that of the first"""

    id: str
    version: int
    ply: int
    text: str
    positions: int


class BoardRequest(GameRequest, frozen=True):
    """What lies on the table after the last ply, as the game's set-up tag spells it."""

    text: Annotated[str, field("The board, as the set-up tag spells it.", "[TEXT|-]")]


def state_board(store: Log, id: str, request: BoardRequest, viewer: Viewer = EVERYTHING) -> BoardAnswer:
    """State what lay on the table after the last ply; it takes the place of a board stated there before.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The board.
        viewer: From whose view it is answered.

    Raises:
        Declined: The game is closed, or a ply before this one cannot be applied.
        Unfit: No tag spells boards of this game, or the board cannot be.
        Unread: The text is no board.
    """

    def decide(game: LiveGame) -> Plan[None]:
        event = _draft(game, request.text, clean_name(request.by), request.command)
        new = after(game, (event,))
        wrong = [found for found in new.findings(game.plies, game.plies) if _cannot_be(found.severity, found.key)]
        if wrong:
            because = "" if muted(game, viewer) else f": {wrong[0].because}"
            raise Unfit(f"The board cannot be stated{because}.")
        event = replace(event, findings=found_of(_answered(game, new, EVERYTHING).findings))
        return Plan((event,), None, new)

    before, done, _, repeated = execute(store, id, request, viewer, decide, BoardStated)
    return replace(_answered(before, done, viewer), dry=request.dry and not repeated)


def _cannot_be(severity: str, key: str) -> bool:
    return (severity, key) == ("error", BOARD.key)


def _draft(game: LiveGame, text: str, by: str, command: str) -> BoardStated:
    still_open(game)
    found = _stateable(game)
    readable(game.id, game.examined, game.plies + 1)
    board_text, sheet = plain(text, "The board"), game.examined.heading.sheet
    assert sheet is not None
    try:
        spelled = spelled_board(found, board_text, sheet)
    except NotationError as fault:
        raise Unread(fault.because) from None
    event, word = game.book.ref(game.plies)
    return BoardStated(at=now(), by=by, command=command, event=event, word=word, text=spelled, findings=())


def _stateable(game: LiveGame) -> AnyGame:
    """Return the game of a record. Raises Unfit where no tag spells its boards."""
    found = played_game(game)
    if not found.boards.tag:
        raise Unfit(
            f"The board cannot be stated or printed in {found.about.title}, because no set-up tag spells it; use"
            " `show`."
        )
    return found


def _answered(game: LiveGame, new: LiveGame, viewer: Viewer) -> BoardAnswer:
    """Return what a board did, from the games before and after it."""
    known, book = set(game.report.findings), game.book
    untold = muted(game, viewer)
    findings = tuple(found for found in new.report.findings if found not in known and not untold)
    before, stated = (each.plies[-1].board if each.plies else each.board for each in (book, new.book))
    version = seen_version(new, hidden_from(new, viewer))
    return BoardAnswer(game.id, version, new.plies, stated, before, findings, quiet=untold)


def present_board(store: Log, id: str, viewer: Viewer = EVERYTHING) -> PresentBoard:
    """Return what lies on the table after the last ply, as ``state_board`` takes it and as the set-up tag has it.

    Raises Unfit for a game whose boards no tag spells, Declined where no position is known.
    """
    game = load(store, id)
    check_seat(game, viewer)
    found, state, many = _stateable(game), game.examined.state, 1
    readable(game.id, game.examined, game.plies + 1)
    if type(state) is UnknownState:
        stated = "Use `reopen`, and then state it with `board`" if game.book.closed else "State it with `board`"
        raise Declined(f"What lies on the table of {id} is not known: {state.because}. {stated}.")
    if type(state) is Several:
        state, many = state.first, 1 if muted(game, viewer) else len(state.readings.each)
    return PresentBoard(id, seen_version(game, hidden_from(game, viewer)), game.plies, found.boards.write(state), many)
