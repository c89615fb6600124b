"""What the Laws offer an arbiter who finds an irregular move or claim; which of it is done, the arbiter decides."""

from collections.abc import Sequence

from cartulary.engine.chess.clauses import illegal
from cartulary.engine.chess.play import FIFTY, THREEFOLD
from cartulary.engine.chess.position import State, cannot_win
from cartulary.engine.contract import Remedy

BACK = Remedy(
    "If it is found during the game, the position before the illegal move is set up again. The piece moved must then"
    " make a legal move, if it has one.",
    "FIDE 7.5.1, 4.3",
)
LATER = Remedy(
    "If it is found after the game: the result that was signed stands unless the arbiter decides otherwise.", "FIDE 8.7"
)


def remedies(state: State, seat: int, key: str, earlier: Sequence[str]) -> tuple[Remedy, ...]:
    """Return what an arbiter may do about a ply that was refused.

    Args:
        state: the state before the ply.
        seat: the seat that made it.
        key: the clause that it broke.
        earlier: the clauses that earlier plies of the seat broke and that stood.
    """
    opponent = 3 - seat
    if key in (THREEFOLD.key, FIFTY.key):
        return (Remedy(f"p{opponent} gets two more minutes; in rapid and blitz one.", "FIDE 9.5.3, A.3, B.3"),)
    if not illegal(key):
        return ()
    first = Remedy(
        f"If it is the seat's first: p{opponent} gets two more minutes; in rapid and blitz one.", "FIDE 7.5.5, A.3, B.3"
    )
    ends = (
        f"drawn, since no series of moves lets p{opponent} mate"
        if cannot_win(state.board, opponent)
        else f"won by p{opponent}"
    )
    again = Remedy(f"If it is not the seat's first: the game is {ends}.", "FIDE 7.5.5")
    stood = Remedy(
        f"In rapid or blitz without full supervision: the move stands once p{opponent} has made a move.", "FIDE A.5.2"
    )
    return BACK, again if any(map(illegal, earlier)) else first, stood, LATER
