"""Evenings: who sits where in which round, as the stream of each evening has it.

An evening is a stream of its own, ``@evening-spring`` for one that is called Spring. Its games are records like any
other; the evening knows their ids.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cartulary.records.faults import Unfit
from cartulary.records.log.aside_events import (
    ByeSet,
    EntrantsNumbered,
    EveningOpened,
    PersonCame,
    PersonLeft,
    TableSet,
    TournamentStated,
)
from cartulary.records.log.contract import Log
from cartulary.records.log.field_checks import fault_of
from cartulary.records.log.fields import StreamPlace
from cartulary.records.log.recorded import ASIDE, RecordedEvent
from cartulary.records.state.people import People, people_of
from cartulary.records.texts import canonical_name

PREFIX = f"{ASIDE}evening-"
LONGEST = 60
"""Letters of the key of an evening, at most."""


class EveningTable(Struct, frozen=True):
    """A table of an evening: one game, and who sits there.

    Attributes:
        round: The round.
        number: The number of the table in the round.
        game: The id of the game.
        players: The persons at the seats, in order.
        waiting: The persons who sit out, in the order in which they come to a seat.
    """

    round: int
    number: int
    game: str
    players: tuple[str, ...]
    waiting: tuple[str, ...] = ()

    @property
    def persons(self) -> tuple[str, ...]:
        """Everybody at the table: those at the seats, then those who sit out."""
        return (*self.players, *self.waiting)

    def seat_of(self, person: str) -> int:
        """Return the seat of a person, from 1; 0 for somebody who has none here, or whose name two seats have.

        The name must be spelled as in ``players``, capitals included.
        """
        return self.players.index(person) + 1 if self.players.count(person) == 1 else 0


class EveningBye(Struct, frozen=True):
    """A bye: a person who has no game in a round, and what that counts.

    Attributes:
        round: The round.
        person: The person.
        kind: ``pairing``, ``full``, ``half`` or ``zero``.
    """

    round: int
    person: str
    kind: str


class Entrant(Struct, frozen=True):
    """A person with a start number, which is the place among the entrants.

    Attributes:
        name: The name.
        details: Sex, title, rating, federation, FIDE number and birth, as a tournament report has them.
    """

    name: str
    details: tuple[str, ...] = ()


class ClubEvening(Struct, frozen=True):
    """An evening as it stands.

    Attributes:
        key: The name in its address: ``spring-2026`` for one that is called Spring 2026.
        title: What it is called.
        date: The day, as in the tag Date.
        place: Where it is, empty if nobody said.
        tables: Its tables, by round and number.
        present: Everybody who came or sat down and has not left, in the order in which they came.
        entrants: Everybody who ever came, by start number: in the order in which they came, unless a tournament report
            had another.
        byes: The byes, by round. Whoever has a table in the round has no bye.
        rounds: How many rounds it is to have as a tournament, 0 if nobody said.
        lines: Further lines of its tournament report.
    """

    key: str
    title: str
    date: str
    place: str
    tables: tuple[EveningTable, ...] = ()
    present: tuple[str, ...] = ()
    entrants: tuple[Entrant, ...] = ()
    byes: tuple[EveningBye, ...] = ()
    rounds: int = 0
    lines: tuple[str, ...] = ()

    @property
    def stream(self) -> str:
        """The id of its stream in the log, ``@evening-spring-2026``."""
        return f"{PREFIX}{self.key}"

    @property
    def last_round(self) -> int:
        """The number of the last round, 0 if no table was set yet."""
        return max((table.round for table in self.tables), default=0)

    @property
    def persons(self) -> frozenset[str]:
        """Everybody who sits or sat at a table or sat out there, and everybody who is present without one.

        Whoever came and left without a table is not among them.
        """
        return frozenset((*self.present, *(person for table in self.tables for person in table.persons)))

    def tables_of(self, round: int) -> tuple[EveningTable, ...]:
        """Return the tables of a round, by their numbers; empty for a round that has none."""
        return tuple(table for table in self.tables if table.round == round)

    def number_of(self, person: str) -> int:
        """Return the start number of a person, from 1; 0 for somebody who never came. The name must be spelled as it is
        shown.
        """
        return next((number for number, each in enumerate(self.entrants, 1) if each.name == person), 0)

    def table_at(self, round: int, number: int) -> EveningTable | None:
        """Return a table by its round and its number in that, both from 1; None if there is none."""
        return next((table for table in self.tables_of(round) if table.number == number), None)


def evening_key(title: str) -> str:
    """Return the name of an evening in its address: ``Spring 2026`` -> ``spring-2026``.

    Letters and digits of any script remain, in small letters; whatever stands between them becomes one hyphen.

    Raises:
        Unfit: The title has no letter or digit, makes a key of more than 60 characters, or cannot be stored.
    """
    key = re.sub(r"[\W_]+", "-", canonical_name(title, "The evening's name").casefold()).strip("-")
    if not key:
        raise Unfit(f"{title!r} names no evening; expected a name such as Spring.")
    if len(key) > LONGEST:
        raise Unfit(f"The evening's name has {len(key)} letters; expected at most {LONGEST}.")
    return key


def evening_of(store: Log, title: str) -> ClubEvening:
    """Return an evening by its title, in any capitals. The names are those under which people are shown.

    Raises:
        Unfit: There is no such evening, or the title is none (see ``evening_key``). The message names all evenings.
        Damaged: The stream of the evening is not what was written.
    """
    key = evening_key(title)
    if store.head(f"{PREFIX}{key}") is None:
        there = [f"`{each.title}`" for each in evenings(store)]
        known = f"expected one of: {', '.join(there)}" if there else f"`evening open '{title}'` opens one"
        raise Unfit(f"There is no evening {title!r}; {known}.")
    return fold_evening(key, store.stream(f"{PREFIX}{key}"), people_of(store))


def evenings(store: Log) -> Iterator[ClubEvening]:
    """Yield every evening of a log, in the order in which they were opened first. Raises Damaged if one is not as
    written.
    """
    people = people_of(store)
    for id in store.asides():
        if id.startswith(PREFIX):
            yield fold_evening(id.removeprefix(PREFIX), store.stream(id), people)


def fold_evening(key: str, events: Sequence[RecordedEvent], people: People) -> ClubEvening:
    """Return the evening that the events of its stream make.

    The last word counts: a table that is set again replaces the one of the same round and number. Without an opening
    event the title is the key and the date ``????.??.??``.

    Args:
        key: Its name in its address.
        events: The events. One that is impossible says nothing; ``verify`` names it.
        people: Under which name each person is shown.
    """
    evening = ClubEvening(key, key, "????.??.??", "")
    tables: dict[tuple[int, int], EveningTable] = {}
    present: dict[str, None] = {}
    shown = people.display_name
    for entry in events:
        event = entry.event
        if fault_of(event, StreamPlace(entry.originator_version, 0)):
            continue
        if isinstance(event, EveningOpened):
            evening = replace(evening, title=event.title, date=event.date, place=event.place)
        elif isinstance(event, TableSet):
            players, waiting = tuple(map(shown, event.players)), tuple(map(shown, event.waiting))
            table = EveningTable(event.round, event.table, event.game, players, waiting)
            tables[event.round, event.table] = table
            present |= dict.fromkeys(table.persons)
        elif isinstance(event, PersonCame):
            present.setdefault(shown(event.person))
        elif isinstance(event, PersonLeft):
            present.pop(shown(event.person), None)
    evening = replace(evening, tables=tuple(tables[at] for at in sorted(tables)), present=tuple(present))
    return _with_tournament(evening, events, shown)


def _with_tournament(evening: ClubEvening, events: Sequence[RecordedEvent], shown: Callable[[str], str]) -> ClubEvening:
    """Return an evening with what its events say of it as a tournament: entrants by start number, byes, rounds and
    lines.

    Whoever comes, sits down or has a bye gets the next start number, unless an event numbers the entrants. Somebody
    with a seat at a table of a round has no bye in it.

    Args:
        evening: The evening with its tables.
        events: The events of its stream, in order; an impossible one says nothing.
        shown: A function that returns the name under which a person is shown.
    """
    entrants: dict[str, tuple[str, ...]] = {}
    byes: dict[tuple[int, str], str] = {}
    for entry in events:
        event = entry.event
        if fault_of(event, StreamPlace(entry.originator_version, 0)):
            continue
        if isinstance(event, TableSet):
            for person in (*event.players, *event.waiting):
                entrants.setdefault(shown(person), ())
        elif isinstance(event, PersonCame):
            entrants.setdefault(shown(event.person), ())
        elif isinstance(event, EntrantsNumbered):
            details = [tuple(text.split(";")) if text else () for text in event.details]
            numbered = dict(zip(map(shown, event.persons), (*details, *((),) * len(event.persons)), strict=False))
            entrants = numbered | {name: more for name, more in entrants.items() if name not in numbered}
        elif isinstance(event, ByeSet):
            entrants.setdefault(shown(event.person), ())
            byes[event.round, shown(event.person)] = event.kind
        elif isinstance(event, TournamentStated):
            evening = replace(evening, rounds=event.rounds, lines=event.lines)
    at_tables = {(table.round, person) for table in evening.tables for person in table.players}
    return replace(
        evening,
        entrants=tuple(Entrant(name, details) for name, details in entrants.items()),
        byes=tuple(EveningBye(*at, byes[at]) for at in sorted(byes) if at not in at_tables),
    )
