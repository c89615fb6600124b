"""The board of chess: squares a1 to h8 as 0 to 63, the lines on it, and which pieces attack a square.

A board is 64 letters as in FEN, ``.`` for vacant. So what stands between two squares is a slice of it.
"""

from collections.abc import Iterable

from cartulary.engine.grid import DIAGONAL, EVERY_WAY, KNIGHT, STRAIGHT, Grid, Way

FILES = "abcdefgh"
_GRID = Grid(8, 8)
_RAYS = _GRID.rays()
NAMES, POINTS = _GRID.names(), _GRID.points()
VACANT = ord(".")
MEN = (b"", b"KQRBNP", b"kqrbnp")
"""By seat, its king, queen, rook, bishop, knight and pawn."""
FIRST_RANK = (range(0), range(8), range(56, 64))
"""By seat, the squares of its first rank."""
SECOND_RANK = (range(0), range(8, 16), range(48, 56))
LAST_RANK = (range(0), range(56, 64), range(8))
AHEAD = (0, 8, -8)
"""By seat, the difference between a square and the one that its pawns go to."""


def _line_slice(start: int, step: int, long: int) -> slice:
    """Return the slice of a board that has the ``long`` squares after ``start``, each ``step`` further; an empty one
    for 0.
    """
    stop = start + step * (long + 1)
    return slice(start + step, stop if stop >= 0 else None, step) if long else slice(0, 0)


LINES = tuple(
    tuple(_line_slice(square, 8 * up + right, len(_RAYS[square][right, up])) for right, up in EVERY_WAY)
    for square in range(64)
)
"""LINES[square][number]: a slice of the squares to the edge on one of eight lines, 0 to 3 straight, 4 to 7 diagonal."""
BETWEEN = tuple(
    {to: _line_slice(square, 8 * up + right, far) for (right, up), line in rays.items() for far, to in enumerate(line)}
    for square, rays in enumerate(_RAYS)
)
"""BETWEEN[square][other]: the squares between two on one line, as a slice; no entry for two that share no line."""
LINE_TO = tuple({to: number for number, direction in enumerate(EVERY_WAY) for to in rays[direction]} for rays in _RAYS)
"""LINE_TO[square][other]: the number of the line from one square to another; no entry if they share none."""


def _around(ways: Iterable[Way]) -> tuple[bytes, ...]:
    """Return by square the squares to which some steps lead."""
    return tuple(bytes(_GRID.around(square, ways)) for square in range(64))


KNIGHTS, KINGS = _around(KNIGHT), _around(EVERY_WAY)
STRIKES = ((), *(_around(((-1, up), (1, up))) for up in (1, -1)))
"""STRIKES[seat][square]: the squares that a pawn attacks; so STRIKES of the other seat are those that attack it."""
_ROOK, _BISHOP = (
    tuple(bytes(to for way in ways for to in rays[way]) for rays in _RAYS) for ways in (STRAIGHT, DIAGONAL)
)


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
            KINGS,
            tuple(map(bytes.__add__, _ROOK, _BISHOP)),
            _ROOK,
            _BISHOP,
            KNIGHTS,
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
    for man, starts in ((knight, KNIGHTS[square]), (pawn, STRIKES[3 - by][square]), (king, KINGS[square])):
        for start in starts:
            if board[start] == man:
                return start
    return -1
