"""``export``: writes games out, as score sheets or archives."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, fail, leave, put_bytes, say, terminal
from cartulary.cli.shell.destination import check_spare, file_of, folder_of, write_file
from cartulary.cli.shell.filters import (
    OfDate,
    OfEvent,
    OfFinding,
    OfGame,
    OfPlayer,
    OfResult,
    OfRuling,
    OfVerdict,
    query_of,
)
from cartulary.cli.shell.formats import Format, format_of
from cartulary.cli.shell.live import open_log, say_faults
from cartulary.cli.shell.options import Db, Force, Quiet, SeatOf, viewer_of
from cartulary.cli.shell.outgoing import ExportOptions, Outgoing, Redaction, put_replays
from cartulary.cli.shell.signatures import Signing, signed_files
from cartulary.cli.shell.sources import STDIN, gameless, parse_source, printable, read
from cartulary.records import api
from cartulary.records.exchange.redaction import LEVELS, PERSON
from cartulary.records.exchange.trf import write_tournament
from cartulary.records.faults import Damaged, UninstalledGame
from cartulary.records.library.search import EVERY_GAME, Query, fit_for_a_seat
from cartulary.records.texts import quiet_text


def command(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID|FILE…", help="Live records by id, or score sheets: FILE, FILE#3 or -."),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every game of the database.")] = False,
    game: OfGame = "",
    player: OfPlayer = None,
    event: OfEvent = "",
    date: OfDate = "",
    result: OfResult = "",
    verdict: OfVerdict = "",
    finding: OfFinding = "",
    ruling: OfRuling = "",
    format: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="CGN, PGN, PDN, SGF, JSON, a sheet to sign, a page that replays games, a database, Parquet, "
            "or the report of a tournament.",
        ),
    ] = None,
    log: Annotated[
        bool,
        typer.Option(
            "--log", help="Include everything that was corrected; in JSON, every stored event, ready to import."
        ),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE|FOLDER",
            help="Write to this file, not to standard output; its ending sets the format. For Parquet, or HTML of "
            "many games, name a folder.",
        ),
    ] = None,
    force: Force = False,
    seat: SeatOf = "",
    sign: Annotated[
        Path | None,
        typer.Option("--sign", metavar="KEYFILE", help="Sign the archive and its manifest with this OpenSSH key."),
    ] = None,
    signer: Annotated[
        str, typer.Option("--signer", metavar="NAME", help="The name of the signer, for the manifest.")
    ] = "",
    redact: Annotated[
        list[str] | None,
        typer.Option(
            "--redact",
            metavar="names|texts|NAME",
            help="Leave out all names; with texts, also the notes on live records; or one person, by NAME.",
        ),
    ] = None,
    keep_named: Annotated[
        bool,
        typer.Option(
            "--keep-named", help="Export a game even if a text in it still has a name that --redact leaves out."
        ),
    ] = False,
    font: Annotated[
        list[Path] | None,
        typer.Option("--font", metavar="FILE", help="A font for characters that the PDF's own font lacks."),
    ] = None,
    metadata: Annotated[
        Path | None,
        typer.Option(
            "--metadata", metavar="FILE", help="Also write metadata for Datasette to this file, beside the database."
        ),
    ] = None,
    quiet: Quiet = False,
    db: Db = None,
) -> None:
    """Write games out as they now are: score sheets, archives that carry their own proof, or a page that replays them.

    \b
    Example:
      cartulary export evening --format json --log -o evening.json
      cartulary export evening --format replay --seat rail -o evening.html
    """
    query = query_of(game, player, event, date, result, verdict, finding, ruling)
    if seat:
        fit_for_a_seat(query)
    file = file_of(output)
    kind = format_of(file, format)
    if metadata and kind is not Format.sqlite:
        fail("--metadata needs --format sqlite.")
    redaction = redaction_of(redact or [])
    _check(kind, log, seat, file, sign, signer, redaction, keep_named, font)
    if kind is Format.trf:
        if not event or ids or all_ or query != Query(event=event):
            fail("A tournament report is of one evening; give --event NAME, and neither games nor other filters.")
        _put_tournament(event, db, file, force)
        return
    if kind is Format.replay and ids and not all_ and query == EVERY_GAME and redaction is None:
        put_replays(ids, db, seat, quiet, file, over=force)
        return
    signing = Signing(sign, signer) if sign else None
    options = ExportOptions(log, viewer_of(seat, quiet), redaction, keep_named, signing, font or [], metadata)
    with _games(ids, all_, query, db) as (store, game_ids, labels):
        if quiet and (log or not kind.for_seat):
            check_not_quiet(store, game_ids)
        folder = folder_of(output, file, len(game_ids)) if kind is Format.html else None
        folder = file if kind is Format.parquet else folder
        if not folder:
            written_to = signed_files(file) if file and sign else (file, metadata)
            check_spare(*(path for path in written_to if path), key=sign, over=force)
        out = Outgoing(store, game_ids, options, labels, file=file, folder=folder, over=force, forgiving=not ids)
        kind.write(out)
    code = max(say_faults(out.faults), out.code)
    if file and not out.game_count:
        say(f"cartulary: No game is left to write, so nothing was written to {file}.")
    leave(code)


def _put_tournament(title: str, db: str | None, file: Path | None, force: bool) -> None:
    """Write an evening as a tournament report, and say on standard error what such a report cannot hold.

    Args:
        title: The name of the evening.
        db: The database, None for the default one.
        file: The file to write, None for standard output.
        force: Whether a file that is there may be replaced.
    """
    with open_log(db) as store:
        tournament = api.tournament_report(store, title)
    text = write_tournament(tournament).encode()
    if file is None:
        put_bytes(text)
    else:
        write_file(file, [text], force)
    for sentence in tournament.remarks:
        say(f"cartulary: {sentence}")


@contextmanager
def _games(
    ids: Sequence[str] | None, every: bool, query: "api.Query", db: str | None
) -> "Iterator[tuple[api.Log, Sequence[str], dict[str, str]]]":
    """Yield once the log that holds the games, their ids, and for games of files the name of each by its id.

    Files are read into a temporary log. The program ends if files and stored games are named together.

    Args:
        ids: What was named: files, games of files, or ids of stored games.
        every: Whether all stored games are meant.
        query: Which stored games are meant.
        db: The database, None for the default one.
    """
    files = [name for name in ids or () if not parse_source(name).live]
    if not files:
        with open_log(db) as store:
            yield store, choose_ids(store, ids, every, query), {}
        return
    if every or query != EVERY_GAME or len(files) != len(ids or ()):
        fail("Name either files or games of the database, not both; `import` puts files into the database.")
    with database_of(files) as (store, labels):
        yield store, tuple(labels), labels


def _check(
    format: Format,
    log: bool,
    seat: str,
    output: Path | None,
    sign: Path | None,
    signer: str,
    redact: Redaction | None,
    keep_named: bool,
    font: list[Path] | None,
) -> None:
    """End the program with a sentence if the options of an export do not go together.

    An example is signing what is not an archive with its log, or a PDF that would go to a terminal.

    Args:
        format: The format of the export.
        log: Whether the logs are to be written too.
        seat: As which seat to look; empty for everything.
        output: The file to write, None for standard output.
        sign: The file with the key to sign with, None for no signature.
        signer: The name of the signer, empty for none.
        redact: Which names are left out, None for none.
        keep_named: Whether games that still name somebody are written.
        font: The fonts for a PDF, None for none.
    """
    if format is Format.replay and log:
        fail("A replay cannot show corrections; use --log with cgn, html, pdf or json.")
    if seat and (log or not format.for_seat):
        fail(
            "--seat cannot go with --log, json or databases, which hold cards the seat has not seen; export a "
            "score sheet."
        )
    archive = format is Format.json and log
    if sign and not (archive and output and (output.is_file() or not output.exists())):
        fail("--sign needs --format json --log -o FILE; the signatures are written beside that file.")
    if signer and not sign:
        fail("--signer needs --sign.")
    if redact and format in (Format.sqlite, Format.parquet, Format.trf):
        fail(f"--redact cannot go with {format.value}, which holds every name; export JSON, CGN or a sheet.")
    if keep_named and not redact:
        fail("--keep-named needs --redact.")
    if font and format is not Format.pdf:
        fail("--font needs --format pdf.")
    if format is Format.pdf and output is None and terminal():
        fail("A PDF cannot be shown on a terminal; write it with -o FILE.")


def redaction_of(words: Sequence[str]) -> Redaction | None:
    """Return what ``--redact`` leaves out, None if nothing was typed: everybody at a level, or the persons named.

    The program ends if it names a level and anything else.
    """
    levels = [word for word in words if word in LEVELS]
    if levels and len(words) > 1:
        fail(f"--redact {levels[0]} leaves out everybody; leave out the other --redact.")
    if not words:
        return None
    return Redaction(levels[0]) if levels else Redaction(PERSON, tuple(words))


def check_not_quiet(store: "api.Log", ids: Sequence[str]) -> None:
    """End the program if one of the games is quiet, because what is written would show its verdicts.

    A game that cannot be read, or whose rules are missing, is passed over.
    """
    for id in ids:
        with suppress(Damaged, UninstalledGame):
            if api.load(store, id).book.quiet:
                fail(
                    f"{quiet_text(id)} Use --quiet with a score sheet; --log, json and databases hold what "
                    "it leaves out.",
                    FINDINGS,
                )


def choose_ids(store: "api.Log", ids: Sequence[str] | None, every: bool, query: "api.Query") -> tuple[str, ...]:
    """Return the ids to export: those named, those that a query selects, or all.

    The program ends unless exactly one of the three was asked for, and if the query or the database gives no game.
    Damaged games are among all, so that each is reported.

    Args:
        store: The open log.
        ids: The ids that were named, which are not checked; None or empty for none.
        every: Whether all games were asked for.
        query: The filters; ``EVERY_GAME`` for none.
    """
    chosen = (bool(ids), every, query != EVERY_GAME).count(True)
    if not chosen:
        fail("Name the games to export, give --all, or choose them by --player, --date and the like.")
    if chosen > 1:
        fail("Give one of three: the games' names, --all, or filters such as --player and --date.")
    if ids:
        return tuple(ids)
    selected = store.ids() if every else api.ids(store, query)
    if not selected:
        fail("No game was found, so nothing was exported; choose other filters.")
    return selected


# --- games of files ---


@contextmanager
def database_of(names: Sequence[str]) -> "Iterator[tuple[api.Log, dict[str, str]]]":
    """Yield once a temporary database of the games in files, and for each id the file and number it came from.

    A label is ``club.cgn#2``. The program ends with a sentence if a file or game is missing or cannot be set up.
    """
    with TemporaryDirectory(prefix="cartulary-") as folder, api.open_store(Path(folder) / "games.db") as store:
        labels: dict[str, str] = {}
        for name in names:
            path, before = parse_source(name).name, len(labels)
            for answer in api.import_records(store, read(name), path=path, keep_source=False):
                label = f"{path if path == STDIN else printable(Path(path).name)}#{answer.report.index}"
                if answer.status == "declined":
                    fail(f"{label}: {answer.because}", FINDINGS)
                labels.setdefault(answer.id, label)
            if len(labels) == before:
                fail(gameless(path))
        yield store, labels
