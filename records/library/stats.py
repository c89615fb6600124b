"""The archive in numbers: games, results, lengths, first moves, the rules cited most often.

Everything is counted in the index, over the games that match a query; no game is loaded. A *share* is what a seat won
of a game, as in its result; games that are not decided have none.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from statistics import median
from typing import TypeAlias

from msgspec import Struct

from cartulary.notation import NotationError, find_game
from cartulary.records.faults import Unfit
from cartulary.records.library.listing import damaged_index
from cartulary.records.library.search import (
    EVERY_GAME,
    Query,
    check_complete,
    conditions_of,
    knows_asides,
    values_of,
    where,
)
from cartulary.records.log.contract import Log
from cartulary.records.log.index import IndexedGames
from cartulary.records.state.people import NOBODY_MERGED, people_of
from cartulary.records.texts import one_spelling

UNCUT_TABLES = ("games", "results", "lengths")
"""The tables with a row for each kind of game or seat. They are never cut off."""

Cell: TypeAlias = str | int | float


class Tally(Struct, frozen=True):
    """A table of numbers.

    Attributes:
        name: The name by which users ask for it.
        says: Its title.
        columns: The names of its columns.
        rows: Its rows, the greatest first, or in the order of the years or of the keys of the games.
        label: The columns that label a chart of it.
        value: The column that such a chart shows.
        cut_rows: How many rows were cut off.
    """

    name: str
    says: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    label: tuple[int, ...]
    value: int
    cut_rows: int = 0


class _CountedGames:
    """The games that match a query, as a condition for SQL."""

    def __init__(self, store: IndexedGames, query: Query) -> None:
        """Translate a query into a condition. Raises Unfit if no game can match it."""
        conditions = conditions_of(store, query)
        self.store, self.where, self.values = store, where(conditions), values_of(conditions)
        self.people = people_of(store) if isinstance(store, Log) else NOBODY_MERGED

    def rows(self, columns: str, joins: str = "", tail: str = "") -> list[tuple[Cell, ...]]:
        """Return the rows of a query over the games that are counted, which it calls ``g``, as tuples.

        Args:
            columns: The columns, as in SELECT.
            joins: Tables that are joined to the games, in SQL.
            tail: More conditions, after an AND, and how rows are grouped and ordered.
        """
        rows: list[tuple[Cell, ...]] = self.store.index.rows(
            f"SELECT {columns} FROM games g {joins} WHERE {self.where} {tail}", self.values
        )
        return rows


def tally(
    store: IndexedGames, query: Query = EVERY_GAME, names: Iterable[str] = (), *, limit: int | None = None
) -> tuple[Tally, ...]:
    """Return tables about the games that match a query, in the order of TALLIES, whatever the order of the names.

    Args:
        store: The games.
        query: Which of them.
        names: Which tables; empty for all.
        limit: The largest number of rows, except in UNCUT_TABLES; None for all rows.

    Raises:
        Unfit: There is no such table, the limit is below 1, or no game can match the query.
        Declined: The index is not up to date.
        Damaged: The index holds what this program never wrote.
    """
    wanted = tuple(names)
    for name in wanted:
        if name not in TALLIES:
            raise Unfit(f"{name!r} is not a table; expected one of: {', '.join(TALLIES)}.")
    if limit is not None and limit < 1:
        raise Unfit(f"A table cannot have {limit} rows; expected 1 or more.")
    check_complete(store)
    games_counted = _CountedGames(store, query)
    try:
        return tuple(
            _cut_off(count(games_counted), limit) for name, count in TALLIES.items() if not wanted or name in wanted
        )
    except (IndexError, TypeError, ValueError) as fault:
        raise damaged_index(fault) from fault


def _cut_off(table: Tally, limit: int | None) -> Tally:
    """Return a table with at most ``limit`` rows, the first ones, but of years the last ones; None keeps all.

    Its ``cut_rows`` says how many are gone. Tables of UNCUT_TABLES stay whole.
    """
    uncut = limit is None or table.name in UNCUT_TABLES
    cut = 0 if uncut or limit is None else max(0, len(table.rows) - limit)
    # Of years, the last ones remain.
    rows = table.rows[cut:] if table.name == "years" else table.rows[: len(table.rows) - cut]
    return Tally(table.name, table.says, table.columns, rows, table.label, table.value, cut)


def _title(key: Cell) -> str:
    """Return the title of a game by its key: ``mygame`` -> ``My Game``.

    A game that is not installed has its name as it is. Unjudged records listed by a title are called ``My Game,
    unjudged``.
    """
    try:
        about = find_game(str(key)).about
    except NotationError:
        return str(key)
    return about.title if about.key == key else f"{key}, unjudged"


# --- the tables ---


def _games(games_counted: _CountedGames) -> Tally:
    """Return the table of games of each kind: how many, how many decided, how many of each verdict, and their plies.

    The kind with the most games is first. The column of unjudged games is there only if there are any.
    """
    rows = games_counted.rows(
        "g.game, COUNT(*), SUM(g.result <> '*'), SUM(g.verdict = 'legal'), SUM(g.verdict = 'undecided'), "
        "SUM(g.verdict IN ('irregular', 'unreadable')), SUM(g.plies), SUM(g.verdict = 'unjudged')",
        tail="GROUP BY g.game ORDER BY 2 DESC, 1",
    )
    columns = ("game", "games", "decided", "legal", "undecided", "irregular", "plies", "unjudged")
    width = len(columns) - (not any(row[-1] for row in rows))
    tally_rows = tuple((_title(row[0]), *row[1:])[:width] for row in rows)
    return Tally("games", "Games", columns[:width], tally_rows, (0,), 1)


def _years(games_counted: _CountedGames) -> Tally:
    """Return the table of games of each year, in the order of the years; ``unknown`` stands for a date without a
    year.
    """
    rows = games_counted.rows("substr(g.date, 1, 4), COUNT(*)", tail="GROUP BY 1 ORDER BY 1")
    tally_rows = tuple((year if str(year).isdecimal() else "unknown", games) for year, games in rows)
    return Tally("years", "Games by year", ("year", "games"), tally_rows, (0,), 1)


def _events(games_counted: _CountedGames) -> Tally:
    """Return the table of games of each event, with its first and last date; the event with the most games is first.

    Games without an event count as ``unknown``.
    """
    named = "CASE WHEN g.event IN ('', '?') THEN 'unknown' ELSE g.event END"
    rows = games_counted.rows(f"{named}, COUNT(*), MIN(g.date), MAX(g.date)", tail="GROUP BY 1 ORDER BY 2 DESC, 1")
    return Tally("events", "Games by event", ("event", "games", "first", "last"), tuple(rows), (0,), 1)


def _results(games_counted: _CountedGames) -> Tally:
    """Return the table of the decided games of each seat of each game: how many it won alone, shared, and its
    percentage.

    The percentage is that of the shares it won: a draw of two counts 50. The table is ordered by game, number of seats
    and seat.
    """
    shares_won: dict[tuple[Cell, int, int], list[Fraction]] = defaultdict(list)
    for game, result, times in games_counted.rows("g.game, g.result, COUNT(*)", tail="GROUP BY 1, 2"):
        shares = _shares(str(result))
        for seat, share in enumerate(shares, 1):
            shares_won[game, len(shares), seat] += [share] * int(times)
    rows = tuple(
        (
            _title(game),
            seats,
            f"p{seat}",
            len(shares),
            sum(share == 1 for share in shares),
            sum(0 < share < 1 for share in shares),
            round(float(100 * sum(shares) / len(shares)), 1),
        )
        for (game, seats, seat), shares in sorted(shares_won.items(), key=lambda item: (str(item[0][0]), *item[0][1:]))
    )
    columns = ("game", "seats", "seat", "decided", "won alone", "shared", "percent")
    return Tally("results", "Results by seat", columns, rows, (0, 1, 2), 6)


def _shares(result: str) -> tuple[Fraction, ...]:
    """Return what each seat won by a result: ``1/2-1/2`` -> two halves; empty if it is not decided or cannot be
    read.
    """
    try:
        return tuple(Fraction(part) for part in result.split("-")) if result != "*" else ()
    except (ValueError, ZeroDivisionError):
        return ()


_APART = (
    "SELECT number FROM scores WHERE since > 0 UNION "
    "SELECT t.number FROM teams t JOIN games c ON c.number = t.number WHERE c.closed = 1"
)
"""The numbers of the games in which somebody took over a seat, and of finished games in teams; there what a person has
won is what standings count."""

_WINNERS = "JOIN teams t ON t.number = g.number JOIN scores w ON w.number = t.number AND w.seat = t.seat"

_NOT_ABSENT = (
    "AND NOT (g.closed = 1 AND g.result <> '*' AND EXISTS "
    "(SELECT 1 FROM scores a WHERE a.number = s.number AND a.seat = s.seat AND a.share = ''))"
)
"""Leaves out the seats that sat out all rounds of a finished game: who sat there has not played."""


def _players(games_counted: _CountedGames) -> Tally:
    """Return the table of players: their games, those decided, what they won of those, and in percent; most games
    first.

    Players have the names that ``people`` shows. The win of a team counts 1 for each partner. Who took over a seat
    counts for what he won there.
    """
    joins = "JOIN seats s ON s.number = g.number JOIN people p ON p.person = s.person"
    named, alone = "AND p.name NOT IN ('', '?')", ""
    if knows_asides(games_counted.store):
        alone = f"{_NOT_ABSENT} AND g.number NOT IN ({_APART})"
    shown = games_counted.people.display_name
    games: Counter[str] = Counter()
    for name, number in games_counted.rows("p.name, COUNT(DISTINCT g.number)", joins, f"{named} {alone} GROUP BY 1"):
        games[shown(one_spelling(str(name)))] += int(number)
    decided: Counter[str] = Counter()
    shares_won: dict[str, Fraction] = defaultdict(Fraction)
    for name, seat, result, times in games_counted.rows(
        "p.name, s.seat, g.result, COUNT(*)", joins, f"{named} {alone} GROUP BY 1, 2, 3"
    ):
        who, shares = shown(one_spelling(str(name))), _shares(str(result))
        if len(shares) >= int(seat):
            decided[who] += int(times)
            shares_won[who] += shares[int(seat) - 1] * int(times)
    if alone:
        tenures = "JOIN scores s ON s.number = g.number JOIN people p ON p.person = s.person"
        sat: dict[tuple[Cell, str], list[str]] = defaultdict(list)
        for number, name, share in games_counted.rows(
            "g.number, p.name, s.share", tenures, f"{named} AND g.number IN ({_APART})"
        ):
            sat[number, shown(one_spelling(str(name)))].append(str(share))
        counts = "g.number, COUNT(*), COUNT(DISTINCT t.team)"
        won = games_counted.rows(counts, _WINNERS, "AND w.share NOT IN ('', '0') GROUP BY 1")
        factors = {number: Fraction(int(seats), int(teams)) for number, seats, teams in won}
        for (number, who), parts in sat.items():
            games[who] += 1
            decided[who] += any(parts)
            parts_won = sum((Fraction(part) for part in parts if part), Fraction(0))
            shares_won[who] += parts_won * factors.get(number, 1)
    rows = tuple(
        (who, number, decided[who], round(float(shares_won[who]), 2), _percent(shares_won[who], decided[who]))
        for who, number in sorted(games.items(), key=lambda item: (-item[1], item[0]))
    )
    return Tally("players", "Players", ("player", "games", "decided", "won", "percent"), rows, (0,), 1)


def _percent(shares_won: Fraction, games: int) -> Cell:
    """Return the percentage of its decided games that a player won, to one decimal; ``-`` if ``games``, their number,
    is 0.
    """
    return round(float(100 * shares_won / games), 1) if games else "-"


def _lengths(games_counted: _CountedGames) -> Tally:
    """Return the table of the least, median, mean and largest number of plies of each game, in the order of the games'
    keys.

    Records without a ply do not count. The median is rounded down.
    """
    lengths: dict[Cell, list[int]] = defaultdict(list)
    for game, plies, times in games_counted.rows("g.game, g.plies, COUNT(*)", tail="AND g.plies > 0 GROUP BY 1, 2"):
        lengths[game] += [int(plies)] * int(times)
    rows = tuple(
        (_title(game), len(plies), min(plies), int(median(plies)), round(sum(plies) / len(plies), 1), max(plies))
        for game, plies in sorted(lengths.items(), key=lambda item: str(item[0]))
    )
    return Tally("lengths", "Plies per game", ("game", "games", "least", "median", "mean", "most"), rows, (0,), 3)


def _openings(games_counted: _CountedGames) -> Tally:
    """Return the table of how often each game was begun with each first move, the most frequent first."""
    rows = games_counted.rows(
        "g.game, g.opening, COUNT(*)", tail="AND g.opening <> '' GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2"
    )
    tally_rows = tuple((_title(game), word, games) for game, word, games in rows)
    return Tally("openings", "First moves", ("game", "first move", "games"), tally_rows, (0, 1), 2)


def _rules(games_counted: _CountedGames) -> Tally:
    """Return the table of how often rules are cited, in rulings and in findings other than remarks; the most cited
    first.

    A row is the key of the rule, all citations, breaches, undecided, those in rulings, and the number of games with a
    finding.
    """
    citations: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    rows = games_counted.rows(
        "f.key, SUM(f.severity = 'error'), SUM(f.severity = 'undecided'), COUNT(DISTINCT g.number)",
        "JOIN findings f ON f.number = g.number",
        "AND f.severity <> 'remark' GROUP BY 1",
    )
    for key, *counts in rows:
        citations[str(key)][:3] = map(int, counts)
    for key, times in games_counted.rows(
        "r.key, COUNT(*)", "JOIN rulings r ON r.number = g.number", "AND r.key <> '' GROUP BY 1"
    ):
        citations[str(key)][3] = int(times)
    ranked = sorted(citations.items(), key=lambda item: (-item[1][0] - item[1][1] - item[1][3], item[0]))
    tally_rows = tuple(
        (key, errors + open_ + ruled, errors, open_, ruled, games) for key, (errors, open_, games, ruled) in ranked
    )
    columns = ("rule", "cited", "breaches", "undecided", "in rulings", "games")
    return Tally("rules", "Rules most often cited", columns, tally_rows, (0,), 1)


TALLIES: dict[str, Callable[[_CountedGames], Tally]] = {
    "games": _games,
    "years": _years,
    "events": _events,
    "results": _results,
    "players": _players,
    "lengths": _lengths,
    "openings": _openings,
    "rules": _rules,
}
"""The tables by name, in the order in which they are shown."""
