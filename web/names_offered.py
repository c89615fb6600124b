"""What forms offer while a person types, and what they ask about a name that nobody knows: games and people."""

from collections.abc import Iterable
from http import HTTPStatus

from cartulary.notation import NotationError, find_game
from cartulary.notation.guide import near_names
from cartulary.notation.roster import NotLoaded, every_game
from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.web.inquiry import RequestFault

MOST_NAMES = 1000
"""Names of people that a form offers while one types."""


def game_titles(store: "api.Log") -> list[str]:
    """Return the titles that a form offers: the installed games, then the described ones."""
    return [
        *(game.about.title for game in every_game().values()),
        *(title for title, _ in api.described_titles(store).values()),
    ]


def known_names(store: "api.Log") -> list[str]:
    """Return the names of people that a form offers, as they are shown, who has played most first."""
    return [person.name for person in api.list_people(store)[:MOST_NAMES]]


def installed_title(name: str) -> str:
    """Return the title of an installed game by its title or key; empty if no rules of that name are installed."""
    try:
        return find_game(name).about.title
    except NotLoaded:
        return name
    except NotationError:
        return ""


def near_titles(store: "api.Log", name: str) -> list[str]:
    """Return the titles of games that are spelled nearly like a name, the likest first; the game itself left out."""
    near = near_names(name, game_titles(store))
    return [title for title in near if title.casefold() != name.casefold()]


def is_unknown(store: "api.Log", name: str) -> bool:
    """Say whether a name is that of no game: none is installed or described so, and no record here has that name."""
    if installed_title(name) or api.description_tags(store, name)[1]:
        return False
    try:
        return not api.search(store, api.Query(game=name), limit=1)[0]
    except Unfit:
        return True


def check_title(store: "api.Log", name: str) -> None:
    """Raise RequestFault, with the status 409, for the name of a game that nobody knows."""
    title = " ".join(name.split())
    if title and is_unknown(store, title):
        near = "".join(f" Did you mean {each}?" for each in near_titles(store, title)[:1])
        raise RequestFault(
            f"No rules for {title} are installed.{near} Press the button again to keep it unjudged, or write another "
            "name.",
            HTTPStatus.CONFLICT,
        )


def check_spellings(store: "api.Log", names: Iterable[str]) -> None:
    """Raise RequestFault for the first name that resembles one the archive knows, such as Bela for Béla; the name under
    which somebody is shown is known too.
    """
    for name, known in api.alike(store, names):
        shown = api.person_named(store, known).name
        if shown != name:
            raise RequestFault(
                f"{name} is new here; other games have {shown}. Write {shown} if that is the same player; if not, "
                "press the button again.",
                HTTPStatus.CONFLICT,
            )
