"""Judgment: a seat abdicates on a field, by its own hand or another's."""

from cartulary.engine.arcanoid import clauses, round
from cartulary.engine.arcanoid.cards import FIELDS, JUDGMENT
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.sets import JUDGED
from cartulary.engine.arcanoid.state import Commitment, Due, who_name


def judge(draft: Draft, move: Move) -> None:
    """Make a seat abdicate on a field."""
    target, field = move.target or move.who, move.fields[0]
    there = draft.peek(target).plays and draft.peek(target).fields[field] is None
    if not there:
        clause = clauses.JUDGMENT if target != move.who else clauses.COMMITTED_ALREADY
        has = f"has already committed on {FIELDS[field]}" if draft.peek(target).plays else "is not in play"
        draft.refuse(clause, f"{who_name(target)} {has}")
    draft.take(move.who, JUDGMENT)
    if not there:
        draft.pile += bytes((JUDGMENT,))
        return
    draft.clock += 1
    abdicate(draft, target, field, Commitment(JUDGED, bytes((JUDGMENT,)), draft.clock, draft.ply))
    draft.dues.insert(0, Due("settle", target, 0, field))


def abdicate(draft: Draft, who: int, field: int, there: Commitment) -> None:
    """Let a seat abdicate on a field, Judgment lying there or not."""
    draft.let_stand(who, field, there)
    round.leave(draft, who)
