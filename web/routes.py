"""The routes: what each is called, what its request may hold, and what makes its page and its JSON twin."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct
from starlette.routing import compile_path

from cartulary.web import arbiter, game, games, rules, screen, setting_up, stats, table, watch
from cartulary.web.asked import Inquiry
from cartulary.web.deeds import WORDS
from cartulary.web.guard import JOIN, OWN_HEADER
from cartulary.web.joining import JoinRequest
from cartulary.web.who import DESK, EVERYBODY, RULES, SHEET, WRITES, Doorway


class Resource(Struct, frozen=True):
    """A route. path: with names in braces; says: what it shows, a line; words: what may stand behind the question mark

    page: what its template shows; template: its name; twin: what ``path.json`` gives; whole: makes a whole document
    indexes: page and twin take a store whose positions may be indexed too; roles: who may ask
    several: it shows every game that whoever asks may come to
    lives: there is such a page only where games are written
    """

    path: str
    says: str
    words: tuple[str, ...] = ()
    page: Callable[..., dict[str, Any]] | None = None
    template: str = ""
    twin: Callable[..., object] | None = None
    whole: Callable[[Inquiry], bytes] | None = None
    indexes: bool = False
    roles: tuple[str, ...] = (DESK,)
    lives: bool = False
    several: bool = False


LIST = (*games.FILTERS, *games.PAGING)
RESOURCES = (
    Resource("/games", "The games, most recently written first.", LIST, games.listed, "games", games.listed_fields),
    Resource("/games/{id}", "A game at its last position.", (), game.game, "game", game.game_fields, roles=EVERYBODY),
    Resource(
        "/games/{id}/plies/{ply}",
        "A position of a game.",
        (),
        game.game,
        "game",
        game.position_fields,
        roles=EVERYBODY,
    ),
    Resource("/games/{id}/log", "All that was written to a game.", (), game.log, "log", game.log_fields, roles=SHEET),
    Resource("/games/{id}/sheet", "The score sheet, to be printed.", whole=game.sheet, roles=SHEET),
    Resource("/games/{id}/replay", "A page that replays the game.", whole=game.replay, roles=SHEET),
    Resource(
        "/games/{id}/table",
        "A game as it is played.",
        (),
        table.table,
        "table",
        table.table_fields,
        roles=WRITES,
        lives=True,
    ),
    Resource("/games/{id}/watch", "A game that is followed.", (), watch.watch, "watch", roles=EVERYBODY, lives=True),
    Resource(
        "/games/{id}/arbiter",
        "What is open, broken and disputed in a game, and what was ruled.",
        ("ply", "dispute"),
        arbiter.arbiter,
        "arbiter",
        arbiter.arbiter_fields,
        roles=RULES,
        lives=True,
    ),
    Resource(
        "/arbiter",
        "How much is open, broken and disputed at every table.",
        (),
        arbiter.tables,
        "arbiters",
        arbiter.tables_fields,
        roles=RULES,
        lives=True,
        several=True,
    ),
    Resource(
        "/tables",
        "The tables in play, as the rail sees them, for a screen in the room.",
        screen.ASKED,
        screen.screen,
        "tables",
        screen.screen_fields,
        lives=True,
    ),
    Resource(
        "/games/{id}/links", "The links to a game.", (), setting_up.links, "links", setting_up.links_fields, lives=True
    ),
    Resource("/new", "A form for a new game.", ("game",), setting_up.new, "new", lives=True),
    Resource(
        "/search",
        "Games found by words, by a position, or by any filter of the list.",
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
    Resource("/rules", "The games there are.", (), rules.all_games, "all_rules", roles=EVERYBODY),
    Resource(
        "/rules/{game}",
        "The rules of a game.",
        ("word", "variant"),
        rules.rules,
        "rules",
        rules.rules_fields,
        roles=EVERYBODY,
    ),
    Resource(
        "/rules/{game}/{key}",
        "A rule by its key, or what a card or piece does.",
        ("variant",),
        rules.rules,
        "rules",
        rules.rules_fields,
        roles=EVERYBODY,
    ),
)
"""Every route that is read but for those of ``OWN``."""
DEEDS = (WORDS, *table.AT_TABLE, *arbiter.RULINGS, *setting_up.SETTING_UP)
"""Every route that writes but for the one that takes links up."""
OWN = ("/desk.css", "/desk.js", "/queue.js", "/table.js", "/watch.js", "/away.js", "/icon.svg")
"""What our pages are made of."""
DESCRIBED = "/openapi.json"
EVENTS = "/events"
"""The stream of events: of each game that is asked for, to whoever may follow it."""


def resources(writes: bool) -> tuple[Resource, ...]:
    """Return every route that is read. writes: games are written here"""
    return tuple(place for place in RESOURCES if writes or not place.lives)


def doors() -> tuple[Doorway, ...]:
    """Return every door there is, those first that are matched first: a twin before its page."""
    found = [Doorway("GET", re.compile(re.escape(path)), EVERYBODY) for path in (*OWN, EVENTS)]
    for place in RESOURCES:
        for path in (f"{place.path}.json",) * (place.twin is not None) + (place.path,):
            as_json = path != place.path
            found.append(Doorway("GET", compile_path(path)[0], place.roles, place.several, as_json))
    return (*found, *(Doorway("POST", compile_path(deed.path)[0], deed.roles) for deed in DEEDS))


def described(writes: bool) -> dict[str, object]:
    """Return the routes as OpenAPI 3.1 describes them. writes: those too that write"""
    paths: dict[str, dict[str, object]] = {}
    for place in resources(writes):
        if place.twin is not None:
            paths[f"{place.path}.json"] = _operation(place, "application/json")
        paths[place.path] = _operation(place, "text/html")
    if writes:
        paths[EVENTS] = {"get": _streamed()}
        joining = _written(JOIN, "Take a link up; the browser keeps it in a cookie.", JoinRequest)
        paths[JOIN] = {**_operation(Resource(JOIN, "The page that takes a link up."), "text/html"), "post": joining}
    for deed in DEEDS if writes else ():
        paths.setdefault(deed.path, {})
        paths[deed.path] = {**paths[deed.path], "post": _written(deed.path, deed.says, deed.asks)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Cartulary, the desk", "version": "1", "description": "Games read and written."},
        "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Cartulary-Key"}}},
        "security": [{"key": []}],
        "paths": paths,
    }


def _operation(place: Resource, kind: str) -> dict[str, object]:
    text = {"type": "string"}
    parameters = _named(place.path)
    parameters += [{"name": name, "in": "query", "required": False, "schema": text} for name in place.words]
    answers = {
        "200": {"description": place.says, "content": {kind: {}}},
        **_REFUSALS,
        "default": {"description": "Why it cannot be shown, as a sentence."},
    }
    return {"get": {"summary": place.says, "parameters": parameters, "responses": answers}}


def _streamed() -> dict[str, object]:
    words = {
        "game": "a game's id, one or more",
        "since": "the version each was seen at",
        "as": "with a link, its role; with the key, the word rail, for a screen in the room",
        "delay": "how many seconds later that screen sees what is written",
    }
    parameters = [
        {"name": name, "in": "query", "required": name == "game", "description": says, "schema": {"type": "string"}}
        for name, says in words.items()
    ]
    parameters.append(_header("last-event-id", "where the stream was cut: the id of the last event that came"))
    answers = {
        "200": {
            "description": "Server-sent events, each with its game, version and kind.",
            "content": {"text/event-stream": {}},
        },
        **_REFUSALS,
        "default": {"description": "Why it cannot be followed, as a sentence."},
    }
    return {
        "summary": "Everything that is written to games, as it is written.",
        "parameters": parameters,
        "responses": answers,
    }


_REFUSALS: dict[str, object] = {
    "404": {
        "description": "There is nothing there; and the one answer to everything without the key or a link to it.",
        "content": {"text/plain": {}, "text/html": {}, "application/json": {}},
    },
    "429": {"description": "Too much was asked for at once; `retry-after` says when to ask again."},
}
"""What every address may answer in place of what was asked for."""


def _header(name: str, says: str) -> dict[str, object]:
    """Return a header of a request, which may be left out."""
    return {"name": name, "in": "header", "required": False, "description": says, "schema": {"type": "string"}}


def _named(path: str) -> list[dict[str, object]]:
    """Return the parts of a path by name, as OpenAPI has them."""
    named = [part.strip("{}") for part in path.split("/") if part.startswith("{")]
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in named]


def _written(path: str, says: str, asks: type[Struct]) -> dict[str, object]:
    _, components = msgspec.json.schema_components([asks])
    [schema] = components.values()
    return {
        "summary": says,
        "parameters": [*_named(path), _header(OWN_HEADER, "any value; needed unless the key is sent")],
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {
            "200": {"description": "What was stored.", "content": {"application/json": {}}},
            "403": {"description": f"Neither the key nor `{OWN_HEADER}` was sent, or a page of another site sent it."},
            **_REFUSALS,
            "409": {"description": "Somebody else wrote first, or the game takes nothing of the kind; and why."},
            "413": {"description": "The request is too long."},
            "415": {"description": "The request is not `application/json`."},
            "422": {"description": "Nothing was stored, and why.", "content": {"application/json": {}}},
            "default": {"description": "Why it is not done, as a sentence."},
        },
    }
