"""``why``: tells the story of one ply."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, USAGE, fail, put, put_json
from cartulary.cli.shell.findings import part_lines, story_lines
from cartulary.cli.shell.options import RECORD, Db, Json, Quiet, SeatOf
from cartulary.cli.shell.places import next_command
from cartulary.cli.shell.views import view_game
from cartulary.notation import NotationError
from cartulary.notation.arbiter.story import story_fields
from cartulary.records.texts import quiet_text


def command(
    name: Annotated[str, RECORD],
    ply: Annotated[int, typer.Argument(metavar="PLY", min=1, help="The ply, counted from 1.")],
    seat: SeatOf = "",
    quiet: Quiet = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Tell the story of one ply: its rule, what was known then, what has become known since, and the verdict now.

    \b
    Example:
      cartulary why "$(cartulary samples tarot)/table-revoke.cgn" 17
    """
    game = view_game(name, db, seat, quiet)
    docket = game.docket
    if game.quiet:
        put_json({"quiet": True}) if json else put(quiet_text(name, next_command("reveal", name, db=db)))
        return
    try:
        story = docket.story(game.record, ply, game.walk)
    except NotationError as fault:
        fail(f"{name}: {fault.because}.", USAGE if fault.key == "cgn.syntax" else FINDINGS)
    docket = docket.on(ply)
    if json:
        put_json(story_fields(story) | docket.fields())
        return
    for line in story_lines(name, story):
        put(line)
    for text in docket.texts():
        label, _, rest = text.partition(" ")
        for line in part_lines(label, rest):
            put(line)
