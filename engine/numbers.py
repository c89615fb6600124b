"""Numbers in sentences."""


def how_many(number: int, one: str = "card", many: str = "") -> str:
    """Return a number with what there are so many of: ``1 card``, ``2 cards``, ``2 plies``.

    one: the words for one, a verb among them where it must agree: ``card is``; many: for any other number. Default:
    ``one`` with an s
    """
    return f"{number} {one if number == 1 else many or one + 's'}"
