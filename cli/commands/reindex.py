"""``reindex``: rebuilds what games are listed and found by."""

from pathlib import Path
from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, leave
from cartulary.cli.shell.filters import progress_bar
from cartulary.cli.shell.live import open_log, put_reindexed
from cartulary.cli.shell.options import ClusterAt, Db, Json, check_alone
from cartulary.cli.shell.parts import workers_at
from cartulary.cli.shell.places import db_place
from cartulary.records import api


def command(
    positions: Annotated[
        bool,
        typer.Option("--positions", help="Rebuild the index of positions too; otherwise the next search fills it."),
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, max=512, metavar="N", help="How many processes share the work.")
    ] = 1,
    cluster: ClusterAt = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Rebuild from the log what `list` and `search` use; the log itself does not change.

    \b
    Example:
      cartulary reindex
    """
    check_alone(cluster, jobs)
    if cluster and isinstance(db_place(db), Path):
        fail("`reindex --cluster` needs a log on a server, which every worker can reach; for a file use --jobs.")
    with workers_at(cluster) as workers, open_log(db) as store, progress_bar("games") as progress:
        games, faults = api.reindex(store, progress, positions=positions, jobs=jobs, workers=workers)
    leave(put_reindexed(games, faults, json, games if positions else None))
