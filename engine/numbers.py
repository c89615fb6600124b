"""Numbers in sentences, and the names of seats."""

import re

SEAT = "p([1-9][0-9]?)"
"""The pattern of a seat's name as sheets and logs spell it, for larger patterns; the group is the seat's number."""
ANY_SEAT = "p[0-9]+"
"""The pattern of every name like a seat's: that of the table, ``p0``, and those of seats that no game has, too."""
_TYPED = re.compile(SEAT.replace("p", "p0*"), re.ASCII | re.IGNORECASE)
_ANY_SEAT = re.compile(ANY_SEAT)


def how_many(number: int, singular: str = "card", plural: str = "") -> str:
    """Return a number with its noun, in the singular or plural: ``1 card``, ``2 cards``, ``2 plies``.

    Args:
        number: how many there are.
        singular: the noun for one, with a verb if that must agree: ``card is``.
        plural: the noun for any other number. By default it is the singular with an s.
    """
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def seats_named(seats: int, conjunction: str = "or", lowest: int = 1) -> str:
    """Return the seats of a table as a sentence lists them: ``p1``, ``p1 or p2``, ``p1 to p5``.

    Args:
        seats: the highest seat.
        conjunction: the word between two seats.
        lowest: the first seat, 0 for the table.
    """
    if seats == lowest:
        return f"p{seats}"
    return f"p{lowest} {conjunction if seats == lowest + 1 else 'to'} p{seats}"


def seat_number(name: str) -> int:
    """Return the number of the seat that a text names, 0 if it names none.

    ``p2``, ``P2`` and ``p02`` are the same seat. Every name of a seat that somebody typed or sent is read here. The
    caller checks whether the game has such a seat.
    """
    match = _TYPED.fullmatch(name)
    return int(match[1]) if match else 0


def is_numbered(name: str) -> bool:
    """Say whether a text has the form of a seat's name, ``p2`` or ``p0`` (the table), whether or not there is such a
    seat.
    """
    return _ANY_SEAT.fullmatch(name) is not None
