"""``search``: finds games by position and by all that is listed of them."""

import shlex
from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, put_json, say
from cartulary.cli.shell.filters import (
    RIGHT,
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
    progress_bar,
    put_rows,
    query_of,
    say_end,
)
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import Db, Json, SeatOf, viewer_of
from cartulary.cli.shell.sources import read_one
from cartulary.notation.viewer import Viewer
from cartulary.records import api
from cartulary.records.library.search import EVERY_GAME, hit_fields

PAGE = 50
"""How many games a search prints if nobody says how many."""


def command(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORD…]", help="Words in the comments, as with --text.")
    ] = None,
    position: Annotated[
        str,
        typer.Option(
            "--position",
            metavar="FILE[#n]|ID",
            help="Games that reached this record's position; a file may hold only a set-up, such as a FEN tag.",
        ),
    ] = "",
    at: Annotated[
        int | None, typer.Option("--at", min=0, metavar="PLY", help="The record's position after this many plies.")
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
    """Find games by position, by the words of comments, and by every filter of `list`. A game must match all that
    you give.

    With --seat, a position is what that seat knew on its turn.

    \b
    Example:
      cartulary search --position "$(cartulary samples cardmate)/page-1.cgn" --at 4
    """
    text = " ".join((*(words or ()), *filter(None, (text,))))
    query = query_of(game, player, event, date, result, verdict, finding, ruling, text)
    viewer = _check_options(query, position, at, seat)
    # Read before the database is open: should the name be that file's, closing it would give up SQLite's locks.
    record = read_one(position, db) if position else None
    with open_log(db) as store, progress_bar("positions") as progress:
        if record is not None:
            hits, more = api.find_position(
                store, record, at, viewer=viewer, query=query, limit=limit, offset=offset, progress=progress, say=say
            )
        else:
            hits, more = api.search(store, query, limit=limit, offset=offset, viewer=viewer)
    _put_hits(hits, json, bool(position), viewer)
    say_end(hits, more, offset)
    if words and not hits:
        phrase = shlex.join(words)
        say(f"cartulary: {phrase} was looked for in comments; `search --player {phrase}` looks for a player.")


def _check_options(query: "api.Query", position: str, at: int | None, seat: str) -> Viewer:
    """Return the viewer that ``--seat`` names.

    The program ends for ``--at`` without ``--position``, and if there is neither a position nor a filter.
    """
    if not position and at is not None:
        fail("--at picks a position of a record; name the record with --position.")
    if not position and query == EVERY_GAME:
        fail("Say what to look for: --position, --text, --player …; `list` prints all games.")
    return viewer_of(seat)


def _put_hits(hits: "tuple[api.Hit, ...]", json: bool, placed: bool, viewer: Viewer) -> None:
    """Print the hits as JSON or as rows, each with the passage that matched below it.

    Args:
        hits: The games that were found.
        json: Whether to print JSON.
        placed: Whether a position was searched, so that each hit has the ply at which it was reached. For a seat such
            hits come without result and verdict, since these may depend on cards that it has not seen.
        viewer: Who looks.
    """
    seen = viewer.seat is not None and placed
    if json:
        for hit in hits:
            put_json(hit_fields(hit, placed, seen))
        return
    rows, below = [], []
    for hit in hits:
        row = cells(hit.game)
        where = (f"ply {hit.ply}",) if placed else ()
        rows.append((*row[:3], *where) if seen else (*row, *where))
        below.append("" if placed or hit.ply < 0 else f"{_place(hit.ply)}: {hit.passage}")
    put_rows(rows, frozenset() if seen else RIGHT, below)


def _place(ply: int) -> str:
    """Return where a passage stands: ``ply 3``, or ``before the first ply`` for 0."""
    return f"ply {ply}" if ply else "before the first ply"
