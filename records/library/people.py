"""The people of an archive: who has played how many games, under which names."""

from msgspec import Struct

from cartulary.records.log.contract import Log
from cartulary.records.log.index import IndexedGames
from cartulary.records.state.people import People, people_of

UNKNOWN = ("", "?")
"""What stands for the name of a player nobody knows."""


class Person(Struct, frozen=True):
    """A person of the archive.

    Attributes:
        name: The name that is shown.
        games: The number of games the person has played.
        also: The other names of the person in records, in alphabetical order.
    """

    name: str
    games: int
    also: tuple[str, ...] = ()


def names_in(store: IndexedGames) -> frozenset[str]:
    """Return the names that records have, those of seats without a name left out."""
    rows = store.index.rows(
        "SELECT name FROM people WHERE EXISTS (SELECT 1 FROM seats s WHERE s.person = people.person)"
    )
    return frozenset(name for (name,) in rows if name not in UNKNOWN)


def list_people(store: Log) -> tuple[Person, ...]:
    """Return everybody in the archive, who has played the most games first, then by name."""
    people = people_of(store)
    games: dict[str, set[int]] = {}
    for name, number in store.index.rows("SELECT name, number FROM seats JOIN people USING (person)"):
        if name not in UNKNOWN:
            games.setdefault(people.display_name(name), set()).add(number)
    listed = [Person(name, len(numbers), _others(people, name)) for name, numbers in games.items()]
    return tuple(sorted(listed, key=lambda person: (-person.games, person.name.casefold(), person.name)))


def person_named(store: Log, name: str) -> Person:
    """Return the person who is shown under a name, or has it as another name. A name that no record has gives a person
    without games.
    """
    people = people_of(store)
    display = people.display_name(name)
    return next(
        (each for each in list_people(store) if each.name == display), Person(display, 0, _others(people, display))
    )


def _others(people: People, display: str) -> tuple[str, ...]:
    """Return the names of a person beside the one that is shown (``display``), in alphabetical order."""
    return tuple(sorted(people.names_of(display)[1:]))
