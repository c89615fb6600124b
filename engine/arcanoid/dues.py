"""What comes before the next move, in order: what a commitment brings, draws, votes, the turn, the score."""

from msgspec.structs import replace

from cartulary.engine.arcanoid import clauses, commit, round
from cartulary.engine.arcanoid.cards import ABDICATED, FIELDS, HERMIT, KNAVE, KNIGHTED, SUIT_NAMES, strength
from cartulary.engine.arcanoid.claims import open_claims
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.readings import merge_readings
from cartulary.engine.arcanoid.round import begin_round
from cartulary.engine.arcanoid.state import Commitment, Due, State
from cartulary.engine.cards.deck import FOOL
from cartulary.engine.contract import Outcome, won_by
from cartulary.engine.numbers import how_many
from cartulary.engine.readings import states_of
from cartulary.engine.slots import UNKNOWN

DRAWS = frozenset({"fill", "reveal", "take"})
WORDS_DUE = ("vote", "away")
"""What a seat is asked for before the next move."""
_NEEDS_WORD = frozenset({"settle", "vote", "deck", "deal"})


def advance(draft: Draft) -> None:
    """Carry out everything due that needs no word, and stop at the first thing that does, such as a draw or a vote.

    A round that is over may be scored, and the next one begun, on the way.
    """
    while draft.dues:
        due = draft.dues[0]
        what = due.what
        if what in _NEEDS_WORD or (what == "turned" and commit.face_down_commitments(draft)):
            return
        if (what == "away" or (what in DRAWS and not draft.dead)) and draft.cards_due(due):
            return
        del draft.dues[0]
        if what == "next":
            round.pass_turn(draft)
        elif what == "score":
            score(draft)
            return
        elif what not in DRAWS:
            _carry_out(draft, due)


def _carry_out(draft: Draft, due: Due) -> None:
    """Carry out one thing due that needs no word; the caller takes it off the list.

    Of ``again`` the player of a trump moves once more, of ``hermit`` one extra move is used up, and of ``stay`` the
    turn passes if its seat has finished. Any other kind changes nothing.
    """
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
    """Pass over what is due until something of these kinds comes first or nothing is due.

    Draws that were not written become draws of unknown cards, reaction windows close and deals end.

    Args:
        draft: The draft, which changes.
        until: The kinds of dues (``Due.what``) to stop at.
    """
    advance(draft)
    while draft.dues and draft.dues[0].what not in until:
        skip_first(draft)
        advance(draft)


def skip_first(draft: Draft) -> None:
    """Pass over the first thing due as if its word had been left out; there must be one.

    A draw, the hands of a deal that were not named and a new deck become unknown cards; the window of a commitment
    closes; anything else is dropped.
    """
    due = draft.dues[0]
    if due.what in DRAWS:
        draw_due(draft, due, bytes((UNKNOWN,)) * draft.cards_due(due))
    elif due.what == "settle":
        close_window(draft)
    elif due.what == "deal":
        round.end_deal(draft)
    elif due.what == "deck":
        round.reshuffle(draft, b"")
    else:
        del draft.dues[0]


# --- as it stands if nothing more is written ---


def settle(state: State) -> State:
    """Return the state before the next move: draws that were not written are unknown cards, reaction windows are
    closed.

    It stops at a vote, at the Wheel's discard and at a deal. The end of a round is passed over; what lies face down is
    then never turned up.
    """
    if not state.dues or state.dues[0].what in (*WORDS_DUE, "deal"):
        return state
    return merge_readings([settle_draft(reading).frozen() for reading in states_of(state)])


def settle_draft(state: State) -> Draft:
    """Return a draft of one reading of a state, in which all that is due and needs no word has been carried out."""
    draft = Draft(state)
    pass_over(draft, (*WORDS_DUE, "deal"))
    return draft


def clear_round(state: State) -> State:
    """Return the state for a picture of the table: if its round is over, hands are discarded and fields counted.

    While the game goes on fields are not counted before what lies face down is turned up.
    """
    now, draft = settle(state), Draft(state)
    if len(now.wins) == len(state.wins):
        return state
    if now.outcome is not None or not commit.face_down_commitments(draft):
        return now
    pass_over(draft, ("turned",))
    return draft.frozen()


# --- draws ---


def draw_due(draft: Draft, due: Due, cards: bytes) -> bytes:
    """Draw cards for the first thing due, which is a draw.

    It takes as many as are asked for and the deck has. When the deck ends, a vote on a new one becomes due first,
    unless there are no discards or a seat has voted No before.

    Args:
        draft: The draft, which changes.
        due: The draw.
        cards: The cards, UNKNOWN for those not named.

    Returns:
        The cards that were not drawn.
    """
    count = min(draft.cards_due(due), len(draft.deck))
    draft.draw(due, cards[:count])
    if due.what != "fill":
        draft.dues[0] = replace(due, count=due.count - len(cards[:count]))
    if not draft.deck:
        round.empty_deck(draft, due.who)
    return cards[count:]


def serve(draft: Draft, who: int, cards: bytes) -> int:
    """Draw these cards for a seat or daemon as long as draws of its own come first in what is due.

    What needs no word is carried out after each draw.

    Returns:
        How many of the cards were left over, because no more draws of its own were due; 0 if all were drawn.

    Raises:
        BlockedError: A card cannot lie on top of the deck.
    """
    while cards:
        due = draft.dues[0] if draft.dues else None
        if due is None or due.what not in DRAWS or due.who != who:
            return len(cards)
        cards = draw_due(draft, due, cards)
        advance(draft)
    return 0


# --- what a commitment brings ---


def close_window(draft: Draft) -> None:
    """End the time in which a Fool may take the last commitment, which is taken off what is due.

    Of a knave or knight that completed an ace the ace is discarded. A seat with all fields committed leaves the round,
    and after the last one the scoring is due.
    """
    due = draft.dues.pop(0)
    seat = draft.peek(due.who)
    commitment = seat.fields[due.field]
    if due.was is not None and commitment is not None and commitment.kind in (KNAVE, KNIGHTED):
        aces = bytes(card for card in commitment.cards if card < FOOL and not card % 14)
        rest = bytes(card for card in commitment.cards if card not in aces)
        draft.pile += aces
        draft.set_field(due.who, due.field, replace(commitment, cards=rest))
    if None not in seat.fields:
        round.leave_round(draft, due.who)
        if round.is_over(draft):
            draft.dues = [Due("turned"), Due("score")]


# --- the end of a round and of the game ---


def winners(draft: Draft) -> tuple[int, ...]:
    """Return the seats that have won the four fields of the round, in the order swords, staves, cups, coins.

    A daemon's field is won by its master.
    """
    seats = draft.options.seats
    sides = [(at % seats + 1, side.fields) for at, side in enumerate(draft.sides) if side.plays or any(side.fields)]
    sides += draft.past_daemons
    return tuple(
        max(((_strength(draft, fields[field], field), seat) for seat, fields in sides), key=lambda pair: pair[0])[1]
        for field in range(len(FIELDS))
    )


def _strength(draft: Draft, commitment: Commitment | None, field: int) -> tuple[int, ...]:
    """Return the strength of a commitment on a field, for comparing: the greater tuple wins.

    No commitment (None) is weakest, and one that nobody on record saw counts as an abdication.
    """
    if commitment is None:
        return (-1,)
    kind = commitment.kind if commitment.kind >= 0 else ABDICATED
    return strength(kind, commitment.cards, field, draft.options.tie, commitment.time)


def score(draft: Draft) -> None:
    """Count the fields of a round that is over, and begin the next round or end the game.

    After the last round the seat with the most fields wins; a tie that nothing decides adds another round. Questions of
    the round that are open then can never be answered, and are kept in ``unread``.
    """
    for who, field in commit.face_down_commitments(draft):
        draft.leave_face_down(draft.peek(who).fields[field])
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
            because += _tie_break_text(tallies, best)
            draft.skipped_dues = ()
            draft.outcome = Outcome(won_by((seat,), draft.options.seats), clauses.NO_MORE_MOVES.key, because)
            draft.dues = []
            return
    draft.round += 1
    draft.lap += 1
    begin_round(draft)


def _tie_break_text(tallies: list[tuple[int, ...]], best: tuple[int, ...]) -> str:
    """Return what decides between seats with as many fields, as the end of a sentence; empty where there is no tie.

    ``tallies`` are those of ``tally_fields``, p1 first, and ``best`` is the greatest of them.
    """
    rival = max(tally for tally in tallies if tally != best)
    if rival[0] < best[0]:
        return ""
    suit = next(at for at in range(1, len(best)) if best[at] != rival[at])
    return f"; p{tallies.index(rival) + 1} has as many, but fewer {SUIT_NAMES[suit - 1]} fields"


def tally_fields(wins: tuple[int, ...], seats: int) -> list[tuple[int, ...]]:
    """Return what ranks the seats, p1 first: the fields won, then those of swords, staves, cups and coins.

    The greater tuple is better.
    """
    return [
        (wins.count(seat), *(wins[field::4].count(seat) for field in range(len(FIELDS))))
        for seat in range(1, seats + 1)
    ]
