"""What may be written in the tags of a record: names meant for seats, and the tags of a deal that was only scored."""

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


def meant_tags(game: AnyGame, seats: int, tags: Iterable[tuple[str, str]]) -> Pairs:
    """Return tags by the names that are read: ``p1`` is the tag of that seat.

    Raises Unfit for a name that nobody reads although it looks like one that is: ``Player``, ``event``.
    """
    table = game.about.seat_tags(seats)
    names = {*known_tags(game, seats), *table}
    # Two tags may differ in capitals alone, such as SetUp and Setup: each is known by its own name.
    known = {loosely(name): name for name in sorted(names)}
    meant = []
    for name, value in tags:
        seat = seat_number(name)
        if seat > len(table):
            raise Unfit(f"{name} is no seat of this game; expected one of its seats: {', '.join(_seats(table))}.")
        if seat:
            name = table[seat - 1]
        elif name not in names and loosely(name) in known:
            raise Unfit(f"Nobody reads a tag {name}; did you mean {known[loosely(name)]}?")
        elif _A_PLAYER.fullmatch(name) and name not in names:
            raise Unfit(f"The tag {name} names no player; expected one of the seats: {', '.join(_seats(table))}.")
        meant.append((name, value))
    return tuple(meant)


def _seats(table: tuple[str, ...]) -> list[str]:
    return [f"p{seat} ({tag})" for seat, tag in enumerate(table, 1)]


def checked_deal(game: AnyGame, sheet: Sheet[Any], tags: Mapping[str, str]) -> dict[str, str]:
    """Return the tags that tell of a deal that was only scored as they are stored; none where they tell of none.

    Whoever writes such tags, when a game is opened or later, comes through here.

    Args:
        game: whose deal it is.
        sheet: the table it was played at.
        tags: all tags of the record, its players' names among them.

    Raises:
        WrongAnswer: a value cannot be, or one that is needed is missing.
        Unfit: a tag tells nothing of the deal and was meant to.
    """
    there = [name for name in game.points.told_by if name in tags]
    if not there:
        return {}
    check_read(game, sheet.seats, tags)
    state = game.rules.setup(sheet)
    if isinstance(state, Refused):
        return {}
    scored = game.points.from_tags(tags, state)
    if scored is None:
        missing = game.points.ask({}, state)
        needed = missing.tag if missing is not None else "the others"
        raise Unfit(f"The tag {there[0]} tells of a deal that was only scored, but {needed} is missing; give both.")
    for tag, _, because in scored.faults:
        raise WrongAnswer(because, tag)
    return spelled_deal(game, sheet, tags)


def check_read(game: AnyGame, seats: int, tags: Mapping[str, str]) -> None:
    """Raise Unfit for a tag beside a scored deal that was meant to tell of it and does not."""
    for name, meant in unread_tags(game, seats, tags):
        if meant or names_a_seat(tags[name]):
            because = not_scored(game, name, meant)
            raise Unfit(f"{because[0].upper()}{because[1:]}.")
