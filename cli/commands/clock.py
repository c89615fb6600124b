"""``clock``: writes or corrects the time left after a ply."""

from cartulary.cli.shell.invocation import Invocation, argument, from_request
from cartulary.cli.shell.live import clock_line
from cartulary.records import api


@from_request(api.ClockRequest, ply=argument(min=1), clock=argument(required=True))
def command(typed: "Invocation[api.ClockRequest]") -> None:
    """Write or correct the time left after a ply, even in a closed game.

    \b
    Example:
      cartulary clock evening 3 0:12:30 --by arbiter --reason "read off the wrong clock"
    """
    answer = typed.ask(api.set_clock)
    typed.put(answer, clock_line(answer))
