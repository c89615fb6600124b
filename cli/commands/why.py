"""``why``: tells the story of one ply."""

from typing import Annotated

import msgspec
import typer

from cartulary.cli.shell.console import FINDINGS, USAGE, fail, put, put_json
from cartulary.cli.shell.options import RECORD, Db, Json, Quiet, SeatOf
from cartulary.cli.shell.story import part_lines, story_lines
from cartulary.cli.shell.views import shown
from cartulary.notation import NotationError, Story
from cartulary.notation.arbiter.finding import finding_fields
from cartulary.records import desk


def command(
    name: Annotated[str, RECORD],
    ply: Annotated[int, typer.Argument(metavar="PLY", min=1, help="Which ply, from 1.")],
    seat: SeatOf = "",
    quiet: Quiet = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Tell the story of one ply: its rule, what was known then, what became known when, the verdict now.

    \b
    Example:
      cartulary why "$(cartulary samples tarot)/table-revoke.cgn" 17
    """
    asked = shown(name, db, seat, quiet)
    docket = asked.docket
    if asked.quiet:
        put_json({"quiet": True}) if json else put(desk.quiet_text(name))
        return
    try:
        told = docket.story(asked.record, ply, asked.kept)
    except NotationError as fault:
        fail(f"{name}: {fault.because}", USAGE if fault.key == "cgn.syntax" else FINDINGS)
    docket = docket.on(ply)
    if json:
        put_json(_story_fields(told) | docket.fields())
        return
    for line in story_lines(name, told):
        put(line)
    for text in docket.texts():
        label, _, said = text.partition(" ")
        for line in part_lines(label, said):
            put(line)


def _story_fields(told: Story) -> dict[str, object]:

    fields = msgspec.structs.asdict(told)
    fields["rules"] = [{"key": rule.key, "says": rule.says, "source": rule.source} for rule in told.rules]
    fields["now"] = [finding_fields(finding) for finding in told.now]
    return fields
