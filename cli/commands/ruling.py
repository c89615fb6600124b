"""``ruling``: an arbiter rules on plies or on a dispute."""

from typing import Annotated

import typer

from cartulary.cli.shell.answers import put_tail
from cartulary.cli.shell.console import FINDINGS, fail, leave, put, put_json, say
from cartulary.cli.shell.findings import wrapped
from cartulary.cli.shell.live import DRY, opened
from cartulary.cli.shell.options import AsSeat, By, Cite, Command, Db, DryRun, Expected, Id, Json, Reason, asker
from cartulary.engine.numbers import seat_number
from cartulary.records import desk


def command(
    id: Id,
    plies: Annotated[
        list[int] | None,
        typer.Argument(metavar="PLY…", help="The plies ruled on, counted from 1; 0 is the game as a whole."),
    ] = None,
    dispute: Annotated[
        int | None, typer.Option("--dispute", metavar="N", help="Answer dispute N, ruling on the disputed ply.")
    ] = None,
    stands: Annotated[
        bool, typer.Option("--stands", help="Let what was played stand, whatever the rules say.")
    ] = False,
    void: Annotated[bool, typer.Option("--void", help="Void the plies; those after them are kept.")] = False,
    rest: Annotated[bool, typer.Option("--rest", help="With --void: void every later ply too.")] = False,
    amend: Annotated[
        str,
        typer.Option(
            "--amend", metavar="TEXT", help="What was played instead; words beyond the number of plies are inserted."
        ),
    ] = "",
    penalty: Annotated[
        list[str] | None,
        typer.Option(
            "--penalty",
            metavar="p2=88",
            help="A seat's penalty, in points or in words; alone or with another decision.",
        ),
    ] = None,
    give: Annotated[
        list[str] | None,
        typer.Option("--give", metavar="p1=88", help="The points a seat is given; alone or with another decision."),
    ] = None,
    score: Annotated[
        str, typer.Option("--score", metavar="176:-88:-88", help="What the score is; alone or with another decision.")
    ] = "",
    revoke: Annotated[int | None, typer.Option("--revoke", metavar="N", help="Revoke ruling N.")] = None,
    result: Annotated[
        str, typer.Option("--result", metavar="1-0", help="Decide the game with this result, and close it.")
    ] = "",
    arbiter: Annotated[str, typer.Option("--arbiter", metavar="NAME", help="Who rules.")] = "",
    key: Annotated[
        list[str] | None, typer.Option("--key", metavar="KEY", help="The key of a rule you cite; see `rules`.")
    ] = None,
    cite: Cite = None,
    reason: Reason = "",
    seat: AsSeat = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    dry_run: DryRun = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Rule on plies or on a dispute, even in a closed game. The log keeps everything; the game is then shown as you
    ruled.

    Exits with 1 when a ply after a void or amended one becomes illegal.

    \b
    Example:
      cartulary ruling evening 2 --stands --arbiter "A. Person" --reason "nobody objected in time"
    """
    has_plies = plies is not None and len(plies) > 0
    if revoke is not None and (has_plies or dispute is not None):
        fail("--revoke N names the ruling; leave out PLY and --dispute.")
    if revoke is None and has_plies == (dispute is not None):
        fail("Give the PLY you rule on (0 is the game as a whole), or --dispute N.")
    viewer, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.rule(
            store,
            id,
            plies or [],
            arbiter=arbiter,
            decision=_decision(
                {
                    "stands": stands,
                    "void": void,
                    "amended": bool(amend),
                    "result": bool(result),
                    "revoked": revoke is not None,
                },
                "penalty" if penalty else "score" if give or score else "",
            ),
            words=amend,
            penalties=_by_seat(penalty or [], "penalty", "its penalty, such as p2=88 or p2=a warning"),
            gives=_by_seat(give or [], "gift of points", "what it is given, such as p1=88"),
            score=score,
            revokes=revoke or 0,
            result=result,
            keys=key or [],
            reason=reason,
            dispute=dispute or 0,
            cites=cite or (),
            rest=rest,
            by=by,
            command=command,
            expected=expected,
            seat=viewer,
            dry=dry_run,
        )
    if json:
        put_json(desk.ruling_fields(answer))
    else:
        _put(answer)
    if not answer.stored:
        say(DRY)
    leave(FINDINGS if answer.tail is not None and answer.tail.conflict else 0)


def _decision(flags: dict[str, bool], alone: str) -> str:
    """Return what was decided; `alone` is what a ruling on points alone decides, empty if there are no points."""
    chosen = [decision for decision, flag in flags.items() if flag]
    if len(chosen) > 1:
        fail(f"A ruling decides one thing; give only one of {' and '.join(chosen)}.")
    if not chosen and not alone:
        fail(
            "Say what was decided: --stands, --void, --amend TEXT, --penalty p2=88, --give p1=88, --score S, "
            "--result R or --revoke N."
        )
    return chosen[0] if chosen else alone


def _by_seat(texts: list[str], what: str, expected: str) -> dict[int, str]:
    by_seat: dict[int, str] = {}
    for text in texts:
        seat, equals, cost = text.partition("=")
        number = seat_number(seat)
        if not equals or not number:
            fail(f"{text!r} is not a {what}; expected a seat and {expected}.")
        if number in by_seat:
            fail(f"{seat} has more than one {what}; give one for each seat.")
        by_seat[number] = cost
    return by_seat


def _put(answer: "desk.RulingAnswer") -> None:
    for line in wrapped(f"{answer.id}: {desk.ruling_text(answer.ruling)}"):
        put(line)
    if answer.tail is not None:
        put_tail(answer.tail)
    for text in desk.outcome_lines(answer):
        for line in wrapped(f"{answer.id}: {text}"):
            put(line)
