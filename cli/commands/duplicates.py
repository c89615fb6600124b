"""``duplicates``: lists games that may have been entered twice."""

from cartulary.cli.shell.console import FINDINGS, leave, put, put_json, say
from cartulary.cli.shell.filters import cells, put_rows
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import Db, Json, SeatOf, for_everybody
from cartulary.records import api

_KINDS = {
    "same": "the same moves, the same players",
    "moves": "the same moves",
    "longer": "the same players and day; one goes on for {} after the other ends",
    "score": "no moves; the same day, the same players and points",
    "differs": "the same players and day; {} differ",
}


def command(seat: SeatOf = "", json: Json = False, db: Db = None) -> None:
    """List pairs of games that may be one game entered twice; nothing is removed.

    Results without moves are compared by day, players and points. `aside` sets one of a pair aside.

    Exits with 1 when a pair is found.

    \b
    Example:
      cartulary duplicates
    """
    for_everybody(seat, "duplicates")
    pairs = 0
    with open_log(db) as store:
        for pair in api.duplicates(store):
            pairs += 1
            if json:
                put_json(pair)
                continue
            put(_KINDS[pair.kind].format(count(pair.differs, "ply", "plies")))
            put_rows([(f"  {row[0]}", *row[1:]) for row in (cells(pair.first), cells(pair.second))], frozenset((4,)))
    if not json:
        if pairs:
            say("cartulary: `aside ID --reason TEXT` sets one of a pair aside, so that nothing counts it twice.")
            say(f"cartulary: Found {count(pairs, 'pair')} of games that may be one game entered twice.")
        else:
            say("cartulary: No game seems to have been entered twice.")
    leave(FINDINGS if pairs else 0)
