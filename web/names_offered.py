"""What forms offer while a person types, and what they ask about a name that nobody knows: games and people."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from http import HTTPStatus
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from cartulary.notation import NotationError, find_game
from cartulary.notation.contract import AnyGame
from cartulary.notation.roster import NotLoaded, every_game
from cartulary.records import api
from cartulary.records.dates import today
from cartulary.records.faults import UnknownGame
from cartulary.web.inquiry import RequestFault

LONGEST_LINE = 200
"""How many characters a form says about a variant at most, if its first sentence is no longer."""
MOST_BUTTONS = 16
"""Names of people that can be chosen by a tap, at most."""
MOST_NAMES = 1000
"""Names of people that a form offers while one types."""
NewNames: TypeAlias = Annotated[
    tuple[str, ...],
    Meta(
        description="Names that are new people although a known name differs in capitals, accents or one letter alone. "
        "Without them here, the answer is 409 and lists such names under similar; nothing is stored."
    ),
]
"""The type of the field ``new_names`` in every request that names players."""


def known_names(store: "api.Log") -> list[str]:
    """Return the names of at most ``MOST_NAMES`` people, as they are shown, that a form offers.

    Who has played most is first.
    """
    return [person.name for person in api.list_people(store)[:MOST_NAMES]]


def likely_names(everybody: Sequence[str], first: Iterable[str] = (), without: Collection[str] = ()) -> list[str]:
    """Return the names that a form offers as buttons.

    Args:
        everybody: The names of everybody, who has played most first.
        first: Names that come before, such as those of last time.
        without: Names that are there already.
    """
    names = dict.fromkeys((*first, *everybody))
    return [name for name in names if name not in ("", "?", *without)][:MOST_BUTTONS]


def evening_today(store: "api.Log") -> "api.ClubEvening | None":
    """Return the evening with the date of today that was opened last; None if there is none."""
    now = today()
    return next((each for each in reversed(list(api.evenings(store))) if each.date == now), None)


class VariantsAsked(Struct, frozen=True):
    """A game of which a form asks the variant, because its variants are different games.

    Attributes:
        title: The title of the game.
        names: Its title and key in small letters, either of which somebody may type.
        variants: Each variant with what its guide says of it.
        last: The variant that was played last; empty if none was.
    """

    title: str
    names: tuple[str, ...]
    variants: Sequence[tuple[str, str]]
    last: str


def variants_asked(store: "api.Log") -> list[VariantsAsked]:
    """Return the games of which a form asks the variant, each with its variants and the one that was played last.

    They are the installed games that have several variants and none that is usual.
    """
    games = [game for game in every_game().values() if not game.about.usual and len(game.about.variants) > 1]
    return [
        VariantsAsked(
            game.about.title,
            (game.about.title.casefold(), game.about.key),
            variant_lines(game),
            last_variant(store, game),
        )
        for game in games
    ]


def last_variant(store: "api.Log", game: AnyGame) -> str:
    """Return the variant of the game of these rules that was written to last.

    The text is empty if there is no such game, or if its variant is none of these rules.
    """
    hits, _ = api.search(store, api.Query(game=game.about.title), limit=1)
    variant = hits[0].game.variant if hits else ""
    return variant if variant in game.about.variants else ""


def variant_lines(game: AnyGame) -> list[tuple[str, str]]:
    """Return each variant of a game in a pair with the first sentences that its guide has on it.

    The second text is empty if the guide says nothing.
    """
    differences = dict(game.about.guide.primer.variants)
    return [(variant, _first_sentences(differences.get(variant, ""))) for variant in game.about.variants]


def _first_sentences(text: str) -> str:
    """Return as many of the first sentences of a text as fit in ``LONGEST_LINE`` characters, but the first in any case.

    Backquotes are left out.
    """
    first, *others = re.split(r"(?<=\.)\s+", text.strip().replace("`", ""))
    for sentence in others:
        if len(first) + 1 + len(sentence) > LONGEST_LINE:
            break
        first += f" {sentence}"
    return first


def installed_title(name: str) -> str:
    """Return the title of an installed game by its title or key; empty if no rules of that name are installed.

    If the rules are installed but cannot be loaded, the name itself is returned.
    """
    try:
        return find_game(name).about.title
    except NotLoaded:
        return name
    except NotationError:
        return ""


def is_shared(title: str) -> bool:
    """Say whether the numbers of a game are shares of the result: its rules are installed and count no points.

    An empty title gives False.
    """
    try:
        return bool(title) and not find_game(title).points.tags
    except NotationError:
        return False


def check_title(store: "api.Log", name: str) -> None:
    """Raise RequestFault, with status 409, for the name of a game that nobody here knows.

    Known is a game that has rules, or was recorded or described before. A blank name passes.
    """
    title, _ = api.meant_variant(store, " ".join(name.split()))
    if title and api.is_unknown_title(store, title):
        near = "".join(f" Did you mean {each}?" for each in api.near_titles(store, title)[:1])
        raise RequestFault(
            f"No rules for {title} are installed.{near} Press the button again to keep it unjudged, or write another "
            "name.",
            HTTPStatus.CONFLICT,
        )


def check_spellings(
    store: "api.Log",
    names: Iterable[str],
    new_names: Collection[str],
    others: Iterable[str] = (),
    is_repeated: Callable[[], bool] = lambda: False,
    old_names: Collection[str] = (),
) -> None:
    """Check that no name is a new spelling that somebody should be asked about.

    Args:
        store: The log.
        names: The names as they were sent.
        new_names: Those of them that are new people all the same, as the request says.
        others: Names that are known although no record has them.
        is_repeated: Says whether the request was carried out before; then nothing is asked.
        old_names: Names that are corrected, as ``similar_names`` has them.

    Raises:
        RequestFault: A name differs from a known one in capitals or accents alone, or by one slip. The status is 409,
            and the answer has these names under ``similar``, each with the known one.
    """
    similar = {
        name.strip(): known
        for name, known in api.similar_names(store, names, others, old_names).items()
        if name.strip() not in new_names
    }
    if not similar or is_repeated():
        return
    new = " ".join(f"{name} is new here; other games have {known}." for name, known in similar.items())
    known = " and ".join(dict.fromkeys(similar.values()))
    same = "that is the same player" if len(similar) == 1 else "they are the same players"
    raise RequestFault(
        f"{new} Write {known} if {same}; if not, press the button again.", HTTPStatus.CONFLICT, {"similar": similar}
    )


def has_written(store: "api.Log", id: str, command: str) -> bool:
    """Say whether a game was written to by a command with this id; False if there is no such game."""
    try:
        return command in api.load(store, id).book.commands
    except UnknownGame:
        return False
