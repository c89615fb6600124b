"""Discarding: one card a move, the USA's oldest, what the Wheel brought too much, Temperance lifted."""

from cartulary.engine.arcanoid import clauses, dues, round
from cartulary.engine.arcanoid.cards import TEMPERANCE, name_of
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.ledgers import OLDEST
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.state import who_name
from cartulary.engine.cards.deck import how_many
from cartulary.engine.slots import UNKNOWN, is_slot


def discard(draft: Draft, move: Move) -> None:
    """Discard a card, or lift Temperance."""
    cards, who = move.cards, move.who
    if cards == bytes((TEMPERANCE,)) and draft.temper is not None:
        if draft.house.variant == "dresden" or draft.temper[0] != who:
            draft.refuse(clauses.TEMPERANCE_LIFT, f"{who_name(who)} may not lift Temperance")
        round.drop_temper(draft)
        return
    if len(cards) != 1:
        draft.refuse(clauses.DISCARD_ONE, f"{who_name(who)} discards {len(cards)} cards in one move")
    for card in cards:
        code = _oldest(draft, who, card) if who == draft.house.usa else draft.take_unseen(who, card)
        draft.pile += bytes((code,))


def discard_too_many(draft: Draft, who: int, cards: bytes) -> None:
    """Discard what the Wheel brought too much."""
    count = draft.need(draft.dues[0])
    if len(cards) != count:
        draft.refuse(
            clauses.WHEEL, f"{who_name(who)} discards {how_many(len(cards))}, and is {count} over the hand's size"
        )
    for card in cards:
        draft.pile += bytes((draft.take_unseen(who, card, True),))
    del draft.dues[0]
    dues.advance(draft)


def _oldest(draft: Draft, who: int, card: int) -> int:
    seat = draft.seat(who)
    first = seat.hand[0] if seat.hand else UNKNOWN
    lies_open = draft.row is not None and card in draft.row
    oldest = seat.hand and (card in (first, UNKNOWN) or (is_slot(first) and not lies_open))
    if not seat.shown >> (first if oldest else card) & 1:
        # Not all know it to be there, so it goes unseen: who looked at the hand knows it no more.
        seat.looked = ()
    if oldest:
        seat.hand = seat.hand[1:]
        code = draft.sight(first, card, f"the oldest card of p{who}")
        draft.gone_from(who, UNKNOWN if is_slot(code) else code, OLDEST)
        return code
    draft.refuse(clauses.USA, f"{name_of(card)} is not the oldest card of p{who}")
    return draft.take(who, card)
