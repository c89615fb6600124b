"""``reopen``: opens a closed game again."""

from cartulary.cli.shell.invocation import Invocation, from_request
from cartulary.records import api


@from_request(api.ReopenRequest)
def command(typed: "Invocation[api.ReopenRequest]") -> None:
    """Reopen a closed game, so that play can go on. Its result no longer counts; the log keeps it.

    \b
    Example:
      cartulary reopen evening --by arbiter --reason "closed too early"
    """
    typed.put(typed.ask(api.reopen), "open again")
