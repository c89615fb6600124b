"""Playing the plies again that the last undo took back."""

from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import RedoAnswer
from cartulary.records.commands.request import carry_out, still_open
from cartulary.records.commands.undo import ConsentRequest, check_other_agreed, consent
from cartulary.records.faults import Declined
from cartulary.records.log.contract import Log
from cartulary.records.log.events import MovesRedone
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import hidden_from, seen_game, seen_version
from cartulary.records.texts import clean_name, now, plain


class RedoRequest(ConsentRequest, frozen=True):
    """The plies of the last undo, to be played again."""


def redo(store: Log, id: str, request: RedoRequest, viewer: Viewer = EVERYTHING, own: bool = False) -> RedoAnswer:
    """Play the plies again that the last undo took back, with their notes, disputes and rulings; they are judged again.

    After several undos, each call reverses one of them, the last one first. Once a ply was played or corrected after an
    undo, that undo cannot be reversed any more.

    Args:
        store: Where the game is kept.
        id: The game.
        request: Who agreed, and why.
        viewer: Who plays them again; the answer has the words as this viewer has seen them.
        own: Whether another seat of the game must have agreed.

    Returns:
        The words that were played again, and how many plies there are then. With ``dry``, nothing is stored.

    Raises:
        Declined: The game is closed, there is no undo to reverse, or only the one who plays again has agreed.
        Unfit: The game has not the seat that agreed, or another seat must have agreed and none is named.
        Fault: As ``execute`` says.
    """

    def decide(game: LiveGame) -> tuple[MovesRedone]:
        still_open(game)
        if not game.book.undos:
            raise Declined(
                f"Nothing can be played again in {game.id}: no ply was taken back, or plies were written since. "
                "`log` shows what was taken back."
            )
        agreed = clean_name(request.agreed)
        if own:
            check_other_agreed(game, agreed)
        undo = game.book.undos[-1]
        event = MovesRedone(
            at=now(),
            by=clean_name(request.by),
            command=request.command,
            event=undo.number,
            plies=len(undo.plies),
            agreed_by=consent(game, agreed, f"p{viewer.seat}" if own else request.by),
            reason=plain(request.reason, "The reason"),
        )
        return (event,)

    before, done = carry_out(store, id, request, viewer, decide, MovesRedone)
    seat = hidden_from(done, viewer)
    words = done.words if seat is None else tuple(step.text for step in seen_game(done, seat).examined.steps)
    return RedoAnswer(id, seen_version(done, seat), words[before.plies :], done.plies)
