"""The Tower: a commitment is undone."""

from msgspec.structs import replace

from cartulary.engine.arcanoid import clauses, face_down
from cartulary.engine.arcanoid.cards import FIELDS
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.sets import JUDGED, WORLDLY
from cartulary.engine.arcanoid.state import who_name


def undo(draft: Draft, move: Move) -> None:
    """Undo what a seat in play has committed on a field."""
    target, field = move.target or move.who, move.fields[0]
    there = draft.peek(target).fields[field]
    where = f"{who_name(target)} on {FIELDS[field]}"
    if there is None:
        return draft.refuse(clauses.TOWER, f"nothing is committed by {where}")
    if there.kind in (JUDGED, WORLDLY) or not there.cards:
        return draft.refuse(clauses.TOWER, f"the commitment of {where} is an abdication, Judgment or the World")
    if not draft.in_play(target):
        return draft.refuse(clauses.TOWER, f"{who_name(target)} has left the round")
    other = draft.peek(target).fields[there.both] if there.both >= 0 else None
    if other is not None:
        draft.let_stand(target, there.both, replace(other, both=-1))
    else:
        draft.pile += there.cards
    face_down.unread(draft, there)
    draft.let_stand(target, field, None)
    draft.touched |= 1 << field
    return None
