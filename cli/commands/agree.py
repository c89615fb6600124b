"""``agree``: signs a closed record off for a seat."""

from cartulary.cli.shell.console import fail
from cartulary.cli.shell.invocation import Invocation, from_request
from cartulary.records import api


@from_request(api.AgreeRequest)
def command(typed: "Invocation[api.AgreeRequest]") -> None:
    """Say that a seat agrees with a closed record. The log names the head of that record, and the score sheet prints
    it.

    \b
    Example:
      cartulary agree evening --seat p1
    """
    if typed.viewer.seat is None:
        fail("Say which seat agrees, for example --seat p1.")
    answer = typed.ask(api.agree)
    agreed = [f"p{agreement.seat}" for agreement in answer.agreements if not agreement.since]
    typed.put(answer, f"agreed by {', '.join(agreed)}")
