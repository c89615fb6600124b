"""What comes before the next move, in order: what a commitment brings, draws, votes, the turn, the score."""

from msgspec.structs import replace

from cartulary.engine.arcanoid import clauses, commit, round
from cartulary.engine.arcanoid.cards import ABDICATED, FIELDS, HERMIT, KNAVE, KNIGHTED, SUIT_NAMES, strength
from cartulary.engine.arcanoid.claims import open_claims
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.readings import gather
from cartulary.engine.arcanoid.round import begin
from cartulary.engine.arcanoid.state import Commitment, Due, State
from cartulary.engine.cards.deck import FOOL
from cartulary.engine.contract import Outcome, won_by
from cartulary.engine.numbers import how_many
from cartulary.engine.readings import states_of
from cartulary.engine.slots import UNKNOWN

DRAWS = frozenset({"fill", "reveal", "take"})
WORDS_DUE = ("vote", "away")
"""What a seat is asked for before the next move."""
_SAID = frozenset({"settle", "vote", "deck", "deal"})


def advance(draft: Draft) -> None:
    """Do what is due and needs no word; stop at what does."""
    while draft.dues:
        due = draft.dues[0]
        what = due.what
        if what in _SAID or (what == "turned" and commit.lying(draft)):
            return
        if (what == "away" or (what in DRAWS and not draft.dead)) and draft.need(due):
            return
        del draft.dues[0]
        if what == "next":
            round.pass_turn(draft)
        elif what == "score":
            score(draft)
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


def pass_over(draft: Draft, until: tuple[str, ...] = WORDS_DUE) -> None:
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
        draw_due(draft, due, bytes((UNKNOWN,)) * draft.need(due))
    elif due.what == "settle":
        close_window(draft)
    elif due.what == "deal":
        round.close(draft)
    elif due.what == "deck":
        round.reshuffle(draft, b"")
    else:
        del draft.dues[0]


# --- as it stands if nothing more is written ---


def settle(state: State) -> State:
    """Return the state with compelled draws nobody wrote made unknown and unanswered windows closed.

    A deal is not passed over; the end of a round is, with what lies face down left unread.
    """
    if not state.dues or state.dues[0].what in (*WORDS_DUE, "deal"):
        return state
    return gather([settle_draft(reading).frozen() for reading in states_of(state)])


def settle_draft(state: State) -> Draft:
    """Return the draft of one reading, settled as ``settle`` does."""
    draft = Draft(state)
    pass_over(draft, (*WORDS_DUE, "deal"))
    return draft


def clear_round(state: State) -> State:
    """Return the state, and where its round is over, that with the hands discarded and the fields counted.

    As long as the game goes on they are not counted before what lies face down is turned up.
    """
    now, draft = settle(state), Draft(state)
    if len(now.wins) == len(state.wins):
        return state
    if now.ended is not None or not commit.lying(draft):
        return now
    pass_over(draft, ("turned",))
    return draft.frozen()


# --- draws ---


def draw_due(draft: Draft, due: Due, cards: bytes) -> bytes:
    """Draw these cards for the first due draw, as many as it asks for and the deck has; return those left.

    An empty deck is voted on before anything else.
    """
    count = min(draft.need(due), len(draft.deck))
    draft.draw(due, cards[:count])
    if due.what != "fill":
        draft.dues[0] = replace(due, count=due.count - len(cards[:count]))
    if not draft.deck:
        round.empty_deck(draft, due.who)
    return cards[count:]


def serve(draft: Draft, who: int, cards: bytes) -> int:
    """Draw these cards for who has draws due, first of all; return how many of them were too many."""
    while cards:
        due = draft.dues[0] if draft.dues else None
        if due is None or due.what not in DRAWS or due.who != who:
            return len(cards)
        cards = draw_due(draft, due, cards)
        advance(draft)
    return 0


# --- what a commitment brings ---


def close_window(draft: Draft) -> None:
    """Close the window of a commitment: who has committed on all fields leaves, a completed ace goes."""
    due = draft.dues.pop(0)
    seat = draft.peek(due.who)
    commitment = seat.fields[due.field]
    if due.was is not None and commitment is not None and commitment.kind in (KNAVE, KNIGHTED):
        aces = bytes(card for card in commitment.cards if card < FOOL and not card % 14)
        rest = bytes(card for card in commitment.cards if card not in aces)
        draft.pile += aces
        draft.let_stand(due.who, due.field, replace(commitment, cards=rest))
    if None not in seat.fields:
        round.leave(draft, due.who)
        if round.is_over(draft):
            draft.dues = [Due("turned"), Due("score")]


# --- the end of a round and of the game ---


def winners(draft: Draft) -> tuple[int, ...]:
    """Return the seats that have won the fields of the round, s w c d."""
    seats = draft.options.seats
    sides = [(at % seats + 1, side.fields) for at, side in enumerate(draft.sides) if side.plays or any(side.fields)]
    sides += draft.gone
    return tuple(
        max(((_strength(draft, fields[field], field), seat) for seat, fields in sides), key=lambda pair: pair[0])[1]
        for field in range(len(FIELDS))
    )


def _strength(draft: Draft, commitment: Commitment | None, field: int) -> tuple[int, ...]:
    if commitment is None:
        return (-1,)
    kind = commitment.kind if commitment.kind >= 0 else ABDICATED
    return strength(kind, commitment.cards, field, draft.options.tie, commitment.time)


def score(draft: Draft) -> None:
    """Count the fields of a round that is over, and begin the next one or end the game."""
    for who, field in commit.lying(draft):
        draft.leave_unread(draft.peek(who).fields[field])
    draft.unread += tuple(question for ledger in draft.doubts for question in open_claims(ledger))
    draft.doubts = ()
    draft.wins += winners(draft)
    draft.deal = None
    if draft.round >= draft.options.rounds:
        tallies = tally_fields(draft.wins, draft.options.seats)
        best = max(tallies)
        if tallies.count(best) == 1:
            seat = tallies.index(best) + 1
            because = f"p{seat} has won {how_many(best[0], 'field')} in {how_many(draft.round, 'round')}"
            because += _level(tallies, best)
            draft.ended = Outcome(won_by((seat,), draft.options.seats), clauses.FINISHED.key, because)
            draft.dues = []
            return
    draft.round += 1
    draft.lap += 1
    begin(draft)


def _level(tallies: list[tuple[int, ...]], best: tuple[int, ...]) -> str:
    """Return what decides where others have won as many fields, empty where nobody has."""
    rival = max(tally for tally in tallies if tally != best)
    if rival[0] < best[0]:
        return ""
    suit = next(at for at in range(1, len(best)) if best[at] != rival[at])
    return f"; p{tallies.index(rival) + 1} has as many, but fewer {SUIT_NAMES[suit - 1]} fields"


def tally_fields(wins: tuple[int, ...], seats: int) -> list[tuple[int, ...]]:
    """Return for each seat its fields, and those of each suit: the order in which the game is decided."""
    return [
        (wins.count(seat), *(wins[field::4].count(seat) for field in range(len(FIELDS))))
        for seat in range(1, seats + 1)
    ]
