"""The routes: the path, roles and parameters of each, and the functions that make its page and its JSON view."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct
from starlette.routing import compile_path

from cartulary.records.state.links import PERSON
from cartulary.web import (
    arbiter,
    evenings,
    explorer,
    game,
    games,
    help,
    pad,
    people,
    results,
    rules,
    screen,
    seat,
    setting_up,
    standings,
    stats,
    table,
    watch,
)
from cartulary.web.actions import WORDS
from cartulary.web.assets import ASSETS
from cartulary.web.guard import JOIN, OWN_HEADER
from cartulary.web.inquiry import Inquiry
from cartulary.web.joining import JoinRequest
from cartulary.web.visitors import EVERYBODY, KEEPS, OPERATOR, RULES, SHEET, WRITES, AccessRule


class Resource(Struct, frozen=True):
    """A route that is read.

    Attributes:
        path: Where it is, such as ``/games/{id}/log``.
        summary: One line that says what it shows.
        parameters: The query parameters it knows; any other is refused.
        page: Returns the values of its template for an inquiry.
        template: The name of the template.
        json_view: Returns what ``path.json`` answers; None if there is no JSON view.
        document: Returns a whole document, for a route without a template.
        media_type: What the document is; anything but HTML is to be saved as a file.
        needs_index: Whether ``page`` and ``json_view`` also take a log whose positions may be indexed.
        roles: The roles that may ask for it.
        live_only: Whether it exists only on a server on which games are written.
        many_games: Whether it shows all games that the visitor's links open.
    """

    path: str
    summary: str
    parameters: tuple[str, ...] = ()
    page: Callable[..., dict[str, Any]] | None = None
    template: str = ""
    json_view: Callable[..., object] | None = None
    document: Callable[[Inquiry], bytes] | None = None
    media_type: str = "text/html"
    needs_index: bool = False
    roles: tuple[str, ...] = (OPERATOR,)
    live_only: bool = False
    many_games: bool = False


LIST = (*games.FILTERS, *games.PAGING)
RESOURCES = (
    Resource("/games", "The games, most recently written first.", LIST, games.list_page, "games", games.list_fields),
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
    Resource("/games/{id}/sheet", "The score sheet, to be printed.", document=game.sheet, roles=SHEET),
    Resource("/games/{id}/replay", "A page that replays the game.", document=game.replay, roles=SHEET),
    Resource(
        "/games/{id}/table",
        "A game as it is played.",
        ("below", "correct"),
        table.table,
        "table",
        table.table_fields,
        roles=WRITES,
        live_only=True,
    ),
    Resource(
        "/games/{id}/pad",
        "A pad, on which rounds of a game are entered as their scores.",
        (),
        pad.pad,
        "pad",
        pad.pad_json,
        roles=KEEPS,
        live_only=True,
    ),
    Resource(
        "/games/{id}/watch", "A game that is followed.", (), watch.watch, "watch", roles=EVERYBODY, live_only=True
    ),
    Resource(
        "/games/{id}/arbiter",
        "What is open, broken and disputed in a game, and what was ruled.",
        ("ply", "dispute"),
        arbiter.arbiter,
        "arbiter",
        arbiter.arbiter_fields,
        roles=RULES,
        live_only=True,
    ),
    Resource(
        "/arbiter",
        "How much is open, broken and disputed at every table.",
        (),
        arbiter.tables,
        "arbiters",
        arbiter.tables_fields,
        roles=RULES,
        live_only=True,
        many_games=True,
    ),
    Resource(
        "/tables",
        "The tables in play, as the rail sees them, for a screen in the room.",
        screen.SCREEN_PARAMETERS,
        screen.screen,
        "tables",
        screen.screen_fields,
        live_only=True,
    ),
    Resource(
        "/games/{id}/links",
        "The links to a game.",
        (),
        setting_up.links,
        "links",
        setting_up.links_fields,
        live_only=True,
    ),
    Resource(
        seat.PAGE,
        "Where the holder of a person's link sits now; it leads on to that table.",
        (),
        seat.seat,
        "seat",
        seat.seat_fields,
        roles=(PERSON,),
        live_only=True,
    ),
    Resource("/new", "A form for a new game.", ("game", "unjudged", "like"), setting_up.new, "new", live_only=True),
    Resource(
        "/result",
        "A form for the result of a finished game.",
        ("game", "event"),
        results.result,
        "result",
        live_only=True,
    ),
    Resource(
        "/search",
        "Games found by words, by a position, or by any filter of the list.",
        (*games.SEARCH_PARAMETERS, *LIST),
        games.search_page,
        "games",
        games.search_fields,
        needs_index=True,
    ),
    Resource(
        "/stats",
        "The archive in numbers.",
        ("table", "limit", "text", *games.FILTERS),
        stats.stats,
        "stats",
        stats.stats_fields,
    ),
    Resource(
        "/standings",
        "Who has won what in the finished games.",
        standings.PARAMETERS,
        standings.standings,
        "standings",
        standings.standings_fields,
    ),
    Resource(
        "/standings.csv",
        "The standings as a table.",
        standings.PARAMETERS,
        document=standings.standings_csv,
        media_type="text/csv",
    ),
    Resource(
        "/standings.svg",
        "The standings as a picture.",
        standings.PARAMETERS,
        document=standings.standings_picture,
        media_type="image/svg+xml",
    ),
    Resource(
        "/explore",
        "What was played after some first words, how often, and with which results.",
        explorer.PARAMETERS,
        explorer.explorer,
        "explore",
        explorer.explorer_fields,
    ),
    Resource("/evenings", "The evenings.", (), evenings.evenings, "evenings", evenings.evenings_fields),
    Resource(
        "/evening",
        "An evening: its rounds and tables, who sits where and who is free.",
        ("name",),
        evenings.evening,
        "evening",
        evenings.evening_view,
    ),
    Resource(
        "/evening.trf",
        "An evening as a tournament report, for pairing engines.",
        ("name",),
        document=evenings.tournament_report,
        media_type="text/plain",
    ),
    Resource("/people", "Everybody who has played.", ("name",), people.people, "people", people.people_fields),
    Resource(
        "/person",
        "A person: results in each game, opponents, games and names.",
        ("name", "offset"),
        people.person,
        "person",
        people.person_fields,
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
    Resource("/help", "How a table is used.", (), help.help_page, "help", roles=EVERYBODY),
)
"""Every route that is read, but for ``ASSETS``."""
ACTIONS = (
    WORDS,
    *table.AT_TABLE,
    *pad.ROUNDS,
    *arbiter.RULINGS,
    *setting_up.SETTING_UP,
    *people.NAMING,
    *evenings.AT_EVENINGS,
    *results.RESULTS,
)
"""Every route that writes, but for ``JOIN``, which exchanges the secret of a link for a cookie."""
OPENAPI_PATH = "/openapi.json"
EVENTS = "/events"
"""The stream of events of the games that a visitor follows."""


def resources(writes: bool) -> tuple[Resource, ...]:
    """Return the routes that are read on this server.

    Args:
        writes: Whether games are written here; if not, the routes that serve writing are left out.
    """
    return tuple(resource for resource in RESOURCES if writes or not resource.live_only)


def access_rules() -> tuple[AccessRule, ...]:
    """Return who may ask for each path, in the order in which paths are matched: a JSON view before its page.

    They are the same for every server; routes that a server does not have answer nothing there.
    """
    paths = [AccessRule("GET", re.compile(re.escape(path)), EVERYBODY) for path in (*ASSETS, EVENTS)]
    for resource in RESOURCES:
        for path in (f"{resource.path}.json",) * (resource.json_view is not None) + (resource.path,):
            as_json = path != resource.path
            paths.append(AccessRule("GET", compile_path(path)[0], resource.roles, resource.many_games, as_json))
    return (*paths, *(AccessRule("POST", compile_path(action.path)[0], action.roles) for action in ACTIONS))


def openapi(writes: bool) -> dict[str, object]:
    """Return the OpenAPI 3.1 description of this server as values of JSON.

    Args:
        writes: Whether games are written here; if not, the routes for writing are left out.
    """
    paths: dict[str, dict[str, object]] = {}
    for resource in resources(writes):
        if resource.json_view is not None:
            paths[f"{resource.path}.json"] = _read_operation(resource, "application/json")
        paths[resource.path] = _read_operation(resource, resource.media_type)
    if writes:
        paths[EVENTS] = {"get": _stream_operation()}
        joining = _write_operation(JOIN, "Take a link up; the browser keeps it in a cookie.", JoinRequest)
        paths[JOIN] = {
            **_read_operation(Resource(JOIN, "The page that takes a link up."), "text/html"),
            "post": joining,
        }
    for action in ACTIONS if writes else ():
        paths.setdefault(action.path, {})
        paths[action.path] = {
            **paths[action.path],
            "post": _write_operation(action.path, action.summary, action.body_type),
        }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Cartulary, the desk", "version": "1", "description": "Games read and written."},
        "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Cartulary-Key"}}},
        "security": [{"key": []}],
        "paths": paths,
    }


def _read_operation(resource: Resource, kind: str) -> dict[str, object]:
    """Return the OpenAPI path item of a route that is read: ``{"get": …}``.

    ``kind`` is the media type of its answer.
    """
    text = {"type": "string"}
    parameters = _path_parameters(resource.path)
    parameters += [{"name": name, "in": "query", "required": False, "schema": text} for name in resource.parameters]
    answers = {
        "200": {"description": resource.summary, "content": {kind: {}}},
        **_REFUSALS,
        "default": {"description": "Why it cannot be shown, as a sentence."},
    }
    return {"get": {"summary": resource.summary, "parameters": parameters, "responses": answers}}


def _stream_operation() -> dict[str, object]:
    """Return the OpenAPI operation of the stream of events."""
    meanings = {
        "game": "a game's id, one or more",
        "since": "the version each was seen at",
        "as": "with a link, its role; with the key, the word rail, for a screen in the room",
        "delay": "how many seconds later that screen sees what is written",
        "boards": "the word no, for events without the board",
    }
    parameters = [
        {"name": name, "in": "query", "required": name == "game", "description": says, "schema": {"type": "string"}}
        for name, says in meanings.items()
    ]
    parameters.append(
        _header_parameter("last-event-id", "where the stream was cut: the id of the last event that came")
    )
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
"""The OpenAPI responses that every path may give."""


def _header_parameter(name: str, says: str) -> dict[str, object]:
    """Return the OpenAPI parameter of an optional request header; ``says`` is what it means."""
    return {"name": name, "in": "header", "required": False, "description": says, "schema": {"type": "string"}}


def _path_parameters(path: str) -> list[dict[str, object]]:
    """Return the OpenAPI parameters of a path, all texts: ``/games/{id}`` has one, ``id``."""
    names = [part.strip("{}") for part in path.split("/") if part.startswith("{")]
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def _write_operation(path: str, summary: str, body_type: type[Struct]) -> dict[str, object]:
    """Return the OpenAPI operation of a route that writes, with the JSON schema of its body.

    Args:
        path: The path, from which its parameters are taken.
        summary: What the route does.
        body_type: The Struct that the body is read as.
    """
    _, components = msgspec.json.schema_components([body_type])
    [schema] = components.values()
    return {
        "summary": summary,
        "parameters": [
            *_path_parameters(path),
            _header_parameter(OWN_HEADER, "any value; needed unless the key is sent"),
        ],
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
