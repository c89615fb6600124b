"""Standings as a table of texts, and what can be chosen for them: games, events and seasons."""

import csv
import io
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from cartulary.records.library.search import EVERY_GAME, conditions_of, knows_asides, values_of, where
from cartulary.records.library.standings import Standings, StandingsLine, exact, game_key
from cartulary.records.log.contract import Log

COLUMNS = ("place", "player", "games", "evenings", "wins", "points", "average place", "best evening", "worst evening")
"""The columns as CSV names them."""
_SEPTEMBER = 9


class StandingsChoices(Struct, frozen=True):
    """What standings can be limited to.

    Attributes:
        games: Key or name of each game that was finished, the most frequent first.
        events: Each event with a finished game, the latest first.
        seasons: Dates as a query takes them, each with its name: calendar years, and years from September to August;
            the latest first.
        substitutes: Whether somebody took over a seat in one of the games.
    """

    games: tuple[str, ...]
    events: tuple[str, ...]
    seasons: tuple[tuple[str, str], ...]
    substitutes: bool = False


def cells_of(row: StandingsLine) -> tuple[str, ...]:
    """Return a line of the standings as texts, in the order of ``COLUMNS``; empty for a number that is None."""
    numbers = (row.wins, row.points, row.place, row.best, row.worst)
    return str(row.rank), row.name, str(row.games), str(row.evenings), *map(exact, numbers)


def sums_of(answer: Standings, name: str) -> Iterator[str]:
    """Yield what somebody won on each evening of the cross-table, in its order; ``-`` for one at which he did not play.

    ``name`` is the name that the standings show.
    """
    return (exact(each.sums[name]) if name in each.sums else "-" for each in answer.evenings)


def csv_of(answer: Standings, evenings: bool) -> str:
    """Return standings as CSV: a line of heads, ``COLUMNS``, and a line for each person, the first place first.

    Args:
        answer: The standings.
        evenings: Whether there is a column for each evening of the cross-table, under its date.
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow((*COLUMNS, *(each.date for each in answer.evenings if evenings)))
    for row in answer.rows:
        table.writerow((*cells_of(row), *(sums_of(answer, row.name) if evenings else ())))
    return text.getvalue()


def standings_choices(store: Log) -> StandingsChoices:
    """Return the games, events and seasons of the finished games in an archive, without those that are set aside.

    Raises:
        Declined: The games list is not up to date.
    """
    conditions = conditions_of(store, EVERY_GAME)
    rows = store.index.rows(
        "SELECT g.game, g.event, SUBSTR(g.date, 1, 7), COUNT(*) FROM games g "
        f"WHERE {where(conditions)} AND g.closed = 1 GROUP BY 1, 2, 3",
        values_of(conditions),
    )
    games: Counter[str] = Counter()
    events: dict[str, str] = {}
    seasons: dict[tuple[str, int], tuple[str, str]] = {}
    for game, event, month, many in rows:
        games[game_key(game)] += many
        if event not in ("", "?", "-"):
            events[event] = max(events.get(event, ""), month)
        year, _, number = month.partition(".")
        if not year.isdecimal():
            continue
        seasons[year, 0] = (year, year)
        if number.isdecimal():
            begin = int(year) - (int(number) < _SEPTEMBER)
            season = f"{begin:04}.09..{begin + 1:04}.08"
            seasons[f"{begin:04}", _SEPTEMBER] = (season, f"{begin:04}/{(begin + 1) % 100:02}, September to August")
    return StandingsChoices(
        tuple(game for game, _ in sorted(games.items(), key=lambda each: (-each[1], each[0]))),
        tuple(event for event, _ in sorted(events.items(), key=lambda each: (each[1], each[0]), reverse=True)),
        tuple(seasons[at] for at in sorted(seasons, reverse=True)),
        knows_asides(store) and bool(store.index.rows("SELECT 1 FROM scores WHERE since > 0 LIMIT 1")),
    )
