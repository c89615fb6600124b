"""``redo``: plays the plies of the last undo again."""

from cartulary.cli.shell.findings import count
from cartulary.cli.shell.invocation import Invocation, from_request
from cartulary.records import api


@from_request(api.RedoRequest)
def command(typed: "Invocation[api.RedoRequest]") -> None:
    """Play the plies again that the last undo took back; they are judged again.

    After several undos, each redo reverses one, the last one first.

    \b
    Example:
      cartulary redo evening --reason "the undo was the mistake"
    """
    answer = typed.ask(api.redo)
    typed.put(answer, f"played {' '.join(answer.words)} again; {count(answer.plies, 'ply stands', 'plies stand')}")
