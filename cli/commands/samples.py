"""``samples``: says where the sample games are."""

from pathlib import Path
from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, put
from cartulary.cli.shell.options import named_game


def command(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="Print the path of this game's folder of score sheets.")
    ] = "",
) -> None:
    """Print the path of the folder with the sample games, which has one folder for each game.

    \b
    Example:
      cartulary validate "$(cartulary samples cardmate)/page-1.cgn"
    """
    folder = Path(__file__).resolve().parents[2] / "samples"
    if game:
        folder = folder / named_game(game).about.key / "games"
    if not folder.is_dir():
        fail(
            f"No samples of {game} came with this program; run `samples` without a game for all there are."
            if game
            else f"{folder} is missing; install the program again."
        )
    put(str(folder))
