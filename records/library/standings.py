"""Standings: who has won what, in the finished games that match a query.

Everything is read from the index; no game is loaded. Points are added up exactly, within one game and never across
games of different scales. A person is looked up under the name that ``people`` shows.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, groupby
from operator import itemgetter
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, replace

from cartulary.notation import NotationError, find_game
from cartulary.records.faults import NoFinishedGame, Unfit
from cartulary.records.library.listing import rows_of_stored
from cartulary.records.library.search import Query, check_complete, conditions_of, values_of, where
from cartulary.records.log.contract import Log
from cartulary.records.log.index import still_current, write_index, write_transaction
from cartulary.records.log.schema import SCHEMA_VERSION
from cartulary.records.state.people import people_of

Criterion = Literal["points", "wins", "place"]
CRITERIA: tuple[Criterion, ...] = ("points", "wins", "place")
"""By the sum of points; by the games won, a shared win in parts; by the average place. Partners have won the game of
their team, whole."""
Substitutes = Literal["split", "first", "last"]
SUBSTITUTES: tuple[Substitutes, ...] = ("split", "first", "last")
"""To whom a seat counts that somebody took over: to each for what he won, or all of it to the first or the last."""
_NOBODY = ("", "?")
_CHUNK = 500


class StandingsLine(Struct, frozen=True):
    """One person's line of the standings.

    Attributes:
        rank: The place in the standings, from 1; those who are equal share it.
        name: The name that is shown.
        games: The number of games.
        evenings: The number of evenings: days, and events on one day.
        wins: The shares of the results added up: a win counts 1, a win shared by two 1/2; the win of a team counts 1
            for each partner, and one shared by two teams 1/2.
        points: The points added up; None if no game counted any, or if the games are of several kinds or variants.
        place: The average place; None if no game had one.
        best: The largest sum of points of an evening; None without points, and if points do not order the lines.
        worst: The smallest sum of points of an evening; None without points, and if points do not order the lines.
    """

    rank: int
    name: str
    games: int
    evenings: int
    wins: Fraction
    points: Fraction | None
    place: Fraction | None
    best: Fraction | None
    worst: Fraction | None


class Evening(Struct, frozen=True):
    """A column of the cross-table.

    Attributes:
        date: The day as in the tag Date.
        event: The event, empty if there is none.
        sums: By name, what was won that evening: points or shares, as the standings count.
    """

    date: str
    event: str
    sums: dict[str, Fraction]


class Duel(Struct, frozen=True):
    """How two people did against each other.

    Attributes:
        first: The name of one.
        second: The name of the other.
        wins: In how many games the first had the better place.
        losses: In how many the second had.
        ties: In how many they shared it.
    """

    first: str
    second: str
    wins: int
    losses: int
    ties: int


class Rating(Struct, frozen=True):
    """How strong somebody plays.

    Attributes:
        name: The name that is shown.
        rating: The rating; somebody new has 1500.
        deviation: How far the true strength may well lie from it; 500 for somebody new.
        games: The number of games it rests on.
    """

    name: str
    rating: float
    deviation: float
    games: int


class Standings(Struct, frozen=True):
    """Who has won what.

    Attributes:
        game: The key or name of the game, empty if several games are counted together.
        by: What orders the lines.
        fewest: Whether fewer points are better; False if points do not order the lines.
        games: The number of games that are counted.
        rows: The lines, the first place first.
        ties: For each place that several share, a sentence that says what they share it by.
        evenings: The cross-table, in the order of time; empty unless it was asked for.
        duels: How everybody did against everybody else they met, among the first lines or all; empty unless it was
            asked for.
        left_out: The number of games that could not be counted, because they have no points; 0 if points do not order
            the lines.
        ratings: The ratings, the best first; empty unless they were asked for.
        substitutes: To whom a seat counts that somebody took over.
        variants: The variants whose points are not added up, because they are counted differently; empty if there is
            only one.
    """

    game: str
    by: Criterion
    fewest: bool
    games: int
    rows: tuple[StandingsLine, ...]
    ties: tuple[str, ...]
    evenings: tuple[Evening, ...]
    duels: tuple[Duel, ...]
    left_out: int
    ratings: tuple[Rating, ...] = ()
    substitutes: Substitutes = "split"
    variants: tuple[str, ...] = ()


class _Tally:
    """What one person has won so far. Plain numbers: this is filled for every seat of every game."""

    __slots__ = ("evenings", "games", "last", "places", "placings", "points", "scored", "shares")

    def __init__(self) -> None:
        self.games = self.last = self.places = self.placings = self.scored = 0
        self.points: int | Fraction = 0
        self.shares: dict[str, int] = {}
        self.evenings: dict[int, int | Fraction] = {}


_Won: TypeAlias = tuple[int, str, str, str, int]
"""Number of a game, person, share, points and place."""


class _Games(Struct, frozen=True):
    """The finished games that match a query.

    Attributes:
        kinds: The keys of the games that were played.
        variant_of: By the number of a game, its variant; empty if it has none, or if nobody judges it.
        evening_of: By the number of a game, the place of its evening in ``evenings``.
        evenings: The day and the event of each evening, in the order of time.
        rows: Number, person, share, points and place of everybody at each seat, those of a game together: texts as in
            the index, the person as the name that is shown.
        one_a_seat: The same with one person a seat, who counts for all of it.
        team_of: By the number of a game that is played in teams, the team of each person.
    """

    kinds: frozenset[str]
    variant_of: dict[int, str]
    evening_of: dict[int, int]
    evenings: tuple[tuple[str, str], ...]
    rows: list[_Won]
    one_a_seat: list[_Won]
    team_of: Mapping[int, Mapping[str, int]]


def standings(
    store: Log,
    query: Query,
    by: Criterion | None = None,
    *,
    evenings: bool = False,
    duels: bool = False,
    most_duellists: int | None = None,
    rating: bool = False,
    substitutes: Substitutes = "split",
) -> Standings:
    """Return the standings of the finished games that match a query.

    Args:
        store: The store.
        query: Which games.
        by: What orders the lines; by default points if all games are of one kind and variant and any of them has
            points, else wins.
        evenings: Whether the cross-table is worked out too.
        duels: Whether it is worked out how everybody did against everybody else.
        most_duellists: Among how many of the first lines that is worked out; None for all.
        rating: Whether the players are rated too, which needs games of one kind.
        substitutes: To whom a seat counts that somebody took over: ``split`` to each person for what he won there,
            ``first`` or ``last`` all of it to who sat there first or last. Duels and ratings have one person a seat;
            with ``split`` that is who sat there for the most plies, of several the first.

    Raises:
        NoFinishedGame: No finished game matches.
        Unfit: No game can match the query, or there is no such order or no such way with substitutes; points of
            different games or variants would be added up, or there are none; ratings are asked for games of several
            kinds, or openskill is missing; or the file is of an older version and can only be read.
        Declined: The index is not up to date.
    """
    if by is not None and by not in CRITERIA:
        raise Unfit(f"{by!r} orders nothing; expected one of: {', '.join(CRITERIA)}.")
    if substitutes not in SUBSTITUTES:
        raise Unfit(f"{substitutes!r} says nothing of substitutes; expected one of: {', '.join(SUBSTITUTES)}.")
    work_out_scores(store)
    games = _read(store, query, substitutes)
    rows, one_a_seat, kinds = games.rows, games.one_a_seat, games.kinds
    if not rows:
        raise NoFinishedGame("No finished game matches; choose another game, event or season, or close a game.")
    if rating and len(kinds) > 1:
        raise Unfit(f"Players are rated in one game; choose one of: {', '.join(sorted(kinds))}.")
    with_points = {number for number, _, _, points, _ in rows if points}
    variants = tuple(sorted({games.variant_of[number] for number in with_points} - {""}))
    one_scale = len(kinds) == 1 and len(variants) < 2
    if by is None:
        by = "points" if one_scale and with_points else "wins"
    numbers = {row[0] for row in rows}
    if by == "points":
        if len(kinds) > 1:
            raise Unfit(f"Points of different games are not added up; choose one of: {', '.join(sorted(kinds))}.")
        if not one_scale:
            raise Unfit(f"Points of different variants are not added up; choose one of: {', '.join(variants)}.")
        if not with_points:
            raise Unfit("No game among these counts points; use --by wins or --by place.")
        everybody_stays = one_a_seat is rows
        rows = [row for row in rows if row[0] in with_points]
        one_a_seat = rows if everybody_stays else [row for row in one_a_seat if row[0] in with_points]
    tallies = _tallies(rows, games.evening_of, by)
    fewest = by == "points" and _fewest_wins(one_a_seat, games.team_of)
    lines = tuple(_ranked(_lines(tallies, by, one_scale), by, fewest))
    return Standings(
        next(iter(kinds)) if len(kinds) == 1 else "",
        by,
        fewest,
        len(with_points if by == "points" else numbers),
        lines,
        tuple(_ties(lines, by)),
        _cross_table(tallies, games.evenings) if evenings else (),
        tuple(_duels(one_a_seat, {line.name for line in lines[:most_duellists]}, games.team_of)) if duels else (),
        len(numbers - with_points) if by == "points" else 0,
        _ratings(one_a_seat, games.evening_of, games.team_of) if rating else (),
        substitutes,
        variants if len(kinds) == 1 and not one_scale else (),
    )


def game_key(game: str) -> str:
    """Return the key of the game that has this key or title: ``My Game`` -> ``mygame``.

    If no such game is installed, it is the name as given, because a record that nobody judges is listed by its title.
    """
    try:
        return find_game(game).about.key
    except NotationError:
        return game


_SEATS = (
    "SELECT s.number, s.person, s.share, s.points, s.place FROM scores s JOIN games g ON g.number = s.number "
    "WHERE {} AND g.closed = 1 AND s.share <> '' ORDER BY s.number, s.seat"
)
_TENURES = (
    "SELECT s.number, s.seat, s.since, g.plies, s.person, s.share, s.points, s.place "
    "FROM scores s JOIN games g ON g.number = s.number WHERE {} AND g.closed = 1 AND s.share <> '' "
    "AND s.number IN (SELECT number FROM scores WHERE since > 0) ORDER BY s.number, s.seat, s.since"
)
_TEAMS = (
    "SELECT t.number, t.seat, t.team, s.person, s.share FROM teams t JOIN games g ON g.number = t.number "
    "JOIN scores s ON s.number = t.number AND s.seat = t.seat WHERE {} AND g.closed = 1 AND s.share <> '' "
    "ORDER BY t.number"
)


def _read(store: Log, query: Query, substitutes: Substitutes) -> _Games:
    """Read the finished games that match a query from the index; seats without a name are left out.

    A game with no named seat is left out as a whole. ``substitutes`` says to whom a seat counts that somebody took
    over, as in ``standings``.

    Raises:
        Unfit: No game can match the query.
        Declined: The index is not up to date.
    """
    conditions = conditions_of(store, query)
    condition, values = where(conditions), values_of(conditions)
    people = people_of(store)
    listing = f"SELECT g.number, g.game, g.variant, g.date, g.event FROM games g WHERE {condition} AND g.closed = 1"
    with store.index.snapshot() as query_rows:
        listed = query_rows(listing, values)
        seats = query_rows(_SEATS.format(condition), values)
        tenures = query_rows(_TENURES.format(condition), values)
        members = query_rows(_TEAMS.format(condition), values)
        names = query_rows("SELECT person, name FROM people", ())
    shown = {person: people.display_name(name) for person, name in names if name not in _NOBODY}
    one_a_seat = rows = [(number, shown[person], *won) for number, person, *won in seats if person in shown]
    if tenures:
        apart = {row[0] for row in tenures}
        whole = _one_a_seat(tenures, substitutes, shown)
        one_a_seat = [row for row in rows if row[0] not in apart]
        one_a_seat += [(number, shown[person], *won) for number, person, *won in whole if person in shown]
        rows = rows if substitutes == "split" else one_a_seat
    team_of, factors = _teams(members, shown)
    if factors:
        everybody_stays = one_a_seat is rows
        rows = _won_in_teams(rows, factors)
        one_a_seat = rows if everybody_stays else _won_in_teams(one_a_seat, factors)
    numbers = {row[0] for row in rows}
    if one_a_seat is not rows:
        numbers |= {row[0] for row in one_a_seat}
    listed = [each for each in listed if each[0] in numbers]
    evenings = tuple(sorted({(date, "" if event in _NOBODY else event) for _, _, _, date, event in listed}))
    at = {evening: place for place, evening in enumerate(evenings)}
    evening_of = {number: at[date, "" if event in _NOBODY else event] for number, _, _, date, event in listed}
    kinds = frozenset(map(game_key, {game for _, game, _, _, _ in listed}))
    variant_of = {number: variant for number, _, variant, _, _ in listed}
    return _Games(kinds, variant_of, evening_of, evenings, rows, one_a_seat, team_of)


def _teams(
    members: Iterable[tuple[int, int, int, int, str]], shown: Mapping[int, str]
) -> tuple[dict[int, dict[str, int]], dict[int, Fraction]]:
    """Return who is in which team, and what the shares of the partners of a team count.

    Args:
        members: Number, seat, team, person and share of everybody in a game with teams, those of a game together.
        shown: The name of each person; others are left out.

    Returns:
        By the number of a game the team of each name; and by the number of a game the factor of its shares, so that all
        partners of a team that won alone have won 1.
    """
    team_of: dict[int, dict[str, int]] = {}
    factors: dict[int, Fraction] = {}
    for number, group in groupby(members, key=itemgetter(0)):
        sat = list(group)
        team_of[number] = {shown[person]: team for _, _, team, person, _ in sat if person in shown}
        seats = {seat for _, seat, _, _, share in sat if share != "0"}
        teams = {team for _, _, team, _, share in sat if share != "0"}
        factors[number] = Fraction(len(seats), len(teams) or 1)
    return team_of, factors


def _won_in_teams(rows: Iterable[_Won], factors: Mapping[int, Fraction]) -> list[_Won]:
    """Return rows with the share of each multiplied by the factor of its game, so that it counts for the whole team.

    Args:
        rows: Number, name, share, points and place of each seat. Rows of a game without a factor stay as they are.
        factors: By the number of a game, what ``_teams`` returns second.
    """
    return [
        (number, name, str(Fraction(share) * factors[number]) if number in factors else share, points, place)
        for number, name, share, points, place in rows
    ]


def _one_a_seat(
    tenures: Iterable[tuple[int, int, int, int, int, str, str, int]], substitutes: Substitutes, known: Container[int]
) -> Iterator[tuple[int, int, str, str, int]]:
    """Yield number, person, share, points and place of each seat, all of it for one person.

    Where somebody sat at several seats of a game, each person has one row with the sum of all seats instead.

    Args:
        tenures: Number, seat, first ply, plies of the game, person, share, points and place of each person at each
            seat, in order.
        substitutes: Who that person is; for ``split`` who sat there for the most plies, of several the first.
        known: The persons who have a name.
    """
    for number, rows in groupby(tenures, key=itemgetter(0)):
        game = list(rows)
        if len({(row[4], row[1]) for row in game if row[4] in known}) > len(
            {row[4] for row in game if row[4] in known}
        ):
            for person, group in groupby(sorted(game, key=itemgetter(4)), key=itemgetter(4)):
                sat = list(group)
                yield number, person, _sum_of(row[5] for row in sat), _sum_of(row[6] for row in sat), sat[0][7]
            continue
        yield from _whole_seats(game, substitutes)


def _whole_seats(
    game: Iterable[tuple[int, int, int, int, int, str, str, int]], substitutes: Substitutes
) -> Iterator[tuple[int, int, str, str, int]]:
    """Yield number, person, share, points and place of each seat of one game, all of it for one person.

    Args:
        game: The rows as ``_one_a_seat`` takes them, of a game whose persons have sat at one seat each.
        substitutes: ``first`` or ``last`` who sat there, or ``split`` for who sat there for the most plies, of several
            the first.
    """
    for (number, _), group in groupby(game, key=itemgetter(0, 1)):
        sat = list(group)
        begins = [max(row[2], 1) for row in sat]
        plies = [end - begin for begin, end in zip(begins, (*begins[1:], sat[0][3] + 1), strict=True)]
        at = {"first": 0, "last": -1, "split": plies.index(max(plies))}[substitutes]
        share, points = _sum_of(row[5] for row in sat), _sum_of(row[6] for row in sat)
        yield number, sat[at][4], share, points, sat[at][7]


def _sum_of(numbers: Iterable[str]) -> str:
    """Return the sum of numbers as a text: ``("1/2", "1")`` -> ``3/2``; empty if one of them is empty.

    For no numbers it is ``0``.
    """
    texts = tuple(numbers)
    return str(sum(map(Fraction, texts), Fraction(0))) if all(texts) else ""


@lru_cache(4096)
def _number(text: str) -> int | Fraction:
    """Return the value of a number as the index has it: ``88``, ``-3``, ``1/2``; an int if it is whole."""
    value = Fraction(text)
    return value.numerator if value.denominator == 1 else value


def _tallies(rows: Iterable[_Won], evening_of: Mapping[int, int], by: Criterion) -> dict[str, _Tally]:
    """Return by name what everybody has won.

    An evening is a day, and an event on that day. Its sum counts points, or shares of the results if ``by`` is not
    points. An empty number counts 0, and a place of 0 does not count.

    Args:
        rows: Number, name, share, points and place of each seat, those of a game together.
        evening_of: By the number of a game, the place of its evening.
        by: What will order the lines.
    """
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    values: dict[str, int | Fraction] = {"": 0}
    by_points = by == "points"
    for number, name, share, points, place in rows:
        tally = tallies[name]
        if tally.last != number:
            tally.games, tally.last = tally.games + 1, number
        tally.shares[share] = tally.shares.get(share, 0) + 1
        text = points if by_points else share
        won = values.get(text)
        if won is None:
            won = values[text] = _number(text)
        if points:
            tally.scored += 1
            if by_points:
                tally.points += won
            else:
                value = values.get(points)
                if value is None:
                    value = values[points] = _number(points)
                tally.points += value
        evening = evening_of[number]
        tally.evenings[evening] = tally.evenings.get(evening, 0) + won
        if place:
            tally.places, tally.placings = tally.places + place, tally.placings + 1
    return tallies


def _fewest_wins(rows: Iterable[_Won], team_of: Mapping[int, Mapping[str, int]]) -> bool:
    """Say whether fewer points are better: in every decided game each winner had fewer than every loser.

    It is False if no game is decided.

    Args:
        rows: Number, name, share, points and place of each seat.
        team_of: By the number of a game that is played in teams, the team of each person; a team's points are added up.
    """
    if team_of:
        sums: dict[tuple[int, str | int, str], Fraction] = defaultdict(Fraction)
        for number, name, share, points, _ in rows:
            side = team_of.get(number, {}).get(name, name)
            sums[number, side, "0" if share == "0" else "1"] += Fraction(points or 0)
        scored = {number for number, _, _, points, _ in rows if points}
        rows = [(number, "", won, str(sums[number, side, won]), 0) for number, side, won in sums if number in scored]
    best: dict[int, int | Fraction] = {}
    others: dict[int, int | Fraction] = {}
    for number, _, share, points, _ in rows:
        if not points:
            continue
        value = _number(points)
        if share == "0":
            others[number] = min(value, others.get(number, value))
        else:
            best[number] = max(value, best.get(number, value))
            if number in others and best[number] >= others[number]:
                return False
    decided = best.keys() & others.keys()
    return bool(decided) and all(best[number] < others[number] for number in decided)


def _lines(tallies: Mapping[str, _Tally], by: Criterion, one_scale: bool) -> Iterator[StandingsLine]:
    """Yield the line of each person, with rank 0 and in no order; ``_ranked`` gives the ranks.

    Points are None unless all games are counted alike, which ``one_scale`` says. The best and worst evening are None
    unless ``by`` is points.
    """
    for name, tally in tallies.items():
        evenings = tally.evenings.values()
        yield StandingsLine(
            0,
            name,
            tally.games,
            len(evenings),
            sum((Fraction(share) * many for share, many in tally.shares.items()), Fraction(0)),
            Fraction(tally.points) if tally.scored and one_scale else None,
            Fraction(tally.places, tally.placings) if tally.placings else None,
            Fraction(max(evenings)) if tally.scored and by == "points" else None,
            Fraction(min(evenings)) if tally.scored and by == "points" else None,
        )


def _worth(line: StandingsLine, by: Criterion, fewest: bool) -> Fraction:
    """Return what a line is ordered by; the greatest comes first.

    It is the wins, the average place with its sign changed, or the points, with their sign changed if fewer are better.
    Somebody without a place comes last; somebody without points has 0.
    """
    if by == "wins":
        return line.wins
    if by == "place":
        return -line.place if line.place is not None else Fraction(-(10**9))
    points = line.points or Fraction(0)
    return -points if fewest else points


def _ranked(lines: Iterable[StandingsLine], by: Criterion, fewest: bool) -> Iterator[StandingsLine]:
    """Yield the lines in their order, each with its rank; equal lines have one rank and are in alphabetical order.

    After two who share place 1 comes place 3.
    """
    ordered = sorted(lines, key=lambda line: (-_worth(line, by, fewest), line.name.casefold(), line.name))
    ahead = Counter(_worth(line, by, fewest) for line in ordered)
    rank, last = 1, None
    for line in ordered:
        worth = _worth(line, by, fewest)
        if last is not None and worth != last:
            rank += ahead[last]
        last = worth
        yield replace(line, rank=rank)


def _ties(rows: Sequence[StandingsLine], by: Criterion) -> Iterator[str]:
    """Yield a sentence, without a full stop, for each rank that several people share, the first rank first.

    An example is ``Ada and Bela share place 1: 3 won each``.
    """
    for rank, many in Counter(line.rank for line in rows).items():
        if many > 1:
            sharing = [line for line in rows if line.rank == rank]
            *first, last = (line.name for line in sharing)
            what = {
                "points": f"{exact(sharing[0].points)} points",
                "wins": f"{exact(sharing[0].wins)} won",
                "place": f"the average place {exact(sharing[0].place)}",
            }[by]
            yield f"{', '.join(first)} and {last} share place {rank}: {what} each"


def _cross_table(tallies: Mapping[str, _Tally], evenings: Sequence[tuple[str, str]]) -> tuple[Evening, ...]:
    """Return each evening with what everybody won on it, by name: points, or else shares of the results.

    ``evenings`` are pairs of a date and an event, whose order is kept. Evenings without a seat counted are left out.
    """
    sums: list[dict[str, Fraction]] = [{} for _ in evenings]
    for name, tally in tallies.items():
        for evening, won in tally.evenings.items():
            sums[evening][name] = Fraction(won)
    columns = zip(evenings, sums, strict=True)
    return tuple(Evening(date, event, won) for (date, event), won in columns if won)


def _duels(rows: Iterable[_Won], names: Set[str], team_of: Mapping[int, Mapping[str, int]]) -> Iterator[Duel]:
    """Yield how each pair of these names did against each other, in alphabetical order; pairs who never met are left
    out.

    Games without places do not count, and neither do those in which the two were partners.

    Args:
        rows: Number, name, share, points and place of each seat, those of a game together.
        names: Between whom duels are counted.
        team_of: By the number of a game that is played in teams, the team of each person.
    """
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for number, places in _places(rows):
        teams = team_of.get(number, {})
        for first, second in combinations(sorted(places.keys() & names), 2):
            if teams and teams[first] == teams[second]:
                continue
            better, worse = places[first] < places[second], places[first] > places[second]
            counts[first, second][0 if better else 1 if worse else 2] += 1
    for (first, second), (wins, losses, ties) in sorted(counts.items()):
        yield Duel(first, second, wins, losses, ties)


def _places(rows: Iterable[_Won]) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield the number of each game that has places, and the places by name; those without a place are left out.

    ``rows`` must have those of a game together.
    """
    for number, seats in groupby(rows, key=itemgetter(0)):
        if places := {name: place for _, name, _, _, place in seats if place}:
            yield number, places


def exact(number: Fraction | None) -> str:
    """Return a number as a person reads it: ``12``, ``2.5``, ``2.33`` for 7/3; empty for None."""
    if number is None:
        return ""
    if number.denominator == 1:
        return str(number.numerator)
    return f"{float(number):.2f}".rstrip("0").rstrip(".")


def standings_fields(answer: Standings) -> dict[str, object]:
    """Return standings as fields for JSON: whole numbers as numbers, others as exact fractions such as ``"7/3"``.

    The fields have the names of the attributes of ``Standings``.
    """

    def value(number: object) -> object:
        if isinstance(number, Fraction):
            return number.numerator if number.denominator == 1 else str(number)
        return number

    fields = asdict(answer)
    fields["rows"] = [{name: value(cell) for name, cell in asdict(row).items()} for row in answer.rows]
    fields["evenings"] = [
        {"date": each.date, "event": each.event, "sums": {name: value(won) for name, won in each.sums.items()}}
        for each in answer.evenings
    ]
    fields["duels"] = [asdict(duel) for duel in answer.duels]
    return fields


def without_names(answer: Standings) -> Standings:
    """Return a copy of standings that shows ``P1``, ``P2`` … for the names, in the order of the lines.

    Each name stands for the same person in the lines, ties, evenings, duels and ratings.
    """
    names = {row.name: f"P{number}" for number, row in enumerate(answer.rows, 1)}
    rows = tuple(replace(row, name=names[row.name]) for row in answer.rows)
    return replace(
        answer,
        rows=rows,
        ties=tuple(_ties(rows, answer.by)),
        evenings=tuple(
            replace(each, sums={names[name]: won for name, won in each.sums.items()}) for each in answer.evenings
        ),
        duels=tuple(replace(each, first=names[each.first], second=names[each.second]) for each in answer.duels),
        ratings=tuple(replace(each, name=names[each.name]) for each in answer.ratings),
    )


# --- ratings ---

_RATED = 60.0
"""How many points of the scale a unit of openskill's scale is; its prior, 25 ± 25/3, becomes 1500 ± 500."""


def _ratings(
    rows: Iterable[_Won], evening_of: Mapping[int, int], team_of: Mapping[int, Mapping[str, int]]
) -> tuple[Rating, ...]:
    """Return the rating of everybody, the best first, after the games in the order of their days.

    Partners, who are in one team by ``team_of``, are rated as one side. Games without places, or with only one side
    that has a place, do not count.

    Raises:
        Unfit: openskill is not installed.

    Source: Weng and Lin (2011), Plackett-Luce, as openskill has it. The rating is its mean, 1500 at first.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise Unfit("Ratings need openskill; install it with: python -m pip install 'cartulary[ratings]'.") from None
    model = PlackettLuce()
    players: dict[str, Any] = {}
    counts: Counter[str] = Counter()
    for number, places in sorted(_places(rows), key=lambda game: (evening_of[game[0]], game[0])):
        teams = team_of.get(number, {})
        sides: dict[str | int, list[str]] = {}
        for name in places:
            sides.setdefault(teams.get(name, name), []).append(name)
        if len(sides) < 2:
            continue
        for name in places:
            players.setdefault(name, model.rating(name=name))
        ranks = [float(places[side[0]]) for side in sides.values()]
        rated = model.rate([[players[name] for name in side] for side in sides.values()], ranks=ranks)
        for side, ratings in zip(sides.values(), rated, strict=True):
            players |= zip(side, ratings, strict=True)
        counts.update(places.keys())
    lines = [
        Rating(name, round(_RATED * player.mu, 1), round(_RATED * player.sigma, 1), counts[name])
        for name, player in players.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-line.rating, line.name)))


def score_rows(store: Log, query: Query) -> list[tuple[Any, ...]]:
    """Return a row for each seat of the finished games that match a query, in the order in which they were begun.

    A seat that somebody took over has one row, for who sat there first, with all that was won there. A seat without a
    share of the result has none: it sat out the whole game, or the game was not decided.

    Returns:
        Tuples of id, game, date, event, site, seat, name, points, place, share and result. Names are those of the
        records; points are empty and the place is 0 if there are none.

    Raises:
        Unfit: No game can match the query; or the file is of an older version and can only be read.
        Declined: The index is not up to date.
    """
    work_out_scores(store)
    conditions = conditions_of(store, query)
    rows: list[tuple[Any, ...]] = store.index.rows(
        "SELECT g.id, g.game, g.date, g.event, g.site, s.seat, p.name, s.points, s.place, s.share, g.result "
        "FROM scores s JOIN games g ON g.number = s.number JOIN people p ON p.person = s.person "
        f"WHERE {where(conditions)} AND g.closed = 1 AND s.share <> '' ORDER BY g.number, s.seat, s.since",
        values_of(conditions),
    )
    whole: list[tuple[Any, ...]] = []
    for _, group in groupby(rows, key=itemgetter(0, 5)):
        first, *others = group
        if others:
            points, share = (_sum_of(row[column] for row in (first, *others)) for column in (7, 9))
            first = (*first[:7], points, first[8], share, first[10])
        whole.append(first)
    return whole


# --- older files ---


def work_out_scores(store: Log) -> None:
    """Work out the scores and beginnings of games that an older version has listed without them, and write them to the
    index.

    Nothing is done if no game waits.

    Raises:
        Declined: The index is not up to date.
        Unfit: The file is of an older version and can only be read.
    """
    check_complete(store)
    if store.index.version() < SCHEMA_VERSION:
        because = "an older version made it, and it can only be read"
        raise Unfit(f"The scores of {store.place} cannot be worked out: {because}. Copy it to where it can be written.")
    waiting = [id for (id,) in store.index.rows("SELECT id FROM games JOIN unscored USING (number)")]
    if not waiting:
        return
    with store.index.own_connection() as database:
        for at in range(0, len(waiting), _CHUNK):
            some = waiting[at : at + _CHUNK]
            rows = [rows_of_stored(store, id, []) for id in some]
            with write_transaction(database) as c:
                write_index(c, still_current(c, rows))
                c.executemany(
                    "DELETE FROM unscored WHERE number = (SELECT number FROM games WHERE id = ?)",
                    [(id,) for id in some],
                )
