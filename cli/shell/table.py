"""What the commands on live records share: their options, the open database, and how findings are printed."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cartulary.cli.shell.console import INTEGRITY, USAGE, coloured, db_path, fail, put, say
from cartulary.cli.shell.findings import legal_text, paint, wrapped
from cartulary.records import desk
from cartulary.records.faults import Unfit, Unread

if TYPE_CHECKING:
    from cartulary.notation import Finding

Db = Annotated[Path | None, typer.Option("--db", metavar="PATH", help="Where live records are kept.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="What `new` printed.")]
By = Annotated[str, typer.Option("--by", metavar="WHO", help="Who writes: p1, p2, arbiter, a name.")]
Command = Annotated[
    str, typer.Option("--command", metavar="KEY", help="Makes a repeated command harmless: the same key, one entry.")
]
Expected = Annotated[
    int | None, typer.Option("--expected", metavar="VERSION", help="Refuse if the game is not at this version.")
]
Stands = Annotated[bool, typer.Option("--stands", help="Keep a refused move, marked, and play on from it.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is there already.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Store nothing; say what would change.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept in the log.")]


SeatOf = Annotated[
    str,
    typer.Option(
        "--seat", metavar="p1", envvar="CARTULARY_SEAT", help="As this seat sees it; everything if not given."
    ),
]
A_SEAT = re.compile(r"p[1-9][0-9]?")


def seat_of(text: str) -> int:
    """Return 2 for ``p2``, 0 for nothing said; ends the program for what names no seat."""
    if not text:
        return 0
    seat = seat_named(text)
    if seat is None:
        fail(f"--seat {text[:24]}: a seat is p1, p2 and so on")
    return seat


def seat_named(text: str) -> int | None:
    """Return 2 for ``p2``, None for what names no seat of any game."""
    return int(text[1:]) if re.fullmatch(r"p0*[1-9][0-9]?", text) else None


def asker(seat: str, by: str) -> tuple[int, str]:
    """Return whose view is told, and who writes: `--by p1` alone is told what p1 is, `--seat p1` alone writes as p1."""
    whose = seat_of(seat or (by if A_SEAT.fullmatch(by) else ""))
    return whose, by or (f"p{whose}" if whose else "")


def for_everybody(seat: str, what: str) -> None:
    """End the program where a seat asks for what is told of whole games only. what: the command"""
    if seat:
        fail(f"`{what}` tells of whole games, and of cards that {seat} has not seen; it goes without a seat")


PATIENCE = 5
"""Seconds to wait for another writer."""


@contextmanager
def opened(db: Path | None, create: bool = False) -> Iterator["desk.Store"]:
    """Hold the database open; text that is no move is told with its place."""
    with desk.Store(db_path(db), create=create, patience=PATIENCE) as store:
        try:
            yield store
        except Unread as fault:
            place = f"{fault.text}, column {fault.column}: " if fault.text else ""
            fail(f"{place}{fault}", USAGE)


def told_faults(faults: Iterable[Exception]) -> int:
    """Say what is wrong with games of the database; return the exit code that follows."""
    code = 0
    for fault in faults:
        say(f"cartulary: {fault}")
        code = max(code, USAGE if isinstance(fault, Unfit) else INTEGRITY)
    return code


def finding_fields(finding: "Finding") -> dict[str, object]:
    """Return every field of a finding, empty ones too, but for the places a live record has none of."""
    import msgspec

    fields = msgspec.structs.asdict(finding)
    for name in ("line", "column", *(() if finding.plies else ("plies",))):
        del fields[name]
    return fields


def not_stored(blocks: bool) -> str:
    """Return why nothing was stored, and what can be done."""
    return "Nothing was stored; " + (
        "this cannot be applied, so it cannot be let stand." if blocks else "--stands keeps it, marked."
    )


DRY = "Nothing was stored; this is what would change."


def put_findings(findings: Iterable["Finding"]) -> None:
    """Write each finding with its rule, source and legal moves, indented under the move."""
    for found in findings:
        first, *rest = wrapped(f"  {found.severity} {found.key} {found.because}")
        put(first.replace(found.severity, paint(found.severity, found.severity, coloured()), 1))
        proved = f"by ply {found.decided_by}" if found.decided_by else ""
        ply = f"{found.move} (ply {found.ply})" if proved else ""
        legal = legal_text(found)
        details = (("move", ply), ("rule", found.rule), ("source", found.source), ("proved", proved), ("legal", legal))
        lines = [line for name, text in details if text for line in wrapped(f"    {name:<8}{text}", " " * 12)]
        for line in (*rest, *lines):
            put(line)
