"""``clock``: writes or corrects the time left after a ply."""

from typing import Annotated

import typer

from cartulary.cli.shell.answers import clock_line
from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.live import opened
from cartulary.cli.shell.options import AsSeat, By, Command, Db, Expected, Id, Json, Reason, asker
from cartulary.records import desk


def command(
    id: Id,
    ply: Annotated[int, typer.Argument(metavar="PLY", min=1, help="The ply; plies count from 1.")],
    time: Annotated[str, typer.Argument(metavar="H:MM:SS", help="The time left after it.")],
    reason: Reason = "",
    seat: AsSeat = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Write or correct the time left after a ply, even in a closed game.

    \b
    Example:
      cartulary clock evening 3 0:12:30 --by arbiter --reason "read off the wrong clock"
    """
    viewer, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.set_clock(
            store, id, ply, time, by=by, reason=reason, command=command, expected=expected, seat=viewer
        )
    if json:
        put_json(answer)
    else:
        put(f"{id}: {clock_line(answer)}")
