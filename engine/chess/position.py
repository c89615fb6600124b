"""Chess positions: the state, the moves and claims, and the position after a move.

A move is carried out as far as the board allows, legal or not (rulebook, "What blocks, and how the rest is applied");
``clauses`` decides whether it is legal.
"""

from typing import TypeAlias

from msgspec import Struct

from cartulary.engine.chess.squares import (
    AHEAD,
    BETWEEN,
    FIRST_RANK,
    LAST_RANK,
    LINE_TO,
    MEN,
    REACH,
    SECOND_RANK,
    STRIKES,
    VACANT,
    attacker,
    in_the_way,
    slider,
)
from cartulary.engine.occurrences import Occurrences, times, with_one_more

NO_SQUARE = -1
NOWHERE = 255
_MARKS = tuple(tuple(bytes((seat, passing & 255)) for passing in (*range(64), NO_SQUARE)) for seat in range(3))
_SQUARES = tuple(bytes((square,)) for square in range(64))
_NOWHERE, _KING, _ROOK = bytes((NOWHERE,)), b"\xfe", b"\xfd"
DEAD, FIVEFOLD, SEVENTY_FIVE = "chess.dead-position", "chess.fivefold", "chess.seventy-five"
"""The keys of the clauses by which a position alone ends the game."""
_GOALS = {1: ((6, 5), (62, 61)), -1: ((2, 3), (58, 59))}
"""By side (1 for the king's, -1 for the queen's) and seat, the squares of king and rook after castling."""
PROMOTION_PIECES = "QRBN"
MOST_COUNTED = 5
"""Occurrences of a position beyond this number are not counted, because the fifth ends the game."""


class Move(Struct, frozen=True, gc=False):
    """A piece goes to a square.

    Attributes:
        seat: the seat that moves.
        start: the square that the piece leaves, NO_SQUARE if the turn is passed.
        to: the square to which it goes.
        becomes: the piece to which a pawn is promoted, as a capital.
        rook: the square of the rook in castling, else NO_SQUARE.
    """

    seat: int
    start: int
    to: int
    becomes: str = ""
    rook: int = NO_SQUARE


class San(Struct, frozen=True, gc=False):
    """A move as SAN writes it: the position decides which piece of its kind goes.

    Attributes:
        seat: the seat that moves.
        kind: the capital of the piece, empty if the square that it leaves is enough.
        to: the square to which it goes.
        file: the file that it leaves, NO_SQUARE if the word does not say.
        rank: the rank that it leaves, likewise.
        becomes: the piece to which a pawn is promoted, as a capital.
        side: 1 for castling on the king's side, -1 for the queen's, else 0.
        takes: True if the word says that it captures.
    """

    seat: int
    kind: str
    to: int
    file: int = NO_SQUARE
    rank: int = NO_SQUARE
    becomes: str = ""
    side: int = 0
    takes: bool = False


class Claim(Struct, frozen=True, gc=False):
    """A claim of a draw.

    Attributes:
        seat: the seat that claims.
        by: Threefold or Fifty.
        move: the intended move, None if there is none or its text is no move.
        words: the text after ``=``.
    """

    seat: int
    by: str
    move: San | Move | None = None
    words: str = ""


Word: TypeAlias = San | Move | Claim


class LostRight(Struct, frozen=True, gc=False):
    """A right to castle that is lost.

    Attributes:
        rook: the square of its rook.
        ply: the ply at which it was lost.
        square: the square that the king or the rook left.
    """

    rook: int
    ply: int
    square: int


class State(Struct, frozen=True, gc=False):
    """A position, with all that the rules need of how it came about.

    Attributes:
        board: 64 letters.
        men: by the square of a man in the set-up, where he stands now; NOWHERE if he has left or there was none.
        mover: the seat to move.
        round: the number of its move.
        ply: how many plies there are so far.
        quiet: the plies since the last capture or pawn's move.
        rights: the squares of the rooks that may castle, in order.
        passant: the square that a pawn has just gone over with two squares, else NO_SQUARE.
        kings: the square of each seat's king.
        checked: True if the mover is in check.
        regular: True if the last ply was legal.
        occurrences: how often each position has occurred since the last capture or pawn's move, by its ``mark``.
        free: True for chess960.
        claims_only: True if fivefold repetition and 75 moves do not end the game.
        seats_moved: the seats that have made a move.
        offer: the seat whose wrong claim is an offer of a draw, 0 for none.
        owed_move: the move that a seat must make because it claimed a draw with it and was wrong.
        end_key: the key of the rule that ended the game.
        lost_rights: the rights to castle that are lost.
    """

    board: bytes
    men: bytes
    mover: int = 1
    round: int = 1
    ply: int = 0
    quiet: int = 0
    rights: bytes = b""
    passant: int = NO_SQUARE
    kings: tuple[int, int] = (4, 60)
    checked: bool = False
    regular: bool = True
    occurrences: Occurrences = ()
    free: bool = False
    claims_only: bool = False
    seats_moved: frozenset[int] = frozenset()
    offer: int = 0
    owed_move: Move | None = None
    end_key: str = ""
    lost_rights: tuple[LostRight, ...] = ()


class Layout(Struct, frozen=True):
    """A set-up as a sheet gives it.

    Attributes:
        board: 64 letters.
        mover: the seat to move, 0 if the sheet does not say.
        rights: the squares of the rooks that may castle.
        passant: the square that a pawn has just gone over with two squares, else NO_SQUARE.
        quiet: the plies since the last capture or pawn's move.
        round: the number of the next move.
        fault: why the text is no set-up, in a sentence; empty if it is one.
        stated: True if the sheet has a FEN.
        claims_only: True if the sheet says that fivefold repetition and 75 moves do not end the game.
    """

    board: bytes
    mover: int = 1
    rights: bytes = b""
    passant: int = NO_SQUARE
    quiet: int = 0
    round: int = 1
    fault: str = ""
    stated: bool = False
    claims_only: bool = False


def goals(seat: int, side: int) -> tuple[int, int]:
    """Return (square of the king, square of the rook) after castling.

    ``side`` is 1 for the king's side, -1 for the queen's; seat 1 is White: ``(1, 1) -> (6, 5)``, g1 and f1.
    """
    return _GOALS[side][seat - 1]


def side_of(move: Move, state: State) -> int:
    """Return the side to which a castling move goes: 1 for the king's side, -1 for the queen's. ``state`` is that
    before it.
    """
    return 1 if move.rook > state.kings[move.seat - 1] else -1


def castling_rook(state: State, seat: int, side: int) -> int:
    """Return the square of the rook that castles to a side: one with the right to castle, else the nearest rook.

    Return NO_SQUARE if there is no rook on that side, or if the king is not on its first rank. ``side`` is 1 for the
    king's side, -1 for the queen's.
    """
    king, rank = state.kings[seat - 1], FIRST_RANK[seat]
    if king not in rank:
        return NO_SQUARE
    beside = range(king + 1, rank.stop) if side > 0 else range(king - 1, rank.start - 1, -1)
    own = MEN[seat][2]
    rooks = [square for square in beside if state.board[square] == own]
    return next((rook for rook in rooks if rook in state.rights), rooks[0] if rooks else NO_SQUARE)


def en_passant_victim(board: bytes, move: Move) -> int:
    """Return the square of the pawn that a move captures en passant, NO_SQUARE if it captures none so.

    Only the board is looked at: a pawn goes diagonally to a vacant square, and an enemy pawn stands beside it.
    """
    start, to, seat = move.start, move.to, move.seat
    if board[start] != MEN[seat][5] or to not in STRIKES[seat][start] or board[to] != VACANT:
        return NO_SQUARE
    beside = to - AHEAD[seat]
    return beside if board[beside] == MEN[3 - seat][5] else NO_SQUARE


def board_after(board: bytes, move: Move) -> bytes:
    """Return the board after a move, legal or not, whatever stands in its way.

    A pawn that arrives on the last rank becomes a queen if the move names no piece that it may become.
    """
    start, to, seat = move.start, move.to, move.seat
    if start < 0:
        return board
    after = bytearray(board)
    man = after[start]
    after[start] = VACANT
    if move.rook >= 0:
        after[move.rook] = VACANT
        after[goals(seat, 1 if move.rook > start else -1)[1]] = MEN[seat][2]
    elif man == MEN[seat][5]:
        pawn = en_passant_victim(board, move)
        if pawn >= 0:
            after[pawn] = VACANT
        if to in LAST_RANK[seat]:
            becomes = move.becomes if move.becomes in PROMOTION_PIECES and move.becomes else "Q"
            man = ord(becomes if seat == 1 else becomes.lower())
    after[to] = man
    return bytes(after)


def men_after(men: bytes, board: bytes, move: Move) -> bytes:
    """Return ``State.men`` after a move: where each man of the set-up stands then, by the square on which he began.

    ``board`` is the board before the move. A captured man stands NOWHERE.
    """
    start, to = move.start, move.to
    if move.rook >= 0:
        lifted = men.replace(_SQUARES[start], _KING).replace(_SQUARES[move.rook], _ROOK)
        beside = _SQUARES[goals(move.seat, 1 if move.rook > start else -1)[1]]
        vacated = lifted.replace(_SQUARES[to], _NOWHERE).replace(beside, _NOWHERE)
        return vacated.replace(_KING, _SQUARES[to]).replace(_ROOK, beside)
    if start < 0 or start == to:
        return men
    if board[start] in b"Pp":
        pawn = en_passant_victim(board, move)
        if pawn >= 0:
            men = men.replace(_SQUARES[pawn], _NOWHERE)
    return men.replace(_SQUARES[to], _NOWHERE).replace(_SQUARES[start], _SQUARES[to])


def king_attacker(state: State, move: Move) -> int:
    """Return the square of a piece that attacks the king of the seat that moves once the move is made; -1 if there is
    none.

    Args:
        state: The position before the move.
        move: The move, of either seat.
    """
    seat, start, board = move.seat, move.start, state.board
    king, by = state.kings[seat - 1], 3 - seat
    if start == king:
        return attacker(board_after(board, move), move.to, by)
    if state.checked or seat != state.mover or move.to == state.passant:
        return attacker(board_after(board, move), king, by)
    return line_attacker(board, king, move, by)


def line_attacker(board: bytes, king: int, move: Move, by: int) -> int:
    """Return a square from which a queen, rook or bishop attacks a king because a piece has left its line.

    Args:
        board: the board, before the move or after it.
        king: the square of the king.
        move: the move by which the piece has left.
        by: the seat that attacks.

    Returns:
        The square of that piece, -1 if there is none.
    """
    line = LINE_TO[king].get(move.start)
    if line is None or LINE_TO[king].get(move.to) == line or in_the_way(board, king, move.start) >= 0:
        return -1
    return slider(board, move.start, by, (line,))


def en_passant_square(board: bytes, seat: int, king: int, passant: int) -> int:
    """Return the square on which a seat may legally capture en passant, NO_SQUARE if it may not.

    Args:
        board: 64 letters.
        seat: the seat that may capture.
        king: the square of its king.
        passant: the square that a pawn has just gone over with two squares, or NO_SQUARE.
    """
    if passant >= 0:
        for start in STRIKES[3 - seat][passant]:
            taking = Move(seat, start, passant)
            if board[start] == MEN[seat][5] and attacker(board_after(board, taking), king, 3 - seat) < 0:
                return passant
    return NO_SQUARE


def mark(board: bytes, rights: bytes, seat: int, passing: int) -> bytes:
    """Return a key that two positions share if the rules of repetition count them as the same.

    Args:
        board: 64 letters.
        rights: the squares of the rooks that may castle.
        seat: the seat to move.
        passing: the square on which that seat may legally capture en passant, else NO_SQUARE.

    Source: FIDE 9.2.3.
    """
    return board + rights + _MARKS[seat][passing]


def apply(state: State, move: Move, regular: bool = True) -> State:
    """Return the position after a move, legal or not.

    Args:
        state: the position before.
        move: the move.
        regular: True if it was legal.
    """
    board, seat, start, to = state.board, move.seat, move.start, move.to
    after, kings, opponent = board_after(board, move), state.kings, 3 - move.seat
    if start in kings:
        kings = (to, kings[1]) if start == kings[0] else (kings[0], to)
    pawn, castles, passant = False, move.rook >= 0, NO_SQUARE
    rights, losses, quiet = state.rights, state.lost_rights, state.quiet + 1
    if start >= 0:
        pawn = board[start] == MEN[seat][5]
        if (
            pawn
            and to - start == 2 * AHEAD[seat]
            and start in SECOND_RANK[seat]
            and board[start + AHEAD[seat]] == VACANT
        ):
            passant = start + AHEAD[seat]
        captures = after.count(VACANT) > board.count(VACANT) if castles else board[to] != VACANT and start != to
        if pawn or captures:
            quiet = 0
        if rights and (start in rights or to in rights or start in state.kings):
            lost_rooks = bytes(rook for rook in rights if _loses_right(state, move, rook))
            rights = rights.translate(None, lost_rooks)
            losses += tuple(
                LostRight(rook, state.ply + 1, to if rook == to and not castles else start) for rook in lost_rooks
            )
    passing = en_passant_square(after, opponent, kings[opponent - 1], passant) if passant >= 0 else NO_SQUARE
    key = mark(after, rights, opponent, passing)
    occurrences = with_one_more(state.occurrences if quiet or not regular else (), key, MOST_COUNTED)
    end_key = _end_key(state, after, quiet, occurrences, key, regular)
    return State(
        after,
        men_after(state.men, board, move),
        opponent,
        state.round + seat - 1,
        state.ply + 1,
        quiet,
        rights,
        passant,
        kings,
        _checks(state, move, after, kings[opponent - 1], regular),
        regular,
        occurrences,
        state.free,
        state.claims_only,
        state.seats_moved if seat in state.seats_moved else state.seats_moved | {seat},
        state.offer if state.offer == seat else 0,
        None,
        end_key,
        losses,
    )


def _checks(state: State, move: Move, after: bytes, king: int, regular: bool) -> bool:
    """Return whether a move attacks the opponent's king, which stands on ``king``.

    After a legal ply only the king of the seat to move can be attacked. So after two of them only the piece that went
    can give check, or one whose line it has left.
    """
    seat, to = move.seat, move.to
    piece = after[to] if move.start >= 0 else VACANT
    if not (regular and state.regular) or piece in b".Kk" or move.becomes or to == state.passant:
        return attacker(after, king, seat) >= 0
    if piece in b"Pp":
        direct = king in STRIKES[seat][to]
    else:
        direct = king in REACH[piece][to] and (king not in BETWEEN[to] or in_the_way(after, to, king) < 0)
    return direct or line_attacker(after, king, move, seat) >= 0


def _loses_right(state: State, move: Move, rook: int) -> bool:
    """Say whether a move ends the right to castle with the rook on a square: it or its king moves, or it is
    captured.
    """
    return rook in (move.start, move.to) or state.kings[rook >= 56] == move.start


def mark_of(state: State) -> bytes:
    """Return the ``mark`` of the position on the board, by which repetitions are counted."""
    seat = state.mover
    passing = en_passant_square(state.board, seat, state.kings[seat - 1], state.passant)
    return mark(state.board, state.rights, seat, passing)


def count_of_position(state: State) -> int:
    """Return how often the position on the board has occurred, itself included; more than five are counted as 5."""
    return times(state.occurrences, mark_of(state))


def _end_key(state: State, board: bytes, quiet: int, occurrences: Occurrences, key: bytes, regular: bool) -> str:
    """Return the key of the clause by which a position ends the game without a call or a claim; empty if none does.

    Mate and stalemate are not among them. ``state`` is the one before the move, ``key`` the ``mark`` after it.
    """
    if regular and (quiet == 0 or not state.regular) and is_dead(board):
        return DEAD
    if state.claims_only:
        return ""
    if quiet >= 150:
        return SEVENTY_FIVE
    return FIVEFOLD if quiet > 7 and times(occurrences, key) >= MOST_COUNTED else ""


# --- what men can mate ---


def is_dead(board: bytes) -> bool:
    """Say whether the men on a board cannot mate, wherever they stand, so that the game is drawn.

    That is so for bare kings, one knight beside them, and bishops on squares of one colour.

    Source: FIDE 5.2.2; rulebook, "Ends".
    """
    men = board.translate(None, b".Kk")
    return (len(men) < 2 and men in b"Nn") or (not men.translate(None, b"Bb") and not _on_both_colours(board))


def cannot_win(board: bytes, seat: int) -> bool:
    """Say whether no moves at all would let a seat mate, by the men that both have.

    Source: FIDE 6.9; rulebook, "Cannot win".
    """
    king, _, _, bishop, knight, _ = MEN[seat]
    own = board.translate(None, b"." + MEN[3 - seat] + bytes((king,)))
    if not own:
        return True
    men = board.translate(None, b"." + MEN[seat])
    _, _, its_rook, its_bishop, its_knight, its_pawn = MEN[3 - seat]
    if own == bytes((knight,)):
        return not any(man in men for man in (its_pawn, its_knight, its_bishop, its_rook))
    if own.strip(bytes((bishop,))):
        return False
    return its_pawn not in men and its_knight not in men and not _on_both_colours(board)


def _on_both_colours(board: bytes) -> bool:
    """Say whether there are bishops both on light and on dark squares, whoever owns them; False without bishops."""
    return len({(square + square // 8) % 2 for square, man in enumerate(board) if man in b"Bb"}) > 1
