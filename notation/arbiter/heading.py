"""The heading of a record: from its tags to its game, to the sheet it is set up from, and to a deal only scored."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date
from functools import lru_cache
from typing import Any

from msgspec import Struct

from cartulary.engine import Refused, Sheet
from cartulary.engine.numbers import ANY_SEAT
from cartulary.notation.arbiter.gapped import with_gaps
from cartulary.notation.cgn.record import NotationError, Record
from cartulary.notation.contract import AnyGame
from cartulary.notation.description import NO_DESCRIPTION, DescriptionFault, read_description
from cartulary.notation.guide import entry_named, loosely, names, near_names
from cartulary.notation.roster import find_game
from cartulary.notation.unjudged import NOBODY, nobody_judges, unjudged_game

_SEAT = re.compile(r"Seat[0-9]+")

PUBLIC = frozenset(
    (
        "Game",
        "Event",
        "Site",
        "Date",
        "Round",
        "Result",
        "Edition",
        "Variant",
        "Options",
        "Mode",
        "Termination",
        "HouseRules",
    )
)
"""Tags anybody may read; beside them the players' names, the game's own tags and its points."""


class Heading(Struct, frozen=True):
    """What the tags of a record say about its game.

    Attributes:
        game: The game; None if the tag Game cannot be read.
        edition: The edition of the rules.
        variant: The variant, by the name that the game gives it.
        sheet: The sheet from which the rules set up the game; None if a tag is at fault.
        fault: The name of the tag at fault, empty for none.
        because: What is wrong with it.
    """

    game: AnyGame | None = None
    edition: str = ""
    variant: str = ""
    sheet: Sheet[Any] | None = None
    fault: str = ""
    because: str = ""


def read_heading(record: Record) -> Heading:
    """Return what the tags of a record say about its game.

    Nothing raises: a heading that cannot be read wholly names the first tag at fault, in ``fault`` and ``because``. The
    game is wrapped for gaps if the record may have some.
    """
    tags = record.by_name
    if not tags.get("Game"):
        return Heading(fault="Game", because="found no Game tag, expected one that names the game")
    try:
        game = game_of(record)
    except NotationError as error:
        return Heading(fault="Game", because=error.because)
    game = with_gaps(game) if record.may_have_gaps else game
    heading, options = _without_sheet(game, tags.get("Edition"), tags.get("Variant"), tags.get("Options", ""))
    if heading.fault:
        return heading
    try:
        sheet = game.sheet.read(tags, heading.variant, options.copy(), _seats(game, record))
    except NotationError as error:
        return Heading(game, heading.edition, heading.variant, fault=error.tag, because=error.because)
    return Heading(game, heading.edition, heading.variant, sheet)


@lru_cache(256)
def _without_sheet(
    game: AnyGame, edition: str | None, variant: str | None, options: str
) -> tuple[Heading, dict[str, str]]:
    """Return the heading of a game by three of its tags, without a sheet, and the options; many records have the same.

    Args:
        game: The game.
        edition: The tag Edition; None for the edition of the game.
        variant: The tag Variant; None for the usual one.
        options: The tag Options.
    """
    about = game.about
    edition = about.edition if edition is None else edition
    variant = about.read_variant(about.variants[0] if variant is None else variant)
    if edition != about.edition:
        because = f"found the edition {edition!r}, expected {about.edition}"
        return Heading(game, edition, variant, fault="Edition", because=because), {}
    if variant not in about.variants:
        because = f"found the variant {variant!r}, expected one of: {', '.join(about.variants)}"
        return Heading(game, edition, variant, fault="Variant", because=because), {}
    try:
        return Heading(game, edition, variant), read_options(game, options)
    except NotationError as error:
        return Heading(game, edition, variant, fault="Options", because=error.because), {}


def game_of(record: Record) -> AnyGame:
    """Return the game that the tag Game names by title or key, or an unjudged one if the tag Rules is ``none``.

    Raises:
        NotationError: If there is no such game, or if it cannot be loaded.
    """
    return game_by_tags(record.by_name, record.result)


def game_by_tags(tags: Mapping[str, str], result: str = "") -> AnyGame:
    """Return the game of a record with these tags, as ``game_of`` does.

    Args:
        tags: The tags by name.
        result: The result at the end of its moves, which may say how many seats an unjudged game has.

    Raises:
        NotationError: If there is no such game, or if it cannot be loaded.
    """
    name = tags.get("Game", "")
    if tags.get("Rules") != NOBODY:
        return find_game(name)
    numbered = "Seat1" in tags or _seats_among(tuple(tags)) > 0
    stated = result if "-" in result else tags.get("Result", "")
    shares = stated.count("-") + 1 if "-" in stated else 0
    of_rules, description = (tags.get("Edition", ""), tags.get("Variant", "")), tags.get("Description", "")
    return _unjudged(name, *of_rules, shares, numbered, description)


@lru_cache(256)
def _unjudged(name: str, edition: str, variant: str, seats: int, numbered: bool, description_tag: str) -> AnyGame:
    """Return an unjudged game by its tags; a tag Description that cannot be read counts as none.

    ``seats`` is the number of seats of the result, 0 for none; ``numbered`` says whether tags Seat1, Seat2 … name them.
    """
    try:
        description = read_description(description_tag)
    except DescriptionFault:
        description = NO_DESCRIPTION  # reading the sheet names the fault
    return unjudged_game(name, edition, variant, seats=seats, numbered=numbered, description=description)


def either(numbers: tuple[int, ...]) -> str:
    """Return numbers as a sentence lists a choice, in rising order: ``3, 4 or 5``; there must be at least one."""
    *first, last = map(str, sorted(numbers))
    return f"{', '.join(first)} or {last}" if first else last


def _seats(game: AnyGame, record: Record) -> int:
    """Return the number of seats of a record: how many tags Seat1, Seat2 … it has, else the game's usual number.

    A game that is always played with the same number has that one, whatever the tags.
    """
    usual = game.about.seats[0]
    if len(game.about.seats) == 1:
        return usual
    return _seats_among(tuple(record.by_name)) or usual


@lru_cache(256)
def _seats_among(names: tuple[str, ...]) -> int:
    """Return how many tags of these names count as a seat, which are ``Seat1``, ``Seat2`` and so on."""
    return sum(_SEAT.fullmatch(name) is not None for name in names)


def read_options(game: AnyGame, text: str) -> dict[str, str]:
    """Return the options of an Options tag by name: ``"pot rounds=3"`` -> ``{"pot": "", "rounds": "3"}``.

    In a game that nobody judges the whole text is one option.

    Raises:
        NotationError: For an option the game does not have, one that is given twice, or a value that is not allowed.
    """
    if nobody_judges(game):
        return {text: ""} if text else {}
    options: dict[str, str] = {}
    for word in text.split():
        key, _, value = word.partition("=")
        allowed = [option for option in game.about.options if option.key == key]
        if not allowed or (value not in allowed[0].values if allowed[0].values else "=" in word):
            known = ", ".join(option.text() for option in game.about.options)
            expected = f"one of: {known}" if known else "none"
            raise NotationError(f"found the option {word!r}, expected {expected}", key="record.tag")
        if key in options:
            raise NotationError(f"found the option {key} twice, expected it once", key="record.tag")
        options[key] = value
    return options


def format_options(options: dict[str, str]) -> str:
    """Return options as an Options tag has them, in ASCII order: ``pot rounds=3``; empty for none."""
    return " ".join(f"{key}={value}" if value else key for key, value in sorted(options.items()))


_DATE = re.compile(r"([0-9]{4}|[0-9?]{2,3}\?\?|\?{4})\.([0-9]{2}|\?\?)\.([0-9]{2}|\?\?)", re.ASCII)
_KNOWN = (2000, 1, 1)
"""What stands for an unknown year, month and day: those that allow every day there is."""


@lru_cache(256)
def is_date(text: str) -> bool:
    """Say whether a text is a possible date of the tag Date: ``2026.11.22``, or with ``??`` for what is not known.

    Years may be ``20??`` or ``????``. A date that no calendar has, such as 2026.02.30, is none.
    """
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    parts = zip(match.groups(), _KNOWN, strict=True)
    year, month, day = (int(part) if part.isdigit() else known for part, known in parts)
    with suppress(ValueError):
        date(year, month, day)
        return True
    return False


# --- the tags of a deal that was only scored ---

_OF_EVERY_RECORD = frozenset(("Rules", "Setup", "Score"))
"""Tags of every record that a seat is not shown for their names alone."""
_ALIKE = 0.8
"""How like a tag another must be to be meant by it: ``Poigne``, but not ``Table`` for ``Taker``."""
_OF_A_SEAT = re.compile(rf"{ANY_SEAT}(:\S*)?")


@lru_cache(64)
def known_tags(game: AnyGame, seats: int) -> frozenset[str]:
    """Return the names of all tags that mean something in a record of this game with so many seats.

    They are those of every record, the seats', the game's own, and those of its points.
    """
    points = game.points
    return PUBLIC.union(_OF_EVERY_RECORD, game.about.seat_tags(seats), game.sheet.names, points.tags, points.told_by)


def spelled_deal(game: AnyGame, sheet: Sheet[Any], tags: Mapping[str, str]) -> dict[str, str]:
    """Return the tags of a deal of which only the score was recorded, in the spelling that is stored, by name.

    ``tags`` has all tags of the record, because the names of players may stand for seats. Empty if there is no such
    tag, or if the game cannot be set up.
    """
    if tags.keys().isdisjoint(game.points.told_by):
        return {}
    state = game.rules.setup(sheet)
    return {} if isinstance(state, Refused) else game.points.spell(tags, state)


def unread_tags(game: AnyGame, seats: int, tags: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (tag, the tag it was probably meant for) for each tag unknown in a deal of which the tags give the score.

    The second is empty if no known tag is like it.
    """
    known = known_tags(game, seats)
    for name in tags:
        if name not in known:
            yield name, nearest_tag(game, name)


def nearest_tag(game: AnyGame, name: str) -> str:
    """Return the tag of a scored deal that a name was probably meant for: one like it, or one with that other name.

    It is empty if there is none. ``Poigne`` gives ``Poignee``.
    """
    told_by = {loosely(tag): tag for tag in game.points.told_by}
    entry = entry_named(game.about.guide, name)
    called = (tag for word in (names(entry) if entry is not None else ()) if (tag := told_by.get(loosely(word))))
    return next(iter((*near_names(name, told_by.values(), 1, _ALIKE), *called)), "")


def names_a_seat(value: str) -> bool:
    """Say whether the value of a tag names a seat, as ``p2`` or ``p1:10`` do; such a tag describes the deal."""
    return _OF_A_SEAT.fullmatch(value.strip()) is not None


def not_scored(game: AnyGame, name: str, candidate: str) -> str:
    """Return why a tag says nothing about the score, as part of a sentence.

    ``candidate`` is the tag most like it; empty for none.
    """
    near = f"did you mean {candidate}? " if candidate else ""
    return f"the tag {name} tells nothing of the score; {near}expected one of: {', '.join(game.points.told_by)}"
