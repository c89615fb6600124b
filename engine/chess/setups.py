"""Set-ups of chess: from a sheet to the first position, boards stated in the middle, and what their faults are."""

from typing import Any

from cartulary.engine.chess.position import DEAD as DEAD_KEY
from cartulary.engine.chess.position import (
    NOWHERE,
    SEVENTY_FIVE,
    Layout,
    State,
    dead,
    mark,
    passing_square,
)
from cartulary.engine.chess.squares import AHEAD, FIRST_RANK, MEN, NAMES, VACANT, attacker
from cartulary.engine.contract import Clause, Refused, Sheet
from cartulary.engine.numbers import how_many

CHESS960 = "chess960"
VARIANTS = ("standard", CHESS960)
ARRAY = b"RNBQKBNRPPPPPPPP................................pppppppprnbqkbnr"
"""The board before the first move (2.3)."""
SETUP: Clause[State, Any] = Clause(
    "chess.setup",
    "A set-up has eight ranks of eight squares, one king for each side, and no pawn on the first or last rank, and"
    " the side that is not to move is not in check.",
    "FIDE 2.3, pgn 9.7, 16.1, house ruling",
)


def setup(sheet: Sheet[Layout]) -> State | Refused:
    """Return the first position, or the refusal of a set-up."""
    layout = sheet.own or Layout(ARRAY, rights=bytes((0, 7, 56, 63)))
    return _set_up(layout, layout.mover, layout.round, sheet)


def taken_up(sheet: Sheet[Layout], mover: int, number: int) -> State | Refused:
    """Return the position from which play goes on, from a board that was stated; its number is that of the record."""
    layout = sheet.own
    assert layout is not None
    return _set_up(layout, layout.mover or mover, number, sheet)


def _set_up(layout: Layout, mover: int, number: int, sheet: Sheet[Layout]) -> State | Refused:
    fault = layout.fault or _fault(layout.board, mover)
    if fault:
        return Refused(fault, True, SETUP)
    board, seats = layout.board, (1, 2)
    kings = (board.index(MEN[1][0]), board.index(MEN[2][0]))
    passing = passing_square(board, mover, kings[mover - 1], layout.passant)
    claims_only = layout.claims_only or "claims-only" in sheet.options
    ended = DEAD_KEY if dead(board) else SEVENTY_FIVE if layout.quiet >= 150 and not claims_only else ""
    return State(
        board,
        bytes(NOWHERE if man == VACANT else square for square, man in enumerate(board)),
        mover,
        number,
        quiet=layout.quiet,
        rights=layout.rights,
        passant=layout.passant,
        kings=kings,
        checked=attacker(board, kings[mover - 1], 3 - mover) >= 0,
        seen=(mark(board, layout.rights, mover, passing),),
        free=sheet.variant == CHESS960,
        claims_only=claims_only,
        moved=frozenset(seats if number > 1 else ()),
        ended=ended,
    )


def _fault(board: bytes, mover: int) -> str:
    """Say why a board is no position; empty where it is one."""
    for seat, side in ((1, "White"), (2, "Black")):
        kings = board.count(MEN[seat][0])
        if kings != 1:
            return f"{side} has {how_many(kings, 'king') if kings else 'no king'}; each side must have one"
    if not mover:
        return "the FEN does not say who is to move, w or b"
    for rank in (FIRST_RANK[1], FIRST_RANK[2]):
        for square in rank:
            if board[square] in b"Pp":
                return f"a pawn stands on {NAMES[square]}; none may stand on the first or last rank"
    opponent = 3 - mover
    king = board.index(MEN[opponent][0])
    checker = attacker(board, king, mover)
    if checker >= 0:
        return f"p{opponent} is not to move, but its king on {NAMES[king]} is attacked from {NAMES[checker]}"
    return ""


def castles_from(board: bytes, seat: int, rook: int, free: bool) -> bool:
    """Say whether a right can be: king and rook on the first rank, in standard chess on e and on a or h."""
    rank = FIRST_RANK[seat]
    king = board.find(MEN[seat][0])
    if king not in rank or rook not in rank or board[rook] != MEN[seat][2]:
        return False
    return free or (king == rank[4] and rook in (rank[0], rank[7]))


def went_two(board: bytes, passant: int, mover: int) -> bool:
    """Say whether a pawn may just have gone two squares over a square: it and the one behind are vacant."""
    pawn, behind = passant + AHEAD[3 - mover], passant - AHEAD[3 - mover]
    if passant >> 3 != (5 if mover == 1 else 2):
        return False
    return board[pawn] == MEN[3 - mover][5] and board[passant] == board[behind] == VACANT


Difference = tuple[str, str, str]


def differ(state: State, sheet: Sheet[Layout]) -> tuple[Difference, ...]:
    """Return every square where what lay on the table is not what the moves put there, and the turn if it differs."""
    layout = sheet.own
    assert layout is not None
    if len(layout.board) != 64:
        return (("the board", "no board", "a position"),)
    pairs = enumerate(zip(layout.board, state.board, strict=True))
    squares = tuple(
        (NAMES[at], _piece_text(expected_piece), _piece_text(found_piece))
        for at, (expected_piece, found_piece) in pairs
        if expected_piece != found_piece
    )
    turned = layout.mover not in (0, state.mover)
    return (*squares, *([("the turn", f"p{layout.mover}", f"p{state.mover}")] if turned else ()))


def _piece_text(piece: int) -> str:
    return "nothing" if piece == VACANT else chr(piece)
