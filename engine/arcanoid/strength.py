"""Strength: two visible cards more, or a hidden one."""

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.state import Due
from cartulary.engine.cards.deck import FOOL


def strengthen(draft: Draft, move: Move) -> None:
    """Give a hand two visible cards more, or a hidden one."""
    seat = draft.seat(move.who)
    draft.aside += bytes((FOOL + 11,))
    option = move.calls[0] if move.calls else 0
    if option == 2:
        seat.wide = 2
        draft.dues.insert(0, Due("reveal", move.who, 2))
    elif option == 1:
        seat.size += 1
    else:
        draft.refuse(clauses.STRENGTH, f"Strength gives two visible cards or one hidden card, not {option}")
