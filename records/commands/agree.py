"""Signing off: a seat agrees with a closed record as it stands."""

from msgspec import Struct, field
from msgspec.structs import replace

from cartulary.notation.viewer import Seat, Viewer
from cartulary.records.commands.request import GameRequest, carry_out
from cartulary.records.faults import Conflict, Declined, Unfit
from cartulary.records.log.contract import Log
from cartulary.records.log.events import RecordAgreed
from cartulary.records.state.agreements import agreements_of
from cartulary.records.state.book import Agreement, changes_record
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seat_view import check_seat, hidden_from, seen_version, told_number
from cartulary.records.texts import clean_name, now


class AgreeAnswer(Struct, frozen=True):
    """A seat agreed with a record.

    Attributes:
        id: The id of the game.
        version: Its version after that, as the seat counts it.
        agreements: The last agreement of each seat, in the order of the seats; ``agreed`` in JSON.
    """

    id: str
    version: int
    agreements: tuple[Agreement, ...] = field(name="agreed")


class AgreeRequest(GameRequest, frozen=True):
    """Agreement with a closed record, given by the sender as one of its seats.

    ``expected`` is the version the seat has seen. Agreements may have come since, words that were declined, and that
    the game was set aside or counts again; nothing else.
    """


def agree(store: Log, id: str, request: AgreeRequest, viewer: Viewer) -> AgreeAnswer:
    """Let a seat agree with a closed record as it stands; the event names the head of the log it agreed with.

    Args:
        store: Where the game is kept.
        id: The game.
        request: By whom, and the version that was seen.
        viewer: The seat that agrees.

    Returns:
        The answer, with the version after that and the last agreement of each seat. With ``dry``, nothing is stored.

    Raises:
        Conflict: The record has changed since the version that was seen.
        Declined: The record is open, or the seat has agreed with it as it stands.
        Unfit: Nobody's seat, or one the game has not.
        Fault: As ``execute`` says.
    """
    if not isinstance(viewer, Seat) or viewer.seat < 1:
        raise Unfit("Only a seat can agree with a record; expected p1, p2 and so on.")
    seat = viewer.seat

    def decide(game: LiveGame) -> tuple[RecordAgreed]:
        _check_unchanged(game, viewer, request.expected)
        if not game.book.closed:
            has_offer = game.examined.calls.offer not in (0, seat)
            raise Declined(
                f"{id} is not closed, and a seat can only agree with a finished record."
                + f" To accept the draw that was offered, play the word p{seat}/Agree." * has_offer
            )
        if any(agreement.seat == seat and not agreement.since for agreement in game.book.agreements):
            raise Declined(f"p{seat} has already agreed with {id} as it is now.")
        who = clean_name(request.by) or f"p{seat}"
        return (RecordAgreed(at=now(), by=who, command=request.command, seat=seat, head=str(game.head)),)

    _, done = carry_out(store, id, replace(request, expected=None), viewer, decide, RecordAgreed)
    return AgreeAnswer(id, seen_version(done, hidden_from(done, viewer)), agreements_of(done, viewer))


def _check_unchanged(game: LiveGame, viewer: Seat, expected: int | None) -> None:
    """Check that a record has not changed since the version that a seat has seen.

    Which events are a change is said by ``changes_record``; agreements are none.

    Args:
        game: The game.
        viewer: The seat.
        expected: That version, as the seat counts it; None checks no more than the seat.

    Raises:
        Conflict: The record has changed since, or has no such version yet.
        Unfit: The game has no such seat.
    """
    check_seat(game, viewer)
    if expected is None:
        return
    seat = hidden_from(game, viewer)
    version = seen_version(game, seat)
    since = (entry.event for entry in game.recorded if told_number(game, seat, entry.originator_version) > expected)
    if expected > version or any(map(changes_record, since)):
        raise Conflict(game.id, expected, version)
