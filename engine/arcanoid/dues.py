"""What comes before the next move, in order: what a commitment brings, draws, votes, the turn."""

from msgspec.structs import replace

from cartulary.engine.arcanoid import ends, face_down, refill_vote, round
from cartulary.engine.arcanoid.cards import HERMIT
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.readings import gathered
from cartulary.engine.arcanoid.sets import KNAVE, KNIGHTED
from cartulary.engine.arcanoid.state import Due, State
from cartulary.engine.cards.deck import FOOL
from cartulary.engine.readings import states_of
from cartulary.engine.slots import UNKNOWN

DRAWS = frozenset({"fill", "reveal", "take"})
SPOKEN = ("vote", "away")
"""What a seat is asked for before the next move."""
_SAID = frozenset({"settle", "vote", "deck", "deal"})


def advance(draft: Draft) -> None:
    """Do what is due and needs no word; stop at what does."""
    while draft.dues:
        due = draft.dues[0]
        what = due.what
        if what in _SAID or (what == "turned" and face_down.lying(draft)):
            return
        if (what == "away" or (what in DRAWS and not draft.dead)) and draft.need(due):
            return
        del draft.dues[0]
        if what == "next":
            round.pass_turn(draft)
        elif what == "score":
            ends.score(draft)
            return
        elif what not in DRAWS:
            _do(draft, due)


def _do(draft: Draft, due: Due) -> None:
    if due.what == "again":
        if draft.in_play(due.who):
            draft.mover, draft.extra = due.who, bool(due.count)
    elif due.what == "hermit":
        seat = draft.seat(due.who)
        if seat.hermit:
            seat.hermit -= 1
            if not seat.hermit:
                draft.pile += bytes((HERMIT,))
    elif due.what == "stay" and not draft.in_play(draft.turn):
        round.pass_turn(draft)


def pass_over(draft: Draft, until: tuple[str, ...] = SPOKEN) -> None:
    """Bring a state to where something of these kinds is due, or nothing is, as if nothing before had been written.

    Where a move may be said unwritten draws are made, windows closed and deals ended.
    """
    advance(draft)
    while draft.dues and draft.dues[0].what not in until:
        skip(draft)
        advance(draft)


def skip(draft: Draft) -> None:
    """Pass over the first thing due as if it had not been written."""
    due = draft.dues[0]
    if due.what in DRAWS:
        drawn(draft, due, bytes((UNKNOWN,)) * draft.need(due))
    elif due.what == "settle":
        close_window(draft)
    elif due.what == "deal":
        round.close(draft)
    elif due.what == "deck":
        refill_vote.reshuffle(draft, b"")
    else:
        del draft.dues[0]


# --- as it stands if nothing more is written ---


def settle(state: State) -> State:
    """Return the state with compelled draws nobody wrote made unknown and unanswered windows closed.

    Deals and the end of a round are not passed over.
    """
    if not state.dues or state.dues[0].what in (*SPOKEN, "deal"):
        return state
    return gathered([settled(one).frozen() for one in states_of(state)])


def settled(state: State) -> Draft:
    """Return the draft of one reading, settled as ``settle`` does."""
    draft = Draft(state)
    pass_over(draft, (*SPOKEN, "deal"))
    return draft


def cleared(state: State) -> State:
    """Return the state, and where its round is over, that with the hands discarded and the fields counted.

    As long as the game goes on they are not counted before what lies face down is turned up.
    """
    now, draft = settle(state), Draft(state)
    if len(now.wins) == len(state.wins):
        return state
    if now.ended is not None or not face_down.lying(draft):
        return now
    pass_over(draft, ("turned",))
    return draft.frozen()


# --- draws ---


def drawn(draft: Draft, due: Due, cards: bytes) -> bytes:
    """Draw these cards for the first due draw, as many as it asks for and the deck has; return those left.

    An empty deck is voted on before anything else.
    """
    count = min(draft.need(due), len(draft.deck))
    draft.draw(due, cards[:count])
    if due.what != "fill":
        draft.dues[0] = replace(due, count=due.count - len(cards[:count]))
    if not draft.deck:
        refill_vote.emptied(draft, due.who)
    return cards[count:]


def serve(draft: Draft, who: int, cards: bytes) -> int:
    """Draw these cards for who has draws due, first of all; return how many of them were too many."""
    while cards:
        due = draft.dues[0] if draft.dues else None
        if due is None or due.what not in DRAWS or due.who != who:
            return len(cards)
        cards = drawn(draft, due, cards)
        advance(draft)
    return 0


# --- what a commitment brings ---


def close_window(draft: Draft) -> None:
    """Close the window of a commitment: who has committed on all fields leaves, a completed ace goes."""
    due = draft.dues.pop(0)
    seat = draft.peek(due.who)
    there = seat.fields[due.field]
    if due.was is not None and there is not None and there.kind in (KNAVE, KNIGHTED):
        aces = bytes(card for card in there.cards if card < FOOL and not card % 14)
        rest = bytes(card for card in there.cards if card not in aces)
        draft.pile += aces
        draft.let_stand(due.who, due.field, replace(there, cards=rest))
    if None not in seat.fields:
        round.leave(draft, due.who)
        if round.is_over(draft):
            draft.dues = [Due("turned"), Due("score")]
