"""``replay``: prints the position after every ply."""

from typing import Annotated

import typer
from msgspec.structs import replace

from cartulary.cli.shell.console import coloured, fail, has_screen, leave, put, put_json
from cartulary.cli.shell.findings import finding_lines, put_docket, wrap
from cartulary.cli.shell.options import Db, Json, Name, Plain, Quiet, SeatOf
from cartulary.cli.shell.places import next_command
from cartulary.cli.shell.positions import board_lines, follow, names_at, position_of
from cartulary.cli.shell.sources import STDIN, gameless, parse_source
from cartulary.cli.shell.views import view_games
from cartulary.cli.stepping.stepper import Stepper, open_notebook
from cartulary.notation import Finding
from cartulary.notation.arbiter.positions import note_text, numbered_word, ply_fields
from cartulary.notation.seat_names import name_seats
from cartulary.records.texts import quiet_text


def command(
    name: Name = STDIN,
    interactive: Annotated[
        bool, typer.Option("-i", "--interactive", help="Step through the game with the arrow keys.")
    ] = False,
    at: Annotated[int | None, typer.Option("--at", min=0, metavar="PLY", help="With -i: start at this ply.")] = None,
    seat: SeatOf = "",
    quiet: Quiet = False,
    no_color: Plain = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Print the position after every ply, with what the rules say about it.

    With -i you step through the game with the arrow keys, Home and End; typing g 17 and Enter goes to ply 17. Enter
    alone goes into a variation and Backspace leaves it. The keys !, c and v add a glyph, a comment or a variation to
    the ply shown. Notes on a stored game are kept in its log, as with `note`; notes on a CGN file are written into that
    file.

    \b
    Example:
      cartulary replay "$(cartulary samples cardmate)/page-1.cgn"

    \b
    At a terminal:
      cartulary replay -i --at 17 "$(cartulary samples tarot)/table-revoke.cgn"
    """
    colour = coloured(no_color)
    if interactive:
        leave(_step_through(name, at, seat, quiet, json, colour, db))
        return
    if at is not None:
        fail("--at needs -i, which starts there; to draw one position use `show --at`.")
    path = parse_source(name).name
    label = ""
    names: tuple[str, ...] = ()
    for label, game in view_games(name, db, seat, quiet):
        record, docket = game.record, game.docket
        examined = docket.examine(record, game.walk)
        findings = () if game.quiet else examined.report.findings
        for position in follow(label, game, examined.walk):
            if position.last is None:
                continue
            if json:
                put_json(ply_fields(position) | docket.on(position.ply).fields())
                continue
            for line in wrap(
                f"{label} ply {position.ply}: {numbered_word(position.game, position.last)}{note_text(position)}"
            ):
                put(line)
            names = names_at(position, game.people)
            for finding in findings:
                if finding.ply == position.ply:
                    _put_finding(path, replace(finding, because=name_seats(finding.because, names)))
            put_docket(docket.on(position.ply), names=names)
            if position.last.applied:
                for line in board_lines(position, game.people, colour):
                    put(line)
            put("")
        if not json:
            put_docket(docket.on(0), names=names)
            if game.quiet:
                put(quiet_text(path, next_command("reveal", path, db=db)))
    if not label:
        fail(gameless(name))


def _step_through(name: str, at: int | None, seat: str, quiet: bool, json: bool, colour: bool, db: str | None) -> int:
    """Let a person step through games on a full screen until it is left, and return the exit code.

    The program ends without a terminal, with ``json``, for standard input, and if no game is named.

    Args:
        name: A file, a game of a file, or the id of a stored game.
        at: The ply to begin at in the first game, None for the start.
        seat: As which seat to look; empty for everything.
        quiet: Whether to keep back the verdicts.
        json: Whether ``--json`` was typed.
        colour: Whether to show colours.
        db: The database of a stored game, None for the default one.
    """
    if json:
        fail("-i is for a person, --json for a program; use one of them.")
    if name == STDIN:
        fail("-i reads keys from the terminal, so it cannot read the game there; name a file or an id.")
    if not has_screen():
        fail("-i needs a terminal to draw on; leave it out to print every position.")
    notebook = open_notebook(name, db, seat, quiet)
    if not notebook.games:
        fail(gameless(name))
    stepper = Stepper(notebook)
    if at is not None:
        label, game = notebook.games[0]
        stepper.go(position_of(game, label, at).ply)
    from cartulary.cli.stepping.screen import StepScreen

    return StepScreen(stepper, colour).run()


def _put_finding(path: str, finding: Finding) -> None:
    """Print a finding after the name of its file, with its rule, source and legal moves."""
    for line in finding_lines(path, finding):
        put(line)
