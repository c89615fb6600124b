"""Setting up a table: a new game, and the links by which phones join it; for whoever holds the key."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import urlsplit

from msgspec import Meta

from cartulary.notation import find_game
from cartulary.notation.roster import every_game
from cartulary.records import api
from cartulary.records.commands.links import roles_of
from cartulary.records.sheets.link_cards import for_whom
from cartulary.records.sheets.qr import qr, qr_path
from cartulary.records.state.links import link_fields
from cartulary.records.state.seat_view import players
from cartulary.web.asked import Inquiry, Wrong
from cartulary.web.deeds import Done, deed_of
from cartulary.web.who import DESK

LONGEST_BASE = 200


class TableRequest(api.NewRequest, frozen=True):
    """A game to be opened."""

    ask: Annotated[
        bool, Meta(description="First ask about a name that differs from a known one in capitals or accents only.")
    ] = False


class AddressedRequest(api.LinksRequest, frozen=True, kw_only=True):
    """Links to be made."""

    base: Annotated[str, Meta(description="The scheme and name that phones find the server by.")]


def open_game(asked: Inquiry, request: TableRequest) -> Done:
    """Open a game. Raises Wrong where a name is to be asked about first."""
    if request.ask:
        _ask(asked.store, request.players)
    made = api.open_game(asked.store, request)
    return Done({"id": made.id, "version": made.version})


def _ask(store: "api.Log", names: Iterable[str]) -> None:
    for name, known in api.alike(store, names):
        raise Wrong(
            f"{name} is new here; other games have {known}. Write {known} if that is the same player; if not, "
            "press the button again.",
            HTTPStatus.CONFLICT,
        )


def make_links(asked: Inquiry, request: AddressedRequest) -> Done:
    """Make links, and return each with its address and its code as a path of SVG; they are shown this once."""
    named = urlsplit(request.base)
    if named.scheme not in ("http", "https") or not named.netloc or len(request.base) > LONGEST_BASE:
        raise Wrong(f"`base` is {request.base[:60]!r}; expected http:// or https:// and a name.")
    id = asked.names["id"]
    made = api.make_links(asked.store, id, request)
    names = players(api.load(asked.store, id).record)
    cards = []
    for each in made:
        url = f"{named.scheme}://{named.netloc}/join#{each.secret}"
        code = qr(url)
        says = for_whom(each.link, names)
        fields = {"link": each.link.number, "game": id, "role": each.link.role, "says": says}
        cards.append(fields | {"url": url, "path": qr_path(code), "size": len(code)})
    return Done(cards)


def revoke_link(asked: Inquiry, request: "api.RevokeRequest") -> Done:
    """Take a link to the game back."""
    link = api.links_of(asked.store).by_number.get(request.link)
    if link is None or link.game != asked.names["id"]:
        raise Wrong(f"{asked.names['id']} has no link {request.link}; choose one that is listed.", HTTPStatus.NOT_FOUND)
    return Done(link_fields(api.revoke_link(asked.store, request)))


# --- pages ---


def new(asked: Inquiry) -> dict[str, Any]:
    """Return what the page for a new game shows: a table of the game that is chosen."""
    games = every_game()
    key = asked.one("game") or next(iter(games))
    game = find_game(key)
    about = game.about
    seats = max(about.seats)
    return {
        "games": [(each, game.about.title) for each, game in games.items()],
        "key": about.key,
        "variants": about.variants if len(about.variants) > 1 else (),
        "seats": [(f"p{seat}", name) for seat, name in enumerate(about.seat_tags(seats), 1)],
        "fewest": min(about.seats),
        "tags": game.sheet.names,
    }


def links(asked: Inquiry) -> dict[str, Any]:
    """Return what the page of a game's links shows."""
    id = asked.names["id"]
    game = api.load(asked.store, id)
    return {
        "id": id,
        "roles": roles_of(game),
        "closed": game.book.closed,
        "quiet": game.book.quiet,
        "links": links_fields(asked),
        "seats": [f"p{seat}" for seat in range(1, game.book.seats + 1)],
    }


def links_fields(asked: Inquiry) -> list[dict[str, object]]:
    """Return the links of a game as `links --list --json` gives them."""
    id = asked.names["id"]
    api.load(asked.store, id)
    return [link_fields(each) for each in api.links_of(asked.store).by_number.values() if each.game == id]


SETTING_UP = (
    deed_of("/games", "Open a game.", (DESK,), TableRequest, open_game, without=("unjudged",)),
    deed_of("/games/{id}/links", "Make links to a game.", (DESK,), AddressedRequest, make_links, needs=()),
    deed_of("/games/{id}/links/revoke", "Revoke a link.", (DESK,), api.RevokeRequest, revoke_link, needs=()),
)
"""What is written before anybody plays."""
