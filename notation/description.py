"""A game described in a few facts, for games whose rules are not installed: seats, points, who wins, rounds, words.

A description judges no play. Scores, rounds and words are checked against it, and the result follows from the score.
A record holds its description in the tag ``Description``, so that it explains itself wherever it is read:

    [Game "Catan"]
    [Rules "none"]
    [Description "winner=first; goal=10; seats=3-4; categories=Roads,Army"]
"""

import re
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct

from cartulary.engine.contract import won_by
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.cgn.result import points_in, whole_points
from cartulary.notation.cgn.signs import cut

MOST_SEATS = 99
Winner = Literal["", "most", "fewest", "first", "table", "place"]
WINNERS: tuple[Winner, ...] = ("most", "fewest", "first", "table", "place")
"""How a result follows: the most or fewest points, the most once somebody has reached the goal, the whole table
together or nobody (a co-operative or solitary game), or the places that are given. Empty: nobody says."""
_PLAIN = re.compile(r"[^;,=\s\"\\{}()][^;,=\"\\{}]*")
_CALL = re.compile(r"[A-Z][A-Za-z0-9]*")


class Description(Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a game without rules.

    Attributes:
        least: The fewest seats.
        most: The most seats.
        names: The names of the seats, in order, such as ``Red``; empty if they have none.
        winner: One of ``WINNERS``, empty if nobody says how a result follows.
        goal: The points that end the game, where ``winner`` is ``first``.
        teams: By seat, the number of its team, from 1; empty if everybody plays alone.
        categories: The lines of a score sheet, whose sum is the score.
        rounds: The number of rounds; 0 for any number, None if the game is not scored by rounds.
        words: The calls that the game has, each with its meaning; empty for any words.
    """

    least: int = 1
    most: int = MOST_SEATS
    names: tuple[str, ...] = ()
    winner: Winner = ""
    goal: int | None = None
    teams: tuple[int, ...] = ()
    categories: tuple[str, ...] = ()
    rounds: int | None = None
    words: tuple[tuple[str, str], ...] = ()

    @property
    def counted(self) -> bool:
        """Whether points are counted: the winner follows from them, or there are rounds or categories."""
        return self.winner in ("most", "fewest", "first") or self.rounds is not None or bool(self.categories)


NO_DESCRIPTION = Description()


class DescriptionFault(ValueError):
    """Raised for a description that cannot be; its text says what was found and what was expected."""


def description_fault(description: Description) -> str:
    """Return what in a description contradicts itself or cannot be, as a sentence; empty if nothing does.

    Only the first fault found is returned.
    """
    least, most, winner = description.least, description.most, description.winner
    if not 1 <= least <= most <= MOST_SEATS:
        return f"found {least}-{most} seats, expected numbers from 1 to {MOST_SEATS}, the smaller one first"
    if (winner == "first") != (description.goal is not None):
        wants = (
            "the goal that ends the game" if winner == "first" else "no goal unless the winner is the first to reach it"
        )
        return f"found {'no goal' if description.goal is None else f'the goal {description.goal}'}, expected {wants}"
    if winner in ("table", "place") and (description.rounds is not None or description.categories):
        return f"found points that are counted and the winner {winner!r}, expected most, fewest or first"
    if description.names and len(description.names) != most:
        return f"found {len(description.names)} names of seats, expected one for each of {most} seats"
    if description.teams and (winner == "table" or len(description.teams) != most or least != most):
        return "found teams, expected a team for each seat of a game with one number of seats, which a team can win"
    if description.rounds is not None and not 0 <= description.rounds <= 999:
        return f"found {description.rounds} rounds, expected a number up to 999, or 0 for any number"
    for kind, texts in (("name", description.names), ("category", description.categories)):
        if len(set(texts)) < len(texts):
            return f"found the same {kind} twice, expected each once"
        for text in texts:
            if not _PLAIN.fullmatch(text):
                return f"found the {kind} {text!r}, expected a text without ; , = and quotation marks"
    for word, meaning in description.words:
        if not _CALL.fullmatch(word):
            return f"found the word {word!r}, expected a capitalised word such as Build"
        if meaning and not _PLAIN.fullmatch(meaning):
            return f"found the meaning {meaning!r}, expected a text without ; , = and quotation marks"
    return ""


# --- as text ---


def write_description(description: Description) -> str:
    """Return a description as the tag has it, such as ``winner=first; goal=10; seats=3-4``.

    Empty for one that says nothing. ``read_description`` reads it back.
    """
    parts = []
    if description.winner:
        parts.append(f"winner={description.winner}")
    if description.goal is not None:
        parts.append(f"goal={description.goal}")
    if (description.least, description.most) != (1, MOST_SEATS):
        is_fixed = description.least == description.most
        parts.append(f"seats={description.least}" + ("" if is_fixed else f"-{description.most}"))
    lists = ((name, getattr(description, name)) for name in ("names", "teams", "categories"))
    parts += [f"{name}={','.join(map(str, values))}" for name, values in lists if values]
    if description.rounds is not None:
        parts.append(f"rounds={description.rounds}" if description.rounds else "rounds")
    if description.words:
        parts.append("words=" + ",".join(word + f":{says}" * bool(says) for word, says in description.words))
    return "; ".join(parts)


@lru_cache(256)
def read_description(text: str) -> Description:
    """Return the description that a tag holds, ``NO_DESCRIPTION`` for an empty text.

    Raises:
        DescriptionFault: It cannot be read, or contradicts itself.
    """
    if not text.strip():
        return NO_DESCRIPTION
    values: dict[str, Any] = {}
    for part in text.split(";"):
        name, sign, value = (text.strip() for text in part.partition("="))
        if name in values or (name == "seats" and "least" in values):
            raise DescriptionFault(f"found {name} twice, expected it once")
        if name == "rounds":
            values[name] = _number(name, value) if sign else 0
        elif name == "goal":
            values[name] = _number(name, value)
        elif name == "seats":
            least, _, most = value.partition("-")
            values["least"], values["most"] = _number(name, least), _number(name, most or least)
        elif name in ("names", "categories"):
            values[name] = tuple(text.strip() for text in value.split(","))
        elif name == "teams":
            values[name] = tuple(_number(name, team) for team in value.split(","))
        elif name == "words":
            pairs = (call.partition(":") for call in value.split(","))
            values[name] = tuple((word.strip(), says.strip()) for word, _, says in pairs)
        elif name == "winner" and value in WINNERS:
            values[name] = value
        elif name == "winner":
            raise DescriptionFault(f"found the winner {cut(value)}, expected one of: {', '.join(WINNERS)}")
        else:
            expected = "winner, goal, seats, names, teams, categories, rounds or words"
            raise DescriptionFault(f"found {cut(name)}, expected one of: {expected}")
    return _checked(Description(**values))


def _number(name: str, text: str) -> int:
    """Return the whole number that a part of a description has; ``name`` names the part in the fault.

    Raises:
        DescriptionFault: If the text is no whole number of at most six digits.
    """
    if not re.fullmatch(r"\s*[0-9]{1,6}\s*", text):
        raise DescriptionFault(f"found {name}={cut(text)}, expected a whole number")
    return int(text)


def _checked(description: Description) -> Description:
    """Return the description as it is.

    Raises:
        DescriptionFault: If it contradicts itself.
    """
    if fault := description_fault(description):
        raise DescriptionFault(fault)
    return description


class DescriptionFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A file that describes a game, such as ``catan.toml``.

    Attributes:
        title: The name of the game.
        seats: The number of seats, or the fewest and the most as ``"3-4"``.
        names: The names of the seats.
        winner: One of ``WINNERS``.
        goal: The points that end the game.
        teams: By seat, the number of its team.
        categories: The lines of a score sheet.
        rounds: Whether the game is scored by rounds, or how many there are.
        words: The calls, with what they mean.
    """

    title: str
    seats: int | str = f"1-{MOST_SEATS}"
    names: tuple[str, ...] = ()
    winner: Winner = ""
    goal: int | None = None
    teams: tuple[int, ...] = ()
    categories: tuple[str, ...] = ()
    rounds: bool | int = False
    words: dict[str, str] = {}


def describe(file: DescriptionFile) -> tuple[str, Description]:
    """Return the title and the description that a file holds; blanks in the title are made single.

    Raises:
        DescriptionFault: The title is empty, the seats are no number, or the description contradicts itself.
    """
    title = " ".join(file.title.split())
    if not title:
        raise DescriptionFault("found an empty title, expected the name of the game")
    least, _, most = str(file.seats).partition("-")
    rounds = file.rounds if file.rounds is not True else 0
    return title, _checked(
        Description(
            _number("seats", least),
            _number("seats", most or least),
            file.names,
            file.winner,
            file.goal,
            file.teams,
            file.categories,
            None if rounds is False else int(rounds),
            tuple(file.words.items()),
        )
    )


# --- who wins ---


def winners_by_points(
    description: Description, points: Sequence[Fraction | int], absent: Collection[int] = ()
) -> tuple[int, ...] | None:
    """Return the shares of a result by points, a weight for each seat; None if points do not decide.

    Teams win together: the points of a team are those of its seats added up.

    Args:
        description: How the winner follows.
        points: The points, a number a seat; ints compare faster.
        absent: The seats that sat out all rounds, which cannot win; if all did, nobody decides.
    """
    present = [at for at in range(len(points)) if at + 1 not in absent] if absent else range(len(points))
    if not present or description.winner not in ("most", "fewest", "first"):
        return None
    decide = min if description.winner == "fewest" else max
    if not description.teams and not absent:
        best = decide(points)
        return tuple([int(number == best) for number in points])
    totals = points
    if description.teams:
        sums: dict[int, Fraction | int] = {}
        for at in present:
            team = description.teams[at]
            sums[team] = sums.get(team, 0) + points[at]
        totals = [sums.get(team, 0) for team in description.teams]
    best = decide(totals[at] for at in present)
    return won_by([at + 1 for at in present if totals[at] == best], len(points))


def winners_by_places(places: Sequence[int]) -> tuple[int, ...]:
    """Return the shares of a result by places, from 1: a weight for each seat, such as (1, 0, 0).

    The seats with the lowest place share it.
    """
    return won_by([seat for seat, place in enumerate(places, 1) if place == min(places)], len(places))


# --- what a record says of its result ---

RESULT_TAGS = ("Points", "Places", "Table", "Categories")
"""The tags by which a result without moves is recorded; see ``read_result_tags``."""


class StatedResult(Struct, frozen=True):
    """A result without moves.

    Attributes:
        shares: A weight for each seat, such as (1, 0) if the first won alone; all zero if the table lost. None if the
            points do not decide.
        points: The points of each seat; empty if none are counted.
        how: How the points add up, for a person; empty if there is nothing to say.
    """

    shares: tuple[int, ...] | None
    points: tuple[Fraction, ...] = ()
    how: str = ""


def read_result_tags(tags: Mapping[str, str], description: Description, seats: int) -> StatedResult | None:
    """Return the result that the tags of a record without moves state; None without such tags.

    ``Points "10:7:5"`` has a number a seat; ``Places "1:2:2"`` a place a seat; ``Table "won"`` or ``"lost"`` is for
    games that all win or lose together; ``Categories "Roads=2:4:1; Army=2:0:0"`` has the lines of a score sheet. A
    table counts before places, and places before points.

    Raises:
        NotationError: A value cannot be, or two of them contradict each other; it names the tag.
    """
    if tags.keys().isdisjoint(RESULT_TAGS):
        return None
    table, places_text = tags.get("Table", ""), tags.get("Places", "")
    points = _points("Points", tags["Points"], seats) if "Points" in tags else ()
    totals: Sequence[Fraction | int] = whole_points(tags["Points"]) or points if points else ()
    how = ""
    if "Categories" in tags:
        sums, how = _categories(tags["Categories"], description, seats)
        if points and points != sums:
            raise _fault("Points", f"the Points tag says {tags['Points']}, but the categories come to {_joined(sums)}")
        points = totals = sums
    if table:
        if table not in ("won", "lost"):
            raise _fault("Table", f"the Table tag says {cut(table)}, expected won or lost")
        if places_text:
            raise _fault("Places", "the table won or lost together, so that nobody has a place of his own")
        return StatedResult((int(table == "won"),) * seats, points, how)
    if places_text:
        return StatedResult(winners_by_places(_places(places_text, seats)), points, how)
    return StatedResult(winners_by_points(description, totals), points, how)


def _points(tag: str, text: str, seats: int) -> tuple[Fraction, ...]:
    """Return one number a seat from a tag such as ``10:7:5``.

    Raises:
        NotationError: If the text has not one number a seat; it names the tag, and its key is ``record.tag``.
    """
    points = points_in(text)
    if len(points) != seats:
        example = ":".join(str(number) for number in range(seats, 0, -1))
        raise _fault(tag, f"the {tag} tag says {cut(text)}, expected {seats} numbers such as {example}")
    return points


def _places(text: str, seats: int) -> tuple[int, ...]:
    """Return one place a seat, from 1 to 99, from a tag such as ``1:2:2``; several seats may have the same place.

    Raises:
        NotationError: If there is not one place a seat, a place is no such number, or nobody is first.
    """
    places = text.split(":")
    if len(places) != seats or not all(re.fullmatch(r"[1-9][0-9]?", place) for place in places) or "1" not in places:
        example = ":".join(map(str, range(1, seats + 1)))
        raise _fault("Places", f"the Places tag says {cut(text)}, expected {seats} places such as {example}")
    return tuple(map(int, places))


def _categories(text: str, description: Description, seats: int) -> tuple[tuple[Fraction, ...], str]:
    """Return the sum of each seat, and how it comes about, from ``Roads=2:4:1; Army=2:0:0``.

    That gives the sums 4, 4 and 1, and ``Roads 2:4:1, Army 2:0:0``.

    Raises:
        NotationError: If a category is unknown or repeated, or has not one number a seat; its tag is Categories.
    """
    lines: dict[str, tuple[Fraction, ...]] = {}
    for part in text.split(";"):
        name, sign, value = (text.strip() for text in part.partition("="))
        if description.categories and name not in description.categories:
            raise _fault(
                "Categories", f"found the category {cut(name)}, expected one of: {', '.join(description.categories)}"
            )
        if not sign or not name or name in lines:
            raise _fault(
                "Categories", f"found {cut(part)}, expected each category once, as in Roads={':'.join('1' * seats)}"
            )
        lines[name] = _points("Categories", value, seats)
    sums = tuple(sum(column, Fraction(0)) for column in zip(*lines.values(), strict=True))
    return sums, ", ".join(f"{name} {_joined(points)}" for name, points in lines.items())


def _joined(points: Sequence[Fraction]) -> str:
    """Return points as a tag has them: ``10:7:5``, a half as ``1/2``."""
    return ":".join(map(str, points))


def _fault(tag: str, because: str) -> NotationError:
    """Return (not raise) the error that a tag is at fault; its key is ``record.tag``."""
    return NotationError(because, key="record.tag", tag=tag)


# --- rounds ---

SAT_OUT = "-"
_ROUND = re.compile(r"(?:[+-]?[0-9]{1,9}(?:/[1-9][0-9]{0,8})?|-)(?::(?:[+-]?[0-9]{1,9}(?:/[1-9][0-9]{0,8})?|-))*")


def read_round(text: str, seats: int) -> tuple[Fraction | None, ...] | None:
    """Return the points of a round by seat, None for a seat that sat out: ``10:-:-7`` is 10, sat out, minus 7.

    Returns:
        The points; None if the text is not a round of so many seats.
    """
    parts = text.split(":")
    if len(parts) != seats or not _ROUND.fullmatch(text):
        return None
    return tuple(None if part == SAT_OUT else Fraction(part) for part in parts)


def write_round(points: Sequence[Fraction | None]) -> str:
    """Return a round as a word has it, without the table's prefix: ``10:-:-7``, in which None is ``-``."""
    return ":".join(SAT_OUT if number is None else str(number) for number in points)
