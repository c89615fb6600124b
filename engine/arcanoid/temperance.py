"""Temperance: laid on a field, lifted, discarded."""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.cards import FIELDS
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.sets import ABDICATED, JUDGED
from cartulary.engine.arcanoid.state import who_name


def lay(draft: Draft, move: Move) -> None:
    """Lay Temperance on a field."""
    field = move.fields[0]
    there = draft.peek(move.who).fields[field]
    if len(move.fields) != 1:
        draft.refuse(clauses.TEMPERANCE, "Temperance lies on one field")
    if not draft.deck:
        draft.refuse(clauses.TEMPERANCE, "the deck is empty")
    elif there is not None and there.kind not in (ABDICATED, JUDGED):
        draft.refuse(clauses.TEMPERANCE, f"{who_name(move.who)} has committed on {FIELDS[field]}")
    if draft.refusals and not draft.deck:
        draft.pile += move.cards
    else:
        draft.temper = (move.who, field)
