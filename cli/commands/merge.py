"""``merge``: joins what parts of a command have written, made on one machine or many."""

from enum import StrEnum
from typing import Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, USAGE, Hangup, leave, put, say
from cartulary.cli.shell.findings import Totals, report_json
from cartulary.cli.shell.options import SeatOf, for_everybody
from cartulary.cli.shell.part_lines import FAIL_ON, merged
from cartulary.cli.shell.sources import gameless


class Divided(StrEnum):
    """The commands that take ``--part K/N``."""

    validate = "validate"


def command(
    what: Annotated[Divided, typer.Argument(metavar="COMMAND", help="What the parts are parts of: validate.")],
    parts: Annotated[list[str], typer.Argument(metavar="PART…", help="What each part wrote, in any order.")],
    seat: SeatOf = "",
) -> None:
    """Join the parts that `--part K/N` made, for one result: what the command gives that was not divided.

    Nothing is written where a part is missing, there twice, cut short, or of something else.

    \b
    Example:
      cartulary validate --part 1/1 --json "$(cartulary samples cardmate)/page-1.cgn" > 1.jsonl
      cartulary merge validate 1.jsonl
    """
    for_everybody(seat, "merge")
    _validate(parts)


def _validate(parts: list[str]) -> None:
    header, told = merged(parts)
    tally = Totals(header.options[FAIL_ON])
    games: dict[int, int] = {}
    paths: dict[int, str] = {}
    try:
        for share, report in told:
            paths[share.file] = share.path
            games[share.file] = games.get(share.file, 0) + (report is not None)
            if report is not None:
                tally.add(report)
                put(report_json(report).decode())
    except Hangup:
        leave(FINDINGS if tally.failed else USAGE if header.faults else 0)
        return
    faults = [sentence for _, sentence in header.faults] + [gameless(paths[at]) for at in paths if not games[at]]
    for sentence in faults:
        say(f"cartulary: {sentence}")
    say(str(tally))
    leave(USAGE if faults else FINDINGS if tally.failed else 0)
