"""Games that were found: their fields, the columns of their rows, and where there are more."""

import msgspec

from cartulary.cli.shell.console import say
from cartulary.records import desk

RIGHT = frozenset((4,))
"""The columns of the list that hold numbers."""


_TOLD = ("id", "game", "event", "site", "date", "round", "players", "ply")
"""What is told of a game to somebody who asks for what a seat knew."""


def hit_fields(hit: "desk.Hit", placed: bool, seen: bool = False) -> dict[str, object]:
    """Return the fields of a game that was found. seen: only those for a seat, as where nothing else is known"""
    fields: dict[str, object] = msgspec.structs.asdict(hit.game)
    if hit.ply >= 0:
        fields["ply"] = hit.ply
    if not placed and hit.passage:
        fields["passage"] = hit.passage
    return {name: fields[name] for name in _TOLD if name in fields} if seen or not hit.game.verdict else fields


def say_end(hits: "tuple[desk.Hit, ...]", more: bool, offset: int) -> None:
    """Say where there is nothing, and where there is more."""
    if more:
        say(f"cartulary: there are more games; --offset {offset + len(hits)} goes on behind these")
    elif not hits:
        say("cartulary: no game was found" + (" behind those passed over" if offset else ""))
