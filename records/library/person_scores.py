"""What each person has in a game in which people changed seats: substitutes, or five at a table for four."""

from fractions import Fraction

from msgspec import Struct

from cartulary.records.library.listing import score_in_force
from cartulary.records.library.substitutes import tenure_scores
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.people import People


class PersonScore(Struct, frozen=True):
    """What a person has in a game, at all seats together.

    Attributes:
        name: The person, as people are shown.
        points: The points as in the tag Score.
        share: The share of the result; empty in an open game.
    """

    name: str
    points: str
    share: str


def person_scores(game: LiveGame, people: People) -> tuple[PersonScore, ...]:
    """Return what each person has in a game, at all seats together, in the order of the seats.

    It is empty if no points are counted.

    Args:
        game: The game, open or closed. In an open one they are the points of now.
        people: Under which name each person is shown.
    """
    points, shares = score_in_force(game).split(":"), game.book.result.split("-")
    if len(points) != game.book.seats:
        return ()
    shares = shares if game.book.closed and len(shares) == len(points) else [""] * len(points)
    seats = [(seat, 0, "", *won, 0) for seat, won in enumerate(zip(shares, points, strict=True), 1)]
    totals: dict[str, Fraction] = {}
    parts: dict[str, Fraction] = {}
    for _, _, name, share, won, _ in tenure_scores(game, seats):
        [shown] = people.display_names((name,))
        totals[shown] = totals.get(shown, Fraction(0)) + Fraction(won or 0)
        parts[shown] = parts.get(shown, Fraction(0)) + Fraction(share or 0)
    return tuple(
        PersonScore(name, str(total), str(parts[name]) if game.book.closed else "") for name, total in totals.items()
    )
