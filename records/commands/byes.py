"""Byes: a person has no game in a round of an evening, and gets points all the same, or none."""

from collections.abc import Sequence
from typing import Annotated

from cartulary.records.commands.evening import event_head, persons_of
from cartulary.records.commands.request import Request, field, reused_key
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.aside_events import BYES, ByeSet
from cartulary.records.log.aside_streams import append_aside
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event
from cartulary.records.log.fields import MOST
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.evenings import ClubEvening, evening_of, fold_evening
from cartulary.records.state.people import people_of


class ByeRequest(Request, frozen=True):
    """A bye for persons at an evening.

    Attributes:
        evening: The title of the evening.
        persons: The persons.
        round: The round; 0 for the next one.
        kind: ``half`` or ``full``, a draw or a win that was asked for; ``zero`` for none; ``pairing`` for a win because
            the number of players is odd.
    """

    evening: Annotated[str, field("The title of the evening.", "EVENING")]
    persons: Annotated[tuple[str, ...], field("A person.", "NAME")]
    round: Annotated[int, field("The round; by default the next one.", "N")] = 0
    kind: Annotated[str, field("What it counts: half, full, zero or pairing.", "KIND")] = "half"


def set_bye(store: Log, request: ByeRequest) -> ClubEvening:
    """Write down that persons have a bye in a round of an evening; the same again writes nothing.

    Args:
        store: The log.
        request: The persons, the round and the kind of the bye.

    Returns:
        The evening as it is then.

    Raises:
        Unfit: There is no such evening, nobody is named, or a name, the round or the kind cannot be.
        Declined: Somebody never came to the evening, or has a table in the round; or the command was given before for
            something else.
    """
    evening = evening_of(store, request.evening)
    persons = persons_of(store, request.persons)
    if request.kind not in BYES:
        raise Unfit(f"{request.kind!r} is no kind of bye; expected one of: {', '.join(BYES)}.")
    if not 0 <= request.round <= MOST:
        raise Unfit(f"{request.round} is not the number of a round; expected 1 or more.")

    def draft(recorded: tuple[RecordedEvent, ...]) -> Sequence[Event]:
        for entry in recorded if request.command else ():
            if entry.event.command == request.command:
                if not isinstance(entry.event, ByeSet):
                    raise reused_key(request.command, evening.stream)
                return ()
        there = fold_evening(evening.key, recorded, people_of(store))
        round = request.round or there.last_round + 1
        for person in persons:
            if not there.number_of(person):
                raise Declined(f"{person} never came to {there.title}; `evening came '{there.title}'` adds somebody.")
            if any(person in table.players for table in there.tables_of(round)):
                raise Declined(f"{person} has a table in round {round}; set its game aside first.")
        known = {bye.person: bye.kind for bye in there.byes if bye.round == round}
        return [_bye(request, round, person) for person in persons if known.get(person) != request.kind]

    append_aside(store, evening.stream, draft)
    return evening_of(store, request.evening)


def _bye(request: ByeRequest, round: int, person: str) -> ByeSet:
    """Return the event that sets a bye of the kind of the request for a person in a round; nothing is written."""
    at, by, command = event_head(request).values()
    return ByeSet(at=at, by=by, command=command, round=round, person=person, kind=request.kind)
