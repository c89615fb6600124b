"""``reindex``: writes anew what games are listed and found by."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, leave, put, put_json
from cartulary.cli.shell.filters import told
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import opened, put_listed
from cartulary.cli.shell.options import Db, Json
from cartulary.cli.shell.part_bases import divide_reindex
from cartulary.cli.shell.parts import part_of
from cartulary.records import desk


def command(
    positions: Annotated[
        bool, typer.Option("--positions", help="The index of positions too; it is filled by the first search without.")
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, max=512, metavar="N", help="Processes that work positions out.")
    ] = 1,
    part: Annotated[
        str, typer.Option("--part", metavar="K/N", help="Only work the K-th of N parts out; `merge` writes them.")
    ] = "",
    into: Annotated[str, typer.Option("--into", metavar="FILE", help="The new file that --part goes into.")] = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Write anew from the log what games are listed and found by; the log itself stays as it is.

    \b
    Example:
      cartulary reindex
    """
    if part or into:
        _divide(part, into, positions or jobs > 1, json, db)
        return
    with opened(db) as store:
        with told("games") as progress:
            written, faults = desk.reindex(store, progress)
        placed = None
        if positions:
            with told("positions") as progress:
                placed = desk.place(store, progress, anew=True, jobs=jobs)
    leave(put_listed(written, faults, json, placed))


def _divide(part: str, into: str, positions: bool, json: bool, db: str | None) -> None:
    if not (part and into):
        fail("--part K/N and --into FILE go together")
    number = part_of(part)
    if positions:
        fail("--part works out what games are listed by; for positions `reindex --positions --jobs N` after the merge")
    with opened(db) as store:
        worked = divide_reindex(store, number, into)
    if json:
        put_json({"games": worked})
    else:
        put(f"{count(worked, 'game')} worked out")
