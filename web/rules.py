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
from cartulary.web.asked import Inquiry, Wrong
from cartulary.web.pages import drawn, in_lines, link


def all_games(asked: Inquiry) -> dict[str, Any]:
    """Return what the page of all games shows."""
    return {
        "games": [(f"/rules/{key}", game.about.title, _opening(game.about.says)) for key, game in every_game().items()]
    }


def _opening(says: str) -> str:
    """Return what is said of a game as it begins a page."""
    return f"{says[:1].upper()}{says[1:]}"


def _game(asked: Inquiry) -> AnyGame:
    try:
        return find_game(asked.names["game"])
    except NotationError as fault:
        raise Wrong(str(no_game(asked.names["game"], fault)), HTTPStatus.NOT_FOUND) from None


def _variant(asked: Inquiry, game: AnyGame) -> str:
    variant = asked.one("variant")
    if variant and variant not in game.about.variants:
        raise Wrong(f"Found the variant {variant!r}, expected one of: {', '.join(game.about.variants)}.")
    return variant


def _looked_up(asked: Inquiry) -> tuple[AnyGame, str, str, LookedUp]:
    """Return the game, its variant, the word asked for and what was found of it. Raises Wrong where that is nothing."""
    game = _game(asked)
    variant, word = _variant(asked, game), asked.names.get("key", "") or asked.one("word")
    if not word:
        return game, variant, "", LookedUp(all_clauses(game, variant))
    found = look_up(game, word, variant)
    if found.entry is None and not found.clauses:
        meant = f"; did you mean {' or '.join(found.near)}?" if found.near else "."
        where = f" in {variant}" if variant else ""
        raise Wrong(f"{game.about.title} has no rule, card or piece {word!r}{where}{meant}", HTTPStatus.NOT_FOUND)
    return game, variant, word, found


def rules_fields(asked: Inquiry) -> object:
    """Return what `rules --json` gives: an entry, or the clauses."""
    game, _, _, found = _looked_up(asked)
    if found.entry is not None:
        return entry_fields(game, found.entry, found.clauses)
    return {"rules": [rule_fields(clause) for clause in found.clauses]}


def rules(asked: Inquiry) -> dict[str, Any]:
    """Return what the page of a game's rules shows: all of it, or what one word names."""
    game, variant, word, found = _looked_up(asked)
    it, path = game.about, f"/rules/{game.about.key}"
    entries = [] if word else [one for one in it.guide.entries if clauses_of(game, one, variant)]
    return {
        "key": it.key,
        "title": it.title,
        "says": _opening(it.says),
        "word": word,
        "variants": it.variants if len(it.variants) > 1 else (),
        "variant": variant,
        "entries": [(link(f"{path}/{one.name}", [("variant", variant)]), one) for one in entries],
        "entry": found.entry,
        "example": _example(game, found) if found.entry is not None else None,
        "clauses": [(f"{path}/{clause.key}", clause, reading(clause.source)) for clause in found.clauses],
        "twin": link(f"{path}.json", [("word", word), ("variant", variant)]),
    }


def _example(game: AnyGame, found: LookedUp) -> dict[str, Any]:
    """Return an entry's example, played."""
    assert found.entry is not None
    steps = shown_by(game, found.entry.example)
    words, after = " ".join(step.text for step in steps), steps[-1].after
    return {
        "word": words,
        "shows": found.entry.example.shows,
        "drawing": drawn(draw(game.words, after, None), f"{game.about.title}: {words}"),
        "picture": in_lines(plain(game.words.picture(after, None))),
    }
