"""The High Priestess: her player looks at another hand."""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.state import who_name
from cartulary.engine.slots import cards_in


def high_priestess(draft: Draft, move: Move) -> None:
    """Let a seat look at the hand of another that is in play."""
    if not draft.in_play(move.target):
        draft.block(clauses.HIGH_PRIESTESS, f"{who_name(move.target)} is not in play")
    if move.target == move.who:
        draft.refuse(clauses.HIGH_PRIESTESS, f"{who_name(move.who)} looks at its own hand")
    target = draft.seat(move.target)
    known = dict(target.looked)
    known[move.seat] = known.get(move.seat, 0) | cards_in(target.hand)
    target.looked = tuple(sorted(known.items()))
