"""What each person has won who sat at a seat, where somebody else took it over during the game.

A share of the result is divided by plies: who sat there for a third of the plies gets a third of it. Points go to
whoever sat there when they were won: those of a deal to who sits there at the ply that ends it, those of a ruling to
who sits there at its ply, and what the close or a ruling without a ply adds to the last. If the moves do not give the
score, points are divided by plies too. What the people of a seat have won adds up to what the seat has won.

Where people change seats with one another, as where five play at a table for four, those have won who have the best
points at all their seats together.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from cartulary.notation.arbiter.score_in_force import scoring_of
from cartulary.notation.cgn.result import points_in
from cartulary.notation.seatings import Tenure, tenures
from cartulary.records.state.fold import LiveGame, played_game
from cartulary.records.texts import one_spelling

ScoreRow = tuple[int, int, str, str, str, int]
"""Seat, the first ply, name, share of the result, points and place, as in ``Lines.scores``."""


def tenure_scores(game: LiveGame, scores: Sequence[ScoreRow]) -> tuple[ScoreRow, ...]:
    """Return the rows of a game with substitutes: one for each person at each seat, seat by seat.

    A row is seat, first ply, name, share, points and place. Share and points of a seat are divided among those who sat
    there. A person who sat down after the last ply has won nothing, not even a share of 0: both texts are empty.

    Args:
        game: The game.
        scores: A row for each seat, as if nobody had taken one over; empty if the game is not finished.
    """
    seats = tenures(game.record, played_game(game).about.seat_tags(game.book.seats))
    seat_rows = scores or tuple((seat, 0, "", "", "", 0) for seat in range(1, len(seats) + 1))
    rows: list[ScoreRow] = []
    for (seat, _, _, share, points, place), sat in zip(seat_rows, seats, strict=True):
        plies = _plies_of(sat, game.plies)
        shares = _divided(share, plies)
        numbers = _points_won(game, seat, points, sat, plies)
        for tenure, many, part, won in zip(sat, plies, shares, numbers, strict=True):
            name = one_spelling(tenure.name)
            rows.append((seat, tenure.since, name, *((part, won, place) if many or len(sat) == 1 else ("", "", 0))))
    return _by_person(rows, seat_rows) if _change_seats(rows) else tuple(rows)


def _change_seats(rows: Iterable[ScoreRow]) -> bool:
    """Say whether somebody whose name is known has sat at several seats, as where five play at a table for four."""
    seats = {(name, seat) for seat, _, name, _, _, _ in rows if name not in ("", "?")}
    return len(seats) > len({name for name, _ in seats})


def _by_person(rows: Sequence[ScoreRow], seat_rows: Sequence[ScoreRow]) -> tuple[ScoreRow, ...]:
    """Return rows in which those have won who have the best points at all their seats together.

    The share of a person is in the first row, and 0 in the others; each row has the place. If not every seat has
    points, or others have won than the seats with the best points, the rows stay as they are.

    Args:
        rows: The rows of a game in which somebody sat at several seats.
        seat_rows: The rows of the seats, as if nobody had taken one over.
    """
    points = {seat: Fraction(won) for seat, _, _, _, won, _ in seat_rows if won}
    winners = {seat for seat, _, _, share, _, _ in seat_rows if share not in ("", "0")}
    if len(points) < len(seat_rows) or not winners:
        return tuple(rows)
    sign = next(
        (
            sign
            for sign in (1, -1)
            if {s for s, p in points.items() if p * sign == max(sign * each for each in points.values())} == winners
        ),
        0,
    )
    if not sign:
        return tuple(rows)
    totals: dict[str, Fraction] = {}
    for _, _, name, _, won, _ in rows:
        if won:
            totals[name] = totals.get(name, Fraction(0)) + sign * Fraction(won)
    best = max(totals.values())
    share = str(Fraction(1, sum(total == best for total in totals.values())))
    ranked: list[ScoreRow] = []
    seen: set[str] = set()
    for seat, since, name, _, won, _ in rows:
        if not won:
            ranked.append((seat, since, name, "", "", 0))
            continue
        place = 1 + sum(total > totals[name] for total in totals.values())
        ranked.append((seat, since, name, share if totals[name] == best and name not in seen else "0", won, place))
        seen.add(name)
    return tuple(ranked)


def _plies_of(sat: Sequence[Tenure], plies: int) -> list[int]:
    """Return for how many of the plies of a game each person sat at a seat; 0 for who sat down after the last ply.

    ``sat`` are those who sat there, in order, and ``plies`` is the number of plies of the game.
    """
    begins = [min(max(tenure.since, 1), plies + 1) for tenure in sat]
    return [end - begin for begin, end in zip(begins, (*begins[1:], plies + 1), strict=True)]


def _divided(number: str, plies: Sequence[int]) -> list[str]:
    """Return the parts of a number in proportion to plies, as texts: ``1`` and ``(10, 30)`` -> ``1/4``, ``3/4``.

    All of them are empty if the number is.
    """
    if not number or len(plies) == 1:
        return [number] * len(plies)
    return [str(Fraction(number) * Fraction(many, sum(plies))) for many in plies]


def _points_won(game: LiveGame, seat: int, points: str, sat: Sequence[Tenure], plies: Sequence[int]) -> list[str]:
    """Return the points that each person has won at a seat, as texts, empty if no points are counted.

    They are what the moves gave while the person sat there. If the moves do not say that, the points are divided by
    plies.

    Args:
        game: The game.
        seat: The number of the seat.
        points: What the seat has won in all, empty if no points are counted.
        sat: Who sat there, in order.
        plies: For how many plies each of them.
    """
    if not points or len(sat) == 1:
        return [points] * len(sat)
    scores = [_points_after(game, seat, tenure.since - 1) for tenure in sat[1:]]
    if _points_after(game, seat, game.plies) is None or None in scores:
        return _divided(points, plies)
    ends = [Fraction(0), *(score for score in scores if score is not None), Fraction(points)]
    # Those who sat down after the last ply have won nothing.
    last = max(at for at, many in enumerate(plies) if many)
    ends[last + 1 :] = [Fraction(points)] * (len(ends) - last - 1)
    return [str(end - begin) for begin, end in pairwise(ends)]


def _points_after(game: LiveGame, seat: int, ply: int) -> Fraction | None:
    """Return the points of a seat after a ply, with the rulings up to there.

    None means that the moves do not give them, or that there is no such ply.
    """
    played, walk = played_game(game), game.examined.walk
    if walk is None or not 0 < ply <= walk.plies_reached:
        return None
    state = played.turns.settle(walk.steps[ply - 1].after)
    scoring = scoring_of(game.scoring, walk)
    lines = scoring.lines(state, "", ply) if scoring is not None else ()
    points = points_in(lines[-1].score if lines else played.points.write(state).get("Score", ""))
    if len(points) == game.book.seats:
        return points[seat - 1]
    begun = played.points.gains(played.turns.settle(walk.start.state), state)
    return Fraction(0) if begun == () and ply < game.plies else None
