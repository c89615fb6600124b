"""People: which names of the records are one person's, as the stream ``@people`` has it.

Records are never edited. A name is looked up here when a list, a standing, a search or a sheet shows it.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from cartulary.notation.seatings import Tenure
from cartulary.notation.viewer import Seat, Viewer
from cartulary.records.log.aside_events import PeopleMerged, PersonSplit
from cartulary.records.log.chain import Head
from cartulary.records.log.contract import Log
from cartulary.records.log.recorded import ASIDE, RecordedEvent
from cartulary.records.texts import one_spelling

STREAM = f"{ASIDE}people"


class People(Struct, frozen=True):
    """The names that were merged.

    Attributes:
        into: By name, the name that it was merged into; that one may have been merged into another in turn.
        head: The head of the stream, None if nothing was ever merged.
    """

    into: Mapping[str, str] = {}
    head: Head | None = None

    def display_name(self, name: str) -> str:
        """Return the name under which a person is shown: the end of the chain of merged names; a name never merged as
        it is.
        """
        while (other := self.into.get(name)) is not None:
            name = other
        return name

    def names_of(self, name: str) -> tuple[str, ...]:
        """Return all names of the person who is shown under a name: that one first, then the others in the order they
        were merged.

        Any name of the person may be given. Somebody whose names were never merged has that one name.
        """
        display = self.display_name(name)
        return (display, *(each for each in self.into if self.display_name(each) == display))

    def display_names(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return names as they stand in a record, in canonical spelling and under the names that are shown, in the same
        order.
        """
        return tuple(self.display_name(one_spelling(name)) for name in names)

    def display_tenures(self, sat: Iterable[Tenure]) -> tuple[Tenure, ...]:
        """Return who sat at a seat and since which ply, under the names that are shown.

        Of several in a row who are one person, only the first is returned.
        """
        shown: list[Tenure] = []
        for tenure in sat:
            [name] = self.display_names((tenure.name,))
            if not shown or shown[-1].name != name:
                shown.append(Tenure(tenure.since, name))
        return tuple(shown)

    def seen_by(self, viewer: Viewer) -> "People":
        """Return the people under whose names a viewer is shown the players of a game: for a seat nobody is merged.

        A seat is shown names as they were written: the name that is shown otherwise may come from games that it does
        not see.
        """
        return NOBODY_MERGED if isinstance(viewer, Seat) else self

    def players(self, line: str) -> str:
        """Return the players of a line of the list, ``Ann; Bea``, under the names that are shown, in the same form and
        order.
        """
        return "; ".join(map(self.display_name, line.split("; "))) if self.into else line


NOBODY_MERGED = People()


def people_of(store: Log, cached: People = NOBODY_MERGED) -> People:
    """Return the people of an archive: which names were merged into which.

    Args:
        store: The log.
        cached: What this returned before; it is returned itself if nothing was written since, or if nothing ever was.

    Raises:
        Damaged: The stream of the people is not what was written.
    """
    head = store.head(STREAM)
    if head is None or head == cached.head:
        return cached
    recorded = store.stream(STREAM)
    return People(merged_names(recorded), Head(recorded[-1].originator_version, recorded[-1].digest))


def merged_names(events: Iterable[RecordedEvent]) -> dict[str, str]:
    """Return by name the name that it was merged into, which may have been merged in turn.

    An event that would close a circle says nothing. A name that was split off again is not in it.
    """
    into: dict[str, str] = {}
    for each in events:
        event = each.event
        if isinstance(event, PeopleMerged) and not leads_to(into, event.into, event.name):
            into[event.name] = event.into
        elif isinstance(event, PersonSplit):
            into.pop(event.name, None)
    return into


def leads_to(into: Mapping[str, str], name: str, target: str) -> bool:
    """Say whether the chain of merged names from ``name`` reaches ``target``; true if they are the same.

    Args:
        into: By name, the name that it was merged into. It must hold no circle.
        name: Where the chain begins.
        target: The name that is looked for.
    """
    while name != target:
        if name not in into:
            return False
        name = into[name]
    return True
