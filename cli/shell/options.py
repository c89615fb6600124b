"""The options and arguments that several commands share, and what they mean."""

import re
from collections.abc import Iterable
from typing import Annotated

import typer

from cartulary.cli.shell.console import fail

Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="PATH|URL",
        help="Where live records are kept, a file or postgresql://…; else CARTULARY_DB says, else a place of your own.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="What `new` printed.")]
By = Annotated[str, typer.Option("--by", metavar="WHO", help="Who writes: p1, p2, arbiter, a name.")]
Cite = Annotated[
    list[int] | None, typer.Option("--cite", metavar="N", help="A sheet kept with the game, by its number.")
]
Command = Annotated[
    str, typer.Option("--command", metavar="KEY", help="Makes a repeated command harmless: the same key, one entry.")
]
Expected = Annotated[
    int | None, typer.Option("--expected", metavar="VERSION", help="Refuse if the game is not at this version.")
]
Stands = Annotated[bool, typer.Option("--stands", help="Keep a refused move, marked, and play on from it.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is there already.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Store nothing; say what would change.")]
RAIL = "rail"
"""Who asks for what the bystander has seen."""
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept in the log.")]
SeatOf = Annotated[
    str,
    typer.Option(
        "--seat",
        metavar="p1|rail",
        envvar="CARTULARY_SEAT",
        autocompletion=lambda: [RAIL, *(f"p{seat}" for seat in range(1, 11))],
        help="As this seat sees it; rail: what all have seen; everything if not given.",
    ),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", envvar="CARTULARY_QUIET", help="Say nothing of what the rules find until it is revealed or closed."
    ),
]
RECORD = typer.Argument(
    metavar="FILE[#n]|ID|-", help="A score sheet (its n-th game), a live record, or standard input (the default)."
)
Name = Annotated[str, RECORD]
At = Annotated[
    int | None, typer.Option("--at", min=0, metavar="PLY", help="After so many plies; the end if not given.")
]
Plain = Annotated[bool, typer.Option("--no-color", help="No colour; NO_COLOR=1 does the same.")]
Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILE[#n]|ID|-", help="Score sheets, folders, live records; standard input if none."),
]
A_SEAT = re.compile(r"p[1-9][0-9]?")


def seat_of(text: str) -> int | None:
    """Return 2 for ``p2``, 0 for the rail, None for nothing said; ends the program for what names no seat."""
    if not text:
        return None
    seat = seat_named(text)
    if seat is None:
        fail(f"--seat {text[:24]}: a seat is p1, p2 and so on, or rail, who has seen what all have seen")
    return seat


def seat_named(text: str) -> int | None:
    """Return 2 for ``p2``, 0 for the rail, None for what names no seat of any game."""
    if text == RAIL:
        return 0
    return int(text[1:]) if re.fullmatch(r"p0*[1-9][0-9]?", text) else None


def asker(seat: str, by: str) -> tuple[int | None, str]:
    """Return whose view is told, and who writes: `--by p1` alone is told what p1 is, `--seat p1` alone writes as p1.

    Ends the program for the rail, which writes nothing.
    """
    if seat == RAIL:
        fail("--seat rail watches and writes nothing; say who writes with --by, or with a seat such as --seat p1")
    whose = seat_of(seat or (by if A_SEAT.fullmatch(by) else ""))
    return whose, by or (f"p{whose}" if whose else "")


def for_everybody(seat: str, what: str) -> None:
    """End the program where a seat asks for what is told of whole games only. what: the command"""
    if seat:
        who = "the rail" if seat == RAIL else seat
        fail(f"`{what}` tells of whole games, and of cards that {who} has not seen; it goes without a seat")


def pairs_of(texts: Iterable[str]) -> dict[str, str]:
    """Return the tags written as NAME=VALUE; ends the program for what is none."""
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            fail(f"{text!r} is no tag; expected NAME=VALUE, such as Event=Club")
        pairs[name] = value
    return pairs
