"""Games that were found: the columns of their rows, and where there are more."""

from cartulary.cli.shell.console import say
from cartulary.records import desk

RIGHT = frozenset((4,))
"""The columns of the list that hold numbers."""


def say_end(hits: "tuple[desk.Hit, ...]", more: bool, offset: int) -> None:
    """Say where there is nothing, and where there is more."""
    if more:
        say(f"cartulary: there are more games; --offset {offset + len(hits)} goes on behind these")
    elif not hits:
        say("cartulary: no game was found" + (" behind those passed over" if offset else ""))
