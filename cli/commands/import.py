"""``import``: takes games in, from score sheets and from archives of exported records."""

import os
from typing import Annotated

import typer

from cartulary.cli.shell.console import USAGE, WorkerStopped, fail, leave, put, put_json, say
from cartulary.cli.shell.findings import wrap
from cartulary.cli.shell.importing import ClusterImporter, Importer, files_of
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import AsSeat, ClusterAt, Db, Json, Results, asker
from cartulary.cli.shell.parts import check_divisible, workers_at
from cartulary.cli.shell.progress import Bar
from cartulary.cli.shell.sources import STDIN, parse_source, read_one
from cartulary.cli.shell.spellings import say_new_spellings
from cartulary.notation.viewer import Viewer
from cartulary.records import api


def command(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH…", help="Score sheets, archives, plays, tournament reports, folders of them, or -."
        ),
    ],
    by: Annotated[str, typer.Option("--by", metavar="WHO", help="Who imports them.")] = "",
    extend: Annotated[
        bool, typer.Option("--extend", help="Let an archive add newer events to a game that is already here.")
    ] = False,
    rename: Annotated[
        bool, typer.Option("--rename", help="Give an archived game a new id if another game has its id here.")
    ] = False,
    dry: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Store nothing; show what would be recorded of plays, or of a tournament report."
        ),
    ] = False,
    second: Annotated[
        str,
        typer.Option("--second", metavar="ID", help="Keep the one sheet named by PATH as a second sheet of game ID."),
    ] = "",
    source: Annotated[
        bool,
        typer.Option("--source/--no-source", help="Also keep the text that a game in another format was read from."),
    ] = True,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print no line for a game imported without findings.")
    ] = False,
    seat: AsSeat = "",
    cluster: ClusterAt = "",
    results: Results = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Import finished score sheets or exported games; importing them again stores nothing twice.

    Plays of BG Stats (its JSON) and of BoardGameGeek (its XML) become finished games without moves. A tournament report
    (TRF16) becomes an evening with its rounds, tables and results.

    Exits with 1 when a game has errors, cannot be judged or cannot be imported. Exits with 3 when an archive is not
    what was exported, or differs from the game that is here.

    \b
    Example:
      cartulary import "$(cartulary samples cardmate)"
    """
    viewer, by = asker(seat, by)
    if cluster:
        if second:
            fail("--cluster divides whole files; leave out --second.")
        check_divisible(paths, seat, "import")
    if second:
        if dry:
            fail("--second keeps a sheet; leave out --dry-run.")
        _keep_second_sheet(paths, second, by, viewer, json, db)
        return
    files = list(files_of(paths))
    size = sum(os.path.getsize(path) for path, fault in files if not fault and path != STDIN)
    with workers_at(cluster) as workers, open_log(db, create=True) as store, Bar("import", size) as bar:
        read_as = (source, results.value if results else "", rename, dry)
        settings = (store, by, quiet, json, extend, viewer.seat is not None, *read_as)
        before = api.names_in(store)
        importer = Importer(*settings) if workers is None else ClusterImporter(workers, bar, *settings)
        for path, fault in files:
            if fault:
                say(f"cartulary: {fault}")
                importer.worst(USAGE)
                continue
            try:
                importer.path(path, bar)
            except WorkerStopped as ended:
                say(f"cartulary: {ended} The games after that were not imported; run the command again.")
                importer.worst(USAGE)
                break
        if importer.counts["new"]:
            say_new_spellings(store, before)
    say(importer.summary())
    leave(importer.code)


def _keep_second_sheet(paths: list[str], id: str, by: str, viewer: Viewer, json: bool, db: str | None) -> None:
    """Store one sheet of a game as its second sheet, and print the ply where the two first differ.

    The program ends if several sheets or a stored game are named.

    Args:
        paths: What was named to be kept, a file or a game of a file.
        id: The stored game.
        by: Who keeps it, empty for nobody named.
        viewer: From whose view the answer is made.
        json: Whether to print the answer as JSON.
        db: The database, None for the default one.
    """
    if len(paths) > 1:
        fail(f"--second keeps one sheet, but {len(paths)} are named; name one.")
    [name] = paths
    source = parse_source(name)
    if source.live:
        fail(f"{name} is not a file; expected a score sheet to keep, FILE or FILE#2.")
    record = read_one(name)
    with open_log(db) as store:
        answer = api.keep_sheet(store, id, record, source.name if source.name != STDIN else "", by=by, viewer=viewer)
    if json:
        put_json(answer)
        return
    difference = f"first difference: ply {answer.first}" if answer.first else "no word differs"
    for line in wrap(f"{id}: kept as sheet {answer.number}; {difference} (`compare {id} --sheet {answer.number}`)"):
        put(line)
