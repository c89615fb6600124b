"""``import``: takes games in, from score sheets and from archives of exported records."""

import os
from typing import Annotated

import typer

from cartulary.cli.shell.console import USAGE, fail, leave, put, put_json, say
from cartulary.cli.shell.findings import wrapped
from cartulary.cli.shell.live import opened
from cartulary.cli.shell.options import Db, Json, SeatOf, asker
from cartulary.cli.shell.part_bases import NO, YES, divide_import
from cartulary.cli.shell.parts import check_divisible, part_of
from cartulary.cli.shell.progress import Bar
from cartulary.cli.shell.sources import STDIN, parse_source, read_one
from cartulary.cli.shell.taking import Taking, files_of
from cartulary.records import desk


def command(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH…", help="Score sheets, exported archives, folders of either, or -.")
    ],
    by: Annotated[str, typer.Option("--by", metavar="WHO", help="Who imports them.")] = "",
    extend: Annotated[
        bool, typer.Option("--extend", help="Let an archive add newer events to a game that is already here.")
    ] = False,
    second: Annotated[
        str, typer.Option("--second", metavar="ID", help="Keep this one sheet with game ID, as a second sheet of it.")
    ] = "",
    source: Annotated[
        bool,
        typer.Option("--source/--no-source", help="Also keep the text that a game in another format was read from."),
    ] = True,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print no line for a game imported without findings.")
    ] = False,
    seat: SeatOf = "",
    part: Annotated[
        str,
        typer.Option("--part", metavar="K/N", help="Import only part K of N, into a new --db, for `merge` to join."),
    ] = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Import finished score sheets or exported games; importing them again stores nothing twice.

    Exits with 1 when a game has errors, cannot be judged or cannot be imported. Exits with 3 when an archive is not
    what was exported, or differs from the game that is here.

    \b
    Example:
      cartulary import "$(cartulary samples cardmate)"
    """
    whose, by = asker(seat, by)
    if part:
        number = part_of(part)
        check_divisible(paths, seat, "import")
        if second or extend:
            fail("--part divides score sheets; leave out --second and --extend.")
        if db is None:
            fail("--part needs a database of its own; name a new file with --db.")
        given = {"--quiet": quiet, "--json": json, "--source": source, "seat": whose is not None}
        divide_import(paths, number, {name: YES if on else NO for name, on in given.items()} | {"--by": by}, db)
        return
    if second:
        _keep(paths, second, by, whose, json, db)
        return
    files = list(files_of(paths))
    size = sum(os.path.getsize(path) for path, fault in files if not fault and path != STDIN)
    with opened(db, create=True) as store, Bar("import", size) as bar:
        taking = Taking(store, by, quiet, json, extend, whose is not None, source)
        for path, fault in files:
            if fault:
                say(f"cartulary: {fault}")
                taking.worst(USAGE)
            else:
                taking.path(path, bar)
    say(taking.summary())
    leave(taking.code)


def _keep(paths: list[str], id: str, by: str, seat: int | None, json: bool, db: str | None) -> None:
    """Keep one sheet with a game."""
    if len(paths) > 1:
        fail(f"--second keeps one sheet, but {len(paths)} are named; name one.")
    [name] = paths
    source = parse_source(name)
    if source.live:
        fail(f"{name} is not a file; expected a score sheet to keep, FILE or FILE#2.")
    record = read_one(name)
    with opened(db) as store:
        answer = desk.keep_sheet(store, id, record, source.name if source.name != STDIN else "", by=by, seat=seat)
    if json:
        put_json(answer)
        return
    found = f"first difference: ply {answer.first}" if answer.first else "no word differs"
    for line in wrapped(f"{id}: kept as sheet {answer.number}; {found} (`compare {id} --sheet {answer.number}`)"):
        put(line)
