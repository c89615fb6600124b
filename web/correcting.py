"""Correcting a record at the desk: what the page of a game offers for it."""

from typing import Any

from cartulary.notation.description import RESULT_TAGS
from cartulary.records import api
from cartulary.records.state.fold import played_game, variant_of
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
        "setup": None if game.book.closed else _setup(game),
    }


def _setup(game: "api.LiveGame") -> dict[str, Any] | None:
    """Return what the rules were set up with and can be corrected: variant, options and dealer; None if the game has
    none of these.
    """
    played = played_game(game)
    tags = dict(game.record.tags)
    dealer = tags.get("Dealer", "")
    setup = {
        "variant": variant_of(game),
        "variants": played.about.variants if len(played.about.variants) > 1 else (),
        "has_options": bool(played.about.options),
        "options": tags.get("Options", ""),
        "examples": ", ".join(option.key for option in played.about.options),
        "has_dealer": "Dealer" in played.sheet.names,
        "dealer": dealer,
    }
    return setup if setup["variants"] or setup["has_options"] or setup["has_dealer"] else None
