"""Saying which names are one person's: merged, renamed and split. No record is changed."""

from collections.abc import Sequence
from typing import Annotated

from cartulary.records.commands.request import Request, field, reused_key
from cartulary.records.faults import Declined, Unfit
from cartulary.records.library.people import UNKNOWN, Person, names_in, person_named
from cartulary.records.log.aside_events import PeopleMerged, PersonSplit
from cartulary.records.log.aside_streams import append_aside
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.people import STREAM, leads_to, merged_names, people_of
from cartulary.records.texts import clean_name, keepable, now


class MergeRequest(Request, frozen=True):
    """Two names of one person. From now on the first is shown as the second."""

    name: Annotated[str, field("A name as records have it.", "NAME")]
    into: Annotated[str, field("The name that is shown for it.", "NAME")]


class RenameRequest(Request, frozen=True):
    """A person who is called otherwise now. Nobody may be called so yet."""

    name: Annotated[str, field("The name as records have it.", "NAME")]
    to: Annotated[str, field("The new name.", "NAME")]


class SplitRequest(Request, frozen=True):
    """A name that was merged by mistake and is to stand for a person of its own again."""

    name: Annotated[str, field("The name that was merged.", "NAME")]


def merge_people(store: Log, request: MergeRequest) -> Person:
    """Say that two names are one person's: lists, standings, searches and sheets then show the second for both.

    Args:
        store: The log.
        request: The names. Saying the same again writes nothing.

    Returns:
        The person with the second name, as the list of people has it.

    Raises:
        Unfit: There is no such name in the archive, it is none, or both are the same name.
        Declined: The second name is shown as the first already, so that this would close a circle; or the command was
            given before with another request.
    """
    name, into = _known(store, request.name), _name(request.into)
    people = people_of(store)
    known = names_in(store)
    if into not in known and people.display_name(into) not in known:
        raise Unfit(f"Nobody is called {into}; use `people rename` to give {name} a new name.")
    return _merge(store, request, name, into)


def rename_person(store: Log, request: RenameRequest) -> Person:
    """Give a person a new name, which is shown from now on wherever records have the old one, and return the person.

    Raises:
        Unfit: There is no such name in the archive, it is none, or somebody is called so already.
        Declined: The new name is shown as the old one already, or the command was given before with another request.
    """
    name, to = _known(store, request.name), _name(request.to)
    people = people_of(store)
    if to in names_in(store) and people.display_name(name) != to:
        raise Unfit(f"{to} is somebody already; use `people merge` if {name} and {to} are one person.")
    return _merge(store, request, people.display_name(name), to)


def _merge(store: Log, request: Request, name: str, into: str) -> Person:
    """Write that ``name`` is shown as ``into`` from now on, and return the person ``into``.

    Nothing is written if it is so already, or if the command has written just that before.

    Raises:
        Unfit: Both are the same name.
        Declined: ``into`` is shown as ``name`` already, so that this would close a circle; or the command wrote
            something else.
    """
    if name == into:
        raise Unfit(f"{name} is that name already; expected two different names.")
    by = clean_name(request.by)
    event = PeopleMerged(at=now(), by=by, command=request.command, name=name, into=into)

    def draft(recorded: tuple[RecordedEvent, ...]) -> Sequence[Event]:
        if _written_before(recorded, event):
            return ()
        merged = merged_names(recorded)
        if merged.get(name) == into:
            return ()
        if leads_to(merged, into, name):
            raise Declined(f"{into} is shown as {name} already; `people split` separates them first.")
        return (event,)

    append_aside(store, STREAM, draft)
    return person_named(store, into)


def split_person(store: Log, request: SplitRequest) -> Person:
    """Undo a merge: the name stands for a person of its own again, who is returned.

    Raises:
        Unfit: It is no name of a player, such as ``?``.
        Declined: The name is not merged into another, or the command was given before with another request.
    """
    name = _name(request.name)
    event = PersonSplit(at=now(), by=clean_name(request.by), command=request.command, name=name)

    def draft(recorded: tuple[RecordedEvent, ...]) -> Sequence[Event]:
        if _written_before(recorded, event):
            return ()
        if name not in merged_names(recorded):
            raise Declined(f"{name} is not merged into another name; `people` lists who is.")
        return (event,)

    append_aside(store, STREAM, draft)
    return person_named(store, name)


def _written_before(recorded: Sequence[RecordedEvent], event: PeopleMerged | PersonSplit) -> bool:
    """Say whether the command of an event wrote that very event before. False for an event without a command key.

    Raises:
        Declined: The command wrote something else.
    """
    for each in recorded:
        if event.command and each.event.command == event.command:
            there = each.event
            if isinstance(event, PeopleMerged) and isinstance(there, PeopleMerged):
                same = (event.name, event.into) == (there.name, there.into)
            else:
                same = isinstance(event, PersonSplit) and isinstance(there, PersonSplit) and event.name == there.name
            if not same:
                raise reused_key(event.command, STREAM)
            return True
    return False


def _name(text: str) -> str:
    """Return a typed name as it is stored, in canonical spelling.

    Raises:
        Unfit: It names nobody, such as ``?`` or an empty text, or it cannot be stored.
        Declined: It has a ``}``.
    """
    name = clean_name(keepable(text, "The name"))
    if name in UNKNOWN:
        raise Unfit(f"{text!r} is no name; expected the name of a player.")
    return name


def _known(store: Log, text: str) -> str:
    """Return a typed name as it is stored, after checking that the archive knows it.

    Raises:
        Unfit: No record has the name and nobody is shown under it, or it is none.
    """
    name = _name(text)
    if name not in names_in(store) and name not in people_of(store).into.values():
        raise Unfit(f"Nobody is called {name} in this archive; `people` lists everybody.")
    return name
