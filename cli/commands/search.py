"""The commands that find games in the archive and keep what they are found by: list, search, duplicates, reindex."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cartulary.cli.shell.console import fail, leave, put, put_json, say
from cartulary.cli.shell.filters import (
    Limit,
    OfDate,
    OfEvent,
    OfFinding,
    Offset,
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
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.table import Db, Json, SeatOf, opened, seat_of, told_faults

if TYPE_CHECKING:
    from cartulary.notation import Record
    from cartulary.records.library.search import Hit, Query

PAGE = 50
"""How many games a search prints if nobody says how many."""
RIGHT = frozenset((4,))
"""The columns of the list that hold numbers."""


def register(app: typer.Typer) -> None:
    """Add these commands to the application."""
    for command in (list_, search, import_module("cartulary.cli.commands.import").import_, reindex):
        app.command(command.__name__.rstrip("_"))(command)


# --- list ---


def list_(
    game: OfGame = "",
    player: OfPlayer = None,
    event: OfEvent = "",
    date: OfDate = "",
    result: OfResult = "",
    verdict: OfVerdict = "",
    finding: OfFinding = "",
    ruling: OfRuling = "",
    seat: SeatOf = "",
    limit: Limit = None,
    offset: Offset = 0,
    json: Json = False,
    db: Db = None,
) -> None:
    """List the games, the one written to last first: all of them, or those all the options hold of.

    With --seat nothing is told that rests on hidden cards.

    \b
    Example:
      cartulary list --player ada --date 2026
    """
    from cartulary.records import desk

    query = query_of(game, player, event, date, result, verdict, finding, ruling)
    with opened(db) as store:
        hits, more = desk.search(store, query, limit=limit, offset=offset, seat=seat_of(seat))
    if json:
        for hit in hits:
            put_json(_fields(hit, placed=False))
    else:
        put_rows((cells(hit.game) for hit in hits), RIGHT)
    _ended(hits, more, offset)


def _ended(hits: "tuple[Hit, ...]", more: bool, offset: int) -> None:
    """Say where there is nothing, and where there is more."""
    if more:
        say(f"cartulary: there are more games; --offset {offset + len(hits)} goes on behind these")
    elif not hits:
        say("cartulary: no game was found" + (" behind those passed over" if offset else ""))


# --- search ---


def search(
    position: Annotated[
        str, typer.Option("--position", metavar="FILE[#n]|ID", help="In which this record's position stood.")
    ] = "",
    at: Annotated[
        int | None, typer.Option("--at", min=0, metavar="PLY", help="Its position after so many plies.")
    ] = None,
    seat: SeatOf = "",
    game: OfGame = "",
    player: OfPlayer = None,
    event: OfEvent = "",
    date: OfDate = "",
    result: OfResult = "",
    verdict: OfVerdict = "",
    finding: OfFinding = "",
    ruling: OfRuling = "",
    text: OfText = "",
    limit: Limit = PAGE,
    offset: Offset = 0,
    json: Json = False,
    db: Db = None,
) -> None:
    """Find games: by position, by the words of comments, and by all that `list` knows; everything asked must hold.

    With --seat a position is what that seat knew when it could speak.

    \b
    Example:
      cartulary search --position "$(cartulary samples cardmate)/page-1.cgn" --at 4
    """
    query = query_of(game, player, event, date, result, verdict, finding, ruling, text)
    whose = _asked(query, position, at, seat)
    # Read before the database is open: should the name be that file's, closing it would give up SQLite's locks.
    record = _record(position, db) if position else None
    with opened(db) as store, told("positions") as progress:
        from cartulary.records import desk

        if record is not None:
            hits, more = desk.find_position(
                store, record, at, seat=whose, query=query, limit=limit, offset=offset, progress=progress
            )
        else:
            hits, more = desk.search(store, query, limit=limit, offset=offset, seat=whose)
    _put_hits(hits, json, bool(position), whose)
    _ended(hits, more, offset)


def _asked(query: "Query", position: str, at: int | None, seat: str) -> int:
    """Return the seat asked for; ends the program where the options do not go together."""
    from cartulary.records.library.search import EVERYTHING

    if not position and at is not None:
        fail("--at says which position; --position names its record")
    if not position and query == EVERYTHING:
        fail("say what to look for: --position, --text, --player …; `list` prints all games")
    return seat_of(seat)


def _record(name: str, db: Path | None) -> "Record":
    from cartulary.cli.shell.sources import read_one

    return read_one(name, db)


def _put_hits(hits: "tuple[Hit, ...]", json: bool, placed: bool, seat: int) -> None:
    """Write what was found; for a seat without what a result or a verdict tells."""
    if json:
        for hit in hits:
            put_json(_fields(hit, placed, seat > 0 and placed))
        return
    rows, below = [], []
    for hit in hits:
        row = cells(hit.game)
        where = (f"ply {hit.ply}",) if placed else ()
        rows.append((*row[:3], *where) if seat and placed else (*row, *where))
        below.append("" if placed or hit.ply < 0 else f"{_place(hit.ply)}: {hit.passage}")
    put_rows(rows, frozenset() if seat and placed else RIGHT, below)


_TOLD = ("id", "game", "event", "site", "date", "round", "players", "ply")
"""What is told of a game to somebody who asks for what a seat knew."""


def _fields(hit: "Hit", placed: bool, seen: bool = False) -> dict[str, object]:
    """Return the fields of a game that was found. seen: only those for a seat, as where nothing else is known"""
    import msgspec

    fields: dict[str, object] = msgspec.structs.asdict(hit.game)
    if hit.ply >= 0:
        fields["ply"] = hit.ply
    if not placed and hit.passage:
        fields["passage"] = hit.passage
    return {name: fields[name] for name in _TOLD if name in fields} if seen or not hit.game.verdict else fields


def _place(ply: int) -> str:
    return f"ply {ply}" if ply else "before the first ply"


# --- reindex ---


def reindex(
    positions: Annotated[
        bool, typer.Option("--positions", help="The index of positions too; it is filled by the first search without.")
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, max=512, metavar="N", help="Processes that work positions out.")
    ] = 1,
    json: Json = False,
    db: Db = None,
) -> None:
    """Write anew from the log what games are listed and found by; the log itself stays as it is.

    \b
    Example:
      cartulary reindex
    """
    from cartulary.records import desk

    with opened(db) as store:
        with told("games") as progress:
            written, faults = desk.reindex(store, progress)
        placed = 0
        if positions:
            with told("positions") as progress:
                placed = desk.place(store, progress, anew=True, jobs=jobs)
    code = told_faults(faults)
    if json:
        counted = {"positions": placed} if positions else {}
        put_json({"games": written, "faults": [str(fault) for fault in faults]} | counted)
    else:
        put(f"{count(written, 'game')} listed" + (f", the positions of {placed} indexed" if positions else ""))
    leave(code)
