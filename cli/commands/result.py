"""``result``: records a finished game of which only the result is known."""

from msgspec.structs import replace

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.invocation import Invocation, argument, from_request, option
from cartulary.cli.shell.live import open_log, say_alike, say_future
from cartulary.cli.shell.options import pairs_of
from cartulary.cli.shell.spellings import ask_spellings, ask_title, say_near_title
from cartulary.records import api
from cartulary.records.commands.result import result_line
from cartulary.records.texts import one_spelling


@from_request(
    api.ResultRequest,
    view=None,
    game=argument(),
    players=option("--player", "-p"),
    categories=option("--category", "-c", typed=tuple[str, ...], read=pairs_of),
    tags=option("--tag", "-t", typed=tuple[str, ...], read=pairs_of),
    order=(
        "game",
        "players",
        "places",
        "table",
        "categories",
        "winner",
        "teams",
        "date",
        "duration",
        "place",
        "event",
        "termination",
    ),
)
def command(typed: "Invocation[api.ResultRequest]") -> None:
    """Record a finished game in one line: any game, with points, places, or won or lost by the table.

    \b
    Example:
      cartulary result Catan -p Ada=10 -p Bela=7 --duration 75
    """
    request = typed.request
    names = [text.rpartition("=")[0] or text for text in request.players]
    with open_log(typed.db, create=True) as store:
        settled, similar = ask_spellings(store, names)
        players = (
            f"{settled[name]}{text.removeprefix(name)}" if name in settled else text
            for name, text in zip(names, request.players, strict=True)
        )
        title, near = ask_title(store, request.game)
        answer = api.record_result(store, replace(request, game=title, players=tuple(players)))
    if typed.json:
        put_json(answer)
    else:
        put(f"{answer.id}: {result_line(answer)}")
    say_future((request.date or request.tags.get("Date", ""),))
    if near:
        say_near_title(answer.id, title, near)
    seats = enumerate(names, 1)
    say_alike(answer.id, {f"p{seat}": (one_spelling(name), similar[name]) for seat, name in seats if name in similar})
