"""Results and terminations: from shares to a written result, and what is wrong with one somebody wrote."""

import re
from fractions import Fraction
from functools import lru_cache
from math import gcd

FORFEIT = "forfeit"
"""The termination of a game that was not played, because somebody did not come."""
TERMINATIONS = (
    "normal",
    "resignation",
    "agreement",
    "adjudication",
    "rules infraction",
    "time forfeit",
    FORFEIT,
    "abandoned",
    "unterminated",
)
"""What the tag Termination may say, as PGN 9.8.1 has it, and three of its own: resignation, agreement
and forfeit."""


@lru_cache(256)
def format_result(shares: tuple[int, ...]) -> str:
    """Return shares, a weight for each seat, as a result: (1, 0) is ``1-0``, (1, 1) ``1/2-1/2``, (0, 0) ``0-0``.

    (1, 0, 2) is ``1/3-0-2/3``.
    """
    total = sum(shares) or 1
    words = []
    for share in shares:
        common = gcd(share, total)
        words.append(str(share // total) if share % total == 0 else f"{share // common}/{total // common}")
    return "-".join(words)


_HALF = "1/2-1/2"
_SPELLED = {
    "1-0": "1-0",
    "0-1": "0-1",
    "0-0": "0-0",
    **dict.fromkeys(("+--", "+/-", "+:-", "1-0ff", "whitewins", "whitewon"), "1-0"),
    **dict.fromkeys(("--+", "-/+", "-:+", "0-1ff", "blackwins", "blackwon"), "0-1"),
    **dict.fromkeys(("---", "-/-", "-:-"), "0-0"),
    **dict.fromkeys(("1/2", "1/2-1/2", "0.5-0.5", ".5-.5", "draw", "drawn", "remis", "=", "=-="), _HALF),
    **dict.fromkeys(("", "?", "*", "-", "unfinished"), "*"),
}
"""Results of two seats as people write them, blanks left out, by what they mean."""
_IN_POINTS = {"2-0": "1-0", "0-2": "0-1", "1-1": _HALF}


def read_result(text: str, *, in_points: bool = False) -> str:
    """Return a result of two seats that is written in another way, such as ``½-½``, ``1 : 0`` or ``draw``.

    Args:
        text: The result as written.
        in_points: Whether two points for a win are read too, as in ``2-0`` and ``1-1``.

    Returns:
        The result as CGN writes it, ``*`` if the game is open; empty if the text is no result.
    """
    spelled = "".join(text.lower().split()).replace("½", "1/2").replace(",", ".")
    spelled = spelled.translate(str.maketrans("–—−", "---"))
    results = _SPELLED | _IN_POINTS if in_points else _SPELLED
    return results.get(spelled) or results.get(spelled.replace(":", "-"), "")


_POINTS = re.compile(r"[+-]?[0-9]{1,9}(?:/[1-9][0-9]{0,8})?(?::[+-]?[0-9]{1,9}(?:/[1-9][0-9]{0,8})?)*")
"""The points of any number of seats."""


def points_fault(points: str, seats: int) -> str:
    """Return what is wrong with a score such as ``88:-44:-44`` for so many seats, as a sentence; empty for nothing."""
    if points.count(":") + 1 == seats and _POINTS.fullmatch(points):
        return ""
    return f"found the score {points!r}, expected {seats} numbers such as {':'.join('1' * seats)}"


@lru_cache(64)
def points_in(text: str) -> tuple[Fraction, ...]:
    """Return the points of each seat in a score such as ``88:-44:-44``, in order; empty if the text is no score.

    A score has a whole number or a fraction such as ``-1/2`` for each seat.
    """
    if points_fault(text, text.count(":") + 1):
        return ()
    return tuple(map(_number, text.split(":")))


def whole_points(text: str) -> tuple[int, ...]:
    """Return the points of each seat in a score that ``points_in`` can read; empty if one of them is a fraction."""
    return () if "/" in text else tuple([int(number) for number in text.split(":")])


@lru_cache(1024)
def _number(text: str) -> Fraction:
    """Return a number of points such as ``-44`` or ``1/2``, which the caller has checked."""
    return Fraction(text) if "/" in text else Fraction(int(text))


@lru_cache(256)
def result_fault(result: str, seats: int) -> str:
    """Return what is wrong with a result for so many seats, as a sentence; empty if nothing is, as with ``*``.

    Its numbers must add up to 1, or all be 0.
    """
    if result == "*":
        return ""
    parts = [part.split("/") for part in result.split("-")]
    if len(parts) != seats or not all(re.fullmatch(r"[0-9]{1,6}(/[0-9]{1,6})?", part) for part in result.split("-")):
        return f"found the result {result!r}, expected * or {seats} numbers such as {format_result((1,) * seats)}"
    top, bottom = 0, 1
    for part in parts:
        below = int(part[1]) if len(part) == 2 else 1
        if below == 0:
            return f"found the result {result!r}, which divides by zero, expected numbers from 1"
        top, bottom = top * below + int(part[0]) * bottom, bottom * below
    if top not in (0, bottom):
        return f"found the result {result!r}, expected numbers that add up to 1"
    return ""
