"""``samples``: says where the sample games are."""

from pathlib import Path
from typing import Annotated

import typer

from cartulary.cli.shell.console import fail, put
from cartulary.cli.shell.games import named_game


def command(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game, for the folder of its score sheets.")] = "",
) -> None:
    """Say where the sample games are that come with the program: a folder of score sheets for each game.

    \b
    Example:
      cartulary validate "$(cartulary samples cardmate)/page-1.cgn"
    """
    folder = Path(__file__).resolve().parents[2] / "samples"
    if game:
        folder = folder / named_game(game).about.key / "games"
    if not folder.is_dir():
        fail(f"no samples of {game} came with this program" if game else f"{folder} is not there; install it anew")
    put(str(folder))
