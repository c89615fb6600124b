"""Temperance: laid on a field, lifted, discarded."""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.cards import FIELDS, TEMPERANCE
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.sets import ABDICATED, JUDGED
from cartulary.engine.arcanoid.state import who_name


def lay(draft: Draft, move: Move) -> None:
    """Lay Temperance on a field."""
    field = move.fields[0]
    there = draft.peek(move.who).fields[field]
    if len(move.fields) != 1:
        draft.refuse(clauses.TEMPERANCE, "Temperance can lie on only one field")
    if not draft.deck:
        draft.refuse(clauses.TEMPERANCE, "the deck is empty")
    elif there is not None and there.kind not in (ABDICATED, JUDGED):
        draft.refuse(clauses.TEMPERANCE, f"{who_name(move.who)} has committed on {FIELDS[field]}")
    if draft.refusals and not draft.deck:
        draft.pile += move.cards
    else:
        draft.temper = (move.who, field)


def check_tempered(draft: Draft, move: Move) -> None:
    """Note a commitment where Temperance bars it."""
    if draft.temper is None or draft.temper[1] not in move.fields or not (move.cards or move.what == "spend"):
        return
    owner, field = draft.temper
    if draft.house.variant != "dresden" or owner != move.who:
        draft.refuse(clauses.TEMPERANCE, f"Temperance lies on {FIELDS[field]}")


def lift(draft: Draft, who: int) -> None:
    """Lift Temperance from its field."""
    if draft.temper is None or draft.house.variant == "dresden" or draft.temper[0] != who:
        draft.refuse(clauses.TEMPERANCE_LIFT, f"{who_name(who)} may not lift Temperance")
    drop(draft)


def drop(draft: Draft) -> None:
    """Discard Temperance if it lies on a field."""
    if draft.temper is not None:
        draft.temper = None
        draft.pile += bytes((TEMPERANCE,))
