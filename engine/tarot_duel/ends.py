"""How a duel ends: by suits, by points, by the number of turns, or when only one seat can still draw."""

from msgspec.structs import replace

from cartulary.engine.contract import Outcome
from cartulary.engine.tarot_duel.cards import how_many, whole_suits
from cartulary.engine.tarot_duel.state import Side, State, is_in
from cartulary.engine.tarot_duel.zones import counted

SUIT_WIN = "tarot-duel.suit-win"
POINT_WIN = "tarot-duel.point-win"
TURN_LIMIT = "tarot-duel.turn-limit"
LAST_LEFT = "tarot-duel.draw-one"

_TWO_SUITS = 28


def aimed(state: State) -> State:
    """Return the state, ended if an aim is reached; the seat in turn is asked first."""
    if state.unseen.slots.pools:
        state = replace(state, sides=tuple(counted(state, side) for side in state.sides))
    total, seats = state.house.total, state.house.seats
    for step in range(seats):
        seat = (state.turn - 1 + step) % seats + 1
        side = state.sides[seat - 1]
        if len(side.area) + len(side.row) >= _TWO_SUITS and _has_suits(side):
            return ended(state, (seat,), SUIT_WIN, f"p{seat} has two complete suits")
        if total and side.points >= total and is_in(state, seat):
            because = f"p{seat}'s area has {how_many(side.points, 'point')} of {total}"
            return ended(state, (seat,), POINT_WIN, because)
    return state


def _has_suits(side: Side) -> bool:
    return whole_suits(side.area + side.row) > 1


def ended(state: State, winners: tuple[int, ...], key: str, because: str) -> State:
    """Return the state ended, the winners sharing the game."""
    shares = tuple(int(seat in winners) for seat in range(1, state.house.seats + 1))
    return replace(state, ended=Outcome(shares, key, because))


def next_turn(state: State) -> State:
    """Return the state after a turn: the game over, or the next seat's turn whose deck is not empty."""
    turns, seat = state.turns + 1, state.turn
    playing = [other for other in range(1, state.house.seats + 1) if is_in(state, other)]
    state = replace(state, turns=turns, flags=0, since=state.ply)
    if turns >= state.house.turns:
        best = max(state.sides[other - 1].points for other in playing)
        winners = tuple(other for other in playing if state.sides[other - 1].points == best)
        who = " and ".join(f"p{other}" for other in winners)
        because = f"{turns} turns have been played, and {who} has the highest area, {how_many(best, 'point')}"
        return ended(state, winners, TURN_LIMIT, because)
    out, missed = state.marks.out, state.marks.missed
    while len(playing) > 1:
        seat = seat % state.house.seats + 1
        if not out >> seat & 1:
            if state.sides[seat - 1].deck:
                return replace(state, turn=seat, marks=replace(state.marks, out=out, missed=missed))
            out |= 1 << seat
            playing.remove(seat)
        missed += 1
    state = replace(state, marks=replace(state.marks, out=out))
    return ended(state, (playing[0],), LAST_LEFT, f"p{playing[0]} is the last seat that is not out")
