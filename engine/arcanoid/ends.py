"""How a move ends: who draws in which order, and whose move comes next."""

from cartulary.engine.arcanoid.moves import ROW, Move
from cartulary.engine.arcanoid.state import Due


def ending(move: Move, out: bool, again: bool = False) -> list[Due]:
    """Return what is due when a move has been made.

    out: it leaves the turn where it is; again: its player plays on
    """
    who = move.who
    draws = [Due("fill", who), Due("fill", ROW)]
    if again:
        return [*draws, Due("again", who, int(out))]
    if not out:
        return [*draws, Due("next", who)]
    return [*draws, Due("hermit", who), Due("stay", who)]
