"""What lies on the table after the last ply: stated, compared with the moves and played on from, or shown."""

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
    """What lay on the table after a ply was stated.

    Attributes:
        id: The id of the game.
        version: Its version after that, as the viewer counts it.
        ply: The ply; 0 before the first.
        text: The board.
        before: The board that was stated there before, empty for none.
        findings: The findings that it adds; empty if they are withheld.
        dry: Whether nothing was stored.
        quiet: Whether its findings are withheld.
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
    """What lies on the table after the last ply.

    Attributes:
        id: The id of the game.
        version: Its version.
        ply: The last ply; 0 if there is none yet.
        text: The board; if several are possible, the first of them.
        positions: How many are possible; always 1 if verdicts are withheld from the viewer.
    """

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

    Returns:
        The board in the spelling of the set-up tag, the one stated there before, and the findings that it adds. With
        ``dry``, nothing is stored.

    Raises:
        Declined: The game is closed, a ply cannot be applied, or the text holds a ``}``.
        Unfit: No tag spells boards of this game, or the board cannot be.
        Unread: The text is no board.
        Fault: As ``execute`` says.
    """

    def decide(game: LiveGame) -> Plan[None]:
        event = _draft(game, request.text, clean_name(request.by), request.command)
        new = after(game, (event,))
        wrong = [
            finding for finding in new.findings(game.plies, game.plies) if _is_impossible(finding.severity, finding.key)
        ]
        if wrong:
            because = "" if muted(game, viewer) else f": {wrong[0].because}"
            raise Unfit(f"The board cannot be stated{because}.")
        event = replace(event, findings=found_of(_board_answer(game, new, EVERYTHING).findings))
        return Plan((event,), None, new)

    before, done, _, repeated = execute(store, id, request, viewer, decide, BoardStated)
    return replace(_board_answer(before, done, viewer), dry=request.dry and not repeated)


def _is_impossible(severity: str, key: str) -> bool:
    """Say whether a finding with this severity and this key of a rule is that the stated board cannot be."""
    return (severity, key) == ("error", BOARD.key)


def _draft(game: LiveGame, text: str, by: str, command: str) -> BoardStated:
    """Check a board that was typed, and return the event that states it after the last ply; nothing is stored.

    Raises:
        Declined: The game is closed, a ply cannot be applied, or the text holds a ``}``.
        Unfit: No tag spells boards of this game.
        Unread: The text is no board.
    """
    still_open(game)
    played = _game_with_boards(game)
    readable(game.id, game.examined, game.plies + 1)
    board_text, sheet = plain(text, "The board"), game.examined.heading.sheet
    assert sheet is not None
    try:
        spelled = spelled_board(played, board_text, sheet)
    except NotationError as fault:
        raise Unread(fault.because) from None
    event, word = game.book.ref(game.plies)
    return BoardStated(at=now(), by=by, command=command, event=event, word=word, text=spelled, findings=())


def _game_with_boards(game: LiveGame) -> AnyGame:
    """Return the game (its rules) that a record is of.

    Raises:
        Unfit: No set-up tag of this game spells its boards, so that none can be stated or printed.
    """
    played = played_game(game)
    if not played.boards.tag:
        raise Unfit(
            f"The board cannot be stated or printed in {played.about.title}, because no set-up tag spells it; use"
            " `show`."
        )
    return played


def _board_answer(game: LiveGame, new: LiveGame, viewer: Viewer) -> BoardAnswer:
    """Return what a stated board did: the board, the one stated there before, and the findings that it adds.

    Args:
        game: The game before.
        new: The game after.
        viewer: Who asks. If verdicts are withheld from it, the answer has no findings.
    """
    findings_before, book = set(game.report.findings), game.book
    withheld = muted(game, viewer)
    findings = tuple(finding for finding in new.report.findings if finding not in findings_before and not withheld)
    before, stated = (
        book_then.plies[-1].board if book_then.plies else book_then.board for book_then in (book, new.book)
    )
    version = seen_version(new, hidden_from(new, viewer))
    return BoardAnswer(game.id, version, new.plies, stated, before, findings, quiet=withheld)


def present_board(store: Log, id: str, viewer: Viewer = EVERYTHING) -> PresentBoard:
    """Return what lies on the table after the last ply, in the spelling of the set-up tag.

    Args:
        store: Where the game is kept.
        id: The game.
        viewer: Who asks.

    Returns:
        The board, and how many boards are possible; if there are several, ``text`` is the first of them.

    Raises:
        UnknownGame: There is no such game.
        Damaged: Its log is damaged.
        UninstalledGame: Its rules are not installed.
        Unfit: No tag spells the boards of this game, or it has no such seat.
        Declined: The position is not known, or a ply cannot be applied.
    """
    game = load(store, id)
    check_seat(game, viewer)
    played, state, positions = _game_with_boards(game), game.examined.state, 1
    readable(game.id, game.examined, game.plies + 1)
    if type(state) is UnknownState:
        advice = "Use `reopen`, and then state it with `board`" if game.book.closed else "State it with `board`"
        raise Declined(f"What lies on the table of {id} is not known: {state.because}. {advice}.")
    if type(state) is Several:
        state, positions = state.first, 1 if muted(game, viewer) else len(state.readings.members)
    return PresentBoard(
        id, seen_version(game, hidden_from(game, viewer)), game.plies, played.boards.write(state), positions
    )
