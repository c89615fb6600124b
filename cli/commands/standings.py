"""``standings``: who has won what, in a season, at an event, in one game or in all of them."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from cartulary.cli.commands.stats import draw
from cartulary.cli.shell.console import put, put_json, say
from cartulary.cli.shell.destination import write_file
from cartulary.cli.shell.filters import OfEvent, OfPlayer, put_rows, query_of
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import Db, Force, Json, SeatOf, for_everybody
from cartulary.records import api
from cartulary.records.library.standings import standings_fields, without_names
from cartulary.records.library.standings_table import cells_of, csv_of, sums_of
from cartulary.records.library.stats import Tally

HEADS = ("", "player", "games", "evenings", "won", "points", "place", "best", "worst")
_CHART = {"points": 5, "wins": 4, "place": 6}
"""The column that a chart shows."""


class By(StrEnum):
    """What orders the standings."""

    points = "points"
    wins = "wins"
    place = "place"


class OfSubstitutes(StrEnum):
    """To whom a seat counts that somebody took over."""

    everybody = "split"
    first = "first"
    last = "last"


def command(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="The game; by default all, counted by wins.")] = "",
    variant: Annotated[str, typer.Option("--variant", help="Only games of this variant.")] = "",
    event: OfEvent = "",
    season: Annotated[
        str, typer.Option("--season", metavar="DATES", help="A year, a month, or a range: 2025.09..2026.06.")
    ] = "",
    player: OfPlayer = None,
    by: Annotated[By | None, typer.Option("--by", help="What orders the lines; by default points, if counted.")] = None,
    evenings: Annotated[bool, typer.Option("--evenings", help="Show a column for each evening.")] = False,
    duels: Annotated[bool, typer.Option("--duels", help="Show how everybody did against everybody else.")] = False,
    rating: Annotated[bool, typer.Option("--rating", help="Rate the players; needs one game.")] = False,
    substitutes: Annotated[
        OfSubstitutes,
        typer.Option("--substitutes", help="Whether a seat that somebody took over counts to each, or to one."),
    ] = OfSubstitutes.everybody,
    redact: Annotated[bool, typer.Option("--redact", help="Show P1, P2 … for the names.")] = False,
    table: Annotated[
        str, typer.Option("--csv", metavar="FILE", help="Write the table as CSV; - for standard output.")
    ] = "",
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Also draw the table, as .png or .svg.")
    ] = None,
    force: Force = False,
    seat: SeatOf = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Show who has won what in the finished games: totals, best and worst evening, how often everybody came.

    Points are added up within one game and variant only. A score that an arbiter ruled counts as ruled.

    \b
    Example:
      cartulary standings tarot --season 2026 --evenings
    """
    for_everybody(seat, "standings")
    query = replace(query_of(game, player, event, season, "", "", "", "", ""), variant=variant)
    with open_log(db) as store:
        answer = api.standings(
            store,
            query,
            by.value if by else None,
            evenings=evenings,
            duels=duels,
            rating=rating,
            substitutes=substitutes.value,
        )
    answer = without_names(answer) if redact else answer
    if picture is not None:
        draw((_tally(answer),), picture, force)
        say(f"cartulary: {picture} was drawn.")
    if table:
        text = csv_of(answer, evenings)
        if table == "-":
            for line in text.splitlines():
                put(line)
        else:
            write_file(Path(table), [text.encode()], force)
    elif json:
        put_json(standings_fields(answer))
    else:
        _put(answer, evenings, duels)


def _put(answer: "api.Standings", evenings: bool, duels: bool) -> None:
    """Print standings as tables: the lines, then the ties and the games left out, then the ratings if there are any.

    Args:
        answer: The standings.
        evenings: Whether to print the evenings before the ratings.
        duels: Whether to print how everybody did against everybody else.
    """
    order = {"points": "fewest points" if answer.fewest else "points", "wins": "games won", "place": "average place"}
    put(f"{answer.game or 'all games'}, by {order[answer.by]}, {count(answer.games, 'game')}")
    rows = [cells_of(row) for row in answer.rows]
    columns = [at for at in range(len(HEADS)) if any(row[at] for row in rows)]
    lines = [tuple(row[at] for at in columns) for row in (HEADS, *rows)]
    put_rows(lines, frozenset(range(len(columns))) - {1})
    for sentence in answer.ties:
        put(f"{sentence}.")
    if answer.variants:
        put(f"Points of the variants {' and '.join(answer.variants)} are not added up; choose one with --variant.")
    if answer.left_out:
        put(f"{count(answer.left_out, 'game')} without points left out.")
    if evenings:
        dates = [f"{each.date[5:]}{f' {each.event}' if each.event else ''}" for each in answer.evenings]
        sums = [(row.name, *sums_of(answer, row.name)) for row in answer.rows]
        put("")
        put_rows([("", *dates), *sums], frozenset(range(1, len(dates) + 1)))
    if duels:
        lines = [(each.first, str(each.wins), str(each.ties), str(each.losses), each.second) for each in answer.duels]
        put("")
        put_rows([("", "won", "tied", "lost", "against"), *lines], frozenset((1, 2, 3)))
    if answer.ratings:
        rated = [(each.name, f"{each.rating:.0f}", f"{each.deviation:.0f}", str(each.games)) for each in answer.ratings]
        put("")
        put_rows([("", "rating", "±", "games"), *rated], frozenset((1, 2, 3)))


def _tally(answer: "api.Standings") -> Tally:
    """Return standings as a table of which a bar chart can be drawn.

    Each row is a player with points, games won or average place, by what the standings are ordered by.
    """
    rows = tuple((row.name, float(cells_of(row)[_CHART[answer.by]] or 0)) for row in answer.rows)
    title = f"{answer.game or 'all games'}, by {answer.by}"
    return Tally("standings", title, ("player", answer.by), rows, (0,), 1)
