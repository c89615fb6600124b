"""The board of chess: squares a1 to h8 as 0 to 63, the lines on it, and which pieces attack a square.

A board is 64 letters as in FEN, ``.`` for vacant. So what stands between two squares is a slice of it.
"""

from collections.abc import Iterable

FILES, RANKS = "abcdefgh", "12345678"
NAMES = tuple(file + rank for rank in RANKS for file in FILES)
VACANT = ord(".")
MEN = (b"", b"KQRBNP", b"kqrbnp")
"""By seat, its king, queen, rook, bishop, knight and pawn."""
FIRST_RANK = (range(0), range(8), range(56, 64))
"""By seat, the squares of its first rank."""
SECOND_RANK = (range(0), range(8, 16), range(48, 56))
LAST_RANK = (range(0), range(56, 64), range(8))
AHEAD = (0, 8, -8)
"""By seat, the difference between a square and the one that its pawns go to."""

_STRAIGHT, _SLANTING = ((0, 1), (1, 0), (0, -1), (-1, 0)), ((1, 1), (1, -1), (-1, -1), (-1, 1))
_WAYS = (*_STRAIGHT, *_SLANTING)
_JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def _square(file: int, rank: int) -> int:
    """Return the square of a file and a rank, each from 0: ``(4, 0) -> 4``, which is e1; -1 if it is off the board."""
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else -1


def _around(square: int, ways: tuple[tuple[int, int], ...]) -> bytes:
    """Return the squares to which some steps, each (files, ranks), lead from a square; those off the board are left
    out.
    """
    rank, file = divmod(square, 8)
    return bytes(to for across, up in ways if (to := _square(file + across, rank + up)) >= 0)


def _line(square: int, direction: tuple[int, int]) -> list[int]:
    """Return the squares from a square to the edge in one direction, (files, ranks) with steps of -1, 0 or 1, nearest
    first.

    The square itself is not among them.
    """
    rank, file = divmod(square, 8)
    return [to for far in range(1, 8) if (to := _square(file + far * direction[0], rank + far * direction[1])) >= 0]


def _line_slice(start: int, step: int, long: int) -> slice:
    """Return the slice of a board that has the ``long`` squares after ``start``, each ``step`` further; an empty one
    for 0.
    """
    stop = start + step * (long + 1)
    return slice(start + step, stop if stop >= 0 else None, step) if long else slice(0, 0)


def _step(direction: tuple[int, int]) -> int:
    """Return the difference between two squares that follow one another in a direction (files, ranks): ``(1,
    1) -> 9``.
    """
    return 8 * direction[1] + direction[0]


LINES = tuple(
    tuple(_line_slice(square, _step(direction), len(_line(square, direction))) for direction in _WAYS)
    for square in range(64)
)
"""LINES[square][number]: a slice of the squares to the edge on one of eight lines, 0 to 3 straight, 4 to 7 diagonal."""
BETWEEN = tuple(
    {
        to: _line_slice(square, _step(direction), far)
        for direction in _WAYS
        for far, to in enumerate(_line(square, direction))
    }
    for square in range(64)
)
"""BETWEEN[square][other]: the squares between two on one line, as a slice; no entry for two that share no line."""
LINE_TO = tuple(
    {to: number for number, direction in enumerate(_WAYS) for to in _line(square, direction)} for square in range(64)
)
"""LINE_TO[square][other]: the number of the line from one square to another; no entry if they share none."""
KNIGHT = tuple(_around(square, _JUMPS) for square in range(64))
KING = tuple(_around(square, _WAYS) for square in range(64))
STRIKES = ((), *(tuple(_around(square, ((-1, up), (1, up))) for square in range(64)) for up in (1, -1)))
"""STRIKES[seat][square]: the squares that a pawn attacks; so STRIKES of the other seat are those that attack it."""
_ROOK = tuple(bytes(to for direction in _STRAIGHT for to in _line(square, direction)) for square in range(64))
_BISHOP = tuple(bytes(to for direction in _SLANTING for to in _line(square, direction)) for square in range(64))


def _pawn(seat: int, square: int) -> bytes:
    """Return the squares that a pawn of a seat reaches from a square, whatever stands there.

    They are one ahead, from its second rank two, and those that it attacks.
    """
    ahead = [square + AHEAD[seat], square + 2 * AHEAD[seat]][: 1 + (square in SECOND_RANK[seat])]
    return bytes(to for to in ahead if 0 <= to < 64) + STRIKES[seat][square]


REACH: dict[int, tuple[bytes, ...]] = {
    piece: table
    for seat in (1, 2)
    for piece, table in zip(
        MEN[seat],
        (
            KING,
            tuple(map(bytes.__add__, _ROOK, _BISHOP)),
            _ROOK,
            _BISHOP,
            KNIGHT,
            tuple(_pawn(seat, square) for square in range(64)),
        ),
        strict=True,
    )
}
"""REACH[piece][square]: the squares that the piece reaches if it is alone on the board; for a pawn its captures too."""


def owner(piece: int) -> int:
    """Return the seat that a piece belongs to, given its letter as a number: 1 for a capital, 2 for a small one, 0 for
    ``.``.
    """
    return 0 if piece == VACANT else 1 if piece < 97 else 2


def squares_with(board: bytes, piece: int) -> list[int]:
    """Return the squares on which a piece stands, in ascending order; ``piece`` is its letter as a number,
    ``ord("N")``.
    """
    squares, at = [], board.find(piece)
    while at >= 0:
        squares.append(at)
        at = board.find(piece, at + 1)
    return squares


def in_the_way(board: bytes, start: int, to: int) -> int:
    """Return the first occupied square from ``start`` on between two squares of one line; -1 if all between are vacant.

    Two squares that share no line raise KeyError.
    """
    between = BETWEEN[start][to]
    entries = board[between]
    free = len(entries) - len(entries.lstrip(b"."))
    return -1 if free == len(entries) else between.start + free * between.step


def slider(board: bytes, square: int, by: int, lines: Iterable[int] = range(8)) -> int:
    """Return a square from which a piece of a seat attacks one along a line, -1 if there is none.

    Args:
        board: the board; what stands on the square itself does not matter.
        square: the square that is attacked.
        by: the seat that attacks.
        lines: the numbers of the lines that are looked at.
    """
    _, queen, rook, bishop, _, _ = MEN[by]
    from_here = LINES[square]
    for number in lines:
        line = from_here[number]
        entries = board[line]
        pieces = entries.lstrip(b".")
        if pieces and (pieces[0] == queen or pieces[0] == (rook if number < 4 else bishop)):
            return int(line.start + line.step * (len(entries) - len(pieces)))
    return -1


def attacker(board: bytes, square: int, by: int) -> int:
    """Return the square of one piece of seat ``by`` that attacks a square, -1 if none does; a pinned piece attacks too.

    What stands on the square itself does not matter.

    Source: FIDE 3.1.2, 3.1.3.
    """
    king, _, _, _, knight, pawn = MEN[by]
    piece = slider(board, square, by)
    if piece >= 0:
        return piece
    for man, starts in ((knight, KNIGHT[square]), (pawn, STRIKES[3 - by][square]), (king, KING[square])):
        for start in starts:
            if board[start] == man:
                return start
    return -1
