"""The streams beside the games in an archive, so that it explains itself: described games, house rules, people, and
evenings.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from cartulary.records.exchange.archive import Archive, StoredBody, events_of_archive
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.aside_events import TableSet
from cartulary.records.log.aside_streams import append_aside, aside_events
from cartulary.records.log.chain import origin
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event
from cartulary.records.log.recorded import Batch, RecordedEvent
from cartulary.records.state.described_games import STREAM as GAMES
from cartulary.records.state.evenings import PREFIX, evening_key
from cartulary.records.state.house_rules import STREAM as HOUSE
from cartulary.records.state.people import STREAM as PEOPLE

EXPORTED_STREAMS = (GAMES, HOUSE, PEOPLE)
"""The streams that an archive of all games carries, beside those of evenings; links, which open games, are never among
them.
"""


def export_asides(store: Log) -> Iterator[Archive]:
    """Yield an archive of each stream of ``EXPORTED_STREAMS`` in which something was written, and of each evening.

    Such a stream is not a game; it holds what is known beside the games, such as which names are one person.
    """
    for id in (*EXPORTED_STREAMS, *(id for id in store.asides() if _is_of_evening(id))):
        if recorded := aside_events(store, id):
            last = recorded[-1]
            bodies = tuple(StoredBody(each.topic, each.body.decode()) for each in recorded)
            yield Archive(1, id, last.originator_version, last.digest, None, bodies)


def is_evening(archive: Archive) -> bool:
    """Say whether an archive is the stream of an evening, by its id: ``@evening-spring``."""
    return _is_of_evening(archive.id)


def _is_of_evening(stream: str) -> bool:
    """Say whether a stream is that of an evening, by its id."""
    try:
        return stream.startswith(PREFIX) and evening_key(key := stream.removeprefix(PREFIX)) == key
    except Unfit:
        return False


def take_in_aside(store: Log, archive: Archive, new_ids: Mapping[str, str] | None = None) -> tuple[str, int]:
    """Import a stream beside the games, such as that of who is the same person.

    If it is here already, what only the archive says is added to it, as new events. An evening that is here already is
    only continued: each must say all that the other one does, and may say more.

    Args:
        store: The log.
        archive: The archive of the stream.
        new_ids: New ids of games by the ids that they have in the archive, for the tables of an evening; none if left
            out.

    Returns:
        ``new``, ``known`` or ``extended``, and the number of events that the stream has here now.

    Raises:
        Unfit: The stream is none of ``EXPORTED_STREAMS`` and no evening.
        Damaged: The chain of the archive is broken.
        Declined: The archive has no log, or another evening of this name is here.
    """
    of_evening = is_evening(archive)
    if archive.id not in EXPORTED_STREAMS and not of_evening:
        *first, last = EXPORTED_STREAMS
        expected = f"expected an archive of a game, or of {', '.join(first)}, {last} or an evening"
        raise Unfit(f"{archive.id[:40]} is not a game; {expected}.")
    recorded = events_of_archive(archive)
    events = [_with_new_id(each.event, new_ids or {}) for each in recorded]
    stored = aside_events(store, archive.id)
    if not stored and events == [each.event for each in recorded]:
        store.write(Batch(archive.id, origin(archive.id), recorded))
        return "new", len(recorded)

    def draft(here: tuple[RecordedEvent, ...]) -> list[Event]:
        """Return what is to be written after the events that are here."""
        missing = _missing([each.event for each in here], events)
        if of_evening and missing and _missing(events, [each.event for each in here]):
            raise Declined(
                f"Another evening is called {archive.id.removeprefix(PREFIX)} here. It stays as it is, and the "
                "archive's was not imported; its games were."
            )
        return missing

    after = append_aside(store, archive.id, draft)
    status = "new" if not stored else "extended" if len(after) > len(stored) else "known"
    return status, len(after)


def _with_new_id(event: Event, new_ids: Mapping[str, str]) -> Event:
    """Return an event with the new id of its game, if it sets a table for a game that has one."""
    if isinstance(event, TableSet) and event.game in new_ids:
        return replace(event, game=new_ids[event.game])
    return event


def _missing(here: Sequence[Event], there: Sequence[Event]) -> list[Event]:
    """Return the events of an archive that say what no event here says, in their order.

    What the archive says twice, such as a merge before and after a split, is missing if it is said once here.
    """
    known = Counter(map(_statement, here))
    missing: list[Event] = []
    for each in there:
        statement = _statement(each)
        if known[statement]:
            known[statement] -= 1
        else:
            missing.append(replace(each, salt="", command=""))
    return missing


def _statement(event: Event) -> Event:
    """Return a copy of an event without who wrote it, when, by which command and with which salt, to be compared with
    others.
    """
    return replace(event, at="", by="", command="", salt="")
