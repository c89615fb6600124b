"""The rules: noughts and crosses, until you write your own."""

from collections.abc import Iterator

from cartulary.engine import Outcome, Refused, Rules, Sheet, Turns, by_clauses, clause
from msgspec import Struct

SOURCE = "house ruling"
"""Where a rule stands: a book and its page, or a house ruling where you decide."""

FILES, RANKS = "abc", "123"
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Move(Struct, frozen=True):
    """A mark on a square. seat: 1 crosses, 2 noughts; square: 0 is a1, 1 b1, 3 a2, 8 c3."""

    seat: int
    square: int


class State(Struct, frozen=True):
    """A position. board: by square, the seat whose mark stands there, 0 for none; mover: the seat in turn."""

    board: tuple[int, ...] = (0,) * 9
    mover: int = 1


def square_name(square: int) -> str:
    """Return a square's name: ``b2``."""
    return FILES[square % 3] + RANKS[square // 3]


def in_a_row(state: State) -> int:
    """Return the seat with three marks in a row, 0 if there is none."""
    rows = ({state.board[square] for square in line} for line in LINES)
    return next((row.pop() for row in rows if len(row) == 1 and 0 not in row), 0)


# Each rule is asked of a move, in the order of CLAUSES; the first refusal is told. blocks: the move cannot even be
# carried out; without it the move can stand, marked, as it may at a real table.


@clause("my-game.row", "Who has three in a row wins, and the game is over.", SOURCE)
def row(state: State, move: Move) -> Refused | None:
    won = in_a_row(state)
    return Refused(f"p{won} has three in a row", blocks=True) if won else None


@clause("my-game.turn", "Crosses begin, and the seats mark a square in turn.", SOURCE)
def turn(state: State, move: Move) -> Refused | None:
    return Refused(f"It is p{state.mover}'s turn") if move.seat != state.mover else None


@clause("my-game.empty", "A mark is put on an empty square.", SOURCE)
def empty(state: State, move: Move) -> Refused | None:
    owner = state.board[move.square]
    return Refused(f"{square_name(move.square)} has p{owner}'s mark", blocks=True) if owner else None


@clause("my-game.full", "Nine marks without three in a row are a draw.", SOURCE)
def full(state: State, move: Move) -> Refused | None:
    return Refused("Every square is marked", blocks=True) if all(state.board) else None


CLAUSES = (row, full, turn, empty)


def setup(sheet: Sheet[None]) -> State:
    """Return the first position."""
    return State()


def apply(state: State, move: Move) -> State:
    """Return the position after a move."""
    board = (*state.board[: move.square], move.seat, *state.board[move.square + 1 :])
    return State(board, 3 - move.seat)


def candidates(state: State) -> Iterator[Move]:
    """Yield every move worth judging."""
    return (Move(state.mover, square) for square in range(9))


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, None while it goes on."""
    won = in_a_row(state)
    if won:
        return Outcome((int(won == 1), int(won == 2)), row.key, f"p{won} has three in a row")
    return Outcome((1, 1), full.key, "Every square is marked") if all(state.board) else None


def number(state: State, move: Move | None) -> tuple[int, bool]:
    """Return the number of a move on the sheet, and whether it is the first of its pair."""
    marks = sum(map(bool, state.board))
    return marks // 2 + 1, marks % 2 == 0


play, judge = by_clauses(CLAUSES, apply)
RULES = Rules(
    setup=setup,
    play=play,
    clauses=CLAUSES,
    judge=judge,
    candidates=candidates,
    complete=lambda state: True,
    outcome=outcome,
)
TURNS: Turns[State, Move] = Turns(number=number)
