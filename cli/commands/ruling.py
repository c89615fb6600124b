"""``ruling``: an arbiter rules on plies or on a dispute."""

from typing import Annotated

import typer
from msgspec.structs import replace

from cartulary.cli.shell.console import FINDINGS, fail, leave, put, put_json, say
from cartulary.cli.shell.findings import wrap
from cartulary.cli.shell.invocation import Invocation, argument, from_request, option
from cartulary.cli.shell.live import DRY, put_tail
from cartulary.engine.numbers import seat_number
from cartulary.records import api
from cartulary.records.commands.ruling import outcome_lines, ruling_fields
from cartulary.records.state.event_words import ENTRY
from cartulary.records.state.event_words import say as say_event


def _by_seat(texts: list[str], what: str, expected: str) -> dict[str, str]:
    """Return what each ``SEAT=TEXT`` gives a seat, such as ``{"p2": "88"}``; end the program for anything else.

    Args:
        texts: The options, as they were typed.
        what: What such an option is called in a sentence.
        expected: What is expected after the seat, with an example.
    """
    by_seat: dict[int, str] = {}
    for text in texts:
        seat, equals, cost = text.partition("=")
        number = seat_number(seat)
        if not equals or not number:
            fail(f"{text!r} is not a {what}; expected a seat and {expected}.")
        if number in by_seat:
            fail(f"{seat} has more than one {what}; give one for each seat.")
        by_seat[number] = cost
    return {f"p{number}": cost for number, cost in by_seat.items()}


def _penalties(texts: list[str]) -> dict[str, str]:
    """Return the penalty of each seat, from options such as ``p2=88``: ``{"p2": "88"}``.

    Ends the program for any other.
    """
    return _by_seat(texts, "penalty", "its penalty, such as p2=88 or p2=a warning")


def _gifts(texts: list[str]) -> dict[str, str]:
    """Return the points given to each seat, from options such as ``p1=88``: ``{"p1": "88"}``.

    Ends the program for any other.
    """
    return _by_seat(texts, "gift of points", "what it is given, such as p1=88")


@from_request(
    api.RulingRequest,
    plies=argument(),
    decision=None,
    words=option("--amend", typed=str),
    penalties=option("--penalty", typed=tuple[str, ...], read=_penalties),
    gives=option("--give", typed=tuple[str, ...], read=_gifts),
    revokes=option("--revoke"),
    keys=option("--key"),
    cites=option("--cite"),
    dry=option("--dry-run"),
    order=(
        *("id", "plies", "dispute", "stands", "void", "rest", "words", "penalties", "gives", "score", "revokes"),
        *("result", "arbiter", "keys", "cites", "reason"),
    ),
)
def command(
    typed: "Invocation[api.RulingRequest]",
    stands: Annotated[
        bool, typer.Option("--stands", help="Let what was played stand, whatever the rules say.")
    ] = False,
    void: Annotated[bool, typer.Option("--void", help="Void the plies; those after them are kept.")] = False,
) -> None:
    """Rule on plies or on a dispute, even in a closed game. The log keeps everything; the game is then shown as you
    ruled.

    Exits with 1 when a ply after a void or amended one becomes illegal.

    \b
    Example:
      cartulary ruling evening 2 --stands --arbiter "A. Person" --reason "nobody objected in time"
    """
    plies, dispute, revoke = (typed.typed[name] for name in ("plies", "dispute", "revokes"))
    if revoke is not None and (plies or dispute is not None):
        fail("--revoke N names the ruling; leave out PLY and --dispute.")
    if revoke is None and bool(plies) == (dispute is not None):
        fail("Give the PLY you rule on (0 is the game as a whole), or --dispute N.")
    request = typed.request
    chosen = {
        "stands": stands,
        "void": void,
        "amended": bool(request.words),
        "result": bool(request.result),
        "revoked": revoke is not None,
    }
    points = "score" if request.gives or request.score else ""
    decision = _decision(chosen, "penalty" if request.penalties else points)
    answer = typed.ask(api.rule, replace(request, decision=decision))
    if typed.json:
        put_json(ruling_fields(answer))
    else:
        _put(answer)
    if not answer.stored:
        say(DRY)
    leave(FINDINGS if answer.tail is not None and answer.tail.conflict else 0)


def _decision(flags: dict[str, bool], alone: str) -> str:
    """Return the one decision that was typed; end the program for none or several.

    Args:
        flags: For each decision whether it was typed.
        alone: The decision that penalties or points alone stand for, empty if there are none.
    """
    chosen = [decision for decision, flag in flags.items() if flag]
    if len(chosen) > 1:
        fail(f"A ruling decides one thing; give only one of {' and '.join(chosen)}.")
    if not chosen and not alone:
        fail(
            "Say what was decided: --stands, --void, --amend TEXT, --penalty p2=88, --give p1=88, --score S, "
            "--result R or --revoke N."
        )
    return chosen[0] if chosen else alone


def _put(answer: "api.RulingAnswer") -> None:
    """Print a ruling, how the later plies stand, and the score or result that follows from it."""
    for line in wrap(f"{answer.id}: {say_event(answer.ruling, ENTRY)}"):
        put(line)
    if answer.tail is not None:
        put_tail(answer.tail)
    for text in outcome_lines(answer):
        for line in wrap(f"{answer.id}: {text}"):
            put(line)
