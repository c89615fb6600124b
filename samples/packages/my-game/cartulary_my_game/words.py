"""The words: how a move is written and read, and the picture of a position."""

from cartulary.notation import NotationError, Words
from cartulary.notation.picture import Picture, Row, Span

from .rules import FILES, RANKS, Move, State, square_name

SQUARES = {square_name(square): square for square in range(9)}
MARKS = ".XO"


def read(signs: str, seat: int, state: State) -> Move:
    """Return the move a word says: the name of a square. Raises NotationError where it names none."""
    if signs not in SQUARES:
        raise NotationError(f"found {signs}, expected a square such as b2", 1)
    return Move(seat, SQUARES[signs])


def write(move: Move, state: State, after: State | None) -> str:
    """Return the word of a move, in its one spelling."""
    return square_name(move.square)


def picture(state: State, seat: int | None) -> Picture:
    """Return the board, rank 3 first; everybody sees all of it."""
    ranks = [_rank(state, rank) for rank in reversed(range(3))]
    return (*ranks, (Span(f"  {' '.join(FILES)}", "frame"),))


def _rank(state: State, rank: int) -> Row:
    owners = state.board[3 * rank : 3 * rank + 3]
    marks = [Span(f" {MARKS[owner]}", f"p{owner}" if owner else "empty") for owner in owners]
    return (Span(RANKS[rank], "frame"), *marks)


WORDS = Words(read=read, write=write, picture=picture)
