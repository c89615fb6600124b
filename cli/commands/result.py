"""``result``: records a finished game of which only the result is known."""

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.invocation import Invocation, argument, from_request, option
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import pairs_of
from cartulary.records import api
from cartulary.records.commands.result import result_line


@from_request(
    api.ResultRequest,
    view=None,
    game=argument(),
    players=option("--player", "-p"),
    categories=option("--category", "-c", typed=tuple[str, ...], read=pairs_of),
    tags=option("--tag", "-t", typed=tuple[str, ...], read=pairs_of),
    order=("game", "players", "places", "table", "categories", "winner", "teams", "date", "duration", "place", "event"),
)
def command(typed: "Invocation[api.ResultRequest]") -> None:
    """Record a finished game in one line: any game, with points, places, or won or lost by the table.

    \b
    Example:
      cartulary result Catan -p Ada=10 -p Bela=7 --duration 75
    """
    with open_log(typed.db, create=True) as store:
        answer = api.record_result(store, typed.request)
    if typed.json:
        put_json(answer)
    else:
        put(f"{answer.id}: {result_line(answer)}")
