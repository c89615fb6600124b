"""The score in force: what the rules compute, and what each ruling has made of it since."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from operator import add
from typing import Any

from msgspec import Struct

from cartulary.notation.arbiter.ruling_commands import RulingCommand, ruling_says
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.cgn.result import points_in
from cartulary.notation.contract import AnyGame
from cartulary.notation.score import format_points


class ScoreLine(Struct, frozen=True, omit_defaults=True):
    """One step to the score in force.

    ``by`` is the arbiter, empty for the rules. ``says`` is the effect on the score without any free words, and
    ``score`` is the score after it. ``how`` says how the rules work it out, if that is shown.
    """

    by: str
    says: str
    score: str
    how: str = ""


RULES = "the rules"
"""The text of a line that comes from the rules and not from a ruling."""
Gains = Callable[[int | None], Sequence[Fraction] | None]
"""What each seat has won by the rules since a ply; empty where nobody wins points, None where it is not known."""


def nothing_since(after: int | None) -> tuple[()]:
    """Return no points, for a score since which no ply was made; the default of ``score_lines``."""
    return ()


def score_lines(
    rules_score: str, rulings: Iterable[RulingCommand], seats: int, how: str = "", gains: Gains = nothing_since
) -> tuple[ScoreLine, ...]:
    """Return how the score in force comes about, the score itself last; empty if no ruling changes it.

    A change of points waits until there is a score. A score of another number of seats and a seat that does not exist
    count for nothing. If nobody knows what was won since a score was set, there is no score in force.

    Args:
        rules_score: The score by the rules, empty if they give none.
        rulings: The rulings that count, in their order.
        seats: The number of seats.
        how: How the rules work out their score, if that is shown.
        gains: Returns the points won by the rules after a ruling that set the score, given the ply it was set at.
    """
    points = list(points_in(rules_score))
    lines = [ScoreLine("", RULES, rules_score, how)] if rules_score else []
    changed = False
    for ruling in rulings:
        more = gains(ruling.after) if ruling.score else ()
        if more is None:
            return ()
        if ruling.score and len(points_in(ruling.score)) == seats:
            points, lines, changed = list(points_in(ruling.score)), [], True
        for seat, change in ruling.points if points else ():
            for part in points_in(change) if seat <= len(points) else ():
                points[seat - 1] += part
                changed = True
        if points:
            lines.append(ScoreLine(ruling.arbiter, _says(ruling), format_points(points)))
        if any(more) and len(more) == len(points):
            points = list(map(add, points, more))
            lines.append(ScoreLine("", f"with the plies since {ruling.after}", format_points(points)))
    return tuple(lines) if changed else ()


def _says(ruling: RulingCommand) -> str:
    """Return the effect of a ruling on the score as text: ``p3 -88, p2 +88``, or ``score 0:0:0:0`` if it sets one."""
    return ruling_says(RulingCommand(decision="score", points=ruling.points, score=ruling.score))


class Scoring(Struct, frozen=True):
    """The rulings that count in the score of a record, with the states they need.

    ``plies`` is the number of plies reached. ``states`` has the settled state after each ply from which on the points
    of the rules are added to a score that a ruling set.
    """

    game: AnyGame
    rulings: tuple[RulingCommand, ...]
    seats: int
    plies: int
    states: dict[int, Any]

    def lines(self, settled_state: Any, how: str = "", ply: int | None = None) -> tuple[ScoreLine, ...]:
        """Return how the score in force comes about, the score itself last; empty if no ruling changes it.

        Args:
            settled_state: The state after the last ply, or after ``ply`` plies, settled.
            how: How the rules work out their score, if that is shown.
            ply: The number of plies after which to look, so that later rulings do not count; None for all.
        """
        computed = self.game.points.write(settled_state).get("Score", "")
        rulings = (ruling for ruling in self.rulings if ply is None or self._since(ruling) <= ply)
        return score_lines(computed, rulings, self.seats, how, lambda after: self._gained(after, settled_state))

    def drawn_state(self, state: Any, ply: int) -> Any:
        """Return a state as it is drawn: with the score that is in force after ``ply`` plies.

        It is returned as it is if no ruling has changed the score by then.
        """
        lines = self.lines(self.game.turns.settle(state), "", ply)
        return self.game.points.with_score(state, points_in(lines[-1].score)) if lines else state

    def _gained(self, after: int | None, settled: Any) -> Sequence[Fraction] | None:
        """Return the points won by the rules between ply ``after`` and the settled state; empty if nothing counts.

        It is None if nobody knows what was won.
        """
        # Where no ply was made, what the tags of a deal say was there when the ruling was given.
        before = None if after is None or not self.plies else self.states.get(min(after, self.plies))
        return () if before is None or before == settled else self.game.points.gains(before, settled)

    def _since(self, ruling: RulingCommand) -> int:
        """Return the ply from which on a drawing shows the effect of a ruling, at most the last ply reached.

        That is the ply after which it set the score, or the last ply it is about; for neither the last ply reached.
        """
        if ruling.score and ruling.after is not None:
            return min(ruling.after, self.plies)
        return min(max(ruling.plies, default=self.plies), self.plies)


def scoring_of(rulings: Sequence[RulingCommand], walk: Walk) -> Scoring | None:
    """Return the rulings that count in a score, with the states they need; None without rulings.

    Args:
        rulings: The rulings, in the order in which they count.
        walk: The walk through their record.
    """
    if not rulings:
        return None
    heading, plies = walk.heading, walk.plies_reached
    assert heading.game is not None
    assert heading.sheet is not None
    settle = heading.game.turns.settle
    after = {min(ruling.after, plies) for ruling in rulings if ruling.score and ruling.after is not None}
    states = {ply: settle(walk.steps[ply - 1].after if ply else walk.start.state) for ply in after}
    return Scoring(heading.game, tuple(rulings), heading.sheet.seats, plies, states)
