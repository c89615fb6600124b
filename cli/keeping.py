"""The commands that keep the archive: prove, list, take in, give out, and rebuild the games list."""

import io
import os
import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from cartulary.cli.findings import count, finding_lines, game_line
from cartulary.cli.progress import Advancing, Bar
from cartulary.cli.shell import (
    FINDINGS,
    INTEGRITY,
    USAGE,
    fail,
    leave,
    os_fault,
    put,
    put_bytes,
    put_json,
    say,
)
from cartulary.cli.sources import STDIN, sheets
from cartulary.cli.table import Db, Json, opened

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    from cartulary.records.chain import Head
    from cartulary.records.desk import Archive, Imported, Proof
    from cartulary.records.store import Store

BLOCK = 1 << 18
"""How much of a file is read at once."""
USUAL = 1000
"""Bytes of a usual game, for a bar that counts bytes."""

# --- proving ---


def verify(
    what: Annotated[
        list[str] | None, typer.Argument(metavar="ID|FILE…", help="Live records, JSON archives, exported score sheets.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every game of the database, and the file itself.")] = False,
    head: Annotated[
        str, typer.Option("--head", metavar="VERSION:DIGEST", help="A head noted earlier, on a sheet or an export.")
    ] = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Prove that records are what was written: the chain of digests is followed to the head.

    Ends with 3 when an event was changed, dropped, swapped or cut off; the other games are proved all the same.

    \b
    Example:
      cartulary verify evening
    """
    noted = _head(head) if head else None
    if bool(what) == all_ or (noted and (all_ or len(what or []) != 1)):
        fail("name records or files to verify, or --all; --head goes with one of them")
    faults = 0
    for proof in _proofs(what or [], noted, db):
        faults += bool(proof.fault)
        if json:
            put_json(proof)
        elif proof.fault:
            put(f"{proof.id or 'the database'}: NOT PROVED: {proof.fault}")
        else:
            put(f"{proof.id}: proved, {count(proof.version, 'event')}, head {proof.version}:{proof.digest}")
    leave(INTEGRITY if faults else 0)


def _head(text: str) -> "Head":
    from cartulary.records.chain import Head

    version, _, digest = text.partition(":")
    if not (version.isascii() and version.isdigit() and len(version) < 18 and len(digest) == 64):
        fail(f"{text!r} is no head; expected VERSION:DIGEST with 64 hexadecimal digits, as `log` prints it")
    return Head(int(version), digest.lower())


def _proofs(what: list[str], noted: "Head | None", db: Path | None) -> Iterator["Proof"]:
    from cartulary.records import desk

    files = [name for name in what if Path(name).is_file()]
    for name in files:
        yield from _of_file(name, noted, db)
    if what and len(files) == len(what):
        return
    with opened(db) as store:
        if not what:
            yield from desk.verify_all(store)
        for name in what:
            if name not in files:
                yield desk.verify(store, name, noted)


def _of_file(name: str, noted: "Head | None", db: Path | None) -> Iterator["Proof"]:
    from cartulary.records import archive, desk

    if _is_archive(name):
        with open(name, "rb") as file:
            for line in file:
                if line.strip():
                    yield desk.verify_archive(_read(name, line), noted)
        return
    with open(name, encoding="utf-8", errors="replace") as text:
        named = list(archive.heads_in(text))
    if not named:
        fail(f"{name} holds no archive, and no score sheet that names the record it was exported from")
    with opened(db) as store:
        for id, head in named:
            yield desk.verify(store, id, noted or head)


def _read(name: str, line: bytes) -> "Archive":
    from cartulary.records import archive
    from cartulary.records.faults import Unfit

    try:
        return archive.read_archive(line)
    except Unfit as fault:
        fail(f"{name}: {fault}")


def _is_archive(name: str) -> bool:
    with open(name, "rb") as file:
        return file.read(1 << 12).lstrip()[:1] == b"{"


# --- the list ---


def list_(json: Json = False, db: Db = None) -> None:
    """List the games, the one written to last first.

    \b
    Example:
      cartulary list
    """
    from cartulary.records import desk

    with opened(db) as store:
        for game in desk.games(store):
            if json:
                put_json(game)
            else:
                state = game.result if game.closed or game.result != "*" else "open"
                plies = count(game.plies, "ply", "plies")
                parts = (game.id, game.date or "-", game.players, state, plies, game.verdict)
                put("  ".join(parts))


def reindex(json: Json = False, db: Db = None) -> None:
    """Write the games list anew from the log.

    \b
    Example:
      cartulary reindex
    """
    from cartulary.records import desk

    with opened(db) as store:
        written, faults = desk.reindex(store)
    for fault in faults:
        say(f"cartulary: {fault}")
    if json:
        put_json({"games": written, "faults": [str(fault) for fault in faults]})
    else:
        put(f"{count(written, 'game')} listed")
    leave(INTEGRITY if faults else 0)


# --- taking in ---


class _Counted(io.RawIOBase):
    """A file that tells a progress bar how much of it has been read."""

    def __init__(self, file: BinaryIO, bar: Advancing) -> None:
        self._file, self._bar = file, bar

    def readable(self) -> bool:
        return True

    def readinto(self, into: "WriteableBuffer") -> int:
        with memoryview(into) as view:
            data = self._file.read(len(view))
            view[: len(data)] = data
        self._bar.advance(len(data))
        return len(data)


def import_(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH…", help="Score sheets, folders of them, JSON archives, or -.")
    ],
    by: Annotated[str, typer.Option("--by", metavar="WHO", help="Who takes them in.")] = "",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No line for a game taken in without findings.")] = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Take finished score sheets or exported games in; doing it twice stores nothing twice.

    Ends with 1 when a game has errors or cannot be taken in, 3 when an archive is not what was exported.

    \b
    Example:
      cartulary import samples/cardmate/games
    """
    files = list(sheets(paths))
    size = sum(os.path.getsize(path) for path, fault in files if not fault and path != STDIN)
    with opened(db, create=True) as store, Bar("import", size) as bar:
        taking = _Taking(store, by, quiet, json)
        for path, fault in files:
            if fault:
                say(f"cartulary: {fault}")
                taking.worst(USAGE)
            else:
                taking.path(path, bar)
    say(taking.summary())
    leave(taking.code)


class _Taking:
    """What an import has come to so far."""

    def __init__(self, store: "Store", by: str, quiet: bool, json: bool) -> None:
        self.store, self.by, self.quiet, self.json = store, by, quiet, json
        self.code = 0
        self.counts = {"new": 0, "extended": 0, "known": 0, "declined": 0}

    def worst(self, code: int) -> None:
        """Remember the gravest exit code."""
        self.code = max(self.code, code)

    def path(self, path: str, bar: Advancing) -> None:
        """Take in one file, score sheets or archives."""
        try:
            if path == STDIN:
                self.file(path, io.BufferedReader(_Counted(sys.stdin.buffer, bar), BLOCK))
                return
            with open(path, "rb") as file:
                self.file(path, io.BufferedReader(_Counted(file, bar), BLOCK))
        except OSError as fault:
            say(f"cartulary: {path}: {os_fault(fault)}")
            self.worst(USAGE)

    def file(self, path: str, file: io.BufferedReader) -> None:
        """Take in what one file holds, whichever of the two it is."""
        if file.peek(1).lstrip()[:1] == b"{":
            self.archives(path, file)
        else:
            self.sheets(path, file)

    def sheets(self, path: str, file: BinaryIO) -> None:
        """Take in score sheets."""
        from cartulary.notation import load
        from cartulary.records import desk

        for answer in desk.import_records(self.store, load(file), path=path, by=self.by):
            self.taken(answer)

    def taken(self, answer: "Imported") -> None:
        """Say what became of one score sheet."""
        self.counts[answer.status] += 1
        report = answer.report
        if answer.status == "declined" or report.verdict in ("unreadable", "irregular"):
            self.worst(FINDINGS)
        if self.json:
            put_json({"id": answer.id, "status": answer.status, "because": answer.because, "report": report})
            return
        if not (self.quiet and report.verdict == "legal" and answer.status != "declined"):
            put(f"{game_line(report)}, {answer.id or answer.because}{' (known)' * (answer.status == 'known')}")
        for found in report.findings:
            for line in finding_lines(report.path, found, full=False):
                put(line)

    def archives(self, path: str, file: Iterable[bytes]) -> None:
        """Take in archives, one a line; a bad one never hides the next."""
        from cartulary.records import archive, desk
        from cartulary.records.faults import Conflict, Damaged, Declined

        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                restored = desk.restore(self.store, archive.read_archive(line))
            except (Damaged, Declined, Conflict) as fault:
                say(f"cartulary: {path}:{number}: {fault}")
                self.worst(INTEGRITY if isinstance(fault, Damaged) else FINDINGS)
                self.counts["declined"] += 1
                continue
            self.counts[restored.status] += 1
            if self.json:
                put_json(restored)
            else:
                put(f"{path}:{number}: {restored.id}, {restored.status}, {count(restored.version, 'event')}")

    def summary(self) -> str:
        """Return the last line: ``3 games: 2 new, 1 known``."""
        said = [f"{number} {status}" for status, number in self.counts.items() if number]
        return f"{count(sum(self.counts.values()), 'game')}{': ' if said else ''}{', '.join(said)}"


# --- giving out ---


class Format(StrEnum):
    """What an export is written as."""

    cgn = "cgn"
    json = "json"


def export(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID…", help="Live records.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every game of the database.")] = False,
    format: Annotated[Format, typer.Option("--format", help="Score sheets, or one JSON line a game.")] = Format.cgn,
    log: Annotated[
        bool, typer.Option("--log", help="With everything that was corrected; JSON: every stored event, importable.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Instead of standard output.")
    ] = None,
    db: Db = None,
) -> None:
    """Write games out as they stand: score sheets, or archives that prove themselves.

    \b
    Example:
      cartulary export evening --format json --log -o evening.json
    """
    if bool(ids) == all_:
        fail("name the games to export, or --all")
    with opened(db) as store:
        named = ids or store.ids()
        with Bar("export", len(named) * USUAL) as bar:
            pieces = _pieces(store, named, format, log, bar)
            if output is None:
                for piece in pieces:
                    put_bytes(piece)
            else:
                _write(output, pieces)


def _pieces(store: "Store", ids: Iterable[str], format: Format, log: bool, bar: Advancing) -> Iterator[bytes]:
    import msgspec

    from cartulary.notation import format_record
    from cartulary.notation.writer import HEADER
    from cartulary.records import desk

    for number, id in enumerate(ids):
        if format is Format.json:
            yield msgspec.json.encode(desk.export_json(store, id, log=log)) + b"\n"
        else:
            text = format_record(desk.export_cgn(store, id, log=log))
            yield (("\n" if number else HEADER) + text).encode()
        bar.advance(USUAL)


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    """Write the file whole or not at all: what was there stays until the new one is complete."""
    beside = path.with_name(path.name + ".part")
    try:
        with beside.open("wb") as file:
            file.writelines(pieces)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
