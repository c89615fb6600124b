"""``reopen``: opens a closed game again."""

from cartulary.cli.shell.invocation import Invocation, from_request
from cartulary.records import desk


@from_request(desk.ReopenRequest)
def command(typed: "Invocation[desk.ReopenRequest]") -> None:
    """Reopen a closed game, so that play can go on. Its result no longer counts; the log keeps it.

    \b
    Example:
      cartulary reopen evening --by arbiter --reason "closed too early"
    """
    typed.put(typed.ask(desk.reopen), "open again")
