"""The state as it stands if nothing more is written: unwritten draws made, windows closed."""

from cartulary.engine.arcanoid import dues, turn
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import DAEMON
from cartulary.engine.arcanoid.readings import gathered
from cartulary.engine.arcanoid.state import State
from cartulary.engine.readings import states_of


def settle(state: State) -> State:
    """Return the state with compelled draws nobody wrote made unknown and unanswered windows closed.

    Deals and the end of a round are not passed over.
    """
    if not state.dues or state.dues[0].what in ("vote", "away", "deal"):
        return state
    return gathered([settled(one).frozen() for one in states_of(state)])


def settled(state: State) -> Draft:
    """Return the draft of one reading, settled as ``settle`` does."""
    draft = Draft(state)
    dues.advance(draft)
    while draft.dues and draft.dues[0].what not in ("vote", "away", "deal"):
        dues.skip(draft)
        dues.advance(draft)
    return draft


def cleared(state: State) -> State:
    """Return the state, and where its round is over, that with the hands discarded and the fields counted.

    As long as the game goes on they are not counted before what lies face down is turned up.
    """
    now = settle(state)
    if len(now.wins) == len(state.wins):
        return state
    if now.ended is not None or not _owners(state):
        return now
    draft = Draft(state)
    dues.advance(draft)
    while draft.dues[0].what != "turned":
        dues.skip(draft)
        dues.advance(draft)
    return draft.frozen()


def expected(state: State) -> tuple[int, bool]:
    """Return who is to speak next, a seat or a daemon, and whether it plays on in a Hermit's move."""
    return turn.expected(settle(state))


def _owners(state: State) -> tuple[int, ...]:
    """Return the seats, those first whose face-down commitments are to be turned up; none where none is."""
    seats = state.house.seats
    lying = {
        at % seats + 1
        for at, side in enumerate(state.sides)
        if any(there is not None and there.secret for there in side.fields)
    }
    return (*sorted(lying), 0, *(seat for seat in range(1, seats + 1) if seat not in lying)) if lying else ()


def actors(state: State) -> tuple[int, ...]:
    """Return every seat that may speak now, the one written without a prefix first; empty after the end."""
    now = settle(state)
    if now.ended is not None:
        return _owners(state) if state.ended is None else ()
    first = turn.expected(now)[0] % DAEMON
    seats = range(1, state.house.seats + 1)
    if now.dues and now.dues[0].what in ("vote", "away"):
        return (first,)
    table = [0] if state.dues else []
    others = [seat for seat in seats if seat != first]
    fool = bool(state.dues) and state.dues[0].what == "settle"
    ready = [seat for seat in others if fool or (not now.mover and now.sides[seat - 1].hermit)]
    return (first, *table, *ready)
