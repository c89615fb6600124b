"""The Hanged Man: a hand is discarded and drawn anew."""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.state import Due, who_name


def hanged_man(draft: Draft, move: Move) -> None:
    """Let a hand in play, perhaps the player's own, be discarded and drawn anew."""
    if not draft.in_play(move.target):
        draft.block(clauses.HANGED_MAN, f"{who_name(move.target)} is not in play")
    draft.pile += draft.emptied(move.target)
    draft.dues.insert(0, Due("fill", move.target))
