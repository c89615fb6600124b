"""``explore``: shows what was played after some first words, how often, and with which results."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import put, put_json, say
from cartulary.cli.shell.filters import OfDate, OfEvent, OfPlayer, put_rows, query_of
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import Db, Json, SeatOf, for_everybody
from cartulary.records import api
from cartulary.records.library.explorer import Continuation, tree_fields

_ROWS = 20
"""Rows that are shown if nobody says how many."""


def command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, by its key or title.")],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS…]", help="The first words of the players.")
    ] = None,
    player: OfPlayer = None,
    event: OfEvent = "",
    date: OfDate = "",
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="How many words to show.")] = _ROWS,
    seat: SeatOf = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Show what followed some first words in the finished games: how often, who won in percent, and when.

    \b
    Example:
      cartulary explore chess e4 e5
    """
    for_everybody(seat, "explore")
    query = query_of(game, player, event, date, "", "", "", "", "")
    with open_log(db) as store:
        tree = api.explore(store, query, tuple(words or ()))
    if json:
        put_json(tree_fields(tree))
        return
    put(f"{' '.join(tree.words) or 'the beginning'}: {count(tree.games, 'game')}")
    if not tree.games:
        say("cartulary: No finished game begins so.")
        return
    seats = max(len(each.shares) for each in tree.next)
    heads = ("", "games", *(f"p{seat}" for seat in range(1, seats + 1)), "seasons")
    put_rows([heads, *(_cells(each, seats) for each in tree.next[:limit])], frozenset(range(1, seats + 2)))
    if len(tree.next) > limit:
        put(f"and {count(len(tree.next) - limit, 'more', 'more')}")


def _cells(each: Continuation, seats: int) -> tuple[str, ...]:
    """Return a continuation, a word that followed and its results, as the texts of a row.

    They are the word, how often, the percentage of each seat, and the years: ``4Ci3``, ``12``, ``58%``, ``42%``,
    ``2024–2026``. A game that ended there has ``(ended)`` for the word.

    Args:
        each: The continuation.
        seats: How many columns for seats there are; missing ones are empty.
    """
    won = [f"{100 * float(share) / each.games:.0f}%" for share in each.shares]
    years = [year for year in each.seasons if year]
    span = years[0] if len(years) == 1 else f"{years[0]}–{years[-1]}" if years else ""
    return each.word or "(ended)", str(each.games), *won, *[""] * (seats - len(won)), span
