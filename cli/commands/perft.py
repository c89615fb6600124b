"""``perft``: counts legal sequences of plies."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, put, put_json
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.options import GameName, Json, named_game
from cartulary.cli.shell.positions import read_position
from cartulary.engine import Refused, Sheet, perft
from cartulary.notation.unjudged import nobody_judges


def command(
    game: GameName,
    depth: Annotated[int, typer.Argument(min=1, metavar="DEPTH", help="How many plies to look ahead.")],
    source: Annotated[
        str, typer.Option("--from", metavar="FILE[#n]", help="Start from a position of this game instead.")
    ] = "",
    at: Annotated[
        int,
        typer.Option(
            "--at", min=-1, metavar="N", show_default=False, help="Start after N plies of it; by default at its end."
        ),
    ] = -1,
    db: Annotated[str | None, typer.Option("--db", metavar="PATH|URL", help="Where live records are kept.")] = None,
    json: Json = False,
) -> None:
    """Count the legal sequences of 1 to DEPTH plies, a line for each depth, to check the rules against other programs.

    \b
    Example:
      cartulary perft cardmate 3
    """
    rules_game = named_game(game)
    if source:
        position = read_position(source, None if at < 0 else at, db)
        if nobody_judges(position.game):
            fail(f"{source} is not judged, so its legal moves cannot be counted; name a record that is.")
        if position.game is not rules_game:
            fail(
                f"{source} is a game of {position.game.about.title}, not of {rules_game.about.title}; name another "
                "with --from."
            )
        state = position.state
    else:
        state = rules_game.rules.setup(Sheet(rules_game.about.variants[0], {}, rules_game.about.seats[0]))
        if isinstance(state, Refused):
            fail(f"{rules_game.about.title} has no fixed set-up; name a record to start from with --from.")
    for plies in range(1, depth + 1):
        try:
            total = perft(rules_game, state, plies)
        except ValueError as fault:
            fail(f"{count(plies, 'ply', 'plies')} ahead: {fault}.")
        put_json({"depth": plies, "count": total}) if json else put(f"{plies} {total}")
