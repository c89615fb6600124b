"""``note``: annotates a ply or the game."""

from cartulary.cli.shell.console import fail
from cartulary.cli.shell.invocation import Invocation, argument, from_request, option
from cartulary.cli.shell.live import note_line
from cartulary.records import api
from cartulary.records.commands.annotation import glyph_code


@from_request(
    api.NoteRequest,
    ply=argument(min=0),
    text=argument(typed=tuple[str, ...], read=" ".join),
    glyphs=option("--glyph", typed=tuple[str, ...], read=lambda signs: [glyph_code(sign) for sign in signs]),
    replace=option("--replace", "--remove", typed=bool),
    comment=None,
    variations=None,
    within=None,
)
def command(typed: "Invocation[api.NoteRequest]") -> None:
    """Annotate a ply, or the game: add words, glyphs and variations to what is noted there.

    \b
    Example:
      cartulary note evening 3 "! the plan of the evening"
    """
    if typed.typed["text"] is None and typed.typed["glyphs"] is None and not typed.typed["replace"]:
        fail("Give TEXT, a --glyph or --replace.")
    answer, ply = typed.ask(api.annotate), typed.request.ply
    typed.put(answer, f"{f'ply {ply}' if ply else 'the game'}: {note_line(answer, typed.typed['replace'])}")
