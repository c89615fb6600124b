"""What a seat reads of an event, or of an entry of the docket: each field as it is declared in ``log.fields``.

A field without a declaration is read as empty, and so is a secret field of which the seat knows nothing. If an event
gets a new field, no view shows it before somebody has declared who may read it.
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
    """A seat, or the rail, as it reads a record.

    Attributes:
        names: The names of the people whom it knows to be at the table.
        events: The events of the log, if there is one. Numbers of events are then given as seats count them.
        quiet: Whether it is not shown what the rules say.
    """

    names: Collection[str] = ()
    events: Sequence[RecordedEvent] = ()
    quiet: bool = False


def mask(value: S, reader: Reader, knowledge: Mapping[str, Any] = _NOTHING) -> S:
    """Return an event or an entry of the docket as a seat may read it: a copy with other values in place of withheld
    ones.

    A withheld text is ``~`` or empty, a withheld number 0, as each field is declared. Numbers of events become those
    that seats count, if the reader has the log; verdicts are left out for a quiet reader.

    Args:
        value: The event, or the dispute, ruling or time as the docket has it.
        reader: Who reads it.
        knowledge: What the rules let the seat know of its secret fields, by the name of the field. A secret field that
            is not there is withheld.
    """
    masked, officials = _masked_fields(type(value))
    names: Collection[str] = reader.names
    if officials:
        # Everybody at the table knows who rules, so the arbiter may also be told to have written the ruling down.
        names = (*names, *(getattr(value, name) for name in officials))
    changes: dict[str, Any] = {}
    for name, field in masked:
        hidden = isinstance(field, Secret) and name in knowledge
        shown = knowledge[name] if hidden else _shown_value(field, getattr(value, name), names)
        if field is not None and field.refers:
            shown = _renumber_events(shown, reader.events)
        if field is not None and field.judged and reader.quiet:
            shown = _without_verdict(shown)
        changes[name] = shown
    return replace(value, **changes) if changes else value


def empty(value: Any) -> Any:
    """Return the empty value of the same type, which stands for a withheld one: ``""``, 0, ``()``; None for any other
    type.

    Texts, numbers, tuples, lists and dicts have one; True and False become False.
    """
    return type(value)() if isinstance(value, _EMPTY) else None


def number_for_seats(events: Sequence[RecordedEvent], number: int) -> int:
    """Return the number by which seats know an event: they do not count declined words, whose events they never see.

    Args:
        events: The events of the log, in order; empty if there is no log, and then no number changes.
        number: The true number of the event, from 1. A number that is not one of an event, 0 or less, stays as it is.
    """
    return number - sum(isinstance(each.event, WordDeclined) for each in events[: max(number, 0)])


def shown_name(who: str, names: Collection[str]) -> str:
    """Return who wrote something if a seat may know it, otherwise ``~``.

    It may know a seat such as ``p1``, a role such as ``arbiter``, nobody (an empty text), and each of these names.
    """
    return who if who in ("", *ROLES, *names) or is_numbered(who) else UNTOLD


@cache
def _masked_fields(kind: type[Struct]) -> tuple[tuple[tuple[str, Declaration | None], ...], tuple[str, ...]]:
    """Return which fields of a type not everybody reads as they are.

    Returns:
        Pairs of a field's name and its declaration, None for a field without one; then the names of the fields that
        name an official, such as the arbiter.
    """
    declared = declarations(kind)
    open_fields = {name for name, field in declared.items() if isinstance(field, Public) and field.as_it_is}
    officials = tuple(name for name, field in declared.items() if isinstance(field, Name) and field.role)
    return tuple((name, field) for name, field in declared.items() if name not in open_fields), officials


def _shown_value(field: Declaration | None, value: Any, names: Collection[str]) -> Any:
    """Return what any seat reads of a field, whatever it knows about the cards.

    Args:
        field: How the field is declared; a field without declaration (None) is read as empty.
        value: Its value.
        names: The names that the seat may be shown.

    Returns:
        A public field as it is, but ``~`` for a text in it that is not of the numeric form declared for it; a name as
        by ``shown_name``; a free text as the text declared in its place; a secret one likewise, or else empty.
    """
    if isinstance(field, Public):
        return value if field.numeric is None else _cover_words(value, field)
    if isinstance(field, Name):
        return shown_name(value, names)
    if isinstance(field, Free):
        return _cover_texts(value, field.instead) if value or field.always else value
    if isinstance(field, Secret) and field.instead:
        return _cover_texts(value, field.instead) if value else value
    return empty(value)


def _cover_texts(value: Any, instead: str) -> Any:
    """Return a value with ``instead`` in place of each text in it: ``((1, "two points"),)`` -> ``((1, "~"),)``.

    Texts in tuples are replaced at any depth; numbers stay.
    """
    if isinstance(value, tuple):
        return tuple(_cover_texts(item, instead) for item in value)
    return instead if isinstance(value, str) else value


def _cover_words(value: Any, field: Public) -> Any:
    """Return a value with ``~`` in place of each text in it that ``field.numeric`` does not accept.

    Empty texts, numbers and the order of tuples stay; nothing changes if the field has no such test.
    """
    if isinstance(value, tuple):
        return tuple(_cover_words(item, field) for item in value)
    if not isinstance(value, str) or not value or field.numeric is None:
        return value
    return value if field.numeric(value) else UNTOLD


def _renumber_events(value: Any, events: Sequence[RecordedEvent]) -> Any:
    """Return the numbers of events as seats count them: a number, or a tuple of numbers or of pairs ``(event, word)``.

    Of a pair only the first is such a number; the word is a place inside the event and stays.
    """
    if not isinstance(value, tuple):
        return number_for_seats(events, value)
    return tuple(
        (number_for_seats(events, item[0]), *item[1:]) if isinstance(item, tuple) else number_for_seats(events, item)
        for item in value
    )


def _without_verdict(value: Any) -> Any:
    """Return what stands for a verdict that is withheld: ``quiet`` for a text, and False for True and False.

    A tuple of findings becomes empty, and a tuple with a tuple of findings for each word has ``()`` for each.
    """
    if isinstance(value, tuple):
        return tuple(() for item in value if isinstance(item, tuple))
    return "quiet" if isinstance(value, str) else False
