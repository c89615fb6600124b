"""``aside``: sets a game aside as a duplicate or a mistake."""

from cartulary.cli.shell.invocation import Invocation, from_request
from cartulary.records import api


@from_request(api.AsideRequest, view=None)
def command(typed: "Invocation[api.AsideRequest]") -> None:
    """Set a game aside as a duplicate or a mistake: lists, searches, standings and numbers leave it out.

    The record stays as it is and can be shown; `list --aside` lists the games that are set aside. With --back the game
    counts again.

    \b
    Example:
      cartulary aside evening --reason "entered twice"
      cartulary aside evening --back
    """
    answer = typed.ask(api.set_aside)
    typed.put(answer, "counts" if answer.counts else "set aside; lists and standings leave it out")
