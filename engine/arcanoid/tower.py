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
    if there is None:
        return draft.refuse(clauses.TOWER, f"{who_name(target)} has committed nothing on {FIELDS[field]}")
    if there.kind in (JUDGED, WORLDLY) or not there.cards:
        where = f"{who_name(target)}'s commitment on {FIELDS[field]}"
        return draft.refuse(clauses.TOWER, f"{where} is an abdication, Judgment or the World")
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
