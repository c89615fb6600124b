"""``reveal``: ends the quiet of a record."""

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.live import opened
from cartulary.cli.shell.options import By, Command, Db, Expected, Id, Json, SeatOf, asker
from cartulary.records import desk


def command(
    id: Id,
    seat: SeatOf = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Reveal what the rules say of a quiet record, to everybody and from the first ply on; the close does too.

    \b
    Example:
      cartulary reveal evening --by arbiter
    """
    whose, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.reveal(store, id, by=by, command=command, expected=expected, seat=whose)
    if json:
        put_json(answer)
    else:
        put(f"{id}: revealed; `cartulary check {id}` lists what was found")
