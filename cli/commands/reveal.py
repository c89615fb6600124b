"""``reveal``: ends the quiet of a record."""

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.live import opened
from cartulary.cli.shell.options import AsSeat, By, Command, Db, Expected, Id, Json, asker
from cartulary.cli.shell.places import next_command
from cartulary.records import desk


def command(
    id: Id,
    seat: AsSeat = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Show everybody the verdicts of a quiet record, from the first ply on. Closing the game does so too.

    \b
    Example:
      cartulary reveal evening --by arbiter
    """
    viewer, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.reveal(store, id, by=by, command=command, expected=expected, seat=viewer)
    if json:
        put_json(answer)
    else:
        put(f"{id}: revealed; {next_command('check', id, db=db)} lists what was found")
