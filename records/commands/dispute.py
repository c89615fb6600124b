"""Disputes: a player disputes a ply or the game, or withdraws a dispute; nothing changes until an arbiter rules."""

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.commands.request import Cites, GameRequest, Reason, carry_out, check_there, field
from cartulary.records.commands.seats import canonical_who, is_seat, seat_of
from cartulary.records.faults import Declined
from cartulary.records.log.contract import Log
from cartulary.records.log.events import DisputeRaised, DisputeWithdrawn
from cartulary.records.state.disputes_and_rulings import disputes_of, rulings_of
from cartulary.records.state.docket import PlacedDispute
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import everybody, hidden_from, seen_game, seen_version, told_number
from cartulary.records.state.showing import cited_sheets, seen_dispute
from cartulary.records.texts import needed_name, needed_text, now, single_spaced


class DisputeAnswer(Struct, frozen=True):
    """A dispute was raised, or withdrawn.

    Attributes:
        id: The id of the game.
        version: Its version now.
        dispute: The dispute.
    """

    id: str
    version: int
    dispute: PlacedDispute


class DisputeRequest(GameRequest, frozen=True):
    """A ply that is disputed, 0 for the game as a whole.

    Attributes:
        claim: What is wrong.
        who: Who disputes it, if somebody else writes.
        cites: The kept sheets that are to show it, by their numbers.
    """

    ply: Annotated[int, field("The ply, counted from 1; 0 is the game as a whole.", "PLY")]
    claim: Annotated[str, field("What is wrong, in the player's words.", "TEXT")]
    who: Annotated[str, field("Who disputes it, if somebody else writes.")] = ""
    cites: Cites = ()


class WithdrawRequest(GameRequest, frozen=True):
    """A dispute to be given up, by its number."""

    dispute: Annotated[int, field("The dispute, by its number.", "N")]
    reason: Reason = ""


def dispute(store: Log, id: str, request: DisputeRequest, viewer: Viewer = EVERYTHING) -> DisputeAnswer:
    """Dispute a ply, or the game as a whole, in a closed game too; nothing changes until somebody rules.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The ply and the claim, by whom: ``p2`` or a name.
        viewer: From whose view it is answered.

    Returns:
        The answer with the dispute. Its number is that of the event that raised it. With ``dry``, nothing is stored.

    Raises:
        Declined: The ply or a sheet is not there.
        Unfit: Nobody or nothing is named, or the game has not the seat that disputes.
        Fault: As ``execute`` says.
    """

    def decide(game: LiveGame) -> tuple[DisputeRaised]:
        check_there(game, (request.ply,) if request.ply else ())
        event, word = game.book.ref(request.ply)
        who = canonical_who(game, needed_name(request.who or request.by, "who disputes it, such as p2"))
        claim = needed_text(request.claim, "what is claimed")
        sheets = cited_sheets(game, request.cites, hidden_from(game, viewer))
        entry = DisputeRaised(
            at=now(), by=who, command=request.command, event=event, word=word, claim=claim, cites=sheets
        )
        return (entry,)

    _, done = carry_out(store, id, request, viewer, decide, DisputeRaised)
    entry = disputes_of(done)[-1]
    return _answer_for(done, entry, viewer, claim=entry.claim)


def withdraw(store: Log, id: str, request: WithdrawRequest, viewer: Viewer = EVERYTHING) -> DisputeAnswer:
    """Withdraw a dispute that is still open; nothing else changes.

    Args:
        store: Where the game is kept.
        id: The game.
        request: The dispute, by the event that raised it as the seat counts it; by who raised it, or somebody who is no
            other player.
        viewer: From whose view it is answered.

    Returns:
        The answer with the dispute as it is then. With ``dry``, nothing is stored.

    Raises:
        Declined: There is no such open dispute, or it is another player's.
        Unfit: Nobody is named who withdraws it, or the game has not that seat.
        Fault: As ``execute`` says.
    """

    def decide(game: LiveGame) -> tuple[DisputeWithdrawn]:
        open_entry = open_dispute(game, request.dispute, hidden_from(game, viewer))
        owner = seat_of(game, open_entry.by)
        who = canonical_who(game, needed_name(request.by, "who withdraws it, such as p2"))
        if is_seat(owner) and is_seat(seat_of(game, who)) and seat_of(game, who) != owner:
            raise Declined(
                f"Dispute {request.dispute} of {game.id} was raised by {owner}, and {who} cannot withdraw it."
            )
        why = single_spaced(request.reason)
        return (DisputeWithdrawn(at=now(), by=who, command=request.command, event=open_entry.number, reason=why),)

    _, done = carry_out(store, id, request, viewer, decide, DisputeWithdrawn)
    event = done.recorded[-1].event
    assert isinstance(event, DisputeWithdrawn)
    placed = next(entry for entry in disputes_of(done) if entry.number == event.event)
    return _answer_for(done, placed, viewer, reason=placed.reason)


def _answer_for(
    game: LiveGame, entry: PlacedDispute, viewer: Viewer, *, claim: str = "", reason: str = ""
) -> DisputeAnswer:
    """Return the answer to a viewer; a seat from which cards are hidden reads the dispute masked.

    Masked texts are shown as ``~``, but for the words that the viewer has just written itself.

    Args:
        game: The game.
        entry: The dispute.
        viewer: Who asked.
        claim: The claim, if the viewer has just made it.
        reason: The reason, if the viewer has just given it.
    """
    seat = hidden_from(game, viewer)
    if seat is not None:
        masked = seen_dispute(entry, everybody(game.record), game.recorded)
        word = "".join(seen_game(game, seat).words[entry.ply - 1 : entry.ply]) if entry.ply else masked.word
        entry = replace(masked, word=word, claim=claim or masked.claim, reason=reason or masked.reason)
    return DisputeAnswer(game.id, seen_version(game, seat), entry)


def open_dispute(game: LiveGame, number: int, seat: int | None) -> PlacedDispute:
    """Return the open dispute that somebody knows by this number.

    Args:
        game: The game.
        number: The number: that of the event that raised the dispute, as the seat counts events.
        seat: The seat that asks; None for whoever sees everything.

    Raises:
        Declined: There is none, or it has been withdrawn or ruled on.
    """
    disputes = {told_number(game, seat, entry.number): entry for entry in disputes_of(game)}
    entry = disputes.get(number)
    if entry is None:
        still_open = ", ".join(str(at) for at, other in disputes.items() if other.status == "open")
        raise Declined(
            f"{game.id} has no dispute {number}; {f'still open: {still_open}' if still_open else 'none is open'}."
        )
    if entry.status == "withdrawn":
        raise Declined(f"Dispute {number} of {game.id} has already been withdrawn.")
    if entry.status == "ruled":
        rulings = [
            other for other in rulings_of(game) if other.dispute == entry.number or entry.ply_then in other.plies_then
        ]
        by = f", by {rulings[-1].arbiter} in ruling {told_number(game, seat, rulings[-1].number)}" if rulings else ""
        raise Declined(
            f"Dispute {number} of {game.id} has already been ruled on{by}. To rule again, name the ply itself."
        )
    return entry
