"""What a seat reads of an event, or of what a docket shows of one: each field as it is declared (``log.fields``).

A field that nothing declares, and one that the rules hide and about which the seat knows nothing, is read as empty.
So an event may get a new field, and no view tells of it before somebody has said who may read it.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.numbers import is_numbered
from cartulary.records.log.events import WordDeclined
from cartulary.records.log.fields import UNTOLD, Declaration, Free, Name, Public, Secret, declarations
from cartulary.records.log.recorded import RecordedEvent

ROLES = ("scribe", "arbiter", "desk")
"""Who writes without a seat."""
_EMPTY = (str, int, float, tuple, list, dict)
_NOTHING: Mapping[str, Any] = {}
S = TypeVar("S", bound=Struct)


class Reader(Struct, frozen=True):
    """Any seat, as it reads a record. names: of those it knows to be at the table

    recorded: the log, where there is one, by which it counts the events it is told of
    quiet: it is not told what the rules say
    """

    names: Collection[str] = ()
    recorded: Sequence[RecordedEvent] = ()
    quiet: bool = False


def mask(value: S, reader: Reader, known: Mapping[str, Any] = _NOTHING) -> S:
    """Return an event, or what a docket shows of one, as a seat may read it.

    known: what the rules let it know of the hidden fields, by name
    """
    covered, officials = _covered_fields(type(value))
    names: Collection[str] = reader.names
    if officials:
        # Everybody at the table knows who rules, so the arbiter may also be told to have written the ruling down.
        names = (*names, *(getattr(value, name) for name in officials))
    changes: dict[str, Any] = {}
    for name, field in covered:
        hidden = isinstance(field, Secret) and name in known
        seen = known[name] if hidden else _seen(field, getattr(value, name), names)
        if field is not None and field.refers:
            seen = _recounted(seen, reader.recorded)
        if field is not None and field.judged and reader.quiet:
            seen = _unjudged(seen)
        changes[name] = seen
    return replace(value, **changes) if changes else value


def empty(value: Any) -> Any:
    """Return what stands for a value that is withheld: nothing of its type."""
    return type(value)() if isinstance(value, _EMPTY) else None


def counted(recorded: Sequence[RecordedEvent], number: int) -> int:
    """Return the number by which seats know an event; that of no event, such as 0, stays."""
    return number - sum(isinstance(each.event, WordDeclined) for each in recorded[: max(number, 0)])


def told_of(who: str, names: Collection[str]) -> str:
    """Return who wrote something, if that is a seat, a role or one of the names; it may be any text."""
    return who if who in ("", *ROLES, *names) or is_numbered(who) else UNTOLD


@cache
def _covered_fields(kind: type[Struct]) -> tuple[tuple[tuple[str, Declaration | None], ...], tuple[str, ...]]:
    """Return the fields that are not read by everybody as they are, and those that name an official."""
    declared = declarations(kind)
    plain = {name for name, field in declared.items() if isinstance(field, Public) and field.as_it_is}
    officials = tuple(name for name, field in declared.items() if isinstance(field, Name) and field.role)
    return tuple((name, field) for name, field in declared.items() if name not in plain), officials


def _seen(field: Declaration | None, value: Any, names: Collection[str]) -> Any:
    """Return what a seat reads of a value, whatever it knows of the game."""
    if isinstance(field, Public):
        return value if field.numeric is None else _numeric(value, field)
    if isinstance(field, Name):
        return told_of(value, names)
    if isinstance(field, Free):
        return _covered(value, field.instead) if value or field.always else value
    if isinstance(field, Secret) and field.instead:
        return _covered(value, field.instead) if value else value
    return empty(value)


def _covered(value: Any, instead: str) -> Any:
    """Return a value with every text in it covered; of a seat and a text beside it, the seat stays."""
    if isinstance(value, tuple):
        return tuple(_covered(each, instead) for each in value)
    return instead if isinstance(value, str) else value


def _numeric(value: Any, field: Public) -> Any:
    """Return a value without the texts in it that are no numbers."""
    if isinstance(value, tuple):
        return tuple(_numeric(each, field) for each in value)
    if not isinstance(value, str) or not value or field.numeric is None:
        return value
    return value if field.numeric(value) else UNTOLD


def _recounted(value: Any, recorded: Sequence[RecordedEvent]) -> Any:
    """Return the numbers of events as a seat knows them; of a ply, its event and its word, only the first is one."""
    if not isinstance(value, tuple):
        return counted(recorded, value)
    return tuple(
        (counted(recorded, each[0]), *each[1:]) if isinstance(each, tuple) else counted(recorded, each)
        for each in value
    )


def _unjudged(value: Any) -> Any:
    """Return what stands for something the rules said, where nobody is told: as many empty ones, if of many words."""
    if isinstance(value, tuple):
        return tuple(() for each in value if isinstance(each, tuple))
    return "quiet" if isinstance(value, str) else False
