"""``merge``: joins what parts of a command have written, made on one machine or many."""

from collections import deque
from enum import StrEnum
from itertools import groupby
from typing import Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, USAGE, Hangup, fail, leave, put, say
from cartulary.cli.shell.filters import told as drawn
from cartulary.cli.shell.findings import Totals, report_json
from cartulary.cli.shell.live import opened, put_listed
from cartulary.cli.shell.options import Db, SeatOf, for_everybody
from cartulary.cli.shell.part_bases import POSITIONS, YES, bases_merged, lines_of, marks_of, sheets_of
from cartulary.cli.shell.part_lines import FAIL_ON, merged
from cartulary.cli.shell.sources import gameless
from cartulary.cli.shell.taking import Taking
from cartulary.records import desk


class Divided(StrEnum):
    """The commands that take ``--part K/N``."""

    validate = "validate"
    import_ = "import"
    reindex = "reindex"


def command(
    what: Annotated[
        Divided,
        typer.Argument(metavar="COMMAND", help="The command that wrote the parts: validate, import or reindex."),
    ],
    parts: Annotated[list[str], typer.Argument(metavar="PART…", help="The files that hold the parts, in any order.")],
    seat: SeatOf = "",
    json: Annotated[bool, typer.Option("--json", help="For reindex: print one JSON object.")] = False,
    db: Db = None,
) -> None:
    """Join the parts that `--part K/N` made; the result is what the undivided command would give.

    Nothing is written if a part is missing, given twice or cut short, or belongs to something else.

    \b
    Example:
      cartulary validate --part 1/1 --json "$(cartulary samples cardmate)/page-1.cgn" > 1.jsonl
      cartulary merge validate 1.jsonl
      cartulary import --part 1/1 --db 1.db "$(cartulary samples cardmate)/page-1.cgn"
      cartulary merge import --db ALL.db 1.db
    """
    for_everybody(seat, "merge")
    if json and what is not Divided.reindex:
        fail(f"`merge {what.value}` prints in the format its parts were made for; leave out --json.")
    if what is Divided.validate:
        if db is not None:
            fail("`merge validate` reads no database; leave out --db.")
        _validate(parts)
    elif what is Divided.import_:
        _import(parts, db)
    else:
        _reindex(parts, json, db)


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
    for line in tally.lines(faults):
        say(line)
    leave(USAGE if faults else FINDINGS if tally.failed else 0)


def _import(parts: list[str], db: str | None) -> None:
    found = bases_merged("import", parts, db)
    header = found[0][1]
    given = {name: value == YES for name, value in header.options.items()}
    faults = deque(header.faults)
    with opened(db, create=True) as store:
        taking = Taking(store, header.options["--by"], given["--quiet"], given["--json"], False, given["seat"])
        for file, told in groupby(sheets_of([name for name, _ in found]), lambda each: each[0].file):
            while faults and faults[0][0] < file:
                _fault(taking, faults.popleft()[1])
            share, _ = next(told)
            before = taking.games
            for answer in desk.take_sheets(store, (sheet for _, sheet in told if sheet is not None)):
                taking.taken(answer)
            if taking.games == before:
                _fault(taking, gameless(share.path))
    for _, sentence in faults:
        _fault(taking, sentence)
    say(taking.summary())
    leave(taking.code)


def _fault(taking: Taking, sentence: str) -> None:
    say(f"cartulary: {sentence}")
    taking.worst(USAGE)


def _reindex(parts: list[str], json: bool, db: str | None) -> None:
    found = bases_merged("reindex", parts, db)
    names = [name for name, _ in found]
    positions = found[0][1].options.get(POSITIONS, "")
    if positions and positions != desk.encodings():
        fail("The parts were made by another version of the program; make them again with this one.")
    with opened(db) as store:
        _check_of_this_log(store, names)
        with drawn("games") as progress:
            marks = marks_of(names) if positions else None
            written, faults = desk.reindex(store, progress, lines_of(names), marks)
    leave(put_listed(written, faults, json, written if positions else None))


def _check_of_this_log(store: "desk.Store", names: list[str]) -> None:
    """End the program where parts are not of the games this database holds."""
    ids = iter(store.ids())
    for name in names:
        for id, lines in lines_of([name]):
            head = store.head(id) if next(ids, None) == id else None
            then = None if lines is None else desk.head_of(lines)
            if head is None or (then and then.version == head.version and then.digest != head.digest):
                fail(f"{name} was made from another log: {id} is not in this one, or differs. Make the part again.")
