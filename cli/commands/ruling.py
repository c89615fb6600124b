"""``ruling``: an arbiter rules on plies or on a dispute."""

import re
from typing import Annotated

import msgspec
import typer

from cartulary.cli.shell.answers import amended_fields, put_tail
from cartulary.cli.shell.console import FINDINGS, fail, leave, put, put_json, say
from cartulary.cli.shell.findings import wrapped
from cartulary.cli.shell.live import DRY, opened
from cartulary.cli.shell.options import By, Cite, Command, Db, DryRun, Expected, Id, Json, Reason, SeatOf, asker
from cartulary.records import desk


def command(
    id: Id,
    plies: Annotated[
        list[int] | None, typer.Argument(metavar="PLY…", help="On which plies, from 1; 0 is the game as a whole.")
    ] = None,
    dispute: Annotated[
        int | None, typer.Option("--dispute", metavar="N", help="In answer to dispute N, on the disputed ply.")
    ] = None,
    stands: Annotated[bool, typer.Option("--stands", help="What was played stands, whatever the rules say.")] = False,
    void: Annotated[bool, typer.Option("--void", help="The plies are taken out; the tail is kept.")] = False,
    rest: Annotated[bool, typer.Option("--rest", help="With --void: and every ply behind them.")] = False,
    amend: Annotated[
        str,
        typer.Option("--amend", metavar="TEXT", help="This was played instead; more words than plies put the rest in."),
    ] = "",
    penalty: Annotated[
        list[str] | None,
        typer.Option("--penalty", metavar="p2=88", help="What a seat pays: points, or words; alone or with another."),
    ] = None,
    give: Annotated[
        list[str] | None, typer.Option("--give", metavar="p1=88", help="Points a seat is given; alone or with another.")
    ] = None,
    score: Annotated[
        str, typer.Option("--score", metavar="176:-88:-88", help="What the score is; alone or with another.")
    ] = "",
    revoke: Annotated[int | None, typer.Option("--revoke", metavar="N", help="Ruling N counts no more.")] = None,
    result: Annotated[str, typer.Option("--result", metavar="1-0", help="The game is decided so, and closed.")] = "",
    arbiter: Annotated[str, typer.Option("--arbiter", metavar="NAME", help="Who rules.")] = "",
    key: Annotated[list[str] | None, typer.Option("--key", metavar="KEY", help="A clause cited; see `rules`.")] = None,
    cite: Cite = None,
    reason: Reason = "",
    seat: SeatOf = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    dry_run: DryRun = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Rule on plies or on a dispute, in a closed game too; the log keeps everything, the game stands as ruled.

    Ends with 1 when the tail behind a void or amended ply breaks.

    \b
    Example:
      cartulary ruling evening 2 --stands --arbiter "A. Person" --reason "nobody objected in time"
    """
    named = plies is not None and len(plies) > 0
    if revoke is not None and (named or dispute is not None):
        fail("--revoke N names the ruling; give no PLY and no --dispute")
    if revoke is None and named == (dispute is not None):
        fail("give the PLY the ruling is on (0 is the game as a whole), or --dispute N")
    whose, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.rule(
            store,
            id,
            _on(plies or []),
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
            penalties=_by_seat(penalty or [], "penalty", "what it pays, such as p2=88 or p2=a warning"),
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
            seat=whose,
            dry=dry_run,
        )
    if json:
        put_json(_fields(answer))
    else:
        _put(answer)
    if not answer.stored:
        say(DRY)
    leave(FINDINGS if answer.tail is not None and answer.tail.conflict else 0)


def _on(plies: list[int]) -> list[int]:
    """Return the plies, none for the game as a whole."""
    if 0 in plies and len(plies) > 1:
        fail("0 is the game as a whole; it stands alone")
    return [] if plies == [0] else plies


def _decision(given: dict[str, bool], alone: str) -> str:
    """Return what was decided. alone: what a ruling on points alone is; empty where it is on none"""
    chosen = [decision for decision, said in given.items() if said]
    if len(chosen) > 1:
        fail(f"a ruling decides one thing; {' and '.join(chosen)} were given")
    if not chosen and not alone:
        fail(
            "say what was decided: --stands, --void, --amend TEXT, --penalty p2=88, --give p1=88, --score S, "
            "--result R or --revoke N"
        )
    return chosen[0] if chosen else alone


def _by_seat(texts: list[str], what: str, expected: str) -> dict[int, str]:
    given: dict[int, str] = {}
    for text in texts:
        seat, equals, cost = text.partition("=")
        if not equals or not re.fullmatch(r"p[1-9][0-9]?", seat):
            fail(f"{text!r} is no {what}; expected a seat and {expected}")
        number = int(seat[1:])
        if number in given:
            fail(f"{seat} has two of them here ({what}); put both in one")
        given[number] = cost
    return given


def _fields(answer: "desk.RulingAnswer") -> dict[str, object]:
    fields = msgspec.structs.asdict(answer)
    fields["tail"] = amended_fields(answer.tail) if answer.tail is not None else None
    return fields


def _put(answer: "desk.RulingAnswer") -> None:
    for line in wrapped(f"{answer.id}: {desk.ruling_text(answer.ruling)}"):
        put(line)
    if answer.tail is not None:
        put_tail(answer.tail)
    would = "" if answer.stored else "would be "
    if answer.ruling.points or answer.ruling.score or answer.ruling.decision == "revoked":
        for line in wrapped(f"{answer.id}: the score {'is' if answer.stored else 'would be'} {_score(answer)}"):
            put(line)
    if answer.ruling.decision == "result":
        put(f"{answer.id}: {would}closed, {answer.result}, {answer.termination}")


def _score(answer: "desk.RulingAnswer") -> str:
    return desk.score_text(answer.score) if answer.score else "what the rules make it"
