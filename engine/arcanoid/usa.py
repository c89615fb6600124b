"""The USA: it discards its oldest card, then abdicates field by field, and plays nothing else."""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.cards import FIELDS, TEMPERANCE
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move


def check_usa(draft: Draft, move: Move) -> None:
    """Note what the USA does and does not do."""
    seat = draft.peek(move.who)
    lifts = move.cards == bytes((TEMPERANCE,)) and draft.temper is not None
    if seat.hand:
        if move.what != "discard" or len(move.cards) != 1 or lifts:
            draft.refuse(clauses.USA, f"p{move.who} discards its oldest card")
        return
    field = seat.fields.index(None)
    if move.what != "commit" or move.cards or move.fields != (field,):
        draft.refuse(clauses.USA, f"p{move.who} has no cards, so it abdicates on {FIELDS[field]}")
