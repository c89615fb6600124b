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
    """Return the items of a drawing that are cards or pieces, in order, without pyramids.

    Of several pyramids of one size nobody can say which one has moved.
    """
    return [item for item in drawing.items if item.role not in BOARD and item.look != "pyramid"]


def reaches_outside(item: Item, drawing: Drawing) -> bool:
    """Say whether an item lies outside a drawing, in whole or in part. Of a text only the beginning counts."""
    (x, y), (wide, high) = item.place, item.size if item.look != "text" else (1, 1)
    return min(x, y) < 0 or x + wide > drawing.size[0] or y + high > drawing.size[1]


def singles(drawing: Drawing) -> dict[str, Item]:
    """Return by symbol the cards and pieces of a drawing of which there is only one."""
    pieces = [item for item in things(drawing) if item.look in ("card", "piece")]
    times = Counter(item.symbol for item in pieces)
    return {item.symbol: item for item in pieces if times[item.symbol] == 1}


def owner(item: Item) -> str:
    """Return the seat to which an item belongs, by the first word of its role: ``p1``; empty if that names no seat."""
    seat = item.role.partition(" ")[0]
    return seat if seat[1:].isdigit() else ""


def look(item: Item) -> Look:
    """Return symbol and role of an item as a pair; items that look the same have the same pair."""
    return item.symbol, item.role


def check_ids(before: Drawing, after: Drawing) -> None:
    """Check the ids of two drawings of which one follows the other.

    What lies where it lay and looks the same keeps its id. If the second drawing has the same things, it has the same
    ids. What is the only one of its symbol keeps its id wherever it goes, except from seat to seat.
    """
    ids_before = {(item.place, look(item)): item.id for item in things(before)}
    ids_after = {(item.place, look(item)): item.id for item in things(after)}
    renamed_in_place = [
        (spot, ids_before[spot], ids_after[spot])
        for spot in ids_before.keys() & ids_after.keys()
        if ids_before[spot] != ids_after[spot]
    ]
    assert renamed_in_place == [], f"these have not moved and go by another id: {renamed_in_place}"
    if Counter(map(look, things(before))) == Counter(map(look, things(after))):
        changed_ids = {item.id for item in things(before)} ^ {item.id for item in things(after)}
        assert changed_ids == set(), f"the same things lie there, under other ids: {sorted(changed_ids)}"
    old, new = singles(before), singles(after)
    pairs = [(old[symbol], new[symbol]) for symbol in old.keys() & new.keys()]
    pairs = [(item, later) for item, later in pairs if owner(item) in (owner(later), "") or not owner(later)]
    renamed = sorted((item.symbol, item.id, later.id) for item, later in pairs if item.id != later.id)
    assert renamed == [], f"these have moved and go by another id: {renamed}"


class DrawingLaws(HeldGame):
    """What a drawing says of the things it draws."""

    @long_search
    @only_for(lambda game: game.words.drawing is not None)
    def test_an_id_of_a_drawing_stays_with_one_thing(self) -> None:
        """Check drawings of random games: no id is there twice, nothing lies outside, and ``check_ids`` holds from ply
        to ply."""
        game, seats = self.game(), self.first_state({})[1]
        drawing = game.words.drawing
        assert drawing is not None
        for plies in random_games(type(self), looks(4), 120):
            for seat in (None, *range(seats + 1)):
                drawings = [drawing(ply.before, seat) for ply in plies]
                for drawn in drawings:
                    twice = [name for name, times in Counter(item.id for item in drawn.items).items() if times > 1]
                    assert twice == [], f"{twice} name two things at once"
                    outside = [item.id for item in drawn.items if reaches_outside(item, drawn)]
                    assert outside == [], f"{outside} lie outside the drawing"
                for before, after in pairwise(drawings):
                    check_ids(before, after)
