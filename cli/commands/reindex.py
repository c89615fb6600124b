"""``reindex``: writes anew what games are listed and found by."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import leave, put, put_json
from cartulary.cli.shell.filters import told
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import opened, told_faults
from cartulary.cli.shell.options import Db, Json
from cartulary.records import desk


def command(
    positions: Annotated[
        bool, typer.Option("--positions", help="The index of positions too; it is filled by the first search without.")
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, max=512, metavar="N", help="Processes that work positions out.")
    ] = 1,
    json: Json = False,
    db: Db = None,
) -> None:
    """Write anew from the log what games are listed and found by; the log itself stays as it is.

    \b
    Example:
      cartulary reindex
    """
    with opened(db) as store:
        with told("games") as progress:
            written, faults = desk.reindex(store, progress)
        placed = 0
        if positions:
            with told("positions") as progress:
                placed = desk.place(store, progress, anew=True, jobs=jobs)
    code = told_faults(faults)
    if json:
        counted = {"positions": placed} if positions else {}
        put_json({"games": written, "faults": [str(fault) for fault in faults]} | counted)
    else:
        put(f"{count(written, 'game')} listed" + (f", the positions of {placed} indexed" if positions else ""))
    leave(code)
