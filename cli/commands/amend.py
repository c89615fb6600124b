"""``amend``: corrects what was written, and says how the later plies stand."""

from typing import Annotated

import typer
from msgspec.structs import replace

from cartulary.cli.shell.console import FINDINGS, fail, leave, put, put_json, say
from cartulary.cli.shell.invocation import Invocation, argument, from_request, option
from cartulary.cli.shell.live import DRY, not_stored, open_log, put_findings, put_tail
from cartulary.cli.shell.options import Quiet
from cartulary.records import api
from cartulary.records.answers import amended_fields


@from_request(
    api.AmendRequest,
    ply=argument(),
    words=argument(typed=tuple[str, ...], read=" ".join, default=None),
    plies=option(min=1),
    dry=option("--dry-run"),
    order=("id", "ply", "words", "remove", "insert", "plies", "reason", "stands", "seat", "quiet"),
)
def command(
    typed: "Invocation[api.AmendRequest]",
    remove: Annotated[bool, typer.Option("--remove", help="Remove the ply; later plies move up.")] = False,
    insert: Annotated[
        bool, typer.Option("--insert", help="Insert TEXT before the ply; later plies move down.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Correct what was written, even in a closed game; the plies after it are kept and judged again.

    A round that `pad` entered is corrected by its fields too, as in Points=51; the others stay.

    Exits with 1 when the new moves are refused, or when a later ply becomes illegal.

    \b
    Example:
      cartulary amend evening 5 3Cd3 --by arbiter --reason "both remember d3"
    """
    plies = typed.typed["plies"]
    if remove == bool(typed.typed["words"]) or (insert and (remove or plies)):
        fail("Give TEXT to correct the ply, --insert TEXT to put it before the ply, or --remove by itself.")
    request = replace(typed.request, plies=0 if insert else plies or (1 if remove else None))
    with open_log(typed.db) as store:
        answer = api.amend(store, typed.id, request, replace(typed.viewer, quiet=quiet))
    if typed.json:
        put_json(amended_fields(answer))
    else:
        _put_amended(answer)
    if not answer.stored:
        say(not_stored(answer.blocks))
    elif answer.dry:
        say(DRY)
    errors = any(finding.severity == "error" for finding in answer.findings)
    leave(FINDINGS if errors or answer.conflict else 0)


def _put_amended(answer: "api.AmendAnswer") -> None:
    """Print what was corrected or why it was refused, the findings on it, and how the later plies stand."""
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
