"""``dispute``: a player disputes a ply, or gives a dispute up."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, put, put_json
from cartulary.cli.shell.findings import wrapped
from cartulary.cli.shell.live import opened
from cartulary.cli.shell.options import AsSeat, By, Cite, Command, Db, Expected, Id, Json, Reason, asker
from cartulary.records import desk


def command(
    id: Id,
    ply: Annotated[
        int | None, typer.Argument(metavar="PLY", min=0, help="The ply, counted from 1; 0 is the game as a whole.")
    ] = None,
    claim: Annotated[str, typer.Option("--claim", metavar="TEXT", help="What is wrong, in the player's words.")] = "",
    withdraw: Annotated[int | None, typer.Option("--withdraw", metavar="N", help="Withdraw dispute N instead.")] = None,
    cite: Cite = None,
    reason: Reason = "",
    seat: AsSeat = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Dispute a ply, even in a closed game. Nothing in the game changes until somebody rules.

    \b
    Example:
      cartulary dispute evening 2 --by p1 --claim "the card was never on that square"
    """
    wrong = (claim or cite) if withdraw is not None else reason
    if (ply is None) == (withdraw is None) or wrong:
        fail("Give a PLY and a --claim, or --withdraw N and a --reason.")
    viewer, by = asker(seat, by)
    with opened(db) as store:
        if withdraw is not None:
            answer = desk.withdraw(
                store, id, withdraw, by=by, reason=reason, command=command, expected=expected, seat=viewer
            )
        else:
            sheets = cite or ()
            answer = desk.dispute(
                store, id, ply or 0, by=by, claim=claim, cites=sheets, command=command, expected=expected, seat=viewer
            )
    if json:
        put_json(answer)
        return
    for line in wrapped(f"{id}: {desk.dispute_text(answer.dispute)}"):
        put(line)
