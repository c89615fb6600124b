"""Numbers in sentences, and the names of seats."""

import re

_SEAT = re.compile(r"p0*([1-9][0-9]?)", re.ASCII | re.IGNORECASE)


def how_many(number: int, singular: str = "card", plural: str = "") -> str:
    """Return a number with what there are so many of: ``1 card``, ``2 cards``, ``2 plies``.

    one: the words for one, a verb among them where it must agree: ``card is``; many: for any other number. Default:
    ``one`` with an s
    """
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def seats_named(seats: int, joined: str = "or", lowest: int = 1) -> str:
    """Return the seats of a table: ``p1``, ``p1 or p2``, ``p1 to p5``.

    joined: what is said between two; lowest: the first seat, 0 for the table
    """
    if seats == lowest:
        return f"p{seats}"
    return f"p{lowest} {joined if seats == lowest + 1 else 'to'} p{seats}"


def seat_number(name: str) -> int:
    """Return the seat that a name such as ``p2`` is of, 0 for a name of none: ``P2`` and ``p02`` are the same seat.

    Every name of a seat that somebody typed or sent is read here. Whether a game has such a seat is for others to say.
    """
    match = _SEAT.fullmatch(name)
    return int(match[1]) if match else 0
