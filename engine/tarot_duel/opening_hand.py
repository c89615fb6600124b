"""The opening hand: an eighth of a fresh deck, drawn before the first turn and after the World."""

from cartulary.engine.cards.deck import unjoined
from cartulary.engine.numbers import how_many
from cartulary.engine.tarot_duel.clauses import OPENING_HAND
from cartulary.engine.tarot_duel.draft import Draft


def deal_hand(draft: Draft, seat: int) -> None:
    """Take a seat's opening hand off its fresh deck, if decks are fresh."""
    if draft.fresh and draft.marks.is_in(seat):
        side, size = draft.side(seat), draft.house.eighth(seat)
        side.hand, side.deck = side.deck[:size], side.deck[size:]
        side.eyes = (0,) * len(side.hand)


def refuse_short(draft: Draft, seat: int, cards: bytes) -> None:
    """Refuse a word that tells a fresh deck, but not its seat's whole opening hand."""
    hand = min(draft.house.eighth(seat), len(draft.side(seat).deck))
    if draft.marks.is_in(seat) and len(cards) < hand:
        because = f"p{seat}'s opening hand has {how_many(hand)}, but the word gives {len(cards)}"
        draft.refuse(OPENING_HAND, because + unjoined(len(cards)))
