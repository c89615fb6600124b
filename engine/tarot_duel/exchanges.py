"""The Lovers and the Hermit: two cards that take one another's place."""

from msgspec.structs import replace

from cartulary.engine.slots import UNKNOWN
from cartulary.engine.tarot_duel.cards import ITSELF, KINDS, MAJOR
from cartulary.engine.tarot_duel.moves import LOVERS, Spot, Use, acting
from cartulary.engine.tarot_duel.shuffles import shuffled
from cartulary.engine.tarot_duel.state import EVERYBODY, State
from cartulary.engine.tarot_duel.zones import (
    counted,
    discarded,
    give,
    take,
    with_side,
)


def exchanged(state: State, use: Use, picked: int = UNKNOWN) -> State:
    """Return the state after the exchange; picked: the card of the other hand that chance picked."""
    own, other = use.own, use.other
    assert own is not None
    assert other is not None
    lovers = acting(use) == LOVERS
    whose = use.target if lovers else use.seat
    if lovers and other.place == "h":
        other = Spot("h", picked)
    mine, its = _place(state, use.seat, own), _place(state, whose, other)
    taken = take(state, use.seat, own)
    assert taken is not None
    state, given, known = taken
    taken = take(state, whose, other)
    assert taken is not None
    state, got, seen = taken
    if own.place == "h" and other.place in "hd":
        state = _unwitnessed(state, use.seat, 1 << whose if lovers else 0)
    if lovers and own.place == other.place == "h":
        state = _unwitnessed(state, whose, 1 << use.seat)
    state = _put(state, use.seat, own, mine, got, _knowing(other, own, seen, whose, use.seat))
    return _put(state, whose, other, its, given, _knowing(own, other, known, use.seat, whose))


def _unwitnessed(state: State, seat: int, witnesses: int) -> State:
    """Return the state once a card has left a hand: who did not see which knows of none that it is still there."""
    side = state.sides[seat - 1]
    return with_side(state, seat, replace(side, eyes=tuple(known & witnesses for known in side.eyes)))


def _knowing(left: Spot, to: Spot, known: int, owner: int, other: int) -> int:
    """Return who knows a card that changes its place: all what comes to an area, two what goes from hand to hand."""
    if to.place == "a" and left.place != "a":
        return EVERYBODY
    if left.place == "h" and to.place == "h":
        return 1 << owner | 1 << other
    return known


def _place(state: State, seat: int, spot: Spot) -> int:
    """Return where in its area a card lies, -1 where it lies elsewhere."""
    side = state.sides[seat - 1]
    if spot.at:
        return spot.at - 1
    if spot.place != "a":
        return -1
    return max(side.area.translate(ITSELF).find(spot.card), side.area.find(spot.card))


def _put(state: State, seat: int, spot: Spot, at: int, code: int, known: int) -> State:
    """Put a card in the place of one that was taken; a Major that comes to an area goes to its seat's hand."""
    if spot.place == "a" and not MAJOR <= code < KINDS:
        side = state.sides[seat - 1]
        card = bytes((code,))
        if spot.at:
            row, peeps = side.row[:at] + card + side.row[at:], (*side.peeps[:at], known, *side.peeps[at:])
            after = replace(side, row=row, peeps=peeps, total=side.total & (known | 1 << seat))
            return with_side(state, seat, counted(state, after))
        at = at if at >= 0 else len(side.area)
        return with_side(state, seat, counted(state, replace(side, area=side.area[:at] + card + side.area[at:])))
    if spot.place == "x":
        return discarded(state, seat, bytes((code,)))
    if spot.place == "d":
        side = state.sides[seat - 1]
        return shuffled(with_side(state, seat, replace(side, deck=side.deck + bytes((ITSELF[code],)))), seat)
    return give(state, seat, code, EVERYBODY if spot.place == "a" else known)
