"""Correcting a record at the desk: what the page of a game offers for it."""

from collections.abc import Mapping
from typing import Any

from cartulary.notation.description import RESULT_TAGS
from cartulary.notation.unjudged import nobody_judges
from cartulary.records import api
from cartulary.records.library.listing import score_in_force
from cartulary.records.state.fold import played_game, variant_of
from cartulary.records.state.seat_view import players

COMMON_TAGS = ("Date", "Event", "Site")
"""Tags that can be corrected in every game."""


def corrections(game: "api.LiveGame") -> dict[str, Any]:
    """Return what can be corrected in a game as it stands now, for the forms of its page.

    It says among others whether the game is closed, who sits where, and which tags, result and set-up it has. A form
    that does not fit the game has an empty value, or None.
    """
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
        "game": game.record.tag("Game") if nobody_judges(played_game(game)) else "",
        "is_scored": bool(result),
        "result": _result(game, values) if game.book.closed and not game.plies else None,
        "setup": None if game.book.closed else _setup(game),
    }


def _setup(game: "api.LiveGame") -> dict[str, Any] | None:
    """Return what the rules were set up with and can be corrected: variant, options and dealer.

    None if the game has none of these.
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


def _result(game: "api.LiveGame", values: Mapping[str, str]) -> dict[str, Any]:
    """Return the result of a finished game without moves, with a number a seat.

    Args:
        game: The game.
        values: Its tags, by name.

    Returns:
        ``lines``: the lines of numbers, each with the name of its tag, the line of the score sheet that it is (empty
        for none) and its numbers; ``table``: how the table ended, empty for everybody on his own; ``numbers``: where no
        tag states the result, the points or shares it was closed with.
    """
    lines = [(name, "", values[name].split(":")) for name in ("Points", "Places") if name in values]
    for text in values.get("Categories", "").split(";"):
        category, equals, numbers = (part.strip() for part in text.partition("="))
        if equals:
            lines.append(("Categories", category, numbers.split(":")))
    score = score_in_force(game)
    closed_with = score.split(":") if score else game.book.result.replace("1/2", "½").split("-")
    whole = [line for line in lines if len(line[2]) == game.book.seats]
    table = values.get("Table", "")
    return {
        "lines": whole,
        "table": table,
        "date": values.get("Date", ""),
        "numbers": () if whole or table or len(closed_with) != game.book.seats else closed_with,
    }
