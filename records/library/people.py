"""The people of an archive: who has played how many games, under which names."""

from collections.abc import Collection, Iterable, Set
from fractions import Fraction

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cartulary.records.faults import Declined
from cartulary.records.library.listing import ListedGame, listed_game
from cartulary.records.library.search import (
    COUNTS,
    NAMES,
    OF_SUBSTITUTES,
    check_complete,
    fold_text,
    knows_asides,
    seated_names,
)
from cartulary.records.log.contract import Log
from cartulary.records.log.index import IndexedGames
from cartulary.records.state.people import People, people_of
from cartulary.records.texts import one_spelling

SHORTEST_SLIP = 5
"""Letters that the longer of two words has at least, if one may be a slip of the other."""
UNKNOWN = ("", "?")
"""What stands for the name of a player nobody knows."""


class Person(Struct, frozen=True):
    """A person of the archive.

    Attributes:
        name: The name that is shown.
        games: The number of games in which the person sat at a seat, open ones too, and those set aside left out.
        also: The other names of the person in records, in alphabetical order.
    """

    name: str
    games: int
    also: tuple[str, ...] = ()


class PersonGame(Struct, frozen=True):
    """A game that a person has played.

    Attributes:
        game: The line of the game in the list, with the players under the names that are shown.
        share: The person's share of the result, as ``1/2``; empty if it is not decided.
        points: The person's points; empty if none are counted.
        place: The person's place; 0 without one.
    """

    game: ListedGame
    share: str
    points: str
    place: int


def names_in(store: IndexedGames) -> frozenset[str]:
    """Return the names that records have, as they spell them, substitutes among them; a seat without a name gives
    none.
    """
    return seated_names(store).difference(UNKNOWN)


def similar_names(
    store: Log, names: Iterable[str], others: Iterable[str] = (), old_names: Collection[str] = ()
) -> dict[str, str]:
    """Return the new names that somebody should be asked about: each differs from a known one in capitals or accents
    alone, or by one slip of typing (``is_one_slip``). Every place that takes the name of a player asks here.

    Args:
        store: The log. If its index is not complete, no name is similar to another.
        names: The names as somebody wrote them.
        others: Names that are known although no record has them, such as those of persons at an evening.
        old_names: Names that are corrected; no other letters are a slip of one of them.

    Returns:
        By name as it was written, the name under which the person is shown who may be meant.
    """
    wanted = {name: one_spelling(name) for name in names if any(sign.isalpha() for sign in name)}
    if not wanted:
        return {}
    try:
        check_complete(store)
    except Declined:
        return {}
    people = people_of(store)
    known = {*map(one_spelling, names_in(store)), *people.into, *people.into.values(), *others}
    by_key: dict[str, str] = {}
    for name in sorted(known):
        by_key.setdefault(fold_text(name), name)
    slips = [key for key, name in by_key.items() if people.display_name(name) not in old_names]
    similar: dict[str, str] = {}
    for name, spelling in wanted.items():
        key = fold_text(spelling)
        if spelling in known:
            continue
        near = key if key in by_key else next((each for each in slips if is_one_slip(key, each)), None)
        if near is not None:
            similar[name] = people.display_name(by_key[near])
    return similar


def is_one_slip(name: str, other: str) -> bool:
    """Say whether a name is another one with one slip of typing in one of its words.

    A slip is a letter too many, missing or wrong, or two that changed places. Words of fewer than ``SHORTEST_SLIP``
    letters are different names, such as Ann and Anna, and so are words that begin with different letters, such as Anna
    and Hanna, or that have a digit. Equal names have no slip.

    Args:
        name: One name, in small letters.
        other: Another, in small letters.
    """
    if abs(len(name) - len(other)) > 1:
        return False
    words, others = name.split(), other.split()
    differ = [(one, two) for one, two in zip(words, others, strict=False) if one != two]
    if len(words) != len(others) or len(differ) != 1:
        return False
    one, two = sorted(differ[0], key=len)
    if len(two) < SHORTEST_SLIP or one[0] != two[0] or any(map(str.isdigit, one + two)):
        return False
    begin = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), len(one))
    rest, longer = one[begin:], two[begin:]
    if len(one) < len(two):
        return rest == longer[1:]
    return rest[1:] == longer[1:] or (rest[:2] == longer[1::-1] and rest[2:] == longer[2:])


def new_spellings(store: Log, before: Set[str]) -> tuple[tuple[str, str], ...]:
    """Return the names that came into the archive and differ in capitals or accents alone from others there.

    Args:
        store: The log.
        before: The names that were there before.

    Returns:
        Each new name with one that it resembles, which was there before if there is one. Names of one person are left
        out.
    """
    names, people = names_in(store), people_of(store)
    new = names - before
    if not new:
        return ()
    by_key: dict[str, list[str]] = {}
    for name in (*sorted(names - new), *sorted(new)):
        by_key.setdefault(fold_text(name), []).append(name)
    pairs = ((name, by_key[fold_text(name)][0]) for name in sorted(new))
    return tuple((name, other) for name, other in pairs if people.display_name(name) != people.display_name(other))


def list_people(store: Log) -> tuple[Person, ...]:
    """Return everybody in the archive, who has played the most games first, then by name.

    A person with several names is listed once, under the one that ``people`` shows. Games that are set aside do not
    count, but open ones do.
    """
    people = people_of(store)
    games: dict[str, set[int]] = {}
    sat = "SELECT p.name, g.number FROM seats g JOIN people p USING (person)"
    if knows_asides(store):
        substitutes = "SELECT p.name, g.number FROM scores g JOIN people p USING (person) WHERE g.since > 0"
        sat = f"{sat} WHERE {COUNTS} UNION ALL {substitutes} AND {COUNTS}"
    for name, number in store.index.rows(sat):
        if name not in UNKNOWN:
            games.setdefault(people.display_name(name), set()).add(number)
    listed = [Person(name, len(numbers), _others(people, name)) for name, numbers in games.items()]
    return tuple(sorted(listed, key=lambda person: (-person.games, person.name.casefold(), person.name)))


def person_named(store: Log, name: str) -> Person:
    """Return the person who is shown under a name, or has it as another name; the name must be the whole one.

    A name that no record has gives a person without games.
    """
    people = people_of(store)
    display = people.display_name(name)
    return next(
        (each for each in list_people(store) if each.name == display), Person(display, 0, _others(people, display))
    )


def _others(people: People, display: str) -> tuple[str, ...]:
    """Return the names of a person beside ``display``, the one that is shown, in alphabetical order; empty if there are
    none.
    """
    return tuple(sorted(people.names_of(display)[1:]))


_WINNERS = (
    "FROM teams t JOIN scores w ON w.number = t.number AND w.seat = t.seat "
    "WHERE t.number = g.number AND w.share NOT IN ('', '0')"
)
_TEAMS = f"(SELECT COUNT(*) {_WINNERS}), (SELECT COUNT(DISTINCT t.team) {_WINNERS})"
"""How many partners have won a game, and in how many teams: each of them has won what the team has."""


def games_of_person(store: Log, name: str, *, limit: int, offset: int = 0) -> tuple[PersonGame, ...]:
    """Return the games of the person who has a name, the latest first; those that are set aside are left out.

    Games in which the person was a substitute are among them. A name that no record has gives none.

    Args:
        store: The log.
        name: The name that is shown, or another name of the person; it must be the whole name.
        limit: How many games at most.
        offset: How many games to skip.
    """
    people = people_of(store)
    names = msgspec.json.encode(people.names_of(name)).decode()
    counts = f" AND {COUNTS}" if knows_asides(store) else ""
    mine = "(SELECT person FROM people WHERE name IN (SELECT value FROM json_each(?)))"
    # Those who took over a seat, or left it, have rows in the scores alone.
    rows = store.index.rows(
        f"SELECT {NAMES}, {_TEAMS}, group_concat(s.share, '|'), group_concat(s.points, '|'), MAX(s.place) FROM games g "
        f"LEFT JOIN scores s ON s.number = g.number AND s.person IN {mine} "
        f"WHERE g.number IN (SELECT number FROM seats WHERE person IN {mine} "
        f"UNION SELECT number FROM scores WHERE {OF_SUBSTITUTES} AND person IN {mine})"
        f"{counts} GROUP BY g.number ORDER BY g.date DESC, g.number DESC LIMIT ? OFFSET ?",
        (names, names, names, limit, offset),
    )
    games = ((listed_game(row[:-5]), *row[-5:]) for row in rows)
    return tuple(
        PersonGame(
            replace(game, players=people.players(game.players)),
            _sum_of(shares, Fraction(seats, teams) if teams else Fraction(1)),
            _sum_of(points),
            place or 0,
        )
        for game, seats, teams, shares, points, place in games
    )


def _sum_of(numbers: str | None, factor: Fraction = Fraction(1)) -> str:
    """Return the sum of numbers that are joined by ``|``, multiplied by a factor: ``1/2|1`` -> ``3/2``.

    Empty parts do not count. The answer is empty for None and if there is no number.
    """
    parts = [Fraction(part) for part in (numbers or "").split("|") if part]
    return str(sum(parts) * factor) if parts else ""
