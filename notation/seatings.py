"""Who sat where, and from which ply on: the players in the tags, and those who took their places during the game.

Source: notation.md, "Commands": a ``[%seat p4 Fay]`` in a comment says that from the next ply on Fay sits at p4.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from cartulary.notation.cgn.controls import isolate
from cartulary.notation.cgn.record import Record

UNKNOWN = "?"


class Tenure(Struct, frozen=True):
    """The time that one person sat at a seat.

    Attributes:
        since: The first ply, 0 from the beginning.
        name: The person.
    """

    since: int
    name: str


def tenures(record: Record, seat_tags: Sequence[str]) -> tuple[tuple[Tenure, ...], ...]:
    """Return for each seat of a record who sat there, in order. The first of a seat is always there.

    Args:
        record: The record.
        seat_tags: The tags that name the players, in seat order.
    """
    seats = [[Tenure(0, record.tag(tag, UNKNOWN) or UNKNOWN)] for tag in seat_tags]
    for ply in sorted(record.seatings):
        for seat, name in record.seatings[ply]:
            if seat > len(seats):
                continue
            sat = seats[seat - 1]
            since = ply + 1 if ply else 0
            if sat[-1].since == since:
                sat.pop()
            if not sat or sat[-1].name != name:
                sat.append(Tenure(since, name))
    return tuple(map(tuple, seats))


def sitting(record: Record, seat_tags: Sequence[str], ply: int | None = None) -> tuple[str, ...]:
    """Return who sits at each seat, ``?`` for a name that is not known.

    Args:
        record: The record.
        seat_tags: The tags that name the players, in seat order.
        ply: After how many plies; None for after the last.
    """
    if not record.seatings:
        return tuple(record.tag(tag, UNKNOWN) or UNKNOWN for tag in seat_tags)
    return tuple(
        next(tenure.name for tenure in reversed(sat) if ply is None or tenure.since <= ply + 1)
        for sat in tenures(record, seat_tags)
    )


def sitters_text(sat: Sequence[Tenure], spell: Callable[[str], str] = isolate) -> str:
    """Return who sat at a seat, in words: ``Dan, from ply 12 on Fay``.

    Args:
        sat: Who sat there.
        spell: Returns what stands for a name; by default it is isolated from text that runs the other way.
    """
    first, *others = sat
    return ", ".join((spell(first.name), *(f"from ply {tenure.since} on {spell(tenure.name)}" for tenure in others)))
