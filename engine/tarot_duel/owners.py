"""Whose deck a card out of play came from, where hidden exchanges leave it open until a fresh deck is told."""

from msgspec.structs import replace

from cartulary.engine.slots import BLANKS, is_slot, seen
from cartulary.engine.tarot_duel.cards import blank
from cartulary.engine.tarot_duel.state import State
from cartulary.engine.tarot_duel.zones import with_side, with_slots


def sized(state: State, seat: int, count: int) -> State:
    """Return the state with a card out of play taken from another deck, where a fresh one is told one card longer."""
    side, marks, doubt = state.sides[seat - 1], state.marks, state.unseen.doubt
    mine = marks.gone[seat - 1]
    if not state.fresh or count != len(side.deck) + 1 or not doubt >> seat & 1 or not mine:
        return state
    for other in range(1, state.house.seats + 1):
        if other == seat or not doubt >> other & 1 or mine[-1] in marks.gone[other - 1]:
            continue
        after = _shortened(state, other)
        if after is not None:
            gone = list(marks.gone)
            gone[seat - 1], gone[other - 1] = mine[:-1], gone[other - 1] + mine[-1:]
            after = replace(after, marks=replace(marks, gone=tuple(gone)))
            return with_side(after, seat, replace(side, deck=side.deck + bytes((blank(seat),))))
    return state


def _shortened(state: State, seat: int) -> State | None:
    """Return the state with one unknown card less in a deck, None where it has none to spare."""
    side = state.sides[seat - 1]
    if any(to == seat for to, _ in state.loose):
        at = side.deck.find(blank(seat))
        if at < 0:
            return None
        return with_side(state, seat, replace(side, deck=side.deck[:at] + side.deck[at + 1 :]))
    last = side.deck[-1:]
    if not last or not is_slot(last[0]):
        return None
    found = seen(state.unseen.slots, last[0], BLANKS)
    return found and with_side(with_slots(state, found[0]), seat, replace(side, deck=side.deck[:-1]))
