"""The clauses of chess that judge a move, in the order in which they are checked.

A clause may rely on those before it having passed. Castling has three clauses of its own.
"""

from cartulary.engine.chess.position import (
    PROMOTION_PIECES,
    LostRight,
    Move,
    State,
    Word,
    board_after,
    en_passant_victim,
    goals,
    king_attacker,
    side_of,
)
from cartulary.engine.chess.squares import (
    BETWEEN,
    LAST_RANK,
    MEN,
    NAMES,
    REACH,
    VACANT,
    attacker,
    in_the_way,
    owner,
)
from cartulary.engine.contract import Clause, Refused, clause

KINDS = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
COLOURS = ("", "White", "Black")


def piece_on(board: bytes, square: int) -> str:
    """Return the piece on an occupied square in words: ``the bishop on b4``.

    Args:
        board: The 64 squares, one ASCII letter each as in a FEN.
        square: The index of the square, 0 to 63.

    Raises:
        KeyError: The square is vacant.
    """
    return f"the {KINDS[chr(board[square]).upper()]} on {NAMES[square]}"


def _is_pawn(state: State, move: Move) -> bool:
    """Say whether a pawn of the seat that moves stands on the square that the move leaves."""
    return state.board[move.start] == MEN[move.seat][5]


def illegal(key: str) -> bool:
    """Say whether a move that breaks the clause of this key is an illegal one (FIDE 7.5).

    True for every clause in ``ORDER``, as ``chess.reach``; False for any other key, such as that of a wrong claim.
    """
    return any(key == clause.key for clause in ORDER)


def whose_turn(state: State, seat: int) -> str:
    """Return the sentence that it is not this seat's turn: ``It is p1's turn, not p2's``."""
    return f"It is p{state.mover}'s turn, not p{seat}'s"


@clause("chess.turn", "White moves first, and then the players take turns.", "FIDE 1.2, 9.2")
def turn(state: State, move: Move) -> Refused | None:
    """Return the refusal of a move of the seat that is not to move; it may stand. None for any other."""
    return None if move.seat == state.mover else Refused(whose_turn(state, move.seat))


@clause(
    "chess.null-move",
    "The player whose turn it is makes a move; passing the turn counts as an illegal move.",
    "FIDE 1.2, 7.5.3",
)
def null_move(state: State, move: Move) -> Refused | None:
    """Return the refusal of ``--``, a move with ``start`` -1 which passes the turn; it may stand. None for
    any other.
    """
    if move.start >= 0:
        return None
    return Refused(
        f"p{move.seat} made no move: -- passes the turn, as in an analysis or a broadcast that missed a move; a move"
        " that was made but is not known is written ~"
    )


@clause("chess.own-piece", "A player moves a piece of his own that is on the board.", "FIDE 1.2, 3.1")
def own_piece(state: State, move: Move) -> Refused | None:
    """Return the refusal of a move from a square on which no piece of the seat stands; None for any other.

    It blocks: such a move cannot be let stand.
    """
    holder = owner(state.board[move.start])
    if holder == move.seat:
        return None
    if not holder:
        return Refused(f"Nothing stands on {NAMES[move.start]}", True)
    piece = piece_on(state.board, move.start)
    return Refused(f"{piece[:1].upper()}{piece[1:]} is p{holder}'s, not p{move.seat}'s", True)


@clause(
    "chess.reach",
    "A piece goes only as its kind moves: queen, rook and bishop along their lines, a knight by its jump, a king one"
    " square, a pawn forward.",
    "FIDE 3.2-3.4, 3.6, 3.7, 3.8.1",
)
def reach(state: State, move: Move) -> Refused | None:
    """Return the refusal of a move to a square that the piece does not reach on an empty board; it may stand.

    None for any other move, and for castling, which has clauses of its own.
    """
    piece = state.board[move.start]
    if move.to in REACH[piece][move.start] or move.rook >= 0:
        return None
    return Refused(f"{_capital(state.board, move.start)} does not reach {NAMES[move.to]}")


def _capital(board: bytes, square: int) -> str:
    """Return the piece on an occupied square in words, for the beginning of a sentence: ``The bishop on b4``.

    A vacant square raises KeyError.
    """
    return "The" + piece_on(board, square)[3:]


@clause("chess.path", "Only a knight jumps over other pieces.", "FIDE 3.5, 3.7.2")
def path(state: State, move: Move) -> Refused | None:
    """Return the refusal of a move across an occupied square; it may stand. None for any other, and for castling.

    The first occupied square on the way is named; the square arrived on does not count.
    """
    if move.to not in BETWEEN[move.start] or move.rook >= 0:
        return None
    blocker = in_the_way(state.board, move.start, move.to)
    if blocker < 0:
        return None
    between = f"between {NAMES[move.start]} and {NAMES[move.to]}"
    return Refused(f"{_capital(state.board, blocker)} stands {between}")


@clause("chess.own-square", "No piece moves to a square that holds a piece of its own colour.", "FIDE 3.1")
def own_square(state: State, move: Move) -> Refused | None:
    """Return the refusal of a move to a square on which a piece of the same seat stands; it may stand.

    None for any other move, and for castling.
    """
    if owner(state.board[move.to]) != move.seat or move.rook >= 0:
        return None
    return Refused(f"{_capital(state.board, move.to)} is p{move.seat}'s own")


@clause("chess.king-captured", "A king is never captured.", "FIDE 1.4.1")
def king_captured(state: State, move: Move) -> Refused | None:
    """Return the refusal of the capture of the opponent's king; it may stand. None for any other, and for castling.

    It can come only after an irregular ply that was let stand.
    """
    if move.to != state.kings[2 - move.seat] or move.rook >= 0:
        return None
    return Refused(f"p{3 - move.seat}'s king is on {NAMES[move.to]}: an earlier ply was irregular")


@clause("chess.pawn-blocked", "A pawn goes straight ahead only to a vacant square.", "FIDE 3.7.1, 3.7.2")
def pawn_blocked(state: State, move: Move) -> Refused | None:
    """Return the refusal of a pawn's move straight ahead to an occupied square; it may stand. None for any other."""
    if (move.to - move.start) % 8 or state.board[move.to] == VACANT or not _is_pawn(state, move):
        return None
    return Refused(f"{_capital(state.board, move.to)} stops the pawn on {NAMES[move.start]}")


@clause(
    "chess.en-passant",
    "A pawn moves diagonally only to capture the piece on that square or, on the very next move, the pawn beside it"
    " that has just gone two squares.",
    "FIDE 3.7.3, 3.7.3.1, 3.7.3.2",
)
def en_passant(state: State, move: Move) -> Refused | None:
    """Return the refusal of a pawn's diagonal move to a vacant square that does not capture en passant; it may stand.

    None for any other move.
    """
    slanting = (move.to - move.start) % 8 and state.board[move.to] == VACANT and _is_pawn(state, move)
    if not slanting or move.to == state.passant:
        return None
    beside = en_passant_victim(state.board, move)
    why = f", and {piece_on(state.board, beside)} has not just gone two squares" if beside >= 0 else ""
    return Refused(f"There is nothing on {NAMES[move.to]} for the pawn on {NAMES[move.start]} to capture{why}")


@clause(
    "chess.promotion",
    "A pawn that reaches the last rank becomes a queen, rook, bishop or knight as part of the move; no other"
    " piece is promoted.",
    "FIDE 3.7.3.3-3.7.3.5",
)
def promotion(state: State, move: Move) -> Refused | None:
    """Return the refusal of a promotion that is wrong, missing or not due; it may stand.

    A pawn that reaches the last rank must become a queen, rook, bishop or knight, and no other move may promote. None
    for a move that does as it must.
    """
    if not (_is_pawn(state, move) and move.to in LAST_RANK[move.seat]):
        return (
            Refused(f"{_capital(state.board, move.start)} cannot be promoted on {NAMES[move.to]}")
            if move.becomes
            else None
        )
    if move.becomes and move.becomes in PROMOTION_PIECES:
        return None
    fault = (
        f"cannot become a {KINDS.get(move.becomes, move.becomes)}"
        if move.becomes
        else "becomes a piece that is not named"
    )
    return Refused(f"The pawn on {NAMES[move.to]} {fault}; a queen is put there")


@clause(
    "chess.castling-rights",
    "A king castles with a rook on its first rank only if neither has moved, or if the FEN gives the right.",
    "FIDE 3.8.2, 3.8.2.1, II.3.1",
)
def castling_rights(state: State, move: Move) -> Refused | None:
    """Return the refusal of castling with a rook that has no right to it; it may stand. None for any other move.

    The reason says at which ply the right was lost, if the record shows that.
    """
    return None if move.rook < 0 or move.rook in state.rights else Refused(_no_right_text(state, move))


def takes_king(state: State, move: Move) -> bool:
    """Say whether a move would take a king off the board; then it cannot be carried out (house ruling).

    The king may be the seat's own or the other's; for castling, both squares arrived on count.
    """
    arrivals = (move.to,) if move.rook < 0 else goals(move.seat, side_of(move, state))
    return any(king in arrivals for king in state.kings if king != move.start)


def _no_right_text(state: State, move: Move) -> str:
    """Return why a seat may not castle with a rook, as a sentence.

    It names the ply at which the right was lost, or says only that there is no right if the record has no such ply.
    """
    loss = next((loss for loss in state.lost_rights if loss.rook == move.rook), None)
    return _loss(loss, move) if loss else f"p{move.seat} has no right to castle with the rook on {NAMES[move.rook]}"


def _loss(loss: LostRight, move: Move) -> str:
    """Return when and how a right to castle was lost, as a sentence.

    ``The rook on h1 moved or was captured at ply 12``, or ``p1's king moved at ply 9, from e1``.
    """
    if loss.square == loss.rook:
        return f"The rook on {NAMES[loss.rook]} moved or was captured at ply {loss.ply}"
    return f"p{move.seat}'s king moved at ply {loss.ply}, from {NAMES[loss.square]}"


@clause(
    "chess.castling-path",
    "Every square that the king or the rook crosses or arrives on is empty except for those two.",
    "FIDE 3.8.2.2, II.3.2.7",
)
def castling_path(state: State, move: Move) -> Refused | None:
    """Return the refusal of castling across or onto an occupied square; it may stand. None for any other move.

    The king and the castling rook themselves do not count. In Chess960 only the squares that either crosses or arrives
    on must be empty; in other chess those between the two must be too.
    """
    if move.rook < 0:
        return None
    ends = (move.start, move.rook, *goals(move.seat, side_of(move, state)))
    spans = (sorted((move.start, move.to)), sorted((move.rook, ends[3])))
    for low, high in (*spans, sorted((move.start, move.rook))) if not state.free else spans:
        for square in range(low, high + 1):
            if state.board[square] != VACANT and square not in (move.start, move.rook):
                return Refused(f"{_capital(state.board, square)} is in the way of castling")
    return None


@clause(
    "chess.castling-check",
    "A king may not castle while it is attacked, nor across or onto an attacked square.",
    "FIDE 3.8.2.2",
)
def castling_check(state: State, move: Move) -> Refused | None:
    """Return the refusal of castling out of check, or across or onto an attacked square; it may stand.

    None for any other move. The reason names the attacker that was found first, from the king's square on.
    """
    if move.rook < 0:
        return None
    board = bytearray(state.board)
    board[move.start] = VACANT
    step = 1 if move.to > move.start else -1
    for square in (move.start, *range(move.start, move.to, step)):
        checker = attacker(bytes(board), square, 3 - move.seat)
        if checker >= 0:
            return Refused(f"{_capital(state.board, checker)} attacks {NAMES[square]}")
    checker = attacker(board_after(state.board, move), move.to, 3 - move.seat)
    return Refused(f"{_capital(state.board, checker)} attacks {NAMES[move.to]}") if checker >= 0 else None


@clause(
    "chess.king-attacked",
    "No move may expose the mover's own king to attack, or leave it attacked.",
    "FIDE 1.4.1, 3.9.2",
)
def king_attacked(state: State, move: Move) -> Refused | None:
    """Return the refusal of a move that leaves the seat's own king attacked, which it may have been before; it may
    stand.

    None for any other move. The reason names one attacker.
    """
    checker = king_attacker(state, move)
    if checker < 0:
        return None
    king = move.to if move.start == state.kings[move.seat - 1] else state.kings[move.seat - 1]
    return Refused(f"{_capital(board_after(state.board, move), checker)} attacks p{move.seat}'s king on {NAMES[king]}")


@clause(
    "chess.intended-move",
    "A player who wrongly claimed a draw on an intended move makes that move, if it is legal.",
    "FIDE 9.5.3",
)
def intended_move(state: State, move: Move) -> Refused | None:
    """Return the refusal of another move than the one with which the seat has wrongly claimed a draw; it may stand.

    None for that move, and if no such claim was made.
    """
    due = state.owed_move
    if due is None or due == move:
        return None
    return Refused(f"p{move.seat} wrongly claimed a draw on the move from {NAMES[due.start]} to {NAMES[due.to]}")


OVER: Clause[State, Move] = Clause(
    "chess.over",
    "No move is made after the game has ended by a call or a correct claim.",
    "FIDE 5.1, 5.2, 9.5.2",
)

_HEAD = (turn, null_move, own_piece)
_TAIL = (promotion, king_attacked, intended_move)
_ON_MAN = (own_square, king_captured)
_CASTLES = (turn, castling_rights, castling_path, castling_check, intended_move)
_OF_PAWN = (pawn_blocked, en_passant)


def _by_piece(*, plain: bool) -> dict[int, tuple[Clause[State, Move], ...]]:
    """Return by piece the clauses that its move may break, in order.

    A ``plain`` move is made in turn, to a vacant square or an enemy piece (``_OPEN``), without promotion.
    """
    head, middle, tail = ((), (), (king_attacked,)) if plain else (_HEAD, _ON_MAN, _TAIL)
    steps = (*head, reach, *middle, *tail)
    slides = (*head, reach, path, *middle, *tail)
    pawn = (*head, reach, path, *middle, *_OF_PAWN, promotion, *tail[-2 + plain :])
    return {man: steps if man in b"KNkn" else pawn if man in b"Pp" else slides for man in MEN[1] + MEN[2]}


_PLAIN, _ANY = _by_piece(plain=True), _by_piece(plain=False)
_OPEN = (b"", b"." + MEN[2][1:], b"." + MEN[1][1:])
"""By seat, what may stand on the square that a plain move goes to: nothing, or an enemy piece other than the king."""


def clauses_for(state: State, move: Word) -> tuple[Clause[State, Move], ...]:
    """Return the clauses that a move can break, in order.

    There are none for a claim, and for a word that fits no piece or several. A plain move (see ``_by_piece``) breaks no
    clause about the turn, nor one that forbids the mover's own piece or a king on the square it goes to. A pawn's plain
    move can still go straight ahead to an occupied square, or diagonally where there is nothing to capture.
    """
    if type(move) is not Move:
        return ()
    if move.rook >= 0:
        return _CASTLES
    if move.seat != state.mover or move.start < 0 or state.owed_move is not None:
        return _ANY.get(state.board[move.start], _HEAD) if move.start >= 0 else _HEAD
    board, seat = state.board, move.seat
    piece = board[move.start]
    plain = board[move.to] in _OPEN[seat] and piece in MEN[seat] and not move.becomes
    return (_PLAIN if plain else _ANY).get(piece, _HEAD)


ORDER = (
    turn,
    null_move,
    own_piece,
    reach,
    path,
    own_square,
    king_captured,
    pawn_blocked,
    en_passant,
    promotion,
    castling_rights,
    castling_path,
    castling_check,
    king_attacked,
    intended_move,
)
"""Every clause that a move may break, in the order in which they are checked."""
