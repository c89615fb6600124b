"""The tags of a record without words, of which only the score was kept: their spelling, and those that tell nothing."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from cartulary.engine import Refused, Sheet
from cartulary.engine.numbers import NUMBERED
from cartulary.notation.arbiter.heading import PUBLIC
from cartulary.notation.contract import AnyGame
from cartulary.notation.guide import entry_named, loosely, names, near_names

OTHERS = frozenset(("Rules", "Setup", "Score"))
"""Tags of every record that a seat is not shown for their names alone."""
ALIKE = 0.8
"""How like a tag another must be to be meant by it: ``Poigne``, but not ``Table`` for ``Taker``."""
_OF_A_SEAT = re.compile(rf"{NUMBERED}(:\S*)?")


def known_tags(game: AnyGame, seats: int) -> frozenset[str]:
    """Return the tags that mean something in a record of this game with so many seats."""
    points = game.points
    return PUBLIC.union(OTHERS, game.about.seat_tags(seats), game.sheet.names, points.tags, points.told_by)


def spelled_deal(game: AnyGame, sheet: Sheet[Any], tags: Mapping[str, str]) -> dict[str, str]:
    """Return the tags of a deal of which only the score was recorded, in the spelling that is stored.

    It is given all tags of the record, because the names of players may stand for seats.
    """
    if tags.keys().isdisjoint(game.points.told_by):
        return {}
    state = game.rules.setup(sheet)
    return {} if isinstance(state, Refused) else game.points.spell(tags, state)


def unread_tags(game: AnyGame, seats: int, tags: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield every tag beside a scored deal that nobody knows, and the one that it was meant for, empty for none."""
    known = known_tags(game, seats)
    for name in tags:
        if name not in known:
            yield name, nearest_tag(game, name)


def nearest_tag(game: AnyGame, name: str) -> str:
    """Return the tag of a scored deal that a name was meant for: one like it, or what else a player calls it."""
    told_by = {loosely(tag): tag for tag in game.points.told_by}
    entry = entry_named(game.about.guide, name)
    called = (tag for word in (names(entry) if entry is not None else ()) if (tag := told_by.get(loosely(word))))
    return next(iter((*near_names(name, told_by.values(), 1, ALIKE), *called)), "")


def names_a_seat(value: str) -> bool:
    """Say whether the value of a tag is a seat, so that the tag was to tell of the deal."""
    return _OF_A_SEAT.fullmatch(value.strip()) is not None


def not_scored(game: AnyGame, name: str, candidate: str) -> str:
    """Return why a tag says nothing about the score, as part of a sentence; ``candidate`` is the tag most like it."""
    near = f"did you mean {candidate}? " if candidate else ""
    return f"the tag {name} tells nothing of the score; {near}expected one of: {', '.join(game.points.told_by)}"
