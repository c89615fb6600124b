"""Games as the command line names them."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import fail
from cartulary.notation import AnyGame, NotationError, find_game
from cartulary.notation.arbiter.heading import either
from cartulary.records import desk

_MANY = 4
"""More counts of seats than that are said as a range."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's key or title, as listed by `games`.")]


def named_game(name: str) -> AnyGame:
    """Return the game of that key or title, or end the program with a sentence that names those there are."""
    try:
        return find_game(name)
    except NotationError as fault:
        fail(str(desk.no_game(name, fault)))


def seat_words(counts: tuple[int, ...]) -> str:
    """Return how many seats there may be, many of them as a range."""
    low, high = min(counts), max(counts)
    return f"{low} to {high}" if len(counts) > _MANY and len(counts) == high - low + 1 else either(counts)
