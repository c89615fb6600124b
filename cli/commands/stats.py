"""The commands that look at the archive as a whole: stats, duplicates, revalidate."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, leave, put, put_json, say
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
    cells,
    put_rows,
    query_of,
    told,
)
from cartulary.cli.shell.findings import count, wrapped
from cartulary.cli.shell.table import Db, Force, Json, SeatOf, for_everybody, opened, told_faults

if TYPE_CHECKING:
    from cartulary.records.library.revalidate import Changed
    from cartulary.records.library.stats import Tally

ROWS = 10
"""Rows a table has if nobody says how many."""


def register(app: typer.Typer) -> None:
    """Add these commands to the application."""
    for command in (stats, duplicates, revalidate):
        app.command(command.__name__)(command)


# --- stats ---


def stats(
    tables: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TABLE…]", help="games, years, events, results, players, lengths, openings, rules; all without."
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
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="Rows of long tables.")] = ROWS,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Draw them too, as .png or .svg.")
    ] = None,
    force: Force = False,
    seat: SeatOf = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Count the games: by kind, year and event, results, players, lengths, first moves, the rules most often cited.

    \b
    Example:
      cartulary stats openings rules --game cardmate
    """
    from cartulary.records import desk

    for_everybody(seat, "stats")
    query = query_of(game, player, event, date, result, verdict, finding, ruling, text)
    with opened(db) as store:
        counted = desk.tally(store, query, tables or (), limit=limit)
    if picture is not None:
        from cartulary.cli.shell.pictures import draw

        draw(counted, picture, force)
        say(f"cartulary: {picture} is drawn")
    if json:
        for table in counted:
            for row in table.rows:
                put_json({"table": table.name} | dict(zip(table.columns, row, strict=True)))
        return
    for number, table in enumerate(counted):
        if number:
            put("")
        _put_table(table)


def _put_table(table: "Tally") -> None:
    put(table.says)
    if not table.rows:
        put("  none")
        return
    words = frozenset(at for at in range(len(table.columns)) if any(isinstance(row[at], str) for row in table.rows))
    rows = [tuple(_cell(cell) for cell in row) for row in table.rows]
    heads = tuple(f"  {name}" if at == 0 else name for at, name in enumerate(table.columns))
    numbers = frozenset(range(len(table.columns))) - words | {at for at, name in enumerate(heads) if name == "percent"}
    put_rows([heads, *((f"  {row[0]}", *row[1:]) for row in rows)], numbers)
    if table.left:
        put(f"  and {count(table.left, 'more', 'more')}")


def _cell(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, (int, float)) else str(cell)


# --- duplicates ---

_KINDS = {
    "same": "the same moves, the same players",
    "moves": "the same moves",
    "longer": "the same players and day; one goes on for {} behind the end of the other",
    "differs": "the same players and day; {} differ",
}


def duplicates(seat: SeatOf = "", json: Json = False, db: Db = None) -> None:
    """List pairs of games that may have been entered twice; nothing is taken away.

    Ends with 1 where there are any.

    \b
    Example:
      cartulary duplicates
    """
    from cartulary.records import desk

    for_everybody(seat, "duplicates")
    found = 0
    with opened(db) as store:
        for pair in desk.duplicates(store):
            found += 1
            if json:
                put_json(pair)
                continue
            put(_KINDS[pair.kind].format(count(pair.differs, "ply", "plies")))
            put_rows([(f"  {row[0]}", *row[1:]) for row in (cells(pair.first), cells(pair.second))], frozenset((4,)))
    if not json:
        say(f"cartulary: {count(found, 'pair') if found else 'no pair'} of games may have been entered twice")
    leave(FINDINGS if found else 0)


# --- revalidate ---


def revalidate(
    edition: Annotated[
        str, typer.Option("--edition", metavar="EDITION", help="By the rules of this edition; those installed without.")
    ] = "",
    game: OfGame = "",
    player: OfPlayer = None,
    event: OfEvent = "",
    date: OfDate = "",
    verdict: OfVerdict = "",
    seat: SeatOf = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Judge stored games again, and list those of which the rules now say something else than when they were written.

    Nothing is stored. Ends with 1 where a verdict changes, 3 where a log is damaged.

    \b
    Example:
      cartulary revalidate --game cardmate
    """
    from cartulary.records import desk

    for_everybody(seat, "revalidate")
    query = query_of(game, player, event, date, verdict=verdict)
    with opened(db) as store, told("games") as progress:
        judged = desk.revalidate(store, edition, query, progress)
    for changed in judged.changed:
        if json:
            put_json(changed)
        else:
            _put_changed(changed)
    code = told_faults(judged.faults)
    if not json:
        say(
            f"cartulary: {count(judged.games, 'game')} judged again; the rules say something else of "
            f"{len(judged.changed) or 'none'}"
        )
    leave(max(code, FINDINGS if judged.changed else 0))


def _put_changed(changed: "Changed") -> None:
    for line in wrapped(
        f"{changed.id}: {changed.before} by {changed.edition_before}, {changed.after} by {changed.edition}"
    ):
        put(line)
    for label, keys in (("no more", changed.gone), ("now", changed.new)):
        for ply, severity, key in keys:
            put(f"    {label:<8}{f'ply {ply}' if ply else 'set-up and tags'}: {severity} {key}")
