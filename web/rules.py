"""The rules of a game: what its cards and pieces do, and every clause with its source."""

from http import HTTPStatus
from typing import Any

from cartulary.notation import AnyGame, NotationError, draw, find_game
from cartulary.notation.arbiter.lookup import (
    LookedUp,
    all_clauses,
    clauses_of,
    entry_fields,
    look_up,
    reading,
    rule_fields,
    shown_by,
)
from cartulary.notation.picture import plain
from cartulary.notation.roster import every_game
from cartulary.records.texts import no_game
from cartulary.web.inquiry import Inquiry, RequestFault
from cartulary.web.pages import lines_markup, link, svg_markup


def all_games(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page that lists the games: of each its address, title and description."""
    return {
        "games": [(f"/rules/{key}", game.about.title, _opening(game.about.says)) for key, game in every_game().items()]
    }


def _opening(says: str) -> str:
    """Return a game's description with a capital letter, to begin a page; an empty one unchanged."""
    return f"{says[:1].upper()}{says[1:]}"


def _game(inquiry: Inquiry) -> AnyGame:
    """Return the game that the path names by key or title.

    Raises:
        RequestFault: There is none. The status is 404.
    """
    try:
        return find_game(inquiry.path_parts["game"])
    except NotationError as fault:
        raise RequestFault(str(no_game(inquiry.path_parts["game"], fault)), HTTPStatus.NOT_FOUND) from None


def _variant(inquiry: Inquiry, game: AnyGame) -> str:
    """Return the parameter ``variant``, empty if it was not sent.

    Raises:
        RequestFault: The game has no such variant.
    """
    variant = inquiry.value("variant")
    if variant and variant not in game.about.variants:
        raise RequestFault(f"Found the variant {variant!r}, expected one of: {', '.join(game.about.variants)}.")
    return variant


def _look_up(inquiry: Inquiry) -> tuple[AnyGame, str, str, LookedUp]:
    """Return the game, the variant, the word to look up, and the rules and the entry that the word names.

    Without a variant or a word they are empty; an empty word gives all rules of the game.

    Raises:
        RequestFault: Nothing has that name. The status is 404, but 400 for a variant that the game does not have.
    """
    game = _game(inquiry)
    variant, word = _variant(inquiry, game), inquiry.path_parts.get("key", "") or inquiry.value("word")
    if not word:
        return game, variant, "", LookedUp(all_clauses(game, variant))
    match = look_up(game, word, variant)
    if match.entry is None and not match.clauses:
        suggestion = f"; did you mean {' or '.join(match.near)}?" if match.near else "."
        where = f" in {variant}" if variant else ""
        raise RequestFault(
            f"{game.about.title} has no rule, card or piece {word!r}{where}{suggestion}", HTTPStatus.NOT_FOUND
        )
    return game, variant, word, match


def rules_fields(inquiry: Inquiry) -> object:
    """Return what `rules --json` gives: the entry that the word of the address names, or else its rules."""
    game, _, _, match = _look_up(inquiry)
    if match.entry is not None:
        return entry_fields(game, match.entry, match.clauses)
    return {"rules": [rule_fields(clause) for clause in match.clauses]}


def rules(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page of a game's rules: all of them, or those that the word of the address names."""
    game, variant, word, match = _look_up(inquiry)
    about, path = game.about, f"/rules/{game.about.key}"
    entries = [] if word else [entry for entry in about.guide.entries if clauses_of(game, entry, variant)]
    return {
        "key": about.key,
        "title": about.title,
        "says": _opening(about.says),
        "word": word,
        "variants": about.variants if len(about.variants) > 1 else (),
        "variant": variant,
        "entries": [(link(f"{path}/{entry.name}", [("variant", variant)]), entry) for entry in entries],
        "entry": match.entry,
        "example": _example(game, match) if match.entry is not None else None,
        "clauses": [(f"{path}/{clause.key}", clause, reading(clause.source)) for clause in match.clauses],
        "twin": link(f"{path}.json", [("word", word), ("variant", variant)]),
    }


def _example(game: AnyGame, match: LookedUp) -> dict[str, Any]:
    """Return the example of the entry that was found: its words, what it shows, and the position after them.

    The position is given as a drawing and as text.
    """
    assert match.entry is not None
    steps = shown_by(game, match.entry.example)
    words, after = " ".join(step.text for step in steps), steps[-1].after
    return {
        "word": words,
        "shows": match.entry.example.shows,
        "drawing": svg_markup(draw(game.words, after, None), f"{game.about.title}: {words}"),
        "picture": lines_markup(plain(game.words.picture(after, None))),
    }
