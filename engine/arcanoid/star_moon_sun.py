"""The Star, the Moon and the Sun: cards called in the other seats' hands."""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.cards import JUDGMENT, WORLD, name_of
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.hierophant import turn_up_usa
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.state import Due, everybody, who_name
from cartulary.engine.arcanoid.unseen_hands import deny
from cartulary.engine.cards.deck import FOOL
from cartulary.engine.cards.draft import AnyClause

CALLERS = {17: (clauses.STAR, 1), 18: (clauses.MOON, 2), 19: (clauses.SUN, 3)}


def call(draft: Draft, move: Move) -> None:
    """Call cards; the last one is handed over if a seat is named."""
    clause, most = CALLERS[move.count]
    turn_up_usa(draft)
    calls = move.calls
    trumps = [card for card in calls if card >= FOOL]
    if len(calls) > most:
        draft.refuse(clause, f"{len(calls)} cards are called, but only {most} may be")
    elif len(set(calls)) != len(calls):
        draft.refuse(clause, "one card is called twice")
    elif trumps and clause is not clauses.SUN:
        draft.refuse(clause, f"{name_of(trumps[0])} is not a suit card")
    elif trumps and len(calls) > 1:
        draft.refuse(clause, "a trump must be called alone")
    elif trumps and trumps[0] in (FOOL, JUDGMENT, WORLD):
        draft.refuse(clause, f"{name_of(trumps[0])} cannot be called")
    if move.target:
        _hand_over(draft, move, clause)
    for card in calls[:-1] if move.target else calls:
        _in_vain(draft, move, card, clause)


def _in_vain(draft: Draft, move: Move, card: int, clause: AnyClause) -> None:
    for who in everybody(draft.sides):
        if who != move.who and draft.in_play(who) and not deny(draft, who, 1 << card, clause):
            draft.refuse(clause, f"{who_name(who)} has {name_of(card)}")


def _hand_over(draft: Draft, move: Move, clause: AnyClause) -> None:
    card, target = move.calls[-1], move.target
    if target == move.who or not draft.in_play(target):
        draft.block(clause, f"{name_of(card)} cannot come from {who_name(target)}")
    draft.take(target, card, True, clause)
    caller = draft.seat(move.who)
    caller.hand += bytes((card,))
    caller.shown |= 1 << card
    draft.come_to(move.who, card)
    draft.dues.insert(0, Due("fill", target))
