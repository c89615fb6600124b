"""``close``: closes a game with its result."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.live import opened
from cartulary.cli.shell.options import AsSeat, By, Command, Db, Expected, Id, Json, asker
from cartulary.cli.shell.places import next_command
from cartulary.records import desk
from cartulary.records.faults import Declined, NoResult


def command(
    id: Id,
    result: Annotated[
        str, typer.Argument(metavar="[RESULT]", help="The result, such as 1-0; by default what the moves say.")
    ] = "",
    termination: Annotated[
        str, typer.Option("--termination", metavar="TEXT", help="How it ended, as in the Termination tag.")
    ] = "",
    score: Annotated[str, typer.Option("--score", metavar="TEXT", help="The score, as in the Score tag.")] = "",
    seat: AsSeat = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Close a game. It can still be amended, annotated, disputed and ruled on; `reopen` lets play go on.

    \b
    Example:
      cartulary close evening 1-0 --termination adjudication
    """
    viewer, by = asker(seat, by)
    with opened(db) as store:
        try:
            answer = desk.close(
                store,
                id,
                result,
                termination=termination,
                score=score,
                by=by,
                command=command,
                expected=expected,
                seat=viewer,
            )
        except NoResult as fault:
            how = ("--termination", fault.termination) if fault.termination else ()
            undecided = next_command("close", id, "*", "--termination", "abandoned", db=db)
            raise Declined(
                f"{id} is not decided by its moves. Type {undecided} to leave it undecided, or give its result: "
                f"{next_command('close', id, fault.result, *how, db=db)}."
            ) from None
    if json:
        put_json(answer)
    else:
        put(f"{id}: closed, {answer.result}{f', {answer.termination}' if answer.termination else ''}")
