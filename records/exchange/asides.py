"""The streams beside the games in an archive, so that it explains itself: described games, house rules, and people."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from cartulary.records.exchange.archive import Archive, StoredBody, events_of_archive
from cartulary.records.faults import Unfit
from cartulary.records.log.aside_streams import append_aside, aside_events
from cartulary.records.log.chain import origin
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event
from cartulary.records.log.recorded import Batch, RecordedEvent
from cartulary.records.state.described_games import STREAM as GAMES
from cartulary.records.state.house_rules import STREAM as HOUSE
from cartulary.records.state.people import STREAM as PEOPLE

EXPORTED_STREAMS = (GAMES, HOUSE, PEOPLE)
"""The streams that an archive of all games carries; links, which open games, are never among them."""


def export_asides(store: Log) -> Iterator[Archive]:
    """Yield an archive of each stream of ``EXPORTED_STREAMS`` in which something was written.

    Such a stream is not a game; it holds what is known beside the games, such as which names are one person.
    """
    for id in EXPORTED_STREAMS:
        if recorded := aside_events(store, id):
            last = recorded[-1]
            bodies = tuple(StoredBody(each.topic, each.body.decode()) for each in recorded)
            yield Archive(1, id, last.originator_version, last.digest, None, bodies)


def take_in_aside(store: Log, archive: Archive) -> tuple[str, int]:
    """Import a stream beside the games, such as that of who is the same person.

    If it is here already, what only the archive says is added to it, as new events.

    Args:
        store: The log.
        archive: The archive of the stream.

    Returns:
        ``new``, ``known`` or ``extended``, and the number of events that the stream has here now.

    Raises:
        Unfit: The stream is none of ``EXPORTED_STREAMS``.
        Damaged: The chain of the archive is broken.
        Declined: The archive has no log.
    """
    if archive.id not in EXPORTED_STREAMS:
        *first, last = EXPORTED_STREAMS
        expected = f"expected an archive of a game, or of {', '.join(first)} or {last}"
        raise Unfit(f"{archive.id[:40]} is not a game; {expected}.")
    recorded = events_of_archive(archive)
    stored = aside_events(store, archive.id)
    if not stored:
        store.write(Batch(archive.id, origin(archive.id), recorded))
        return "new", len(recorded)
    after = append_aside(store, archive.id, lambda here: _missing(here, recorded))
    return ("extended" if len(after) > len(stored) else "known"), len(after)


def _missing(here: Sequence[RecordedEvent], there: Sequence[RecordedEvent]) -> list[Event]:
    """Return the events of an archive that say what no event here says, in their order.

    What the archive says twice, such as a merge before and after a split, is missing if it is said once here.
    """
    known = Counter(_statement(each.event) for each in here)
    missing: list[Event] = []
    for each in there:
        statement = _statement(each.event)
        if known[statement]:
            known[statement] -= 1
        else:
            missing.append(replace(each.event, salt="", command=""))
    return missing


def _statement(event: Event) -> Event:
    """Return a copy of an event without who wrote it, when, by which command and with which salt, to be compared with
    others.
    """
    return replace(event, at="", by="", command="", salt="")
