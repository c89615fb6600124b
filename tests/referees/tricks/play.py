"""Games of the second players of the trick games."""

from random import Random

from tests.referees.tricks.belote import BeloteTable
from tests.referees.tricks.table import DECK, Table

__all__ = ["DECK", "Table", "played"]


def played(game: str, random: Random, *, seats: int = 4, deals: int = 99, target: int = 0) -> Table:
    """Return a table after a whole game, or after so many deals of it."""
    target = target or {"hearts": 100, "spades": 500, "belote": 1000}.get(game, 0)
    table = BeloteTable(random, target) if game == "belote" else Table(game, seats, random, target)
    for _ in range(deals):
        if table.is_over():
            break
        table.play_deal()
    return table
