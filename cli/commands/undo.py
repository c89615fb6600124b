"""``undo``: takes back the last plies."""

from cartulary.cli.shell.findings import count
from cartulary.cli.shell.invocation import Invocation, argument, from_request
from cartulary.records import api


@from_request(api.UndoRequest, plies=argument(metavar="[N]"))
def command(typed: "Invocation[api.UndoRequest]") -> None:
    """Take back the last plies; the log keeps them.

    \b
    Example:
      cartulary undo evening 2 --by p1 --agreed p2
    """
    answer = typed.ask(api.take_back)
    typed.put(answer, f"took back {' '.join(answer.words)}; {count(answer.plies, 'ply remains', 'plies remain')}")
