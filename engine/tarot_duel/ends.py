"""How a duel ends: by suits, by points, by the number of turns, or when only one seat can still draw."""

from cartulary.engine.contract import Outcome, won_by
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import has_slots
from cartulary.engine.tarot_duel.cards import points, whole_suits
from cartulary.engine.tarot_duel.clauses import DRAW_ONE, POINT_WIN, SUIT_WIN, TURN_LIMIT, Rule
from cartulary.engine.tarot_duel.draft import Draft

ENDS = {rule.key: rule for rule in (SUIT_WIN, POINT_WIN, TURN_LIMIT, DRAW_ONE)}
"""The rules that end a game."""

_TWO_SUITS = 2 * points(bytes(range(14)))
"""The points of two suits, the least an area has that holds them."""


def aim(draft: Draft) -> None:
    """End the game if an aim is reached; the seat in turn is asked first."""
    if draft.slots.pools:
        for seat, side in enumerate(draft.sides, 1):
            if has_slots(side.area + side.row):
                draft.count(draft.side(seat))
    total = draft.house.total
    least = total if 0 < total < _TWO_SUITS else _TWO_SUITS
    for side in draft.sides:
        if side.points >= least:
            _reach(draft, total)
            return


def _reach(draft: Draft, total: int) -> None:
    """End the game for the first seat from the one in turn on that has reached an aim; total: the points that win."""
    for seat in draft.around(draft.turn):
        side = draft.sides[seat - 1]
        if whole_suits(side.area + side.row) > 1:
            end(draft, (seat,), SUIT_WIN, f"p{seat} has two complete suits")
            return
        if 0 < total <= side.points and draft.marks.is_in(seat):
            because = (
                f"p{seat}'s area has {how_many(side.points, 'point')}, and {how_many(total, 'is', 'are')} enough to win"
            )
            end(draft, (seat,), POINT_WIN, because)
            return


def end(draft: Draft, winners: tuple[int, ...], rule: Rule, because: str) -> None:
    """End the game, the winners sharing it."""
    draft.ended = Outcome(won_by(winners, draft.house.seats), rule.key, because)


def at_the_limit(draft: Draft) -> None:
    """End the game by its number of turns."""
    worths = {seat: draft.sides[seat - 1].points for seat in draft.around(1) if draft.marks.is_in(seat)}
    best = max(worths.values())
    winners = tuple(seat for seat, worth in worths.items() if worth == best)
    end(draft, winners, TURN_LIMIT, f"{draft.turns} turns have been played, and {most_said(winners, best)}")


def most_said(winners: tuple[int, ...], best: int) -> str:
    """Return who has the area that is worth most, in words; of several seats, each has as many points."""
    *rest, last = (f"p{seat}" for seat in winners)
    worth = how_many(best, "point")
    if not rest:
        return f"{last} has the area worth most, {worth}"
    return f"{', '.join(rest)} and {last} have the areas worth most, {worth} each"
