"""``agree``: signs a closed record off for a seat."""

from cartulary.cli.shell.console import fail, put, put_json
from cartulary.cli.shell.live import opened
from cartulary.cli.shell.options import AsSeat, By, Command, Db, Expected, Id, Json, asker
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
    """Say that a seat agrees with a closed record. The log names the head of that record, and the score sheet prints
    it.

    \b
    Example:
      cartulary agree evening --seat p1
    """
    viewer, by = asker(seat, by)
    if viewer is None:
        fail("Say which seat agrees, for example --seat p1.")
    with opened(db) as store:
        answer = desk.agree(store, id, viewer, by=by, command=command, expected=expected)
    if json:
        put_json(answer)
        return
    agreed = [f"p{agreement.seat}" for agreement in answer.agreed if not agreement.since]
    put(f"{id}: agreed by {', '.join(agreed)}")
