"""The routes: what each is called, what it is asked by, and what makes its page and its twin in JSON."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from cartulary.web import game, games, rules, stats
from cartulary.web.asked import Inquiry


class Resource(Struct, frozen=True):
    """A route. path: with names in braces; says: what it shows, a line; words: what may stand behind the question mark

    page: what its template shows; template: its name; twin: what ``path.json`` gives; whole: makes a whole document
    indexes: page and twin take a store whose positions may be indexed too
    """

    path: str
    says: str
    words: tuple[str, ...] = ()
    page: Callable[..., dict[str, Any]] | None = None
    template: str = ""
    twin: Callable[..., object] | None = None
    whole: Callable[[Inquiry], bytes] | None = None
    indexes: bool = False


LIST = (*games.FILTERS, *games.PAGING)
RESOURCES = (
    Resource("/games", "The games, the one written to last first.", LIST, games.listed, "games", games.listed_fields),
    Resource("/games/{id}", "A game at its last position.", (), game.game, "game", game.game_fields),
    Resource("/games/{id}/plies/{ply}", "A position of a game.", (), game.game, "game", game.position_fields),
    Resource("/games/{id}/log", "Everything ever written of a game.", (), game.log, "log", game.log_fields),
    Resource("/games/{id}/sheet", "The score sheet, to be printed.", whole=game.sheet),
    Resource("/games/{id}/replay", "A page that replays the game.", whole=game.replay),
    Resource(
        "/search",
        "Games found by words, by a position, by all that a list is asked by.",
        (*games.SOUGHT, *LIST),
        games.searched,
        "games",
        games.searched_fields,
        indexes=True,
    ),
    Resource(
        "/stats",
        "The archive in numbers.",
        ("table", "limit", "text", *games.FILTERS),
        stats.stats,
        "stats",
        stats.stats_fields,
    ),
    Resource("/rules", "The games there are.", (), rules.all_games, "all_rules"),
    Resource("/rules/{game}", "The rules of a game.", ("word", "variant"), rules.rules, "rules", rules.rules_fields),
    Resource(
        "/rules/{game}/{key}",
        "A rule by its key, or what a card or piece does.",
        ("variant",),
        rules.rules,
        "rules",
        rules.rules_fields,
    ),
)
"""Every route there is but for the style, the script and the description of these."""


def described() -> object:
    """Return the routes as OpenAPI 3.1 describes them."""
    paths = {}
    for place in RESOURCES:
        if place.twin is not None:
            paths[f"{place.path}.json"] = _operation(place, "application/json")
        paths[place.path] = _operation(place, "text/html")
    return {
        "openapi": "3.1.0",
        "info": {"title": "Cartulary, the desk", "version": "1", "description": "Reading only: nothing is written."},
        "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Cartulary-Key"}}},
        "security": [{"key": []}],
        "paths": paths,
    }


def _operation(place: Resource, kind: str) -> object:
    named = [part.strip("{}") for part in place.path.split("/") if part.startswith("{")]
    text = {"type": "string"}
    parameters = [{"name": name, "in": "path", "required": True, "schema": text} for name in named]
    parameters += [{"name": name, "in": "query", "required": False, "schema": text} for name in place.words]
    answers = {
        "200": {"description": place.says, "content": {kind: {}}},
        "default": {"description": "Why it cannot be shown, as a sentence."},
    }
    return {"get": {"summary": place.says, "parameters": parameters, "responses": answers}}
