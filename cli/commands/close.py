"""``close``: closes a game with its result."""

from cartulary.cli.shell.invocation import Invocation, argument, from_request
from cartulary.cli.shell.places import next_command
from cartulary.records import api
from cartulary.records.faults import Declined, NoResult


@from_request(api.CloseRequest, result=argument())
def command(typed: "Invocation[api.CloseRequest]") -> None:
    """Close a game. It can still be amended, annotated, disputed and ruled on; `reopen` lets play go on.

    \b
    Example:
      cartulary close evening 1-0 --termination adjudication
    """
    try:
        answer = typed.ask(api.close)
    except NoResult as fault:
        how = ("--termination", fault.termination) if fault.termination else ()
        undecided = next_command("close", typed.id, "*", "--termination", "abandoned", db=typed.db)
        raise Declined(
            f"{typed.id} is not decided by its moves. Type {undecided} to leave it undecided, or give its result: "
            f"{next_command('close', typed.id, fault.result, *how, db=typed.db)}."
        ) from None
    typed.put(answer, f"closed, {answer.result}{f', {answer.termination}' if answer.termination else ''}")
