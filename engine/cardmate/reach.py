"""Where each rank goes: tables by code and square, computed once from the rulebook's table of moves."""

from cartulary.engine.grid import DIAGONAL, KNIGHT, STRAIGHT, Grid, between
from cartulary.engine.sets import set_of

GRID = Grid(10, 10, lowest=0)
NAMES, POINTS = GRID.names(), GRID.points()
SQUARES = range(len(NAMES))
BIT = tuple(1 << square for square in SQUARES)
RAYS = GRID.rays()
"""RAYS[square][direction]: the squares met, nearest first."""
BETWEEN = between(RAYS)
"""BETWEEN[a][b]: the squares strictly between two on one line; 0 where they touch or share no line."""
_CODES = 192
_EIGHT, _NINE, _TEN, _JACK, _QUEEN, _KING, _ACE = range(7, 14)

HOW = (
    "a One goes straight forward, or straight back without capturing",
    "a Deuce goes diagonally forward, or straight back without capturing",
    "a Trey goes forward, straight or diagonally, or straight back without capturing",
    "a Four goes diagonally forward or sideways, or straight back without capturing",
    "a Five goes forward (straight or diagonally) or sideways, or straight back without capturing",
    "a Six goes diagonally or sideways, or straight back without capturing",
    "a Seven goes diagonally, sideways or straight forward, or straight back without capturing",
    "an Eight jumps like a chess knight, or steps straight back without capturing",
    "a Nine slides like a chess bishop, or steps straight back without capturing",
    "a Ten slides like a chess rook",
    "a Jack jumps like a chess knight, or goes one or two squares straight or diagonally",
    "a Queen slides like a chess queen",
    "a King goes one square in any direction",
    "an Ace goes like a chess knight or queen",
)
"""By rank, a clause of a sentence that says how its cards go."""

_AHEAD, _ASLANT, _ASIDE, _ASTERN = ((0, 1),), ((1, 1), (-1, 1)), ((1, 0), (-1, 0)), ((1, -1), (-1, -1))
_STEPS = (
    _AHEAD,
    _ASLANT,
    _ASLANT + _AHEAD,
    _ASLANT + _ASIDE,
    _ASLANT + _AHEAD + _ASIDE,
    _ASLANT + _ASTERN + _ASIDE,
    _ASLANT + _ASTERN + _ASIDE + _AHEAD,
)
"""The steps of ranks 1 to 7 as (files east, ranks forward)."""

_SLIDES = {
    _NINE: (DIAGONAL, 9),
    _TEN: (STRAIGHT, 9),
    _JACK: (STRAIGHT + DIAGONAL, 2),
    _QUEEN: (STRAIGHT + DIAGONAL, 9),
    _KING: (STRAIGHT + DIAGONAL, 1),
    _ACE: (STRAIGHT + DIAGONAL, 9),
}
_JUMPS = tuple(set_of(GRID.around(square, KNIGHT)) for square in SQUARES)


def _captures(forward: int, rank: int) -> tuple[int, ...]:
    """Return by square the squares where a rank captures on an empty board, as a set.

    Args:
        forward: 1 for p1, whose cards go to higher ranks of the board, -1 for p2.
        rank: the rank of the card.
    """
    far = 1
    if rank < _EIGHT:
        directions = tuple((east, north * forward) for east, north in _STEPS[rank])
    else:
        directions, far = _SLIDES.get(rank, ((), 0))
    jumps = _JUMPS if rank in (_EIGHT, _JACK, _ACE) else (0,) * len(_JUMPS)
    table = []
    for rays, bits in zip(RAYS, jumps, strict=True):
        for direction in directions:
            for to in rays[direction][:far]:
                bits |= BIT[to]
        table.append(bits)
    return tuple(table)


def _by_code() -> tuple[tuple[tuple[int, ...], ...], tuple[bytes, ...]]:
    """Return (CAPTURES, RETREAT): by code and square, where a card captures (bits), and its step straight back.

    The step is 255 if it leads off the board or the rank has none; codes of no card have an empty entry.
    """
    captures: list[tuple[int, ...]] = [()] * _CODES
    retreat = [bytes([255]) * 100] * _CODES
    behind = {1: bytes([255]) * 10 + bytes(range(90)), 2: bytes(range(10, 100)) + bytes([255]) * 10}
    for rank in range(_ACE + 1):
        north = _captures(1, rank)
        for seat in (1, 2):
            aimed = north if seat == 1 or rank >= _EIGHT else _captures(-1, rank)
            for suit in range(4):
                captures[seat << 6 | suit << 4 | rank] = aimed
                if rank <= _NINE:
                    retreat[seat << 6 | suit << 4 | rank] = behind[seat]
    return tuple(captures), tuple(retreat)


CAPTURES, RETREAT = _by_code()
"""CAPTURES[code][square]: where a card captures and moves when nothing stands in its way.
RETREAT[code][square]: the square of a straight step back, for ranks 1–9, which does not capture; 255 for none."""

AMAZON = CAPTURES[1 << 6 | _ACE]
"""By square, every square from which any card can capture there, as a set."""


def _square_list(bits: int) -> bytes:
    """Return the squares of a set in order.

    It is written out because ``members`` takes twice as long, at every start.
    """
    squares = bytearray()
    while bits:
        square = bits.bit_length() - 1
        squares.append(square)
        bits ^= BIT[square]
    return bytes(reversed(squares))


def _reach() -> tuple[tuple[tuple[bytes, ...], ...], tuple[tuple[int, ...], ...]]:
    """Return (REACH, NEAR): by code and square, where a card may go on an empty board, and those of it that nothing
    blocks.

    The first are squares in a row of bytes, the second are bits.
    """
    reach: list[tuple[bytes, ...]] = [()] * _CODES
    near: list[tuple[int, ...]] = [()] * _CODES
    tables: dict[int, tuple[tuple[bytes, ...], tuple[int, ...]]] = {}
    touching = tuple(set_of(line[0] for line in RAYS[square].values() if line) | _JUMPS[square] for square in SQUARES)
    for code, captures in enumerate(CAPTURES):
        if not captures:
            continue
        kind = code & 15 if code & 15 > _NINE else code & 207
        if kind not in tables:
            codes = [
                bits | 1 << back if back < 255 else bits for bits, back in zip(captures, RETREAT[code], strict=True)
            ]
            tables[kind] = (
                tuple(map(_square_list, codes)),
                tuple(bits & close for bits, close in zip(codes, touching, strict=True)),
            )
        reach[code], near[code] = tables[kind]
    return tuple(reach), tuple(near)


REACH, NEAR = _reach()
"""REACH[code][square]: the squares a card captures on or retreats to on an empty board, a0 first.
NEAR[code][square]: those of them that it reaches without crossing another square, as a set."""
