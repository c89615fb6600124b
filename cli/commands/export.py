"""``export``: writes games out, as score sheets or archives."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
import typer

from cartulary.cli.shell.console import FINDINGS, fail, leave, put_bytes, say, terminal
from cartulary.cli.shell.destination import Format, file_of, folder_of, format_of, write_file
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
from cartulary.cli.shell.options import Db, Force, SeatOf, seat_of
from cartulary.cli.shell.progress import Advancing, Bar
from cartulary.cli.shell.publication import publish_games
from cartulary.cli.shell.signatures import Signing, signed_files
from cartulary.cli.shell.table import opened, told_faults
from cartulary.notation import Record, format_record
from cartulary.notation.cgn.writer import HEADER
from cartulary.records import desk
from cartulary.records.faults import Damaged, Declined, Unfit, UnknownGame

USUAL = 1000
"""Bytes of a usual game, for a bar that counts bytes."""


class Level(StrEnum):
    """What a redacted export leaves out."""

    names = "names"
    texts = "texts"


class _Asked(NamedTuple):
    """What each game is written as."""

    format: Format
    log: bool
    seat: int
    redact: Level | None
    keep_named: bool


def command(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID…", help="Live records.")] = None,
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
        typer.Option("--format", help="CGN, one JSON line a game, sheets to print and sign, or a database to browse."),
    ] = None,
    log: Annotated[
        bool, typer.Option("--log", help="With everything that was corrected; JSON: every stored event, importable.")
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE|FOLDER",
            help="Instead of standard output; the ending is the format. HTML of many games: a folder.",
        ),
    ] = None,
    force: Force = False,
    seat: SeatOf = "",
    sign: Annotated[
        Path | None, typer.Option("--sign", metavar="KEYFILE", help="Sign archive and manifest with this OpenSSH key.")
    ] = None,
    signer: Annotated[str, typer.Option("--signer", metavar="NAME", help="Who signs, for the manifest.")] = "",
    redact: Annotated[
        Level | None, typer.Option("--redact", help="Leave out names, or the notes on live records too.")
    ] = None,
    keep_named: Annotated[
        bool, typer.Option("--keep-named", help="Write a game out though a text in it names whom --redact leaves out.")
    ] = False,
    font: Annotated[
        list[Path] | None,
        typer.Option("--font", metavar="FILE", help="A font for what the PDF's own has no signs for."),
    ] = None,
    metadata: Annotated[
        Path | None, typer.Option("--metadata", metavar="FILE", help="What Datasette is told of a database, beside it.")
    ] = None,
    db: Db = None,
) -> None:
    """Write games out as they stand: score sheets, or archives that prove themselves.

    \b
    Example:
      cartulary export evening --format json --log -o evening.json
    """
    query = query_of(game, player, event, date, result, verdict, finding, ruling)
    if seat:
        desk.fit_for_a_seat(query)
    file = file_of(output)
    kind = format_of(file, format)
    if metadata and kind is not Format.sqlite:
        fail("--metadata goes with --format sqlite")
    _check(kind, log, seat, file, sign, signer, redact, keep_named, font)
    asked = _Asked(kind, log, seat_of(seat), redact, keep_named)
    signing = Signing(sign, signer) if sign else None
    faults: list[Exception] | None = None if ids else []
    with opened(db) as store:
        named = chosen(store, ids, all_, query)
        folder = folder_of(output, file, kind, len(named))
        if not folder:
            written_to = signed_files(file) if file and sign else (file, metadata)
            _spare(*(one for one in written_to if one), key=sign, over=force)
        if kind is Format.sqlite:
            if file is None:
                fail("a database is a file: -o club.db says which")
            leave(told_faults(publish_games(store, named, file, metadata, force)))
            return
        with Bar("export", len(named) * USUAL) as bar:
            games = _Exporting(store, asked, faults)
            written = games.through(named, bar)
            if folder:
                desk.write_pages(_only_sheets(written), named, folder, over=force)
            else:
                pieces = _sheets(written, kind, font or []) if kind in (Format.html, Format.pdf) else None
                _put(pieces or _pieces(signing.games(written) if signing else written), file, signing, force)
    leave(max(told_faults(faults or ()), games.code))


def _check(
    format: Format,
    log: bool,
    seat: str,
    output: Path | None,
    sign: Path | None,
    signer: str,
    redact: Level | None,
    keep_named: bool,
    font: list[Path] | None,
) -> None:
    """End the program where the options do not go together."""
    if seat and (log or format in (Format.json, Format.sqlite)):
        fail("--seat writes score sheets as the seat has seen them; --log, json and sqlite hold what it has not")
    archive = format is Format.json and log
    if sign and not (archive and output and (output.is_file() or not output.exists())):
        fail("--sign goes with --format json --log -o FILE: the signatures are written beside the file")
    if signer and not sign:
        fail("--signer goes with --sign")
    if redact and not archive:
        fail("--redact goes with --format json --log; a score sheet says all it knows")
    if keep_named and not redact:
        fail("--keep-named goes with --redact")
    if font and format is not Format.pdf:
        fail("--font goes with --format pdf")
    if format is Format.pdf and output is None and terminal():
        fail("a PDF is no text for a terminal; -o FILE writes it")


def chosen(store: "desk.Store", ids: Sequence[str] | None, every: bool, query: "desk.Query") -> tuple[str, ...]:
    """Return the ids to export: those named, those a query holds of, or all. Ends the program where that is not clear.

    ids of damaged games are among all, so that they are told of.
    """
    if (bool(ids), every, query != desk.EVERYTHING).count(True) != 1:
        fail("name the games to export, or --all, or say which by --player, --date and the like")
    if ids:
        return tuple(ids)
    if every:
        return store.ids()
    selected = desk.ids(store, query)
    if not selected:
        fail("no game was found, so nothing is exported")
    return selected


def _spare(*files: Path, key: Path | None, over: bool) -> None:
    """End the program before an export is put in the place of a log, which nothing could bring back, or of its key.

    Raises OSError for a file that is there and may not be replaced.
    """
    for file in files:
        if not desk.is_stream(file) and desk.is_kept(file):
            fail(f"{file} is a database with games in it, and no export is written over one; it was left alone")
        if key and file.exists() and key.exists() and file.samefile(key):
            fail(f"{file} is the key to sign with; it was left alone")
    desk.check_free(files, over)


class _Exporting:
    """The games of an export, one after the other; ``code`` says what was wrong with those left out."""

    def __init__(self, store: "desk.Store", asked: _Asked, faults: list[Exception] | None) -> None:
        """faults: takes those of games that cannot be read, which are left out; None raises them."""
        self.store, self.asked, self.faults = store, asked, faults
        self.code = 0

    def through(self, ids: Iterable[str], bar: Advancing) -> "Iterator[desk.Archive | Record | desk.ScoreSheet]":
        """Yield the games."""
        for id in ids:
            try:
                yield from self._one(id)
            except (Damaged, Unfit, UnknownGame) as fault:
                if self.faults is None:
                    raise
                self.faults.append(fault)
            bar.advance(USUAL)

    def _one(self, id: str) -> "Iterator[desk.Archive | Record | desk.ScoreSheet]":

        asked = self.asked
        if asked.redact:
            redacted = self._redacted(id, asked.redact)
            if redacted and self._told(id, redacted):
                yield redacted.archive
        elif asked.format is Format.json:
            yield desk.export_json(self.store, id, log=asked.log)
        elif asked.format is Format.cgn:
            yield desk.export_cgn(self.store, id, log=asked.log, seat=asked.seat)
        else:
            yield desk.score_sheet(self.store, id, log=asked.log, seat=asked.seat)

    def _redacted(self, id: str, level: Level) -> "desk.Redacted | None":
        """Return a redacted game; None, and says why, for one of all that cannot be redacted."""
        try:
            return desk.export_redacted(self.store, id, level.value)
        except Declined as fault:
            if self.faults is None or isinstance(fault, Unfit):
                raise
            say(f"cartulary: {fault}")
            self.code = FINDINGS
            return None

    def _told(self, id: str, redacted: "desk.Redacted") -> bool:
        """Say what a redacted game still holds; return whether it is written."""
        named = redacted.named
        for one in named:
            where = f"event {one.event} ({one.field})" if one.event else "its id"
            say(f"cartulary: {id}: {', '.join(map(repr, one.names))} still stands in {where}")
        if named and not self.asked.keep_named:
            say(f"cartulary: {id} was left out; --keep-named writes it all the same")
            self.code = FINDINGS
            return False
        texts = [f"{one.event} ({one.field})" for one in redacted.free if one.field not in ("id", "command")]
        if texts:
            say(f"{id}: what was written freely stays in event {', '.join(texts)}")
        if redacted.guessable:
            say(f"{id}: imported; its id comes from the whole sheet, so whoever guesses every tag can tell he is right")
        return True


def _pieces(games: "Iterable[desk.Archive | Record | desk.ScoreSheet]") -> Iterator[bytes]:

    first = True
    for game in games:
        if isinstance(game, Record):
            yield ((HEADER if first else "\n") + format_record(game)).encode()
            first = False
        else:
            yield msgspec.json.encode(game) + b"\n"


def _only_sheets(games: "Iterable[desk.Archive | Record | desk.ScoreSheet]") -> "Iterator[desk.ScoreSheet]":

    return (game for game in games if isinstance(game, desk.ScoreSheet))


def _sheets(
    games: "Iterable[desk.Archive | Record | desk.ScoreSheet]", format: Format, fonts: list[Path]
) -> Iterator[bytes]:
    sheets = list(_only_sheets(games))
    if not sheets:
        return
    if format is Format.html:
        yield desk.html(sheets)
        return

    document, unseen = desk.pdf(sheets, fonts)
    if unseen:
        signs = " ".join(unseen[:12]) + (" …" if len(unseen) > 12 else "")
        say(f"cartulary: the PDF's font has no sign for {signs}; they are written as code points; --font FILE adds one")
    yield document


def _put(pieces: Iterable[bytes], file: Path | None, signing: Signing | None, over: bool) -> None:
    if file is None:
        for piece in pieces:
            put_bytes(piece)
    elif signing is None:
        write_file(pieces, file, over)
    else:
        signing.write(file, pieces, over)
