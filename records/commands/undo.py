"""Taking back the last plies; the log keeps them."""

from typing import Annotated

from cartulary.engine.numbers import seat_number, seats_named
from cartulary.notation.cgn.signs import count, cut
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import UndoAnswer
from cartulary.records.commands.request import GameRequest, Reason, carry_out, field, plies_of, still_open
from cartulary.records.commands.seats import canonical_who, seat_of
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.contract import Log
from cartulary.records.log.events import MoveTakenBack
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import hidden_from, seen_game, seen_version
from cartulary.records.texts import clean_name, now, plain


class ConsentRequest(GameRequest, frozen=True, kw_only=True):
    """A change of the last plies, to which somebody else may have agreed.

    Attributes:
        agreed: Who agreed to it, a seat or a name.
        reason: Why.
    """

    agreed: Annotated[str, field("Who agreed to it.", "WHO")] = ""
    reason: Reason = ""


class UndoRequest(ConsentRequest, frozen=True):
    """The last plies to be taken back.

    Attributes:
        plies: How many.
        to: The ply that is the last one then, 0 for none; in place of ``plies``.
    """

    plies: Annotated[int, field("How many plies.", "N")] = 1
    to: Annotated[int | None, field("The ply that is the last one then; 0 takes back all.", "PLY")] = None


def take_back(store: Log, id: str, request: UndoRequest, viewer: Viewer = EVERYTHING, own: bool = False) -> UndoAnswer:
    """Take back the last plies; the log keeps them, so that ``redo`` can play them again.

    Args:
        store: Where the game is kept.
        id: The game.
        request: How many plies, and who agreed to it.
        viewer: Who takes them back; the answer has the words as this viewer has seen them.
        own: Whether a seat may take back only from a ply of its own on, and only if another seat of the game agreed,
            named by its number or by its player.

    Returns:
        The words that were taken back, and how many plies are left.

    Raises:
        Declined: The game is closed or has not so many plies, only the one who takes back has agreed, or a seat begins
            at a ply that is not its own.
        Unfit: The game has not the seat that agreed, another seat must have agreed and none is named, or both a number
            of plies and a last ply are given.
        Fault: As ``execute`` says.
    """
    seat = viewer.seat

    def decide(game: LiveGame) -> tuple[MoveTakenBack]:
        still_open(game)
        plies = request.plies if request.to is None else _plies_after(game, request)
        if not 1 <= plies <= game.plies:
            raise Declined(f"{count(plies, 'ply', 'plies')} cannot be taken back: {id} has {plies_of(game)}.")
        agreed = clean_name(request.agreed)
        if own:
            check_other_agreed(game, agreed)
            _check_own(game, game.plies - plies + 1, seat)
        event, word = game.book.ref(game.plies - plies + 1)
        undo = MoveTakenBack(
            at=now(),
            by=clean_name(request.by),
            command=request.command,
            event=event,
            word=word,
            plies=plies,
            agreed_by=consent(game, agreed, f"p{seat}" if own else request.by),
            reason=plain(request.reason, "The reason"),
        )
        return (undo,)

    before, done = carry_out(store, id, request, viewer, decide, MoveTakenBack)
    viewing_seat = hidden_from(done, viewer)
    words = (
        tuple(step.text for step in seen_game(before, viewing_seat).examined.steps)
        if viewing_seat is not None
        else before.words
    )
    return UndoAnswer(id, seen_version(done, viewing_seat), words[done.plies :], done.plies)


def _plies_after(game: LiveGame, request: UndoRequest) -> int:
    """Return how many plies stand after the one that is to be the last, ``request.to``; at least 1.

    Raises:
        Declined: No ply stands after it.
        Unfit: A number of plies other than 1 is given too.
    """
    assert request.to is not None
    if request.plies != 1:
        raise Unfit("Give either how many plies are taken back, or --to with the last ply that stays.")
    if not 0 <= request.to < game.plies:
        reach = f"expected a ply from 0 to {game.plies - 1}" if game.plies else "nothing can be taken back"
        raise Declined(f"No ply of {game.id} stands after ply {request.to}: it has {plies_of(game)}; {reach}.")
    return game.plies - request.to


def check_other_agreed(game: LiveGame, agreed: str) -> None:
    """Raise Unfit if nobody agreed, or somebody who is no seat of the game.

    Args:
        game: The game.
        agreed: Who agreed, as ``p2`` or by the player's name; empty for nobody.
    """
    if not agreed:
        raise Unfit("Say which other seat agreed, such as p2: nobody takes a ply back alone.")
    if seat_number(seat_of(game, agreed)) not in range(1, game.book.seats + 1):
        there = seats_named(game.book.seats)
        raise Unfit(f"{cut(agreed)} is not a seat of {game.id} that could agree; expected another seat, {there}.")


def _check_own(game: LiveGame, ply: int, seat: int | None) -> None:
    """Raise Declined if the first ply that is taken back is not the seat's own.

    Args:
        game: The game.
        ply: That ply, from 1.
        seat: The seat.
    """
    steps = game.examined.steps
    if ply > len(steps) or steps[ply - 1].move is None or steps[ply - 1].move.seat != seat:
        raise Declined(
            f"Ply {ply} of {game.id} is not p{seat}'s own; the first ply that a seat takes back must be its own."
        )


def consent(game: LiveGame, agreed: str, by: str) -> str:
    """Return who agreed to a change, a seat as ``p2``, any other name as it is; empty if nobody did.

    Args:
        game: The game.
        agreed: Who agreed, a seat or a name; empty for nobody.
        by: Who makes the change, empty if unknown.

    Raises:
        Declined: Both are the same.
        Unfit: The game has no such seat.
    """
    if agreed and by and seat_of(game, agreed) == seat_of(game, " ".join(by.split())):
        raise Declined(f"{agreed} is taking the ply back, so another seat must agree.")
    return canonical_who(game, agreed) if agreed else ""
