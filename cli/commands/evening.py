"""``evening``: opens an evening, sets its tables, and shows who sits where and what each game stands at."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, put, put_json
from cartulary.cli.shell.live import open_log, say_alike
from cartulary.cli.shell.options import By, Command, Db, Json, pairs_of
from cartulary.notation.cgn.controls import isolate
from cartulary.records import api
from cartulary.records.library.evenings import evening_fields

ACTIONS = ("open", "table", "came", "left")
_OPTIONS = {
    "open": ("date", "place"),
    "table": ("round", "table", "player", "seats", "variant", "tag", "unjudged", "id"),
    "came": ("player",),
    "left": ("player",),
    "": (),
}
"""By action, the options that it takes beside those of every command."""


def command(
    action: Annotated[
        str, typer.Argument(metavar="[open|table|came|left]", help="What is to be done; nothing shows the evening.")
    ],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="EVENING [WORD…]", help="The evening; then a game, or persons.")
    ] = None,
    date: Annotated[str, typer.Option("--date", metavar="DATE", help="open: the day; by default today.")] = "",
    place: Annotated[str, typer.Option("--place", metavar="TEXT", help="open: where it is.")] = "",
    round: Annotated[
        int, typer.Option("--round", min=0, metavar="N", help="table: the round; by default the last one.")
    ] = 0,
    table: Annotated[
        int, typer.Option("--table", min=0, metavar="N", help="table: its number; by default the next in the round.")
    ] = 0,
    player: Annotated[
        list[str] | None,
        typer.Option("--player", "-p", metavar="NAME", help="A person; give them in the order in which they sit."),
    ] = None,
    seats: Annotated[
        int, typer.Option("--seats", min=0, metavar="N", help="table: how many seats; the first persons sit out.")
    ] = 0,
    variant: Annotated[str, typer.Option("--variant", help="table: one of the game's variants.")] = "",
    tag: Annotated[
        list[str] | None, typer.Option("--tag", "-t", metavar="NAME=VALUE", help="table: any other tag.")
    ] = None,
    unjudged: Annotated[
        bool, typer.Option("--unjudged", help="table: judge nothing, so that any game will do.")
    ] = False,
    id: Annotated[str, typer.Option("--id", help="table: the id of the record; by default spring-1-2.")] = "",
    by: By = "",
    command: Command = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Show an evening: its rounds and tables, who sits where, what each game stands at, and who is free.

    `evening open NAME` opens one. `evening table NAME GAME -p …` opens a game at its next table. `evening came NAME
    PERSON…` and `evening left NAME PERSON…` say who is there.

    \b
    Example:
      cartulary evening open Spring --date 2026.11.27 --place "Town hall"
      cartulary evening table Spring cardmate -p Ann -p Bea
      cartulary evening Spring
    """
    typed = list(words or ())
    doing, typed = (action, typed) if action in ACTIONS and typed else ("", [action, *typed])
    given = {
        "date": date,
        "place": place,
        "round": round,
        "table": table,
        "player": player,
        "seats": seats,
        "variant": variant,
        "tag": tag,
        "unjudged": unjudged,
        "id": id,
    }
    what = f"`evening {doing}`" if doing else "`evening NAME`"
    for name, value in given.items():
        if value and name not in _OPTIONS[doing]:
            fail(f"{what} takes no --{name}; leave it out.")
    title, *more = typed
    if more and doing not in ("table", "came", "left"):
        fail(f"{more[0]!r} is one word too many; expected {what if doing else 'the name of one evening'}. "
             "A name with blanks stands in quotes.")  # fmt: skip
    head = {"by": by, "command": command}
    alike: dict[str, tuple[str, str]] = {}
    record = ""
    with open_log(db, create=doing == "open") as store:
        if doing == "open":
            title = api.open_evening(store, api.OpenEveningRequest(title=title, date=date, place=place, **head)).title
        elif doing == "table":
            if len(more) != 1:
                fail(f"{what} needs the name of one game, such as `evening table Spring Catan -p Ann`.")
            request = api.SetTableRequest(
                evening=title,
                game=more[0],
                players=tuple(player or ()),
                round=round,
                table=table,
                seats=seats,
                variant=variant,
                tags=pairs_of(tag or []),
                unjudged=unjudged,
                id=id,
                **head,
            )
            known = dict(api.alike(store, request.players))
            setting = api.set_table(store, request)
            record = setting.table.game
            alike = {
                f"p{seat}": (name, known[name]) for seat, name in enumerate(setting.table.players, 1) if name in known
            }
        elif doing:
            persons = (*more, *(player or ()))
            api.record_presence(
                store, api.PresenceRequest(evening=title, persons=persons, left=doing == "left", **head)
            )
        overview = api.evening_overview(store, title)
    if json:
        put_json(evening_fields(overview))
    elif record:
        put(record)
    else:
        _put_overview(overview)
    say_alike(record, alike)


def _put_overview(overview: "api.EveningOverview") -> None:
    """Print an evening: a line about it, the tables of each round, and who is free."""
    evening = overview.evening
    put(", ".join((f"{isolate(evening.title)}: {evening.date}", *((evening.place,) if evening.place else ()))))
    round = 0
    for each in overview.standings:
        if each.table.round != round:
            round = each.table.round
            put(f"round {round}")
        players = ", ".join(map(isolate, each.table.players))
        waiting = f"; {', '.join(map(isolate, each.table.waiting))} sits out" if each.table.waiting else ""
        put(f"  table {each.table.number}  {each.title or '?'}, {each.table.game}: {players}{waiting}; {each.says}")
    if overview.free:
        put(f"free: {', '.join(map(isolate, overview.free))}")
    if not overview.standings:
        put(f"no table yet; `evening table '{evening.title}' GAME -p …` sets one")
