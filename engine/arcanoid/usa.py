"""The USA: it discards its oldest card, then abdicates field by field, and plays nothing else."""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.cards import FIELDS, TEMPERANCE, name_of
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.ledgers import OLDEST
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.slots import UNKNOWN, is_slot


def check_usa(draft: Draft, move: Move) -> None:
    """Note what the USA does and does not do."""
    seat = draft.peek(move.who)
    if move.what == "fool":
        return draft.refuse(clauses.USA, f"p{move.who} never plays the Fool")
    lifts = move.cards == bytes((TEMPERANCE,)) and draft.temper is not None
    if seat.hand:
        if move.what != "discard" or len(move.cards) != 1 or lifts:
            draft.refuse(clauses.USA, f"p{move.who} must discard its oldest card")
        return None
    field = seat.fields.index(None)
    if move.what != "commit" or move.cards or move.fields != (field,):
        draft.refuse(clauses.USA, f"p{move.who} has no cards, so it must abdicate on {FIELDS[field]}")
    return None


def take_oldest(draft: Draft, who: int, card: int) -> int:
    """Take the oldest card of its hand, which is to be this one; return its code."""
    seat = draft.seat(who)
    first = seat.hand[0] if seat.hand else UNKNOWN
    lies_open = draft.row is not None and card in draft.row
    oldest = seat.hand and (card in (first, UNKNOWN) or (is_slot(first) and not lies_open))
    if not seat.shown >> (first if oldest else card) & 1:
        # Not all know it to be there, so it goes unseen: who looked at the hand knows it no more.
        seat.looked = ()
    if oldest:
        seat.hand = seat.hand[1:]
        code = draft.turned_up(bytes((first,)), bytes((card,)), f"the oldest card of p{who}")[0]
        draft.gone_from(who, UNKNOWN if is_slot(code) else code, OLDEST)
        return code
    draft.refuse(clauses.USA, f"{name_of(card)} is not the oldest card of p{who}")
    return draft.take(who, card)
