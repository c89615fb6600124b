"""What Tarot answers about hidden cards when somebody asks: exactly, from every deal that fits what is known."""

from cartulary.engine.cards.deck import set_of
from cartulary.engine.cards.hands import holds, lying
from cartulary.engine.cards.hands import whereabouts as lies
from cartulary.engine.cards.layouts import misfit
from cartulary.engine.cards.revokes import pending as left_open
from cartulary.engine.cards.revokes import still_open
from cartulary.engine.cards.telling import tell_where
from cartulary.engine.contract import NOTHING_PENDING, Need, Open, Pending, Refused
from cartulary.engine.readings import GAP
from cartulary.engine.tarot.knowledge import SEC, breach, hands, place_of, put_away, sec_breach, sec_by, sec_decided
from cartulary.engine.tarot.state import NAMES, State, joined, some_of
from cartulary.engine.tarot.unwritten import may_all_have_been, may_have_played, tell_unwritten


def exact(state: State, opened: Open) -> Refused | Open | None:
    """Return the answer to a question from every deal that fits, where the clause has only counted.

    A question of the discards stays open: where they lie is not told before they are put away.
    """
    if opened.clause.key == GAP.key:
        ply = opened.needs[0].ply
        return opened if ply > state.ply or len(may_have_played(state, ply)) != 1 else None
    if opened.clause.key == SEC or state.phase not in ("call", "play"):
        return opened
    if state.unnamed:
        ply = opened.needs[0].ply
        pending_here = any(question.ply == ply for question in state.questions)
        return None if pending_here and not still_open(state, ply, opened.clause.key) else opened
    if misfit(state.places, lying(state)):
        return opened
    open_needs: tuple[Need, ...] = ()
    for need in opened.needs:
        place, cards = place_of(state.house, need), set_of(need.slots)
        holding = holds(state, place, cards)
        if holding:
            return Refused(f"{place_said(state, place)} {some_of(cards & state.can[place])} in every deal that fits")
        if holding is None:
            open_needs += (need,)
    return Open(open_needs, opened.asks, opened.clause) if open_needs else None


def place_said(state: State, place: int) -> str:
    """Return who a place makes the holder: ``p2 holds``, ``p4 has put away``."""
    if place != state.house.aside:
        return f"p{place + 1} holds"
    return f"p{state.round.taker} has put away" if put_away(state) else "the chien holds"


def tell_need(state: State, need: Need) -> str:
    """Say what is known by now of the cards a question turns on; nothing once their deal is over."""
    if not need.slots:
        return tell_unwritten(state, need.ply)
    if need.ply <= state.round.since:
        return ""
    place, cards = place_of(state.house, need), set_of(need.slots)
    now = hands(state)
    sure, may = now.sure[place] & cards, now.can[place] & cards
    sure = 0 if state.unnamed else sure
    holder, verbs = need.place, ("held", "may have held", "held none of them")
    if place == state.house.aside:
        holder = "the chien"
        if put_away(state) and need.ply == state.round.named:
            # The hand it was called from is the one dealt, so that what he put away says nothing of it.
            chien, taker = state.round.chien, state.round.taker - 1
            sure = cards & set_of(card for card in chien if card >= 0)
            may = 0 if chien and min(chien) >= 0 else cards & (state.can[taker] | state.can[place])
        elif put_away(state):
            holder, verbs = f"p{state.round.taker}", ("put away", "may have put away", "put away none of them")
    if sure:
        return f"{holder} {verbs[0]} {joined(sure)}"
    return f"{holder} {verbs[1]} {joined(may, 'or')}" if may else f"{holder} {verbs[2]}"


def whereabouts(state: State) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) of all cards nobody has played, cards alike in one line, the fewest first; exact."""
    aside = "in the discards" if put_away(state) else "in the chien"
    names = [*(f"p{seat}" for seat in range(1, state.house.seats + 1)), aside]
    names += (f"the card of ply {unnamed_card.ply}" for unnamed_card in state.unnamed)
    return tell_where(lies(hands(state)), NAMES, names, state.house.seats)


def pending(state: State) -> Pending:
    """Return what is open and what is proved if the record ends here."""
    if not state.questions and not state.sec and not state.unnamed:
        return Pending(state.round.past.questions) if state.round.past.questions else NOTHING_PENDING
    gaps = tuple(
        (ply, GAP.key)
        for ply, _, cards in may_all_have_been(state)
        if ply > state.round.since and cards.bit_count() != 1
    )
    late = [
        sec_breach(question, sec_decided(state, question))
        for question in state.sec
        if sec_by(state, question.place, None)
    ]
    still, evidence = left_open(state, state.ply)
    return Pending((*state.round.past.questions, *still, *gaps), (*late, *[breach(state, item) for item in evidence]))
