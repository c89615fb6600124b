"""``stats``: counts the games of the archive, as tables and as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from cartulary.cli.shell.charts import draw
from cartulary.cli.shell.console import fail, put, put_json, say
from cartulary.cli.shell.filters import (
    OfDate,
    OfEvent,
    OfFinding,
    OfGame,
    OfPlayer,
    OfResult,
    OfRuling,
    OfText,
    OfVerdict,
    put_rows,
    query_of,
)
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import opened
from cartulary.cli.shell.options import Db, Force, Json, SeatOf, for_everybody
from cartulary.notation.cgn.controls import isolated
from cartulary.records import desk

ROWS = 10
"""Rows a table has if nobody says how many."""


def command(
    tables: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TABLE…]",
            help="games, years, events, results, players, lengths, openings or rules; by default all.",
        ),
    ] = None,
    game: OfGame = "",
    player: OfPlayer = None,
    event: OfEvent = "",
    date: OfDate = "",
    result: OfResult = "",
    verdict: OfVerdict = "",
    finding: OfFinding = "",
    ruling: OfRuling = "",
    text: OfText = "",
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many rows to show of a long table.")] = ROWS,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Also draw the tables, as .png or .svg.")
    ] = None,
    over: Annotated[
        Path | None,
        typer.Option(
            "--over", metavar="FOLDER", help="Count the games in the Parquet files that `export` wrote there."
        ),
    ] = None,
    force: Force = False,
    seat: SeatOf = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Count games by kind, year and event; results, players, lengths and first moves; the rules cited most often.

    \b
    Example:
      cartulary stats openings rules --game cardmate
    """
    for_everybody(seat, "stats")
    query = query_of(game, player, event, date, result, verdict, finding, ruling, text)
    if over is not None and db is not None:
        fail("--over counts the games of a folder, --db those of a database; use one of them.")
    if over is not None and text:
        fail("--text searches comments, and Parquet holds none; leave out --text or --over.")
    with desk.parquet_folder(over) if over is not None else opened(db) as store:
        tallies = desk.tally(store, query, tables or (), limit=limit)
    if picture is not None:
        draw(tallies, picture, force)
        say(f"cartulary: {picture} was drawn.")
    if json:
        for table in tallies:
            for row in table.rows:
                put_json({"table": table.name} | dict(zip(table.columns, row, strict=True)))
        return
    for number, table in enumerate(tallies):
        if number:
            put("")
        _put_table(table)


def _put_table(table: "desk.Tally") -> None:
    put(table.says)
    if not table.rows:
        put("  none")
        return
    words = frozenset(at for at in range(len(table.columns)) if any(isinstance(row[at], str) for row in table.rows))
    rows = [tuple(_cell(cell) for cell in row) for row in table.rows]
    heads = tuple(f"  {name}" if at == 0 else name for at, name in enumerate(table.columns))
    numbers = frozenset(range(len(table.columns))) - words | {at for at, name in enumerate(heads) if name == "percent"}
    put_rows([heads, *((f"  {isolated(row[0])}", *row[1:]) for row in rows)], numbers)
    if table.left:
        put(f"  and {count(table.left, 'more', 'more')}")


def _cell(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, (int, float)) else str(cell)
