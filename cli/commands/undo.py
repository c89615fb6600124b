"""``undo``: takes back the last plies."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import opened
from cartulary.cli.shell.options import AsSeat, By, Command, Db, Expected, Id, Json, Reason, asker
from cartulary.records import desk


def command(
    id: Id,
    plies: Annotated[int, typer.Argument(metavar="[N]", help="How many plies.")] = 1,
    agreed: Annotated[str, typer.Option("--agreed", metavar="WHO", help="Who agreed to it.")] = "",
    reason: Reason = "",
    seat: AsSeat = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Take back the last plies; the log keeps them.

    \b
    Example:
      cartulary undo evening 2 --by p1 --agreed p2
    """
    viewer, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.take_back(
            store,
            id,
            plies,
            by=by,
            agreed=agreed,
            reason=reason,
            command=command,
            expected=expected,
            seat=viewer,
        )
    if json:
        put_json(answer)
    else:
        put(f"{id}: took back {' '.join(answer.words)}; {count(answer.plies, 'ply remains', 'plies remain')}")
