"""Words of chess: SAN, read leniently and written in one way.

Source: PGN standard 8.2.3; rulebook, "The word".
"""

import re
from functools import lru_cache

from cartulary.engine.chess.play import CLAIMS, has_move, judge, play
from cartulary.engine.chess.position import NO_SQUARE, PROMOTION_PIECES, Claim, Move, San, State, Word
from cartulary.engine.chess.squares import (
    FILES,
    FIRST_RANK,
    MEN,
    NAMES,
    REACH,
    SECOND_RANK,
    VACANT,
    owner,
    squares_with,
)
from cartulary.engine.contract import LEGAL
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.cgn.signs import cut
from cartulary.notation.contract import TouchTarget, TouchTargets

_FIGURINES = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP", "\ufe0e\ufe0f")
_MOVE = re.compile(
    r"([KQRBNP]|[kqrn](?=[a-h1-8x:-]))?([a-h]?)([1-8]?)([x:-]?)([a-h])([1-8])"
    r"(?:[=/]?\(?([KQRBNPkqrbnp])\)?)?(?:e\.?p\.?)?(?:[+#]|\+\+)?"
)
_CASTLES = re.compile(r"[O0o]-[O0o](-[O0o])?[+#]*")
_CLAIMS = re.compile(r"claim|three|3-?fold|rep|fift|50", re.IGNORECASE)
_NULL = ("--", "Z0", "@@@@", "0000", "null")
_LETTERS = {piece: chr(piece).upper() for men in MEN for piece in men}
_SIDES = {1: "O-O", -1: "O-O-O"}
ITEMS = tuple(f"square {name}" for name in NAMES)
"""The ids of the squares on the drawing."""


# --- in ---


def read(signs: str, seat: int, state: State) -> Word:
    """Return what a word says: a move or a castling (``San`` or ``Move``), or a claim of a draw (``Claim``).

    ``seat`` is 1 for White and 2 for Black. Whether it is legal is not asked.

    Raises:
        NotationError: If it is no word of chess.
    """
    move = _read(signs, seat)
    if move is None:
        return _claim(signs, seat, state)
    if type(move) is San and move.file >= 0 and move.rank >= 0:
        return _from_square(move, state)
    return move


@lru_cache(1 << 14)
def _read(signs: str, seat: int) -> San | Move | None:
    """Return what a word says, whatever stands on the board; None for a claim of a draw.

    Raises:
        NotationError: If it is no word of chess.
    """
    if signs in _NULL:
        return Move(seat, NO_SQUARE, NO_SQUARE)
    if signs.partition("=")[0] in CLAIMS:
        return None
    castles = _CASTLES.fullmatch(signs)
    if castles:
        return San(seat, "K", NO_SQUARE, side=-1 if castles[1] else 1)
    match = _MOVE.fullmatch(signs if signs.isascii() else signs.translate(_FIGURINES))
    if match is None and _CLAIMS.match(signs):
        raise NotationError(
            f"found {cut(signs)}, expected Threefold or Fifty to claim a draw, or Threefold=Nf3 with the move intended"
        )
    if match is None:
        raise NotationError(f"found {cut(signs)}, expected a move such as Nf3, exd5, e8=Q or O-O")
    kind, file, rank, between, to_file, to_rank, becomes = match.groups()
    return San(
        seat,
        kind.upper() if kind else "" if file and rank else "P",
        FILES.index(to_file) + 8 * (int(to_rank) - 1),
        FILES.index(file) if file else NO_SQUARE,
        int(rank) - 1 if rank else NO_SQUARE,
        (becomes or "").upper(),
        takes=between in ("x", ":"),
    )


def _from_square(move: San, state: State) -> San:
    """Return what a word with its square of departure says: castling if a king goes so, else that piece's move.

    In a word without a letter, such as ``e2e4``, the piece is the one that stands there, and a pawn on an empty square.
    """
    start, seat, to, board = 8 * move.rank + move.file, move.seat, move.to, state.board
    kind = move.kind or ("P" if board[start] == VACANT else chr(board[start]).upper())
    rank = FIRST_RANK[seat]
    if kind == "K" and board[start] == MEN[seat][0] and start in rank and to in rank:
        usual = not state.free and start == rank[4] and to in (rank[2], rank[6])
        if usual or board[to] == MEN[seat][2]:
            return San(seat, "K", NO_SQUARE, side=1 if to > start else -1)
    return San(seat, kind, to, move.file, move.rank, move.becomes, 0, move.takes)


def _claim(signs: str, seat: int, state: State) -> Claim:
    """Return a claim of a draw, ``Threefold`` or ``Fifty``, with the move intended after ``=``: ``Threefold=Nf3``.

    A move that cannot be read is kept as text only.

    Raises:
        NotationError: If nothing follows ``=``.
    """
    by, equals, words = signs.partition("=")
    if equals and not words:
        raise NotationError(f"found nothing after = in {cut(signs)}, expected the move intended", len(signs))
    try:
        intended = read(words, seat, state) if words else None
    except NotationError:
        intended = None
    return Claim(seat, by, None if isinstance(intended, Claim) else intended, words)


# --- touched ---


def things_to_touch(state: State, seat: int) -> TouchTargets:
    """Return what a seat touches to write a move: one of its men, then a square, then the piece that a pawn becomes.

    All men and all squares are there, whether or not a move is legal.
    """
    own = [square for square in range(64) if owner(state.board[square]) == seat]
    men = tuple(
        TouchTarget(
            _man(state.board[square], square),
            ITEMS[square],
            _promotions(square, state),
            _castling_squares(square, state, seat),
        )
        for square in own
    )
    return TouchTargets(men, tuple(map(TouchTarget, NAMES, ITEMS)))


def _man(man: int, square: int) -> str:
    """Return how a word begins that names a man and the square he stands on: ``Ng1``, ``e2`` for a pawn."""
    return _LETTERS[man].replace("P", "") + NAMES[square]


def _castling_squares(square: int, state: State, seat: int) -> tuple[str, ...]:
    """Return the squares, as ids of the drawing, to which the king would castle but for a man of his own there.

    Empty for any other man, for a king that is not on his first square, and in chess960.
    """
    rank = FIRST_RANK[seat]
    if state.free or state.board[square] != MEN[seat][0] or square != rank[4]:
        return ()
    return tuple(ITEMS[to] for to in (rank[2], rank[6]) if owner(state.board[to]) == seat)


def _promotions(square: int, state: State) -> tuple[str, ...]:
    """Return the keys of what a man may become, such as ``=Q``, if he is a pawn one rank before the last.

    Empty for any other man.
    """
    man = state.board[square]
    last = _LETTERS[man] == "P" and square in SECOND_RANK[3 - owner(man)]
    return tuple(f"={piece}" for piece in PROMOTION_PIECES) if last else ()


def touch_path(move: Word, state: State) -> tuple[str, ...]:
    """Return the squares that a move leaves and reaches, as items of the drawing, and the promotion: ``=Q``.

    In castling the king's square is followed by that to which the king goes; in chess960 by that of the rook, because
    the king may not move at all. A claim touches nothing.
    """
    if type(move) is not Move or move.start < 0:
        return ()
    to = move.rook if move.rook >= 0 and state.free else move.to
    return (ITEMS[move.start], ITEMS[to], *((f"={move.becomes}",) if move.becomes else ()))


# --- out ---


def write(move: Word, state: State, after: State | None = None) -> str:
    """Return the canonical spelling of a move: SAN if it is legal, the long form if not; else the word as it was read.

    Args:
        move: What ``read`` returned, or the move of a ply.
        state: The state before it.
        after: The state after it; None if it was not tried, which is then done here.
    """
    if type(move) is Claim:
        return move.by + (f"={_intended(move, state)}" if move.words else "")
    if type(move) is San:
        return _as_written(move, state)
    assert type(move) is Move
    if move.start < 0:
        return "--"
    if after is None:
        after = play(state, move).after
    if after is not None and after.regular:
        sign = ("+" if has_move(after) else "#") if after.checked else ""
        return _short(move, state) + sign
    return _long(move, state) + ("+" if after is not None and after.checked else "")


def _intended(claim: Claim, state: State) -> str:
    """Return the move that a claim intends, in canonical spelling if it can be read, else as it was written."""
    return claim.words if claim.move is None else write(claim.move, state)


def _short(move: Move, state: State) -> str:
    """Return a legal move in SAN, without ``+`` or ``#``: ``Nbd2``, ``exd5``, ``e8=Q``, ``O-O``."""
    start, to, board = move.start, move.to, state.board
    if move.rook >= 0:
        return _SIDES[1 if move.rook > start else -1]
    piece, target = board[start], NAMES[to]
    if piece == MEN[move.seat][5]:
        promoted = f"={move.becomes}" if move.becomes else ""
        return (f"{FILES[start & 7]}x{target}" if (to - start) % 8 else target) + promoted
    departure = _departure(move, state) if board.count(piece) > 1 else ""
    return _LETTERS[piece] + departure + (target if board[to] == VACANT else "x" + target)


def _departure(move: Move, state: State) -> str:
    """Return what SAN adds to tell a piece from others that could legally go there: a file, a rank, both or nothing."""
    start, to, piece = move.start, move.to, state.board[move.start]
    reach = REACH[piece]
    others = [square for square in squares_with(state.board, piece) if to in reach[square] and square != start]
    if not others:
        return ""
    rivals = [square for square in others if judge(state, Move(move.seat, square, to)) is LEGAL]
    if not rivals:
        return ""
    if all(square & 7 != start & 7 for square in rivals):
        return FILES[start & 7]
    return NAMES[start][1] if all(square >> 3 != start >> 3 for square in rivals) else NAMES[start]


def _long(move: Move, state: State) -> str:
    """Return an illegal move with its square of departure, ``Ng1e5``; a king's without, if it read as castling."""
    start, to, board = move.start, move.to, state.board
    if move.rook >= 0:
        return _SIDES[1 if move.rook > start else -1]
    kind = chr(board[start]).upper()
    takes = "x" if board[to] != VACANT and start != to else ""
    promoted = f"={move.becomes}" if move.becomes else ""
    castles = kind == "K" and _from_square(San(move.seat, "K", to, start & 7, start >> 3), state).side
    departure = "" if castles else NAMES[start]
    return f"{kind.replace('P', '')}{departure}{takes}{NAMES[to]}{promoted}"


def _as_written(move: San, state: State) -> str:
    """Return a word that is no legal move in SAN's spelling, with what it said of its square of departure.

    ``x`` stands in it if the square is not empty.
    """
    if move.side:
        return _SIDES[move.side]
    file = FILES[move.file] if move.file >= 0 else ""
    rank = str(move.rank + 1) if move.rank >= 0 else ""
    takes = "x" if state.board[move.to] != VACANT or (move.takes and move.kind == "P") else ""
    promoted = f"={move.becomes}" if move.becomes else ""
    return f"{move.kind.replace('P', '')}{file}{rank}{takes}{NAMES[move.to]}{promoted}"


def bare(signs: str) -> str:
    """Return a word without ``x``, and without ``+`` and ``#`` at its end: ``Nxd5+ -> Nd5``."""
    return signs.rstrip("+#").replace("x", "")
