"""Whether an event is possible: each field as it is declared, such as a time with its zone or an existing seat.

The chain of digests proves that a log is what was written, not that what was written makes sense. So imports check
their events here, ``verify`` checks every log, and a game that holds an impossible event is not read.
"""

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct

from cartulary.engine.numbers import how_many
from cartulary.records.log.events import Event, GameImported, GameOpened, MovesAmended, Withheld
from cartulary.records.log.fields import Check, StreamPlace, anything, declarations, stored_names


@cache
def _checks(kind: type[Event]) -> tuple[tuple[str, Check], ...]:
    """Return the checks of the fields of an event, each as a pair with the name of its field in Python, in their order.

    Those that accept anything are left out.
    """
    declared = ((name, one.check) for name, one in declarations(kind).items() if one is not None)
    return tuple((name, check) for name, check in declared if check is not anything)


def fault_of(event: Event, at: StreamPlace) -> str:
    """Return the first thing that is wrong with an event, as a phrase to follow its place; empty if nothing is.

    An example is "`seat` is 9, expected a seat from 1 to 4". A body that was left out of an archive is unknown, which
    is no fault.

    Args:
        event: The event.
        at: Its place in its stream, on which some checks depend.
    """
    if isinstance(event, Withheld):
        return ""
    for name, check in _checks(type(event)):
        value = getattr(event, name)
        if expected := check(value, at):
            return f"`{stored_names(type(event))[name]}` is {_shortened(value)}, expected {expected}"
    if isinstance(event, MovesAmended) and len(event.findings) != len(event.words):
        return f"`findings` is about {how_many(len(event.findings), 'word')}, expected {len(event.words)}"
    return ""


def _shortened(value: object) -> str:
    """Return a value as Python writes it, cut off after 60 characters, with ``…`` if it was longer."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


class ImpossibleEvent(Struct, frozen=True):
    """The first impossible event of a stream.

    Attributes:
        version: Its version.
        because: What is wrong with it, as a sentence that names it.
    """

    version: int
    because: str


def first_impossible(id: str, events: Iterable[Event]) -> ImpossibleEvent | None:
    """Return the first impossible event of a stream; None if there is none.

    Args:
        id: The id of the stream, for the sentence.
        events: All events of the stream, in order from the first.
    """
    return next(_impossible(id, events), None)


def _impossible(id: str, events: Iterable[Event]) -> Iterator[ImpossibleEvent]:
    """Yield the impossible events of a stream, in order.

    The first event says how many seats the later ones may name; a stream that is not a game has none.
    """
    seats = 0
    for version, event in enumerate(events, 1):
        fault = fault_of(event, StreamPlace(version, seats))
        if fault:
            yield ImpossibleEvent(version, f"The events of {id} do not make a game: in event {version} {fault}.")
        if version == 1 and isinstance(event, (GameOpened, GameImported)):
            seats = event.seats
