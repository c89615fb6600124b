"""Chess in the words of PGN: SAN, FEN and the tags that go with them; drawn with White below for all but p2."""

import re

from cartulary.engine.chess import OPTIONS, PLACE, RULES, TURNS
from cartulary.engine.chess.position import NO_SQUARE, State, en_passant_square
from cartulary.engine.chess.setups import CHESS960, VARIANTS, differ, resume_from_board
from cartulary.engine.chess.squares import FILES, NAMES, POINTS, VACANT, owner
from cartulary.notation.board_squares import board_squares, drawn_places
from cartulary.notation.cgn.signs import plain_signs
from cartulary.notation.chess.fen import castling, read_sheet, write_fen, write_sheet
from cartulary.notation.chess.words import bare, read, things_to_touch, touch_path, write
from cartulary.notation.contract import About, Boards, Game, Odd, SheetTags, Touch, Words
from cartulary.notation.drawing import Drawing, Item
from cartulary.notation.guide import guide_beside
from cartulary.notation.picture import Picture, Row, Span

_CALLED = dict.fromkeys(("standard", "chess", "normal", "fromposition", "regular", "classic", "classical"), "standard")
_CALLED |= dict.fromkeys(("orthodox", "standardchess", "normalchess", "regularchess", "classicalchess"), "standard")
_CALLED |= dict.fromkeys(("chess960", "960", "frc", "fischerandom", "fischerrandom", "fischerandomchess"), CHESS960)
_CALLED |= dict.fromkeys(("fischerrandomchess", "wild/fr", "wildfr", "freestyle", "freestylechess"), CHESS960)


def read_variant(text: str) -> str:
    """Return the variant that a tag Variant names, ``standard`` or ``chess960``, in any spelling.

    The text itself is returned if it names none.
    """
    return _CALLED.get(re.sub(r"[\s_-]", "", text.lower()), text)


def write_variant(variant: str) -> str:
    """Return the value of the tag Variant: ``Chess960``; empty for standard chess."""
    return "Chess960" if variant == CHESS960 else ""


_FIGURINES = dict(zip("KQRBNP", "♚♛♜♝♞♟", strict=True))
_KINDS = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
_COLOURS = ("", "white", "black")


def picture(state: State, seat: int | None) -> Picture:
    """Return the board in letters as in FEN, p2's side below for seat 2, and below it a line with turn and rights.

    Everybody sees all men.
    """
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
    """Return the line below the board: ``p1 to move  KQkq  -  0 1``.

    After the turn it has the castling rights, the square en passant, the plies since a capture or a pawn's move, and
    the number of the move.
    """
    passing = en_passant_square(state.board, state.mover, state.kings[state.mover - 1], state.passant)
    square = NAMES[passing] if passing >= 0 else "-"
    rights = castling(state.board, state.rights)
    return f"p{state.mover} to move  {rights}  {square}  {state.quiet} {state.round}"


def signs_of_men(state: State) -> dict[str, str]:
    """Return the men that a pawn of the player to move may become, as they are drawn, by the ends of words: ``=Q``."""
    men = "♕♖♗♘" if state.mover == 1 else "♛♜♝♞"
    return {f"={letter}": man for letter, man in zip("QRBN", men, strict=True)}


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the board as a drawing, p2's side below for seat 2; the id of a man is the square where he began.

    The squares at the left have the digits of their ranks, and those below the letters of their files.
    The square of a king in check has the role ``check``.
    """
    places, checked = drawn_places(POINTS, seat == 2), state.kings[state.mover - 1] if state.checked else NO_SQUARE
    squares = board_squares(NAMES, POINTS, places, lambda square: "check" if square == checked else "")
    men: list[Item] = []
    for square, man in enumerate(state.board):
        if man != VACANT:
            kind, seat_of = chr(man).upper(), owner(man)
            label = f"{_COLOURS[seat_of]} {_KINDS[kind]} on {NAMES[square]}"
            role = f"p{seat_of} {_COLOURS[seat_of]}"
            id = f"man {NAMES[state.men.index(square)]}"
            men.append(Item(id, _FIGURINES[kind], places[square], role, label, "figure"))
    return Drawing((8, 8), (*squares, *men), (45, 45))


ODD = Odd(words=frozenset(("0-0", "0-0-0", "0000")), idle=frozenset(("e.p.",)))

GAME = Game(
    about=About(
        key="chess",
        title="Chess",
        edition="fide-2023",
        seats=(2,),
        says="two seats, 32 men on a board of eight by eight, by the FIDE Laws of Chess.",
        seat_tags=lambda seats: ("White", "Black"),
        variants=VARIANTS,
        options=OPTIONS,
        read_variant=read_variant,
        write_variant=write_variant,
        load_guide=guide_beside(__file__, tuple("KQRBNP")),
        also=("Schach", "Échecs", "Jeu d'échecs", "Ajedrez", "Scacchi", "Schaken", "Xadrez", "Szachy"),
    ),
    rules=RULES,
    words=Words(
        read=read,
        write=write,
        picture=picture,
        drawing=drawing,
        touch=Touch(targets=things_to_touch, path=touch_path, signs=signs_of_men),
        bare=bare,
        odd=ODD,
        spellings=plain_signs,
    ),
    turns=TURNS,
    sheet=SheetTags(names=("FEN", "SetUp"), read=read_sheet, write=write_sheet),
    place=PLACE,
    boards=Boards(tag="FEN", taken_up=resume_from_board, differ=differ, write=write_fen),
)
