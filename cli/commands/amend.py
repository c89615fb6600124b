"""``amend``: corrects what was written, and says how the later plies stand."""

from typing import Annotated

import typer

from cartulary.cli.shell.answers import put_tail
from cartulary.cli.shell.console import FINDINGS, fail, leave, put, put_json, say
from cartulary.cli.shell.live import DRY, not_stored, opened, put_findings
from cartulary.cli.shell.options import (
    AsSeat,
    By,
    Command,
    Db,
    DryRun,
    Expected,
    Id,
    Json,
    Quiet,
    Reason,
    Stands,
    asker,
)
from cartulary.records import desk


def command(
    id: Id,
    ply: Annotated[int, typer.Argument(metavar="PLY", help="The first ply to correct; plies count from 1.")],
    text: Annotated[list[str] | None, typer.Argument(metavar="TEXT…", help="What was really played.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the ply; later plies move up.")] = False,
    insert: Annotated[
        bool, typer.Option("--insert", help="Insert TEXT before the ply; later plies move down.")
    ] = False,
    plies: Annotated[
        int | None,
        typer.Option(
            "--plies", min=1, metavar="N", help="How many plies TEXT replaces; by default as many as it holds."
        ),
    ] = None,
    reason: Reason = "",
    stands: Stands = False,
    seat: AsSeat = "",
    quiet: Quiet = False,
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    dry_run: DryRun = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Correct what was written, even in a closed game; the plies after it are kept and judged again.

    Exits with 1 when the new moves are refused, or when a later ply becomes illegal.

    \b
    Example:
      cartulary amend evening 5 3Cd3 --by arbiter --reason "both remember d3"
    """
    if remove == bool(text) or (insert and (remove or plies)):
        fail("Give TEXT to correct the ply, --insert TEXT to put it before the ply, or --remove by itself.")
    replaced = 0 if insert else plies or (1 if remove else None)
    viewer, by = asker(seat, by)
    with opened(db) as store:
        answer = desk.amend(
            store,
            id,
            ply,
            " ".join(text or []),
            replaced=replaced,
            by=by,
            reason=reason,
            command=command,
            expected=expected,
            seat=viewer,
            stands=stands,
            quiet=quiet,
            dry=dry_run,
        )
    if json:
        put_json(desk.amended_fields(answer))
    else:
        _put_amended(answer)
    if not answer.stored:
        say(not_stored(answer.blocks))
    elif answer.dry:
        say(DRY)
    errors = any(finding.severity == "error" for finding in answer.findings)
    leave(FINDINGS if errors or answer.conflict else 0)


def _put_amended(answer: "desk.Amended") -> None:
    old, new_words = " ".join(answer.old), " ".join(answer.words)
    if not answer.old:
        what = f"{new_words} inserted"
    else:
        what = f"{old} is now {new_words}" if answer.words else f"{old} removed"
    put(
        f"{answer.id}: ply {answer.ply}, {what}"
        if answer.stored
        else f"{answer.id}: ply {answer.ply}, {new_words}: refused"
    )
    put_findings(answer.findings)
    put_tail(answer)
