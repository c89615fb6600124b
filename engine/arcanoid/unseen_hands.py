"""What is said not to be in a hand: whether it may be so, and which other claims it contradicts."""

from cartulary.engine.arcanoid.cards import said
from cartulary.engine.arcanoid.claims import bears, claimed, clash, noted
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.ledgers import DENIED, DRAWN, Entry, Ledger
from cartulary.engine.arcanoid.state import who_name
from cartulary.engine.cards.deck import cards_of
from cartulary.engine.cards.draft import AnyClause
from cartulary.engine.contract import Breach
from cartulary.engine.slots import SLOT, fits, is_slot, possible, set_apart


def deny(draft: Draft, who: int, cards: int, clause: AnyClause) -> bool:
    """Note that a hand is said to hold none of these cards, as bits, and ask where it may have held one.

    Return false where it must hold one. clause: the rule that is broken then
    """
    seat = draft.peek(who)
    held = seat.hand + seat.open
    if any(cards >> code & 1 for code in held):
        return False
    if not any(possible(draft.slots, code) & cards for code in set(held)):
        return True
    if _must_hold(draft, seat.hand, cards):
        return False
    ledger = draft.ledger(who)
    if ledger is None:
        there = (*seat.hand, *(code for code in seat.open if is_slot(code)))
        ledger = noted(Ledger(who), *(Entry(DRAWN, possible(draft.slots, code)) for code in there))
    after = noted(ledger, Entry(DENIED, cards, draft.ply, clause.key))
    if not bears(after, (draft.ply,)):
        return False
    draft.doubts = (*(one for one in draft.doubts if one.who != who), after)
    together = clash(after, tuple(claimed(after)))
    if together and all(breach.plies != together for breach in draft.proved):
        because = f"{who_name(who)} cannot have lacked {said(cards_of(cards))} as well"
        draft.proved += (Breach(together, claimed(after)[together[0]], because, draft.ply),)
    draft.wonder(clause, who)
    return True


def _must_hold(draft: Draft, hand: bytes, cards: int) -> bool:
    """Say whether no place but a hand is left for one of these cards."""
    slots, codes = draft.slots, set(filter(is_slot, hand))
    for code in codes:
        slots, _ = set_apart(slots, code, hand.count(code), ~cards)
    return not all(fits(slots, slots.kinds[code - SLOT].pool) for code in codes)
