"""A position of chess as text and as a drawing; White is below for all but p2."""

from cartulary.engine.chess.position import State, passing_square
from cartulary.engine.chess.squares import FILES, NAMES, VACANT, owner
from cartulary.notation.chess.fen import castling
from cartulary.notation.drawing import Drawing, Item
from cartulary.notation.picture import Picture, Row, Span

_FIGURINES = dict(zip("KQRBNP", "♚♛♜♝♞♟", strict=True))
_KINDS = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
_COLOURS = ("", "white", "black")


def picture(state: State, seat: int | None) -> Picture:
    """Return the board, letters as in FEN, and below it the turn, the rights, the square en passant, the counters."""
    ranks, files = (range(8), range(7, -1, -1)) if seat == 2 else (range(7, -1, -1), range(8))
    rows: list[Row] = []
    for rank in ranks:
        cells: list[Span] = [Span(f"{rank + 1} ", "frame")]
        for file in files:
            man = state.board[8 * rank + file]
            cells += (Span(" "), Span(chr(man), f"p{owner(man)}" if man != VACANT else "empty"))
        rows.append(tuple(cells))
    below = "".join(f" {FILES[file]}" for file in files)
    return (*rows, (Span(f"  {below}     {_status(state)}", "frame"),))


def _status(state: State) -> str:
    passing = passing_square(state.board, state.mover, state.kings[state.mover - 1], state.passant)
    square = NAMES[passing] if passing >= 0 else "-"
    rights = castling(state.board, state.rights)
    return f"p{state.mover} to move  {rights}  {square}  {state.quiet} {state.round}"


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the squares and the men on them; all see all of it. A man is named by where he began."""
    items: list[Item] = []
    for at in range(8):
        rank, file = (at, 7 - at) if seat == 2 else (7 - at, at)
        items.append(Item(f"rank {rank + 1}", str(rank + 1), (0, at), "frame"))
        items.append(Item(f"file {FILES[file]}", f" {FILES[file]}", (at + 1, 8), "frame"))
    men: list[Item] = []
    for square, man in enumerate(state.board):
        rank, file = divmod(square, 8)
        place = (8 - file, rank) if seat == 2 else (file + 1, 7 - rank)
        shade = "dark" if (rank + file) % 2 == 0 else ""
        items.append(Item(f"square {NAMES[square]}", "", place, f"empty {shade}".strip(), look="square"))
        if man != VACANT:
            kind, seat_of = chr(man).upper(), owner(man)
            label = f"{_COLOURS[seat_of]} {_KINDS[kind]} on {NAMES[square]}"
            role = f"p{seat_of} {_COLOURS[seat_of]}"
            men.append(Item(f"man {NAMES[state.men.index(square)]}", _FIGURINES[kind], place, role, label, "figure"))
    return Drawing((9, 9), (*items, *men), (40, 40))
