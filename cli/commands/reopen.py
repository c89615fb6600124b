"""``reopen``: opens a closed game again."""

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.live import opened
from cartulary.cli.shell.options import AsSeat, By, Command, Db, Expected, Id, Json, Reason, asker
from cartulary.records import desk


def command(
    id: Id,
    reason: Reason = "",
    seat: AsSeat = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Reopen a closed game, so that play can go on. Its result no longer counts; the log keeps it.

    \b
    Example:
      cartulary reopen evening --by arbiter --reason "closed too early"
    """
    viewer, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.reopen(store, id, reason=reason, by=by, command=command, expected=expected, seat=viewer)
    if json:
        put_json(answer)
    else:
        put(f"{id}: open again")
