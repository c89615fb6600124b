"""The score in force: what the rules compute, and what each ruling has made of it since."""

from collections.abc import Iterable

from msgspec import Struct

from cartulary.notation.arbiter.ruling_commands import RulingCommand, ruling_says
from cartulary.notation.score import format_points, points_in


class ScoreLine(Struct, frozen=True, omit_defaults=True):
    """One step to the score in force.

    by: the arbiter, empty for the rules; says: what it did to the score, none of its free words; score: after it
    how: how the rules work it out, where it is told
    """

    by: str
    says: str
    score: str
    how: str = ""


RULES = "the rules"
"""What a line says that is none of a ruling."""


def score_lines(computed: str, rulings: Iterable[RulingCommand], seats: int, how: str = "") -> tuple[ScoreLine, ...]:
    """Return how the score in force comes about, what it is last; empty where no ruling changes it.

    computed: what the rules make it, empty where they make none; rulings: those that count, in their order
    how: how that is worked out, where it is told
    A change waits until there is a score; a score of another number of seats, and a seat that is not there, count for
    nothing.
    """
    points = list(points_in(computed))
    lines = [ScoreLine("", RULES, computed, how)] if computed else []
    changed = False
    for ruling in rulings:
        if ruling.score and len(points_in(ruling.score)) == seats:
            points, lines, changed = list(points_in(ruling.score)), [], True
        for seat, change in ruling.points if points else ():
            for more in points_in(change) if seat <= len(points) else ():
                points[seat - 1] += more
                changed = True
        if points:
            lines.append(ScoreLine(ruling.arbiter, _says(ruling), format_points(points)))
    return tuple(lines) if changed else ()


def _says(ruling: RulingCommand) -> str:
    return ruling_says(RulingCommand((), "score", "", points=ruling.points, score=ruling.score))
