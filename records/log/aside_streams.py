"""Appending to the streams that are not games: they have no row in the index, and every writer reads them whole."""

from collections.abc import Callable, Sequence

from cartulary.records.faults import Conflict, Declined
from cartulary.records.log.chain import Head, origin
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event
from cartulary.records.log.recorded import RecordedEvent

_TRIES = 20


def aside_events(store: Log, stream: str) -> tuple[RecordedEvent, ...]:
    """Return the events of a stream that is not a game, in order; an empty tuple if nothing was ever written there.

    Raises:
        Damaged: What is stored is not what was written.
        StoreFault: The log cannot be read.
    """
    return store.stream(stream) if store.head(stream) is not None else ()


def append_aside(
    store: Log, stream: str, draft: Callable[[tuple[RecordedEvent, ...]], Sequence[Event]]
) -> tuple[RecordedEvent, ...]:
    """Append to a stream that is not a game, and return all its events as they are then, in order.

    Args:
        store: The log.
        stream: The id of the stream, which begins with ``@``. It is begun if it does not exist.
        draft: Returns the events to be written after those that are there, none if nothing is to be written. If
            somebody else writes first, it is called again with the new ones, up to 20 times in all.

    Raises:
        Declined: Too many others were writing at once; nothing was stored.
        StoreFault: The log cannot be read or written.
        Fault: What ``draft`` raises.
    """
    for _ in range(_TRIES):
        recorded = aside_events(store, stream)
        events = draft(recorded)
        if not events:
            return recorded
        head = Head(recorded[-1].originator_version, recorded[-1].digest) if recorded else origin(stream)
        try:
            store.append(stream, head, events)
        except Conflict:
            continue
        return aside_events(store, stream)
    raise Declined("Too many others are writing at once. Nothing was stored; try again.")
