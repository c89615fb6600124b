"""``list``: lists the games of the archive."""

from cartulary.cli.shell.console import put_json
from cartulary.cli.shell.filters import (
    RIGHT,
    Limit,
    OfAside,
    OfDate,
    OfEvent,
    OfFinding,
    Offset,
    OfGame,
    OfPlayer,
    OfResult,
    OfRuling,
    OfVerdict,
    cells,
    put_rows,
    query_of,
    say_end,
)
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import Db, Json, SeatOf, viewer_of
from cartulary.records import api
from cartulary.records.library.search import hit_fields


def command(
    game: OfGame = "",
    player: OfPlayer = None,
    event: OfEvent = "",
    date: OfDate = "",
    result: OfResult = "",
    verdict: OfVerdict = "",
    finding: OfFinding = "",
    ruling: OfRuling = "",
    aside: OfAside = False,
    seat: SeatOf = "",
    limit: Limit = None,
    offset: Offset = 0,
    json: Json = False,
    db: Db = None,
) -> None:
    """List the games, most recently written first: all of them, or those that match every option.

    Games that are set aside are left out; --aside lists only those. With --seat, nothing that depends on hidden
    cards is shown.

    \b
    Example:
      cartulary list --player ada --date 2026
    """
    query = query_of(game, player, event, date, result, verdict, finding, ruling, aside=aside)
    with open_log(db) as store:
        hits, more = api.search(store, query, limit=limit, offset=offset, viewer=viewer_of(seat))
    if json:
        for hit in hits:
            put_json(hit_fields(hit, placed=False))
    else:
        put_rows((cells(hit.game) for hit in hits), RIGHT)
    say_end(hits, more, offset)
