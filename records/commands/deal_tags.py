"""Checks of tags before they are stored: names meant for seats, and the tags of a deal that was only scored."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from cartulary.engine import Refused, Sheet
from cartulary.engine.numbers import seat_number
from cartulary.notation import AnyGame
from cartulary.notation.arbiter.files import every_seat_tag
from cartulary.notation.arbiter.heading import known_tags, names_a_seat, not_scored, spelled_deal, unread_tags
from cartulary.notation.guide import loosely
from cartulary.records.dates import read_date
from cartulary.records.faults import Unfit, WrongAnswer
from cartulary.records.log.events import Pairs
from cartulary.records.state.book import SEAT
from cartulary.records.texts import canonical_name, keepable

TAG = re.compile(r"[A-Za-z0-9_]+")
CLOSING = frozenset(("Result", "Termination", "Score"))
"""The tags that closing any game writes; a game may have more (``points.tags``)."""
_A_PLAYER = re.compile(r"(players?_?[0-9]*|seat)", re.IGNORECASE)


def resolve_tags(game: AnyGame, seats: int, tags: Iterable[tuple[str, str]]) -> Pairs:
    """Return tags under the names that are read: ``p1`` becomes the tag of that seat.

    Args:
        game: The game.
        seats: The number of seats.
        tags: The tags as somebody wrote them.

    Returns:
        The tags as pairs of name and value, in their order; a name that nobody reads but that looks like no other
        stays.

    Raises:
        Unfit: Nobody reads a tag of this name, although it looks like one: ``Player``, ``event``; or there is no such
            seat.
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


def names_in_tags(game: AnyGame | None, tags: Mapping[str, str]) -> dict[str, str]:
    """Return by name those of some tags that name players, such as ``p1`` or ``Seat1``, as somebody wrote them.

    Args:
        game: The game; None if no rules are known, so that seats have numbers.
        tags: The tags by name.
    """
    seats = every_seat_tag(game)
    return {name: value for name, value in tags.items() if seat_number(name) or SEAT.fullmatch(name) or name in seats}


def _seats(table: tuple[str, ...]) -> list[str]:
    """Return the seats in order, each with the tag of its player, for a sentence: ``p1 (Seat1)``."""
    return [f"p{seat} ({tag})" for seat, tag in enumerate(table, 1)]


def spell_deal_tags(game: AnyGame, sheet: Sheet[Any], tags: Mapping[str, str]) -> dict[str, str]:
    """Return by name the tags of a deal of which only the score was kept, as they are stored.

    Empty if the tags report no such deal, or if the rules cannot set up the table. Whoever writes such tags, when a
    game is opened or later, calls this.

    Args:
        game: The game.
        sheet: The table that the deal was played at.
        tags: All tags of the record, the players' names among them.

    Raises:
        WrongAnswer: A value is impossible.
        Unfit: A tag was meant to report the deal but is not read, or one that is needed is missing.
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
    """Raise Unfit for the first tag that was meant to report a scored deal but is not read.

    What was meant is seen by its name, or because its value names a seat.

    Args:
        game: The game.
        seats: The number of seats.
        tags: All tags of the record, by name.
    """
    for name, intended in unread_tags(game, seats, tags):
        if intended or names_a_seat(tags[name]):
            because = not_scored(game, name, intended)
            raise Unfit(f"{because[0].upper()}{because[1:]}.")


def canonical_tags(
    tags: Iterable[tuple[str, str]], reserved_names: frozenset[str], own: frozenset[str] = frozenset()
) -> Pairs:
    """Return tags as they are stored: values in single spaces, dates in canonical spelling.

    Args:
        tags: The tags.
        reserved_names: The names that may not be written by hand.
        own: The names of tags that a game is set up from; their values are stored as they are.

    Returns:
        The tags as pairs of name and value, in their order.

    Raises:
        Unfit: A name or a value is impossible, or a name is reserved.
    """
    pairs = []
    for name, value in tags:
        if not TAG.fullmatch(name):
            raise Unfit(f"{name!r} is not a tag; expected letters, digits and underscores, such as Event.")
        if name in reserved_names:
            raise Unfit(f"The tag {name} is not written by hand; use the command for it, such as `close` or `new`.")
        value = _canonical_value(name, value, name in own)
        pairs.append((name, read_date(value) if name == "Date" and value else value))
    return tuple(pairs)


def _canonical_value(tag: str, value: str, as_it_is: bool) -> str:
    """Return the value of a tag as it is stored, in single spaces.

    Args:
        tag: The name of the tag.
        value: The value; an empty one stays empty.
        as_it_is: Whether blanks are kept, as in a tag that the game is set up from.

    Raises:
        Unfit: The value holds only blanks, or cannot be stored.
    """
    if as_it_is:
        return keepable(value, f"The tag {tag}")
    single = canonical_name(value, f"The tag {tag}")
    if value and not single:
        raise Unfit(f"The tag {tag} holds only blanks; expected a value, such as Event=Club.")
    return single
