"""``dispute``: a player disputes a ply, or gives a dispute up."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, put, put_json
from cartulary.cli.shell.findings import wrap
from cartulary.cli.shell.invocation import Invocation, argument, from_request, option
from cartulary.cli.shell.options import Reason
from cartulary.records import api
from cartulary.records.state.event_words import ENTRY, say


@from_request(
    api.DisputeRequest,
    ply=argument(min=0, default=None),
    claim=option(default=""),
    who=None,
    cites=option("--cite"),
    order=("id", "ply", "claim", "withdraw"),
)
def command(
    typed: "Invocation[api.DisputeRequest]",
    withdraw: Annotated[int | None, typer.Option("--withdraw", metavar="N", help="Withdraw dispute N instead.")] = None,
    reason: Reason = "",
) -> None:
    """Dispute a ply, even in a closed game. Nothing in the game changes until somebody rules.

    \b
    Example:
      cartulary dispute evening 2 --by p1 --claim "the card was never on that square"
    """
    wrong = (typed.typed["claim"] or typed.typed["cites"]) if withdraw is not None else reason
    if (typed.typed["ply"] is None) == (withdraw is None) or wrong:
        fail("Give a PLY and a --claim, or --withdraw N and a --reason.")
    if withdraw is None:
        answer = typed.ask(api.dispute)
    else:
        given_up = typed.as_request(api.WithdrawRequest, dispute=withdraw, reason=reason)
        answer = typed.ask(api.withdraw, given_up)
    if typed.json:
        put_json(answer)
        return
    for line in wrap(f"{typed.id}: {say(answer.dispute, ENTRY)}"):
        put(line)
