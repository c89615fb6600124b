"""What a game whose cards all lie face up says where others speak of hidden ones: nothing is unknown to anybody.

Such a game takes these functions as its own.
"""

from typing import Any, TypeVar

from cartulary.engine.contract import NOTHING_PENDING, Need, Open, Pending, Sheet

FACE_UP = True

State = TypeVar("State")
Move = TypeVar("Move")
T = TypeVar("T")


def breaches(before: Any, after: Any) -> tuple[()]:
    """Return nothing: no card is hidden, so no move is proved illegal later."""
    return ()


def skip(state: State) -> State:
    """Return the state: it counts no plies."""
    return state


def exact(state: Any, opened: Open) -> Open:
    """Return the question; none is ever asked."""
    return opened


def known(state: Any, need: Need) -> str:
    """Return nothing: nothing is hidden."""
    return ""


def pending(state: Any) -> Pending:
    """Return that nothing is open."""
    return NOTHING_PENDING


def view_sheet(sheet: Sheet[T], seat: int) -> Sheet[T]:
    """Return the sheet: all may read it."""
    return sheet


def view(state: State, seat: int) -> State:
    """Return the state: every card lies open."""
    return state


def view_move(state: Any, move: Move, seat: int) -> Move:
    """Return the move: nothing in it is hidden."""
    return move
