"""``evening``: opens an evening, sets its tables, and shows who sits where and what each game stands at."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from cartulary.cli.shell.cards import HERE, BaseUrl, CardsFile, check_output, put_cards, say_where
from cartulary.cli.shell.console import fail, os_fault, put, put_json, say
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import open_log, say_alike, say_future
from cartulary.cli.shell.options import By, Command, Db, Force, Json, pairs_of
from cartulary.cli.shell.sources import STDIN
from cartulary.cli.shell.spellings import ask_spellings, say_similar
from cartulary.notation.cgn.controls import isolate
from cartulary.records import api
from cartulary.records.library.evenings import BYE_WORDS, TableStanding, evening_fields
from cartulary.records.sheets.link_cards import LinkCard
from cartulary.records.texts import one_spelling

_OPTIONS = {
    "": (),
    "open": ("date", "place", "rounds"),
    "table": ("round", "table", "player", "seats", "variant", "tag", "unjudged", "id"),
    "next": ("pairs",),
    "bye": ("player", "round", "kind"),
    "came": ("player",),
    "left": ("player",),
    "links": ("player", "o", "verdicts", "force"),
}
"""By action, the options that it takes beside those of every command."""


def command(
    action: Annotated[
        str,
        typer.Argument(
            metavar="[ACTION]", help="open, table, next, bye, came, left or links; nothing shows the evening."
        ),
    ],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="EVENING [WORD…]", help="The evening; then a game, or persons.")
    ] = None,
    date: Annotated[str, typer.Option("--date", metavar="DATE", help="open: the day; by default today.")] = "",
    place: Annotated[str, typer.Option("--place", metavar="TEXT", help="open: where it is.")] = "",
    rounds: Annotated[
        int, typer.Option("--rounds", min=0, metavar="N", help="open: how many rounds it is to have.")
    ] = 0,
    pairs: Annotated[
        str,
        typer.Option("--pairs", metavar="FILE", help="next: the pairs that an engine printed; - for standard input."),
    ] = "",
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="bye: half (the default), full, zero or pairing.")
    ] = "",
    round: Annotated[
        int,
        typer.Option("--round", min=0, metavar="N", help="table: the round; by default the last one. bye: the next."),
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
    base_url: BaseUrl = HERE,
    output: CardsFile = None,
    verdicts: Annotated[
        bool, typer.Option("--verdicts", help="links: show verdicts at once, not only after a game is closed.")
    ] = False,
    force: Force = False,
    by: By = "",
    command: Command = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Show an evening: its rounds and tables, who sits where, what each game stands at, and who is free.

    `evening open NAME` opens one. `evening table NAME GAME -p …` opens a game at its next table.

    `evening next NAME` sets the tables of the last round again. Of five at a table for four, the next one sits out.
    With --pairs it sets the tables as a pairing engine says, which has read `export --event NAME --format trf`.

    `evening bye NAME PERSON…` says who does not play the next round.

    `evening came NAME PERSON…` and `evening left NAME PERSON…` say who is there.

    `evening links NAME` makes a link for each person. It leads to whichever seat the person has, round after round.

    \b
    Example:
      cartulary evening open Spring --date 2026.11.27 --place "Town hall"
      cartulary evening table Spring cardmate -p Ann -p Bea
      cartulary evening Spring
    """
    typed = list(words or ())
    doing, typed = (action, typed) if action in _OPTIONS and typed else ("", [action, *typed])
    title, *more = typed
    persons = tuple(player or ())
    options: dict[str, Any] = {"date": date, "place": place, "round": round, "table": table, "player": persons}
    options |= {"rounds": rounds, "pairs": pairs, "kind": kind}
    options |= {"seats": seats, "variant": variant, "tag": tag or [], "unjudged": unjudged, "id": id}
    _check(doing, more, options | {"o": output, "verdicts": verdicts, "force": force})
    head = {"by": by, "command": command}
    if doing == "links":
        base = check_output(base_url, output, json, force)
        with open_log(db) as store:
            request = api.EveningLinksRequest(evening=title, persons=persons, verdicts=verdicts, **head)
            cards = _cards(store, request, base)
        put_cards(cards, output, json, force)
        say_where(base)
        return
    with open_log(db, create=doing == "open") as store:
        if doing == "table":
            _set_table(store, title, more[0], options, head, json)
            return
        if doing == "next":
            wanted = api.NextRoundRequest(title, pairs=_pairs(pairs), game=more[0] if more else "", **head)
            tables = [answer.table for answer in api.set_next_round(store, wanted)]
            for each in tables:
                put_json(each) if json else put(each.game)
            return
        if doing == "open":
            api.open_evening(store, api.OpenEveningRequest(title=title, date=date, place=place, rounds=rounds, **head))
        elif doing == "bye":
            byes = api.ByeRequest(title, (*more, *persons), round=round, kind=kind or "half", **head)
            api.set_bye(store, byes)
        elif doing:
            left = doing == "left"
            persons = (*more, *persons)
            persons = persons if left else _arrivals(store, title, persons)
            api.record_presence(store, api.PresenceRequest(evening=title, persons=persons, left=left, **head))
        overview = api.evening_overview(store, title)
    if json:
        put_json(evening_fields(overview))
    else:
        _put_overview(overview)


def _check(doing: str, more: Sequence[str], options: Mapping[str, object]) -> None:
    """End the program for an option that an action does not take, or for a word too many or too few.

    Args:
        doing: The action, empty for showing an evening.
        more: The words after the name of the evening.
        options: The options that were typed, by their names; an empty value was not.
    """
    what = f"`evening {doing}`" if doing else "`evening NAME`"
    for name, value in options.items():
        if value and name not in _OPTIONS[doing]:
            fail(f"{what} takes no --{name}; leave it out.")
    if doing == "table" and len(more) != 1:
        fail(f"{what} needs the name of one game, such as `evening table Spring Catan -p Ann`.")
    if doing == "next" and len(more) == 1 and options["pairs"]:
        return
    if more and doing in ("", "open", "next", "links"):
        fail(f"{more[0]!r} is one word too many; expected the name of one evening, in quotes if it has blanks.")


def _pairs(name: str) -> str:
    """Return the pairs that a file holds as text, empty if no file is named; ``-`` is standard input.

    The program ends if the file cannot be read or is no text.
    """
    if not name:
        return ""
    try:
        data = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as fault:
        fail(f"{name} cannot be read: {os_fault(fault)}.")
    except UnicodeDecodeError:
        fail(f"{name} is no text; expected the pairs that an engine printed.")


def _set_table(
    store: "api.Log", title: str, game: str, options: Mapping[str, Any], head: Mapping[str, Any], json: bool
) -> None:
    """Set a table and print the id of its game; say which names may be misspelt.

    Args:
        store: The log.
        title: The evening.
        game: The game.
        options: The options that were typed, by their names.
        head: Who writes, and the key of the command.
        json: Whether to print the table as JSON.
    """
    numbers = {name: options[name] for name in ("round", "table", "seats", "variant", "unjudged", "id")}
    players, tags = options["player"], pairs_of(options["tag"])
    settled, similar = ask_spellings(store, players, api.evening_of(store, title).persons)
    players = tuple(settled.get(name, name) for name in players)
    alike = {one_spelling(name): known_name for name, known_name in similar.items()}
    request = api.SetTableRequest(evening=title, game=game, players=players, tags=tags, **numbers, **head)
    answer = api.set_table(store, request)
    table = answer.table
    if json:
        put_json(table)
    else:
        put(table.game)
    for remark in answer.remarks:
        say(f"cartulary: {remark.removesuffix('.')}.")
    say_future((answer.evening.date,))
    heading = api.load(store, table.game).examined.heading
    others = [name for name in heading.game.about.variants if name != heading.variant] if heading.game else []
    if others and not numbers["variant"] and "Variant" not in tags:
        title = heading.game.about.title if heading.game else game
        say(f"cartulary: {table.game} is {title}, {heading.variant}; --variant also takes {', '.join(others)}.")
    seats = enumerate(table.players, 1)
    say_alike(table.game, {f"p{seat}": (name, alike[name]) for seat, name in seats if name in alike})


def _arrivals(store: "api.Log", title: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return those who come to an evening, under known names where the person at the terminal says so.

    If nobody can be asked, the names stay as typed, and those that may be misspelt are reported.

    Args:
        store: The open log.
        title: The evening.
        names: The names as typed.
    """
    settled, similar = ask_spellings(store, names, api.evening_of(store, title).persons)
    for name, known_name in similar.items():
        say_similar(one_spelling(name), known_name, f'`people merge "{one_spelling(name)}" "{known_name}"`')
    return tuple(settled.get(name, name) for name in names)


def _cards(store: "api.Log", request: "api.EveningLinksRequest", base: str) -> list[LinkCard]:
    """Make links for the persons at an evening, and return them as cards, each with its address.

    Args:
        store: The open log.
        request: The evening and the persons.
        base: The address of the server, such as ``http://10.0.0.2:8000``.
    """
    made = api.make_evening_links(store, request)
    title = api.evening_of(store, request.evening).title
    return [LinkCard(each.link, (), f"{base}/join#{each.secret}", title) for each in made]


def _put_overview(overview: "api.EveningOverview") -> None:
    """Print an evening: a line about it, the tables and byes of each round, and who is free."""
    evening = overview.evening
    rounds = f"; {count(evening.rounds, 'round')}" if evening.rounds else ""
    put(", ".join((f"{isolate(evening.title)}: {evening.date}", *((evening.place,) if evening.place else ()))) + rounds)
    for round in sorted({each.table.round for each in overview.standings} | {bye.round for bye in evening.byes}):
        put(f"round {round}")
        _put_tables([each for each in overview.standings if each.table.round == round])
        for bye in (bye for bye in evening.byes if bye.round == round):
            put(f"  bye      {isolate(bye.person)}{BYE_WORDS[bye.kind]}")
    if overview.free:
        put(f"free: {', '.join(map(isolate, overview.free))}")
    if not overview.standings:
        put(f"no table yet; `evening table '{evening.title}' GAME -p …` sets one")


def _put_tables(standings: Sequence[TableStanding]) -> None:
    """Print a line about each table of a round: its number, game, players, who sits out, and how the game stands."""
    for each in standings:
        players = ", ".join(map(isolate, each.table.players))
        waiting = f"; {', '.join(map(isolate, each.table.waiting))} sits out" if each.table.waiting else ""
        put(f"  table {each.table.number}  {each.title or '?'}, {each.table.game}: {players}{waiting}; {each.says}")
