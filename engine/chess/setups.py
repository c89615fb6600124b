"""Set-ups of chess: the first position of a sheet, boards stated in the middle of a record, and their faults."""

from typing import Any

from cartulary.engine.chess.position import DEAD as DEAD_KEY
from cartulary.engine.chess.position import (
    NOWHERE,
    SEVENTY_FIVE,
    Layout,
    State,
    en_passant_square,
    is_dead,
    mark,
)
from cartulary.engine.chess.squares import AHEAD, FIRST_RANK, MEN, NAMES, VACANT, attacker
from cartulary.engine.contract import Clause, Refused, Sheet
from cartulary.engine.grid import differences
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
    """Return the first position of a sheet; a refusal under ``chess.setup`` if it cannot be played from.

    Without a set-up on the sheet it is the usual array with all rights to castle.
    """
    layout = sheet.own or Layout(ARRAY, rights=bytes((0, 7, 56, 63)))
    return _set_up(layout, layout.mover, layout.round, sheet)


def resume_from_board(sheet: Sheet[Layout], mover: int, number: int) -> State | Refused:
    """Return the position of a board that a sheet states in the middle of a record, or its refusal.

    Args:
        sheet: the sheet with the board.
        mover: the seat to move if the sheet does not say.
        number: the move number in the record; that of the FEN does not count.
    """
    layout = sheet.own
    assert layout is not None
    return _set_up(layout, layout.mover or mover, number, sheet)


def _set_up(layout: Layout, mover: int, number: int, sheet: Sheet[Layout]) -> State | Refused:
    """Return the state of a set-up with this seat to move and this move number, or its refusal, which blocks."""
    fault = layout.fault or _fault(layout.board, mover)
    if fault:
        return Refused(fault, True, SETUP)
    board, seats = layout.board, (1, 2)
    kings = (board.index(MEN[1][0]), board.index(MEN[2][0]))
    passing = en_passant_square(board, mover, kings[mover - 1], layout.passant)
    claims_only = layout.claims_only or "claims-only" in sheet.options
    end_key = DEAD_KEY if is_dead(board) else SEVENTY_FIVE if layout.quiet >= 150 and not claims_only else ""
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
        occurrences=(mark(board, layout.rights, mover, passing),),
        free=sheet.variant == CHESS960,
        claims_only=claims_only,
        seats_moved=frozenset(seats if number > 1 else ()),
        end_key=end_key,
    )


def _fault(board: bytes, mover: int) -> str:
    """Return why a board is no position, in a sentence; "" if it is one. ``mover`` is 0 if nobody says who moves.

    Looked at are the number of kings, the seat to move, pawns on the first or last rank, and a check of the other side.
    """
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
    """Say whether a right to castle fits a board.

    King and rook must stand on the first rank, and in standard chess on the e-file and the a- or h-file.

    Args:
        board: 64 letters.
        seat: the seat that has the right.
        rook: the square of the rook.
        free: True for chess960.
    """
    rank = FIRST_RANK[seat]
    king = board.find(MEN[seat][0])
    if king not in rank or rook not in rank or board[rook] != MEN[seat][2]:
        return False
    return free or (king == rank[4] and rook in (rank[0], rank[7]))


def may_have_gone_two(board: bytes, passant: int, mover: int) -> bool:
    """Say whether a pawn may just have gone two squares over a square, as a FEN says it.

    The square must be vacant, and so must the one that the pawn left; the pawn stands on the one after it. It lies on
    the sixth rank if White is to move, else on the third.

    Args:
        board: 64 letters.
        passant: The square that the pawn has gone over.
        mover: The seat to move, which the pawn does not belong to.
    """
    pawn, behind = passant + AHEAD[3 - mover], passant - AHEAD[3 - mover]
    if passant >> 3 != (5 if mover == 1 else 2):
        return False
    return board[pawn] == MEN[3 - mover][5] and board[passant] == board[behind] == VACANT


Difference = tuple[str, str, str]


def differ(state: State, sheet: Sheet[Layout]) -> tuple[Difference, ...]:
    """Return where a board stated on a sheet and a position differ.

    Each difference is (square, what the sheet says, what the position has); (``the turn``, seat, seat) comes last. Of a
    sheet whose board cannot be read there is one: (``the board``, ``no board``, ``a position``).
    """
    layout = sheet.own
    assert layout is not None
    if len(layout.board) != 64:
        return (("the board", "no board", "a position"),)
    return differences(NAMES, layout.board, state.board, _piece_text, (layout.mover, state.mover))


def _piece_text(piece: int) -> str:
    """Return the letter of a piece as a FEN has it, given as a number; ``nothing`` for a vacant square."""
    return "nothing" if piece == VACANT else chr(piece)
