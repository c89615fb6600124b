"""Setting up a table: opening a game, and making the links by which phones join it. Only the operator may do this."""

from http import HTTPStatus
from typing import Annotated, Any

from msgspec import Meta, to_builtins

from cartulary.notation import NotationError, find_game
from cartulary.notation.contract import AnyGame
from cartulary.notation.description import Description, read_description, write_description
from cartulary.notation.roster import NotLoaded
from cartulary.notation.unjudged import scored_by_rounds, unjudged_game
from cartulary.records import api
from cartulary.records.commands.deal_tags import names_in_tags
from cartulary.records.commands.links import roles_of
from cartulary.records.faults import Unfit
from cartulary.records.sheets.link_cards import for_whom
from cartulary.records.state.fold import played_game, variant_of
from cartulary.records.state.links import link_fields
from cartulary.records.state.seat_view import players
from cartulary.web.actions import ActionResult, action_of
from cartulary.web.cards import card_fields, origin_of
from cartulary.web.games import title_of
from cartulary.web.inquiry import Inquiry, RequestFault
from cartulary.web.names_offered import (
    NewNames,
    check_spellings,
    evening_today,
    has_written,
    known_names,
    last_variant,
    likely_names,
    variant_lines,
)
from cartulary.web.pages import link
from cartulary.web.pages import title_of as title_of_players
from cartulary.web.visitors import OPERATOR

MOST_ROWS = 8
"""How many players a form has room for in a game that any number can play."""


class TableRequest(api.NewRequest, frozen=True):
    """A request to open a game."""

    new_names: NewNames = ()


class AddressedRequest(api.LinksRequest, frozen=True, kw_only=True):
    """A request to make links, with the address at which phones reach the server."""

    base: Annotated[str, Meta(description="The scheme and name that phones find the server by.")]


def open_game(inquiry: Inquiry, request: TableRequest) -> ActionResult:
    """Open a game and answer with its id and version, and with remarks on house rules that it cannot have.

    Raises:
        RequestFault: A player's name may be another spelling of a known one. The status is 409.
    """
    store = inquiry.store
    names = (*request.players, *names_in_tags(_installed(request.game), request.tags).values())

    def is_repeated() -> bool:
        return has_written(store, api.opening_of(store, request).id, request.command)

    check_spellings(store, names, request.new_names, is_repeated=is_repeated)
    made = api.open_game(store, request)
    return ActionResult(to_builtins(made))


def make_links(inquiry: Inquiry, request: AddressedRequest) -> ActionResult:
    """Make links for a game, and answer with the address of each and its QR code as a path of SVG.

    The addresses hold the secrets of the links, which are stored nowhere, so no later request can return them.
    """
    base = origin_of(request.base)
    id = inquiry.id
    made = api.make_links(inquiry.store, id, request)
    game = api.load(inquiry.store, id)
    names = players(game.record)
    cards = []
    for issue in made:
        says = for_whom(issue.link, names)
        card = card_fields(issue.link.number, id, issue.link.role, says, f"{base}/join#{issue.secret}")
        cards.append(card | {"title": f"{game.record.tag('Game')}: {_holder(game, issue.link)}"})
    return ActionResult(cards)


def _holder(game: "api.LiveGame", link: "api.Link") -> str:
    """Return for whom a link is, as its card says it: ``Ann, Dealer`` for a seat, and the role for any other."""
    seat = link.viewer.seat or 0
    if not seat or link.role != f"p{seat}":
        return link.role
    rules, names = played_game(game), players(game.record)
    tags = tuple(rules.about.seat_tags(game.book.seats))
    called = tags[seat - 1] if not tags[seat - 1].startswith("Seat") else link.role
    return called if names[seat - 1] in ("", "?") else f"{names[seat - 1]}, {called}"


def revoke_link(inquiry: Inquiry, request: "api.RevokeRequest") -> ActionResult:
    """Revoke a link to the game, so that it opens nothing any more.

    Raises:
        RequestFault: The game has no such link. The status is 404.
    """
    link = api.links_of(inquiry.store).by_number.get(request.link)
    if link is None or link.game != inquiry.id:
        raise RequestFault(
            f"{inquiry.path_parts['id']} has no link {request.link}; choose one that is listed.", HTTPStatus.NOT_FOUND
        )
    return ActionResult(link_fields(api.revoke_link(inquiry.store, request)))


# --- pages ---


def new(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the form for a new game: the names that are offered, and seats and tags of the chosen game.

    The game may have any name; ``like`` in the address is the id of a game whose players play again. Of a game that
    nobody knows, the form first asks whether it is to be kept unjudged, unless the address says so.
    """
    store = inquiry.store
    before = api.load(store, inquiry.value("like")) if inquiry.value("like") else None
    wanted = " ".join(inquiry.value("game").split())
    wanted = wanted or (title_of(played_game(before).about.key) if before else _last_game(store))
    known, tonight = known_names(store), evening_today(store)
    values: dict[str, Any] = {"games": api.game_titles(store), "people": known, "asked": "", "near": ()}
    values["names"] = [name for name in players(before.record) if name != "?"] if before else []
    values |= {"event": tonight.title if tonight is not None else ""}
    values["likely"] = likely_names(known, _players_of_last_time(store, wanted, tonight))
    if not wanted:
        return values | {"title": ""}
    game = _installed(wanted)
    if game is not None:
        rows = _rows(game, game.about.key, max(game.about.seats), min(game.about.seats))
        last = "" if game.about.usual else last_variant(store, game)
        last = variant_of(before) if before and played_game(before).about.key == game.about.key else last
        return values | rows | {"chosen": last or (game.about.variants[0] if game.about.usual else "")}
    if not inquiry.value("unjudged") and api.is_unknown_title(store, wanted):
        near = [(title, link("/new", [("game", title)])) for title in api.near_titles(store, wanted)]
        keep = link("/new", [("game", wanted), ("unjudged", "yes")])
        return values | {"asked": wanted, "near": near, "keep": keep, "title": wanted}
    title, tags = api.description_tags(store, wanted)
    description = read_description(tags.get("Description", ""))
    seats = min(description.most, max(description.least, MOST_ROWS))
    fewest = description.least if tags else 0
    return values | _rows(unjudged_game(title, description=description), title, seats, fewest, description)


def _players_of_last_time(store: "api.Log", title: str, tonight: "api.ClubEvening | None") -> tuple[str, ...]:
    """Return who may be going to play: who is at the evening of today, else who played this game last.

    Nobody if there is neither.

    Args:
        store: The open log.
        title: The title of the game.
        tonight: The evening of today, None if there is none.
    """
    if tonight is not None and tonight.present:
        return tonight.present
    try:
        hits, _ = api.search(store, api.Query(game=title), limit=1)
    except Unfit:
        return ()  # no game of that name was recorded
    return tuple(hits[0].game.players.split("; ")) if hits else ()


def _last_game(store: "api.Log") -> str:
    """Return the title of the game that was written to last; empty if there is none."""
    recent, _ = api.search(store, limit=1)
    return title_of(recent[0].game.game) if recent else ""


def _installed(name: str) -> AnyGame | None:
    """Return the installed game of a title or key, None if there is none. Raises NotLoaded if it cannot be loaded."""
    try:
        return find_game(name)
    except NotLoaded:
        raise
    except NotationError:
        return None


def _rows(game: AnyGame, key: str, seats: int, fewest: int, description: Description | None = None) -> dict[str, Any]:
    """Return the values of the form that depend on the game.

    Args:
        game: The game.
        key: The name under which the game is opened.
        seats: How many rows there are for players.
        fewest: How many of these are played in any case.
        description: What is known of a game without rules; None if its rules are installed.
    """
    about = game.about
    return {
        "key": key,
        "title": about.title,
        "variants": variant_lines(game) if len(about.variants) > 1 else (),
        "chosen": "",
        "seats": [(f"p{seat}", name) for seat, name in enumerate(about.seat_tags(seats), 1)],
        "fewest": fewest,
        "tags": game.sheet.names,
        "has_pad": scored_by_rounds(game) if description is None else description.rounds is not None,
        "unit": game.rounds.unit,
        "unjudged": description is not None,
        "described": bool(description and write_description(description)),
    }


def links(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page with a game's links, and of the form to make more."""
    id = inquiry.id
    game = api.load(inquiry.store, id)
    return {
        "id": id,
        "title": title_of_players(players(game.record, inquiry.people), id),
        "roles": roles_of(game),
        "closed": game.book.closed,
        "quiet": game.book.quiet,
        "links": links_fields(inquiry),
        "seats": [f"p{seat}" for seat in range(1, game.book.seats + 1)],
    }


def links_fields(inquiry: Inquiry) -> list[dict[str, object]]:
    """Return the links of a game as `links --list --json` gives them, without their secrets.

    Those revoked are among them.
    """
    id = inquiry.id
    api.load(inquiry.store, id)
    return [link_fields(link) for link in api.links_of(inquiry.store).by_number.values() if link.game == id]


SETTING_UP = (
    action_of("/games", "Open a game.", (OPERATOR,), TableRequest, open_game),
    action_of(
        "/games/{id}/links", "Make links to a game.", (OPERATOR,), AddressedRequest, make_links, required_fields=()
    ),
    action_of(
        "/games/{id}/links/revoke", "Revoke a link.", (OPERATOR,), api.RevokeRequest, revoke_link, required_fields=()
    ),
)
"""The actions before anybody plays."""
