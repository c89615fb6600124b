"""The tag Score of games in which seats win points: one number for each seat, and whether it contradicts the moves."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from cartulary.engine.parts import S
from cartulary.notation.cgn.result import points_in
from cartulary.notation.contract import Points

Bounds = Sequence[tuple[float, float]]
"""By seat, the least and the most that its points may be."""


def all_known(state: Any) -> Bounds:
    """Return no bounds, an empty sequence: the points of every seat are known."""
    return ()


def seat_points(
    points: Callable[[S], Iterable[int]], comes_to: str, bounds: Callable[[S], Bounds] = all_known
) -> Points[S]:
    """Return the part ``Points`` of a game whose tag Score has the points of each seat as they stand.

    Args:
        points: Returns the points of each seat in a state.
        comes_to: The words before the right score in a fault, such as ``the areas come to``.
        bounds: Returns the least and the most points of each seat, where hidden cards leave them open.
    """

    def write(state: S) -> dict[str, str]:
        """Return the tag Score of a state with its value: ``{"Score": "12:9"}``."""
        return score(points(state))

    def misstated(
        tags: Mapping[str, str], result: str, state: S, ruled_score: str = ""
    ) -> tuple[tuple[str, str, str], ...]:
        """Return (tag, key, reason) of the tag Score, in a tuple, if it contradicts the state; else an empty tuple.

        The result is not looked at. ``ruled_score`` is the score in force if rulings have changed it, and otherwise
        empty.
        """
        return misstated_score(tags, write(state), comes_to, bounds(state), ruled_score)

    def gained(before: S, after: S) -> tuple[Fraction, ...]:
        """Return what each seat has won between two states, in seat order; negative if it lost."""
        pairs = zip(points(before), points(after), strict=True)
        return tuple(Fraction(now - earlier) for earlier, now in pairs)

    return Points(tags=("Score",), write=write, tag_faults=misstated, gains=gained)


def score(points: Iterable[int | Fraction]) -> dict[str, str]:
    """Return the tag Score with its value for the points of each seat: ``{"Score": "88:-44:-44"}``."""
    return {"Score": format_points(points)}


def format_points(points: Iterable[int | Fraction]) -> str:
    """Return points in seat order as the tag has them: ``88:-44:-44``; a fraction as ``1/2``."""
    return ":".join([str(each.numerator if each.denominator == 1 else each) for each in points])


def misstated_score(
    tags: Mapping[str, str],
    right: Mapping[str, str],
    comes_to: str,
    bounds: Bounds = (),
    ruled_score: str = "",
) -> tuple[tuple[str, str, str], ...]:
    """Return ``(("Score", key, reason),)`` if the tag Score contradicts the moves; else an empty tuple.

    Args:
        tags: The tags of the record.
        right: The tags as the rules make them.
        comes_to: The words before the right score in the reason, such as ``the areas come to``.
        bounds: The least and the most points of each seat, where the moves do not settle them.
        ruled_score: The score in force where rulings have changed it; the bounds move with it.
    """
    due = ruled_score or right["Score"]
    text = tags.get("Score", due)
    if text == due:
        return ()
    moved = [float(now - plain) for now, plain in zip(points_in(due), points_in(right["Score"]), strict=False)]
    stated = [float(part) for part in text.split(":") if part.isascii() and part.strip().isdecimal() and len(part) < 9]
    may_be = len(stated) == len(bounds) == text.count(":") + 1 and all(
        least + more <= point <= most + more for point, (least, most), more in zip(stated, bounds, moved, strict=True)
    )
    by = "with the rulings it is" if ruled_score else comes_to
    because = f"the Score tag says {text[:24]}, but {by} {due}"
    return () if may_be else (("Score", "record.tag", because),)
