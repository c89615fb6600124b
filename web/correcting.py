"""Correcting a record at the desk: what the page of a game offers for it."""

from typing import Any

from cartulary.notation.description import RESULT_TAGS
from cartulary.records import api
from cartulary.records.state.seat_view import players

COMMON_TAGS = ("Date", "Event", "Site")
"""Tags that can be corrected in every game."""


def corrections(game: "api.LiveGame") -> dict[str, Any]:
    """Return what can be corrected in a game as it stands now, for the forms of its page."""
    undos = game.book.undos
    values = dict(game.book.tags)
    result = [name for name in RESULT_TAGS if name in values and not game.plies]
    return {
        "version": game.head.version,
        "plies": game.plies,
        "undone": " ".join(ply.text for ply in undos[-1].plies) if undos else "",
        "closed": game.book.closed,
        "aside": bool(game.book.set_aside),
        "seats": [(f"p{seat}", "" if name == "?" else name) for seat, name in enumerate(players(game.record), 1)],
        "tags": [(name, values.get(name, "")) for name in (*result, *COMMON_TAGS)],
        "is_scored": bool(result),
    }
