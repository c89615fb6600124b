"""Laws of drawings: what lies where, each thing under an id that stays with it."""

from collections import Counter
from itertools import pairwise

from cartulary.notation import Drawing, Item
from cartulary.testing.game import HeldGame, long_search, looks, only_for
from cartulary.testing.play import random_games

BOARD = frozenset(("", "frame", "empty"))
"""The roles of what is drawn and is no thing: lines, coordinates, empty places."""

Look = tuple[str, str]


def things(drawing: Drawing) -> list[Item]:
    """Return the items that are things one can tell apart; of pyramids of a size nobody can say which one moved."""
    return [item for item in drawing.items if item.role not in BOARD and item.look != "pyramid"]


def beyond(item: Item, drawing: Drawing) -> bool:
    """Say whether a thing lies outside a drawing, or reaches out of it; words may."""
    (x, y), (wide, high) = item.place, item.size if item.look != "text" else (1, 1)
    return min(x, y) < 0 or x + wide > drawing.size[0] or y + high > drawing.size[1]


def alone(drawing: Drawing) -> dict[str, Item]:
    """Return the cards and pieces of which there is one, each by its symbol."""
    there = [item for item in things(drawing) if item.look in ("card", "piece")]
    times = Counter(item.symbol for item in there)
    return {item.symbol: item for item in there if times[item.symbol] == 1}


def owner(item: Item) -> str:
    """Return whose a thing is by its role, empty where that is no seat's."""
    whose = item.role.partition(" ")[0]
    return whose if whose[1:].isdigit() else ""


def look(item: Item) -> Look:
    """Return what things that look the same have in common."""
    return item.symbol, item.role


def check_ids(before: Drawing, after: Drawing) -> None:
    """Check that what lies where it lay, looking as it looked, keeps its id, and that a move of things makes none.

    So does what is the only one of its symbol, wherever it goes; from seat to seat it may be another.
    """
    lay = {(item.place, look(item)): item.id for item in things(before)}
    lies = {(item.place, look(item)): item.id for item in things(after)}
    wandered = [(spot, lay[spot], lies[spot]) for spot in lay.keys() & lies.keys() if lay[spot] != lies[spot]]
    assert wandered == [], f"these have not moved and go by another id: {wandered}"
    if Counter(map(look, things(before))) == Counter(map(look, things(after))):
        gone = {item.id for item in things(before)} ^ {item.id for item in things(after)}
        assert gone == set(), f"the same things lie there, under other ids: {sorted(gone)}"
    first, then = alone(before), alone(after)
    pairs = [(first[symbol], then[symbol]) for symbol in first.keys() & then.keys()]
    pairs = [(one, two) for one, two in pairs if owner(one) == owner(two) or not owner(one) or not owner(two)]
    renamed = sorted((one.symbol, one.id, two.id) for one, two in pairs if one.id != two.id)
    assert renamed == [], f"these have moved and go by another id: {renamed}"


class DrawingLaws(HeldGame):
    """What a drawing says of the things it draws."""

    @long_search
    @only_for(lambda game: game.words.drawing is not None)
    def test_an_id_of_a_drawing_stays_with_one_thing(self) -> None:
        game, seats = self.game(), self.first_state({})[1]
        drawing = game.words.drawing
        assert drawing is not None
        for plies in random_games(type(self), looks(4), 120):
            for seat in (None, *range(seats + 1)):
                drawn = [drawing(ply.before, seat) for ply in plies]
                for one in drawn:
                    twice = [name for name, times in Counter(item.id for item in one.items).items() if times > 1]
                    assert twice == [], f"{twice} name two things at once"
                    outside = [item.id for item in one.items if beyond(item, one)]
                    assert outside == [], f"{outside} lie outside the drawing"
                for before, after in pairwise(drawn):
                    check_ids(before, after)
