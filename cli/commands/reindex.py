"""``reindex``: writes anew what games are listed and found by."""

from pathlib import Path
from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, leave, put, put_json
from cartulary.cli.shell.filters import told
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import opened, put_listed
from cartulary.cli.shell.options import ClusterAt, Db, Json, check_alone
from cartulary.cli.shell.part_bases import divide_reindex
from cartulary.cli.shell.parts import part_of, workers_at
from cartulary.cli.shell.places import db_place
from cartulary.records import desk


def command(
    positions: Annotated[
        bool,
        typer.Option("--positions", help="Rebuild the index of positions too; otherwise the next search fills it."),
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, max=512, metavar="N", help="How many processes share the work.")
    ] = 1,
    part: Annotated[
        str, typer.Option("--part", metavar="K/N", help="Work out only part K of N, for `merge` to write.")
    ] = "",
    into: Annotated[str, typer.Option("--into", metavar="FILE", help="The new file that --part writes to.")] = "",
    cluster: ClusterAt = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Rebuild from the log what `list` and `search` use; the log itself does not change.

    \b
    Example:
      cartulary reindex
    """
    check_alone(cluster, part or into, jobs)
    if part or into:
        _divide(part, into, positions, jobs, json, db)
        return
    if cluster and isinstance(db_place(db), Path):
        fail("`reindex --cluster` needs a log on a server, which every worker can reach; for a file use --jobs.")
    with workers_at(cluster) as workers, opened(db) as store, told("games") as progress:
        written, faults = desk.reindex(store, progress, positions=positions, jobs=jobs, workers=workers)
    leave(put_listed(written, faults, json, written if positions else None))


def _divide(part: str, into: str, positions: bool, jobs: int, json: bool, db: str | None) -> None:
    if not (part and into):
        fail("Give --part K/N and --into FILE together.")
    number = part_of(part)
    if jobs > 1:
        fail("--part is the share of one process; use more parts, or `reindex --jobs N` without --part.")
    with opened(db) as store:
        worked = divide_reindex(store, number, into, positions)
    if json:
        put_json({"games": worked})
    else:
        put(f"{count(worked, 'game')} worked out")
