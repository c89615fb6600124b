"""What a player taps to write a move of draughts in a record that does not show what is legal."""

from cartulary.engine.draughts import OWNER, State
from cartulary.notation.contract import Touched


def touched(state: State, seat: int) -> Touched:
    """Return the squares of a seat's men, and every square, as the board is drawn for it."""
    squares = range(32, 0, -1) if seat == 1 else range(1, 33)
    own = tuple(str(square) for square in squares if OWNER[state.board[square]] == seat)
    return Touched(own, tuple(f"-{square}" for square in squares), 4)
