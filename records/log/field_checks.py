"""Whether an event can be: each of its fields as it is declared, a time with its zone, a seat, an earlier event.

A chain of digests proves that a log is what was written, not that what was written can be. Whatever takes events in
from elsewhere asks here, ``verify`` asks of every log, and a game that holds an event that cannot be is not read.
"""

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct

from cartulary.engine.numbers import how_many
from cartulary.records.log.events import Event, GameImported, GameOpened, MovesAmended, Withheld
from cartulary.records.log.fields import Check, StreamPlace, anything, declarations


@cache
def _checks(kind: type[Event]) -> tuple[tuple[str, Check], ...]:
    """Return the checks of the fields of an event, without those that accept anything."""
    declared = ((name, one.check) for name, one in declarations(kind).items() if one is not None)
    return tuple((name, check) for name, check in declared if check is not anything)


def fault_of(event: Event, at: StreamPlace) -> str:
    """Return what is wrong with an event, to stand behind where it is, empty where it can be.

    What was left out of an archive is unknown, and not at fault.
    """
    if isinstance(event, Withheld):
        return ""
    for name, check in _checks(type(event)):
        value = getattr(event, name)
        if expected := check(value, at):
            return f"`{name}` is {_short(value)}, expected {expected}"
    if isinstance(event, MovesAmended) and len(event.findings) != len(event.words):
        return f"`findings` is about {how_many(len(event.findings), 'word')}, expected {len(event.words)}"
    return ""


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


class ImpossibleEvent(Struct, frozen=True):
    """The first event of a stream that cannot be. because: a sentence that names it"""

    version: int
    because: str


def first_impossible(id: str, events: Iterable[Event]) -> ImpossibleEvent | None:
    """Return the first event of a stream that cannot be, None where all can."""
    return next(_impossible(id, events), None)


def _impossible(id: str, events: Iterable[Event]) -> Iterator[ImpossibleEvent]:
    seats = 0
    for version, event in enumerate(events, 1):
        fault = fault_of(event, StreamPlace(version, seats))
        if fault:
            yield ImpossibleEvent(version, f"The events of {id} do not make a game: in event {version} {fault}.")
        if version == 1 and isinstance(event, (GameOpened, GameImported)):
            seats = event.seats
