"""The commands that keep the archive: prove, list, give out, and rebuild the games list."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cartulary.cli.findings import count, wrapped
from cartulary.cli.progress import Advancing, Bar
from cartulary.cli.shell import FINDINGS, INTEGRITY, USAGE, fail, leave, put, put_bytes, put_json, say
from cartulary.cli.table import Db, Json, SeatOf, opened, seat_of

if TYPE_CHECKING:
    from cartulary.notation import Record
    from cartulary.records.chain import Head
    from cartulary.records.desk import Archive, Proof
    from cartulary.records.store import Store

USUAL = 1000
"""Bytes of a usual game, for a bar that counts bytes."""
WIDEST = 40
"""Columns of the games list that a long name does not widen any more."""

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
    from cartulary.records.faults import shown

    noted = _head(head) if head else None
    if bool(what) == all_ or (noted and (all_ or len(what or []) != 1)):
        fail("name records or files to verify, or --all; --head goes with one of them")
    proving = _Proving(noted, db)
    for proof in proving.proofs(what or []):
        if proof.fault:
            proving.worst(INTEGRITY)
        if json:
            put_json(proof)
        elif proof.fault:
            put(f"{shown(proof.id) or 'the database'}: NOT PROVED: {proof.fault}")
        else:
            put(f"{proof.id}: proved, {count(proof.version, 'event')}, head {proof.version}:{proof.digest}")
    leave(proving.code)


def _head(text: str) -> "Head":
    from cartulary.records.chain import Head

    version, _, digest = text.partition(":")
    if not (version.isascii() and version.isdigit() and len(version) < 18 and len(digest) == 64):
        fail(f"{text!r} is no head; expected VERSION:DIGEST with 64 hexadecimal digits, as `log` prints it")
    return Head(int(version), digest.lower())


class _Proving:
    """Proofs of what was named; what cannot be proved at all is said, and the next one's turn comes."""

    def __init__(self, noted: "Head | None", db: Path | None) -> None:
        self.noted, self.db = noted, db
        self.code = 0

    def worst(self, code: int) -> None:
        """Remember the gravest exit code."""
        self.code = max(self.code, code)

    def proofs(self, what: list[str]) -> Iterator["Proof"]:
        """Yield the proofs of files and ids, files first; of the whole database where nothing is named."""
        from cartulary.records import desk

        files = [name for name in what if Path(name).is_file()]
        for name in files:
            yield from self._archive(name) if _is_archive(name) else self._sheets(name)
        if what and len(files) == len(what):
            return
        with opened(self.db) as store:
            if not what:
                yield from desk.verify_all(store)
            for name in what:
                if name not in files:
                    yield from self._record(store, name, self.noted)

    def _record(self, store: "Store", id: str, head: "Head | None") -> Iterator["Proof"]:
        from cartulary.records import desk
        from cartulary.records.faults import UnknownGame

        try:
            yield desk.verify(store, id, head)
        except UnknownGame as fault:
            self._cannot(str(fault), USAGE)

    def _archive(self, name: str) -> Iterator["Proof"]:
        from cartulary.records import archive, desk
        from cartulary.records.faults import Declined, Unfit

        with open(name, "rb") as file:
            for line in file:
                if line.strip():
                    try:
                        yield desk.verify_archive(archive.read_archive(line), self.noted)
                    except Declined as fault:
                        self._cannot(f"{name}: {fault}", USAGE if isinstance(fault, Unfit) else FINDINGS)

    def _sheets(self, name: str) -> Iterator["Proof"]:
        from cartulary.records import archive

        with open(name, encoding="utf-8", errors="replace") as text:
            named = list(archive.heads_in(text))
        if not named:
            because = f"{name} holds no archive, and no score sheet that names the record it was exported from"
            self._cannot(because, USAGE)
            return
        with opened(self.db) as store:
            for id, head in named:
                yield from self._record(store, id, self.noted or head)

    def _cannot(self, because: str, code: int) -> None:
        say(f"cartulary: {because}")
        self.worst(code)


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
        games = list(desk.games(store))
    if json:
        for game in games:
            put_json(game)
        return
    rows = [
        (
            game.id,
            game.date or "-",
            game.players,
            game.result if game.closed or game.result != "*" else "open",
            count(game.plies, "ply", "plies"),
            game.verdict,
        )
        for game in games
    ]
    widths = [min(max(map(len, column)), WIDEST) for column in zip(*rows, strict=True)]
    for row in rows:
        id, date, players, state, plies, verdict = map(str.ljust, row, widths)
        line = "  ".join((id, date, players, state, plies.strip().rjust(widths[4]), verdict)).rstrip()
        for piece in wrapped(line):
            put(piece)


def reindex(json: Json = False, db: Db = None) -> None:
    """Write the games list anew from the log.

    \b
    Example:
      cartulary reindex
    """
    from cartulary.records import desk

    with opened(db) as store:
        written, faults = desk.reindex(store)
    code = _said(faults)
    if json:
        put_json({"games": written, "faults": [str(fault) for fault in faults]})
    else:
        put(f"{count(written, 'game')} listed")
    leave(code)


def _said(faults: Iterable[Exception]) -> int:
    """Say what is wrong with games of the database; return the exit code that follows."""
    from cartulary.records.faults import Unfit

    code = 0
    for fault in faults:
        say(f"cartulary: {fault}")
        code = max(code, USAGE if isinstance(fault, Unfit) else INTEGRITY)
    return code


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
    seat: SeatOf = "",
    db: Db = None,
) -> None:
    """Write games out as they stand: score sheets, or archives that prove themselves.

    \b
    Example:
      cartulary export evening --format json --log -o evening.json
    """
    if bool(ids) == all_:
        fail("name the games to export, or --all")
    if seat and (log or format is Format.json):
        fail("--seat writes score sheets as the seat has seen them; --log and --format json hold what it has not")
    faults: list[Exception] | None = [] if all_ else None
    with opened(db) as store:
        named = ids or store.ids()
        with Bar("export", len(named) * USUAL) as bar:
            pieces = _pieces(_exported(store, named, format, log, seat_of(seat), faults, bar))
            if output is None:
                for piece in pieces:
                    put_bytes(piece)
            else:
                _write(output, pieces)
    leave(_said(faults or ()))


def _exported(
    store: "Store",
    ids: Iterable[str],
    format: Format,
    log: bool,
    seat: int,
    faults: list[Exception] | None,
    bar: Advancing,
) -> Iterator["Archive | Record"]:
    """Yield the games. faults: takes those of games that cannot be read, which are left out; None raises them."""
    from cartulary.records import desk
    from cartulary.records.faults import Damaged, Unfit, UnknownGame

    for id in ids:
        try:
            if format is Format.json:
                yield desk.export_json(store, id, log=log)
            else:
                yield desk.export_cgn(store, id, log=log, seat=seat)
        except (Damaged, Unfit, UnknownGame) as fault:
            if faults is None:
                raise
            faults.append(fault)
        bar.advance(USUAL)


def _pieces(games: Iterable["Archive | Record"]) -> Iterator[bytes]:
    import msgspec

    from cartulary.notation import Record, format_record
    from cartulary.notation.writer import HEADER

    first = True
    for game in games:
        if isinstance(game, Record):
            yield ((HEADER if first else "\n") + format_record(game)).encode()
            first = False
        else:
            yield msgspec.json.encode(game) + b"\n"


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    """Write the file whole or not at all: what was there stays until the new one is complete."""
    beside = path.with_name(path.name + ".part")
    try:
        with beside.open("wb") as file:
            file.writelines(pieces)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
