"""Somebody who sits down at a game has come to its evening."""

from collections.abc import Sequence

from cartulary.records.commands.request import GameRequest
from cartulary.records.faults import Unfit
from cartulary.records.log.aside_events import PersonCame
from cartulary.records.log.aside_streams import append_aside
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.evenings import evening_of, fold_evening
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.people import people_of
from cartulary.records.texts import clean_name, now, one_spelling


def record_arrival(store: Log, game: LiveGame, person: str, request: GameRequest) -> None:
    """Write down that somebody who sits down at a game came to its evening.

    Nothing is written for somebody who is there already or whom nobody knows (``?``), nor if the game is at no table of
    an evening.

    Args:
        store: The log.
        game: The game; its tag Event names the evening.
        person: Who sits down.
        request: The request to sit down there; it says who writes, and its command makes this harmless to repeat.
    """
    try:
        evening = evening_of(store, game.record.tag("Event"))
    except Unfit:
        return
    person = people_of(store).display_name(one_spelling(person))
    if person in ("", "?") or all(table.game != game.id for table in evening.tables):
        return
    command = request.command and f"{request.command}-came"

    def draft(recorded: tuple[RecordedEvent, ...]) -> Sequence[Event]:
        is_repeated = command and any(entry.event.command == command for entry in recorded)
        if is_repeated or person in fold_evening(evening.key, recorded, people_of(store)).present:
            return ()
        return (PersonCame(at=now(), by=clean_name(request.by), command=command, person=person),)

    append_aside(store, evening.stream, draft)
