"""Numbers in sentences."""


def how_many(number: int, one: str = "card", many: str = "") -> str:
    """Return a number with what there are so many of: ``1 card``, ``2 cards``, ``2 plies``.

    one: the words for one, a verb among them where it must agree: ``card is``; many: for any other number. Default:
    ``one`` with an s
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def seats_named(seats: int, joined: str = "or", lowest: int = 1) -> str:
    """Return the seats of a table: ``p1``, ``p1 or p2``, ``p1 to p5``.

    joined: what is said between two; lowest: the first seat, 0 for the table
    """
    if seats == lowest:
        return f"p{seats}"
    return f"p{lowest} {joined if seats == lowest + 1 else 'to'} p{seats}"
