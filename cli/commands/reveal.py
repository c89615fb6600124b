"""``reveal``: ends the quiet of a record."""

from cartulary.cli.shell.invocation import Invocation, from_request
from cartulary.cli.shell.places import next_command
from cartulary.records import api


@from_request(api.RevealRequest)
def command(typed: "Invocation[api.RevealRequest]") -> None:
    """Show everybody the verdicts of a quiet record, from the first ply on. Closing the game does so too.

    \b
    Example:
      cartulary reveal evening --by arbiter
    """
    answer = typed.ask(api.reveal)
    typed.put(answer, f"revealed; {next_command('check', typed.id, db=typed.db)} lists what was found")
