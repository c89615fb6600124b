"""Draughts in the numbers of PDN: ``11-15``, ``22x13``, ``22x15x8``; positions as in its tag FEN."""

import re
from collections.abc import Mapping

from msgspec.structs import replace

from cartulary.engine import Place, Sheet, Turns
from cartulary.engine.draughts import HOPS, LAST_ROW, OWNER, PLACES, RULES, Move, State, play, position
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.cgn.signs import cut, plain_signs
from cartulary.notation.contract import (
    About,
    Boards,
    Difference,
    Game,
    Odd,
    SheetTags,
    Touch,
    TouchTarget,
    TouchTargets,
    Words,
)
from cartulary.notation.drawing import Drawing, Item, drawn_in_cells
from cartulary.notation.guide import guide_beside

SQUARES = {str(square) for square in range(1, 33)}


def read(signs: str, seat: int, state: State) -> Move:
    """Return the move through the squares that a word names; ``-``, ``x`` and ``:`` are read alike.

    Raises:
        NotationError: If the word is not made of at least two squares.
    """
    path = re.split("[-x:]", signs)
    if len(path) < 2 or not SQUARES.issuperset(path):
        raise NotationError(f"found {signs[:24]}, expected squares from 1 to 32 separated by - or x, as in 11-15")
    return Move(seat, tuple(map(int, path)))


def write(move: Move, state: State, after: State | None) -> str:
    """Return ``11-15`` or ``22x8``; with all its squares, ``22x15x8``, if the ends alone would not mean this move."""
    ends = Move(move.seat, (move.path[0], move.path[-1]))
    path = ends.path if play(state, ends).move == move else move.path
    return ("x" if HOPS[move.path[0]].get(move.path[1]) else "-").join(map(str, path))


def read_sheet(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[State]:
    """Return the sheet of a record; the tag ``FEN`` states the position: ``B:W18,24:B1,K3``.

    That is who is to move, then the squares of each side, with K before a king's.

    Raises:
        NotationError: If it cannot be read or cannot be a position; its key is ``record.tag``.
    """
    if "FEN" not in tags:
        return Sheet(variant, options, seats)
    board, (first, *sides) = ["."] * 33, tags["FEN"].split(":")
    for side in sides:
        letters, seat = ("abcdefghijkl", 1) if side[:1] == "B" else ("mnopqrstuvwx", 2)
        for letter, man in zip(letters, side[1:].split(","), strict=False):
            if (name := man.removeprefix("K")) in SQUARES:
                board[int(name)] = letter.upper() if man != name or int(name) in LAST_ROW[seat] else letter
    state = State("".join(board), "?BW".find(first))
    if sorted(re.findall(r"^.|:[BW]|\w+|.", tags["FEN"])) != sorted(re.findall(r"^.|:[BW]|\w+|.", position(state))):
        because = f"found {cut(tags['FEN'])}, expected up to 12 pieces a side, no man on its last row, as in B:W9:B1,K3"
        raise NotationError(because, key="record.tag", tag="FEN")
    spelled = position(state)
    remarks = (("FEN", "record.tag", f"the FEN is written as {spelled}"),) if spelled != tags["FEN"] else ()
    return Sheet(variant, options, seats, state, remarks)


def kind(piece: str) -> str:
    """Return in words what a letter of the board is: ``black man``, ``white king`` or ``nothing``."""
    return (
        ("black", "white")[OWNER[piece] - 1] + (" king" if piece.isupper() else " man") if OWNER[piece] else "nothing"
    )


def differ(state: State, sheet: Sheet[State]) -> tuple[Difference, ...]:
    """Return the squares on which a stated board differs from the position, and the turn if that differs."""
    stated = sheet.own or State()
    pairs = enumerate(zip(map(kind, stated.board), map(kind, state.board), strict=True))
    squares = [(str(square), other, own) for square, (other, own) in pairs if other != own]
    turn = [("the turn", f"p{stated.mover}", f"p{state.mover}")] * (stated.mover != state.mover)
    return (*squares, *turn)


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the board with the numbers of its squares, Black's side below for p1 and White's for everybody else."""
    items = [Item("field", "", (0, 0), "frame", look="field", size=(8, 8))]
    for square, (row, column) in enumerate(PLACES, 1):
        place, piece = (7 - column, 7 - row) if seat == 1 else (column, row), state.board[square]
        items.append(Item(f"square {square}", str(square), place, "empty dark", look="square"))
        if owner := OWNER[piece]:
            colour, rank = kind(piece).split(" ")
            sign, label = colour[0].upper() if rank == "king" else colour[0], f"{colour} {rank} on {square}"
            items.append(Item(piece.lower(), sign, place, f"p{owner} {colour} disc", label, "piece"))
    return Drawing((8, 8), tuple(items), (42, 42))


GAME = Game(
    about=About(
        key="draughts",
        title="Draughts",
        edition="draughts-2026",
        seats=(2,),
        says="two seats, 24 men on a board.",
        seat_tags=lambda seats: ("Black", "White"),
        load_guide=guide_beside(__file__, ("K",)),
        also=("Checkers", "English Draughts", "Dame", "Dames", "Jeu de dames", "Damespiel", "Damas", "Dama"),
    ),
    rules=RULES,
    words=Words(
        read=read,
        write=write,
        picture=lambda state, seat: drawn_in_cells(drawing(state, seat), 5),
        drawing=drawing,
        odd=Odd(numeric=True),
        spellings=plain_signs,
    ),
    turns=Turns(number=lambda state, move: (state.round, state.mover == 1)),
    sheet=SheetTags(
        names=("FEN",), read=read_sheet, write=lambda sheet: {"FEN": position(sheet.own)} if sheet.own else {}
    ),
    place=Place(key=position),
    boards=Boards(
        tag="FEN",
        taken_up=lambda sheet, mover, number: replace(sheet.own or State(), round=number),
        differ=differ,
        write=position,
    ),
)


def squares_to_touch(state: State, seat: int) -> TouchTargets:
    """Return what a seat touches to write a move: the square of one of its pieces, then another square."""
    squares = range(1, 33)
    own = tuple(TouchTarget(str(square), _item(square)) for square in squares if OWNER[state.board[square]] == seat)
    return TouchTargets(own, tuple(TouchTarget(f"-{square}", _item(square)) for square in squares))


def touch_path(move: Move, state: State) -> tuple[str, ...]:
    """Return each square of a move in order, as items of the drawing."""
    return tuple(map(_item, move.path))


def _item(square: int) -> str:
    """Return the id of a square on the drawing."""
    return f"square {square}"


GAME = replace(GAME, words=replace(GAME.words, touch=Touch(targets=squares_to_touch, path=touch_path)))
