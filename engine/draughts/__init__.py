"""English draughts: two seats, twelve men each on the dark squares of a board, captures that must be made.

Rules: World Checkers Draughts Federation, Rules of Draughts (WCDF). An arbiter rules on claims to a draw.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from cartulary.engine import LEGAL, Clause, Outcome, PlayResult, Refused, Rules, Unclear, by_clauses, clause

OWNER = {".": 0} | dict.fromkeys("abcdefghijklABCDEFGHIJKL", 1) | dict.fromkeys("mnopqrstuvwxMNOPQRSTUVWX", 2)
LAST_ROW = {1: {29, 30, 31, 32}, 2: {1, 2, 3, 4}}
PLACES = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2]
HOPS: list[dict[int, int]] = [{} for square in range(33)]  # HOPS[a][b]: the square jumped, 0 for a step
for start, (row, column) in enumerate(PLACES, 1):
    for to, (to_row, across) in enumerate(PLACES, 1):
        if (far := abs(to_row - row)) == abs(across - column) and far in (1, 2):
            HOPS[start][to] = PLACES.index(((row + to_row) // 2, (column + across) // 2)) + 1 if far == 2 else 0


class State(Struct, frozen=True):
    """A position: by square (0 is off the board) each piece is a letter of its own, a capital if it is a king."""

    board: str = ".abcdefghijkl........mnopqrstuvwx"
    mover: int = 1
    round: int = 1


class Move(Struct, frozen=True):
    """A piece goes along squares: the one it leaves, then each one it comes to.

    A word may leave out the squares between the first and the last.
    """

    seat: int
    path: tuple[int, ...]


def position(state: State) -> str:
    """Return a position as the FEN tag of PDN writes it, the side to move first: ``B:W18,24:B1,K3``."""
    men = [(OWNER[piece], "K" * piece.isupper() + str(square)) for square, piece in enumerate(state.board)]
    white, black = (",".join(man for owner, man in men if owner == seat) for seat in (2, 1))
    return f"{'.BW'[state.mover]}:W{white}:B{black}"


def apply(state: State, move: Move) -> State:
    """Return the position after a move, legal or not: jumped men are gone, and a man on its last row is a king."""
    board, piece, to = state.board, state.board[move.path[0]], move.path[-1]
    jumped = [board[HOPS[start].get(landing, 0)] for start, landing in pairwise(move.path)]
    for man in (piece, *(victim for victim in jumped if OWNER[victim] == 3 - move.seat)):
        board = board.replace(man, ".")
    piece = piece if LAST_ROW[move.seat].isdisjoint(move.path[1:]) else piece.upper()
    return State(board[:to] + piece + board[to + 1 :], 3 - move.seat, state.round + move.seat - 1)


def onward(state: State, move: Move) -> Iterator[Move]:
    """Yield every way to go on from the squares of a move, with all squares from the start.

    A capture is yielded after each of its jumps, so all but the longest are broken off too early. A man that has just
    become a king goes no further.
    """
    board, start = apply(state, move).board if move.path[1:] else state.board, move.path[-1]
    for to, over in HOPS[start].items() if board[start] == state.board[move.path[0]] else ():
        if board[to] == "." and (board[start].isupper() or (to > start) == (move.seat == 1)):
            further = Move(move.seat, (*move.path, to))
            if OWNER[board[over]] == 3 - move.seat:
                yield further
                yield from onward(state, further)
            elif not over and not move.path[1:]:
                yield further


@lru_cache(64)
def ways(state: State, seat: int) -> tuple[Move, ...]:
    """Return all steps and captures of a seat, whether or not it must capture; captures broken off too early too.

    Several clauses ask for them at every ply, so the last answers are cached.
    """
    own = [start for start, piece in enumerate(state.board) if OWNER[piece] == seat]
    return tuple(move for start in own for move in onward(state, Move(seat, (start,))))


@clause("draughts.own-piece", "A player moves one of his own pieces.", "WCDF 1.13")
def own_piece(state: State, move: Move) -> Refused | None:
    """Return the refusal of a move from a square on which the seat has no piece; None for any other."""
    own = OWNER[state.board[move.path[0]]] == move.seat
    return None if own else Refused(f"p{move.seat} has no piece on {move.path[0]}", True)


@clause("draughts.crowning", "A man that reaches its last row becomes a king, and its move ends.", "WCDF 1.16, 1.19")
def crowning(state: State, move: Move) -> Refused | None:
    """Return the refusal of a move that goes on after a man has reached its last row; None for any other."""
    (start, *between, to), last = move.path, LAST_ROW[move.seat]
    far = [square for square in between if square in last and state.board[start].islower()]
    return Refused(f"The man becomes a king on {far[0]}, which ends its move", state.board[to] != ".") if far else None


@clause(
    "draughts.reach",
    "A man steps, or jumps an opposing piece, diagonally forward; a king backward too.",
    "WCDF 1.15 to 1.19",
)
def reach(state: State, move: Move) -> Refused | None:
    """Return the refusal of a path that no piece of the seat can take on this board; None for any other.

    Steps are not refused here for a capture that must be made, nor captures for ending too early.
    """
    if move in ways(state, move.seat):
        return None
    return Refused(f"No piece can go {'-'.join(map(str, move.path))} here", state.board[move.path[-1]] != ".")


@clause("draughts.turn", "Black moves first, and then the players take turns.", "WCDF 1.13")
def turn(state: State, move: Move) -> Refused | None:
    """Return the refusal of a move of the seat that is not to move; None for any other."""
    return None if move.seat == state.mover else Refused(f"It is p{state.mover}'s turn, not p{move.seat}'s")


@clause(
    "draughts.must-capture", "A player who can capture must do so, and may choose which capture to make.", "WCDF 1.20"
)
def must_capture(state: State, move: Move) -> Refused | None:
    """Return the refusal of a step while the seat can capture; None for any other move."""
    captures = [path_move.path for path_move in ways(state, move.seat) if HOPS[path_move.path[0]][path_move.path[1]]]
    steps = not HOPS[move.path[0]][move.path[1]]
    return (
        Refused(f"p{move.seat} can capture from {captures[0][0]} to {captures[0][1]}") if captures and steps else None
    )


@clause("draughts.finish-capture", "A capture must be carried through to its end.", "WCDF 1.19, 1.20")
def finish_capture(state: State, move: Move) -> Refused | None:
    """Return the refusal of a capture that stops where the same piece can jump once more; None for any other move."""
    on = [path_move.path[-1] for path_move in ways(state, move.seat) if path_move.path[:-1] == move.path]
    return Refused(f"From {move.path[-1]} the capture goes on to {on[0]}") if on else None


NO_MOVE: Clause[State, Move] = Clause("draughts.no-move", "A player who cannot move on his turn has lost.", "WCDF 1.30")
CLAUSES = (own_piece, crowning, reach, turn, must_capture, finish_capture, NO_MOVE)
judged, judge = by_clauses(CLAUSES, apply)


def outcome(state: State) -> Outcome | None:
    """Return the loss of the seat to move if it cannot move, None while it can."""
    shares = (state.mover - 1, 2 - state.mover)
    return None if ways(state, state.mover) else Outcome(shares, NO_MOVE.key, f"p{state.mover} cannot move")


def play(state: State, word: Move, exactly: bool = False) -> PlayResult[State, Move]:
    """Judge a word and carry it out.

    The first and the last square are enough if only one path leads there, or only one legal path. If several remain,
    the verdict is Unclear. ``exactly`` has no effect, as nothing is hidden.
    """
    fits = [move for move in ways(state, word.seat) if (move.path[0], move.path[-1]) == word.path]
    fits = [move for move in fits if move == word] or [move for move in fits if judge(state, move) is LEGAL] or fits
    return judged(state, fits[0] if fits else word) if len(fits) < 2 else PlayResult(word, Unclear(tuple(fits)), None)


RULES: Rules[State, Move, Move, State] = Rules(
    setup=lambda sheet: sheet.own or State(),
    play=play,
    clauses=CLAUSES,
    judge=judge,
    candidates=lambda state: iter(ways(state, state.mover)),
    complete=lambda state: True,
    outcome=outcome,
)
