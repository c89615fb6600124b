"""Discarding: one card a move; of Temperance that lies on the table, lifting it."""

from cartulary.engine.arcanoid import clauses, temperance
from cartulary.engine.arcanoid.cards import TEMPERANCE
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.state import who_name
from cartulary.engine.arcanoid.usa import take_oldest


def discard(draft: Draft, move: Move) -> None:
    """Discard a card, or lift Temperance."""
    cards, who = move.cards, move.who
    if cards == bytes((TEMPERANCE,)) and draft.temper is not None:
        return temperance.lift(draft, who)
    if len(cards) != 1:
        draft.refuse(clauses.DISCARD_ONE, f"{who_name(who)} discards {len(cards)} cards in one move")
    for card in cards:
        code = take_oldest(draft, who, card) if who == draft.house.usa else draft.take_unseen(who, card)
        draft.pile += bytes((code,))
    return None
