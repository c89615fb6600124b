"""``note``: annotates a ply or the game."""

from typing import Annotated

import typer

from cartulary.cli.shell.answers import note_line
from cartulary.cli.shell.console import fail, put, put_json
from cartulary.cli.shell.live import opened
from cartulary.cli.shell.options import AsSeat, By, Command, Db, Expected, Id, Json, asker
from cartulary.records import desk


def command(
    id: Id,
    ply: Annotated[
        int, typer.Argument(metavar="PLY", min=0, help="The ply, counted from 1; 0 is the game as a whole.")
    ],
    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TEXT", help="The comment; a glyph such as ! or a variation such as (8Dj2 8Ca7) may come first."
        ),
    ] = None,
    glyph: Annotated[
        list[str] | None, typer.Option("--glyph", metavar="GLYPH", help="! ? !! ?? !? ?! or a code such as $14.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", "--remove", help="First remove everything that was noted there.")
    ] = False,
    seat: AsSeat = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Annotate a ply, or the game: add words, glyphs and variations to what is noted there.

    \b
    Example:
      cartulary note evening 3 "! the plan of the evening"
    """
    if text is None and glyph is None and not replace:
        fail("Give TEXT, a --glyph or --replace.")
    viewer, by = asker(seat, by)
    with opened(db) as store:
        noting = desk.read_noting(" ".join(text or []))
        answer = desk.annotate(
            store,
            id,
            ply,
            noting.comment,
            glyphs=(*map(desk.glyph_code, glyph or ()), *noting.glyphs),
            variations=noting.variations,
            replace=replace,
            by=by,
            command=command,
            expected=expected,
            seat=viewer,
        )
    if json:
        put_json(answer)
    else:
        put(f"{id}: {f'ply {ply}' if ply else 'the game'}: {note_line(answer, replace)}")
