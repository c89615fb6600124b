"""Checks of tags before they are stored: names meant for seats, and the tags of a deal that was only scored."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from cartulary.engine import Refused, Sheet
from cartulary.engine.numbers import seat_number
from cartulary.notation import AnyGame
from cartulary.notation.arbiter.heading import known_tags, names_a_seat, not_scored, spelled_deal, unread_tags
from cartulary.notation.guide import loosely
from cartulary.records.faults import Unfit, WrongAnswer
from cartulary.records.log.events import Pairs

_A_PLAYER = re.compile(r"(players?_?[0-9]*|seat)", re.IGNORECASE)


def resolve_tags(game: AnyGame, seats: int, tags: Iterable[tuple[str, str]]) -> Pairs:
    """Return tags under the names that are read: ``p1`` becomes the tag of that seat.

    Args:
        game: The game.
        seats: The number of seats.
        tags: The tags as somebody wrote them.

    Raises:
        Unfit: Nobody reads a tag of this name, although it looks like one: ``Player``, ``event``.
    """
    seat_tags = game.about.seat_tags(seats)
    names = {*known_tags(game, seats), *seat_tags}
    # Two tags may differ in capitals alone, such as SetUp and Setup: each is known by its own name.
    name_by_spelling = {loosely(name): name for name in sorted(names)}
    resolved = []
    for name, value in tags:
        seat = seat_number(name)
        if seat > len(seat_tags):
            raise Unfit(f"{name} is no seat of this game; expected one of its seats: {', '.join(_seats(seat_tags))}.")
        if seat:
            name = seat_tags[seat - 1]
        elif name not in names and loosely(name) in name_by_spelling:
            raise Unfit(f"Nobody reads a tag {name}; did you mean {name_by_spelling[loosely(name)]}?")
        elif _A_PLAYER.fullmatch(name) and name not in names:
            raise Unfit(f"The tag {name} names no player; expected one of the seats: {', '.join(_seats(seat_tags))}.")
        resolved.append((name, value))
    return tuple(resolved)


def _seats(table: tuple[str, ...]) -> list[str]:
    """Return the seats with the tags of their players, which are given in order: ``p1 (Seat1)``."""
    return [f"p{seat} ({tag})" for seat, tag in enumerate(table, 1)]


def spell_deal_tags(game: AnyGame, sheet: Sheet[Any], tags: Mapping[str, str]) -> dict[str, str]:
    """Return the tags of a deal of which only the score was kept, as they are stored; empty if the tags report none.

    Whoever writes such tags, when a game is opened or later, calls this.

    Args:
        game: The game.
        sheet: The table that the deal was played at.
        tags: All tags of the record, the players' names among them.

    Raises:
        WrongAnswer: A value is impossible, or one that is needed is missing.
        Unfit: A tag was meant to report the deal but is not read.
    """
    deal_tags = [name for name in game.points.told_by if name in tags]
    if not deal_tags:
        return {}
    check_deal_tags(game, sheet.seats, tags)
    state = game.rules.setup(sheet)
    if isinstance(state, Refused):
        return {}
    deal = game.points.from_tags(tags, state)
    if deal is None:
        missing = game.points.ask({}, state)
        missing_tag = missing.tag if missing is not None else "the others"
        raise Unfit(
            f"The tag {deal_tags[0]} tells of a deal that was only scored, but {missing_tag} is missing; give both."
        )
    for tag, _, because in deal.faults:
        raise WrongAnswer(because, tag)
    return spelled_deal(game, sheet, tags)


def check_deal_tags(game: AnyGame, seats: int, tags: Mapping[str, str]) -> None:
    """Raise Unfit for the first tag of a scored deal that was meant to report the deal but is not read, by its name or
    because its value names a seat.
    """
    for name, intended in unread_tags(game, seats, tags):
        if intended or names_a_seat(tags[name]):
            because = not_scored(game, name, intended)
            raise Unfit(f"{because[0].upper()}{because[1:]}.")
