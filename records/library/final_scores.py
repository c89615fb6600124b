"""The points of finished games, for lists of games."""

from collections.abc import Sequence

from msgspec import Struct

from cartulary.records.log.contract import Log
from cartulary.records.state.people import people_of


class SeatScore(Struct, frozen=True):
    """What a seat has in the end.

    Attributes:
        name: The player, as people are shown.
        points: The points.
        won: Whether the player has won, alone or with others.
    """

    name: str
    points: str
    won: bool


def final_scores(store: Log, ids: Sequence[str]) -> dict[str, tuple[SeatScore, ...]]:
    """Return the points of the seats of finished games, in seat order, by the id of the game.

    A game without points is left out, and so is one that is open, unknown, or in which somebody took over a seat: the
    points of a seat are then those of several persons.

    Args:
        store: The log.
        ids: The games.
    """
    people = people_of(store)
    rows = store.index.rows(
        "SELECT g.id, p.name, s.share, s.points FROM games g JOIN scores s ON s.number = g.number "
        f"JOIN people p ON p.person = s.person WHERE g.closed = 1 AND g.id IN ({', '.join('?' * len(ids))}) "
        "AND NOT EXISTS (SELECT 1 FROM scores t WHERE t.number = g.number AND t.since > 0) ORDER BY g.number, s.seat",
        tuple(ids),
    )
    scores: dict[str, list[SeatScore]] = {}
    for id, name, share, points in rows:
        score = SeatScore(people.display_name(name), points, share not in ("", "0"))
        scores.setdefault(id, []).append(score)
    return {id: tuple(seats) for id, seats in scores.items() if all(seat.points for seat in seats)}
