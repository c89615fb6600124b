"""Games that were found: the columns of their rows, and where there are more."""

from cartulary.cli.shell.console import say
from cartulary.records import desk

RIGHT = frozenset((4,))
"""The columns of the list that hold numbers."""


def say_end(hits: "tuple[desk.Hit, ...]", more: bool, offset: int) -> None:
    """Say where there is nothing, and where there is more."""
    if more:
        say(f"cartulary: There are more games; --offset {offset + len(hits)} shows the next ones.")
    elif not hits:
        say("cartulary: No more games were found." if offset else "cartulary: No game was found.")
