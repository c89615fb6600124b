"""Cardmate's words: moves, the Setup tag, and the drawn board.

The page's own notation: ``4Ci3``, capture ``8H:c5``, promotion ``1Dd5=A``; ``+`` on the capture of a first King,
``×`` of the second, ``#`` on entering the palace; two marks stand in that order. Laxer than the standard: ``:`` and
the marks may be missing or superfluous, ``x`` is read for ``×``, ``10`` is not read for ``X``.
"""

import re
from collections.abc import Mapping

from cartulary.engine import Sheet
from cartulary.engine.cardmate import (
    AT,
    KING,
    OFF,
    OPTIONS,
    PALACE,
    PLACE,
    RANKS,
    RULES,
    TURNS,
    VARIANTS,
    Layout,
    Move,
    State,
    card_code,
    card_name,
    differ,
    resume_from_board,
)
from cartulary.engine.cardmate.reach import NAMES, POINTS
from cartulary.engine.sets import members
from cartulary.notation.board_squares import board_squares, drawn_places, edge_names
from cartulary.notation.card_faces import FRENCH
from cartulary.notation.card_spellings import CardSpelling
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.cgn.signs import Misread, cut
from cartulary.notation.contract import About, Boards, Game, SheetTags, Touch, TouchTarget, TouchTargets, Words
from cartulary.notation.drawing import Drawing, Item
from cartulary.notation.guide import guide_beside
from cartulary.notation.picture import Picture, Row, Span

FILES = "abcdefghij"
_MOVE = re.compile(r"([1-9XJQKA][CDHS]):?([a-j][0-9])(=A)?[+×x#]*")
_PARTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[1-9XJQKA][CDHS]"), "a card such as 8H (ranks 1-9 X J Q K A, suits C D H S)"),
    (re.compile(r":?[a-j][0-9]"), "a square from a0 to j9, or : and a square"),
    (re.compile(r"=A"), ""),
    (re.compile(r"[+×x#]+"), ""),
)
_SPELLING = CardSpelling("123456789XJQKA", "CDHS")
_TAKES = re.compile(r"(?<=[CDHS♣♦♥♠])[x×](?=[a-j])", re.IGNORECASE)
_GOES = re.compile(r"(?<=[CDHS♣♦♥♠])[-–](?=[a-j])", re.IGNORECASE)
_SQUARES = {name: square for square, name in enumerate(NAMES)}
_CARDS = tuple(card_name(code) if code & 15 < len(RANKS) else "" for code in range(192))

_quiet: list[tuple[str, ...]] = [()] * len(_CARDS)
_read: tuple[dict[str, Move], ...] = ({}, {}, {})


# --- moves ---


def read(signs: str, seat: int, state: State) -> Move:
    """Return the move a word means; its marks ``+``, ``×`` and ``#`` are accepted and not compared with the board.

    The state does not matter, and whether the move is legal is not asked.

    Raises:
        NotationError: If it is no move, with the column of the first character that fits nothing.
    """
    memory = _read[seat]
    known = memory.get(signs)
    if known is not None:
        return known
    match = _MOVE.fullmatch(signs)
    if match is None:
        raise _unread(signs)
    move = Move(seat, seat << 6 | card_code(match[1]), _SQUARES[match[2]], match[3] is not None)
    if len(memory) > 50_000:
        memory.clear()
    memory[signs] = move
    return move


def spellings(typed: str) -> tuple[str, ...]:
    """Return the words that a text typed at a table may mean: ``10D×h8`` is ``XD:h8``, ``8♦-h8`` is ``8Dh8``.

    They may still lack capitals: ``10d×h8`` is ``Xd:h8``. Empty if nothing in it is spelled otherwise.
    """
    text = _GOES.sub("", _TAKES.sub(":", typed))
    return _SPELLING.words(text) or ((text,) if text != typed else ())


def write(move: Move, state: State, after: State | None = None) -> str:
    """Return the canonical word of a move: ``4Ci3``, ``8H:c5``, ``1Dd5=A``, with the marks that are due.

    ``state`` is the state before the move; ``after`` does not matter.
    """
    code, to = move.code, move.to
    victim = state.board[to]
    if victim or move.promotes or code & 15 == KING:
        return _marked(move, state, victim)
    return (_quiet[code] or _spell(code))[to]


def bare(signs: str) -> str:
    """Return a word without its marks at the end and without the colon of a capture: ``8H:c5+ -> 8Hc5``."""
    return signs.rstrip("+×x#").replace(":", "")


def _spell(code: int) -> tuple[str, ...]:
    """Return a card's words for a move without capture to each of the 100 squares, and remember them.

    ``code`` is the card with its seat; square n has index n.
    """
    _quiet[code] = tuple(_CARDS[code] + square for square in NAMES)
    return _quiet[code]


def _marked(move: Move, state: State, victim: int) -> str:
    """Return the word of a capture, promotion or king's move, with the marks that are due.

    ``victim`` is the card on the square it goes to, 0 for none.
    """
    code, to = move.code, move.to
    text = f"{_CARDS[code]}:{NAMES[to]}" if victim else _CARDS[code] + NAMES[to]
    if move.promotes:
        text += "=A"
    if victim and victim & 15 == KING:
        kings = sum(state.board[AT + (victim & 192 | suit << 4 | KING)] != OFF for suit in range(4))
        text += "+" if kings > 1 else "×"
    if code & 15 == KING and PALACE[3 - move.seat] >> to & 1:
        text += "#"
    return text


def _unread(text: str) -> NotationError:
    """Return (not raise) the error for a text that is no move, at the place where it stops being one."""
    at = 0
    for pattern, needed in _PARTS:
        match = pattern.match(text, at)
        if match:
            at = match.end()
        elif needed:
            return Misread(text, at, needed)
    return Misread(text, at, "the end of the move, =A or one of the marks + × #")


# --- the sheet ---


def read_sheet(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[Layout]:
    """Return the sheet from which the rules set up the game; the tag ``Setup`` among ``tags`` states the board.

    It has ten ranks, from 9 down to 0, separated by ``/``, and ``p2`` at its end if Rearhand is to move. Without the
    tag the game begins as usual. Whether the board is possible is left to the rules.

    Raises:
        NotationError: If the tag cannot be read; its key is ``record.tag``.
    """
    text = tags.get("Setup")
    return Sheet(variant, options, seats, None if text is None else _parse_layout(text))


def _parse_layout(text: str) -> Layout:
    """Return the board and the seat to move that a tag Setup states; the seat is 0 if it names none.

    Raises:
        NotationError: If it has not ten ranks of ten squares, or a square holds no card; its key is ``record.tag``.
    """
    words = text.replace("/", " / ").split()
    mover = 0
    if words and words[-1] in ("p1", "p2"):
        mover = int(words.pop()[1])
    ranks = " ".join(words).split(" / ") if words else []
    if len(ranks) != 10:
        raise NotationError(
            f"found {len(ranks)} rank{'s' * (len(ranks) != 1)} on the board,"
            " expected ten, from 9 down to 0, separated by /",
            key="record.tag",
            tag="Setup",
        )
    board = bytearray(100)
    for depth, row in enumerate(ranks):
        rank, cells = 9 - depth, row.split()
        if len(cells) != 10:
            raise NotationError(
                f"found {len(cells)} square{'s' * (len(cells) != 1)} on rank {rank} of the board,"
                " expected ten, from a to j",
                key="record.tag",
                tag="Setup",
            )
        for file, cell in enumerate(cells):
            board[10 * rank + file] = _parse_cell(cell, FILES[file] + str(rank))
    return Layout(bytes(board), mover)


def _parse_cell(cell: str, square: str) -> int:
    """Return the card in a cell of the tag Setup: ``8H`` is Forehand's, ``8h`` Rearhand's, ``--`` 0 for none.

    Raises:
        NotationError: If the cell holds no card; ``square`` names it in the error.
    """
    if cell == "--":
        return 0
    try:
        seat = 1 if cell[1:].isupper() else 2
        return seat << 6 | card_code(cell[:1] + cell[1:].upper())
    except ValueError:
        raise NotationError(
            f"found {cut(cell)} on {square}, expected -- or a card: 8H Forehand's, 8h Rearhand's",
            key="record.tag",
            tag="Setup",
        ) from None


def write_sheet(sheet: Sheet[Layout]) -> dict[str, str]:
    """Return the tag Setup of a sheet as ``{"Setup": …}``; empty if the game begins as usual."""
    return {} if sheet.own is None else {"Setup": format_layout(sheet.own.board, sheet.own.mover)}


def format_layout(board: bytes, mover: int) -> str:
    """Return a board as the tag Setup has it: ten ranks from 9 down to 0, joined by `` / ``.

    ``board`` has a code for each square, 0 for none. `` p2`` stands at the end if seat 2 is to move.
    """
    ranks = [" ".join(map(_format_cell, board[10 * rank : 10 * rank + 10])) for rank in range(9, -1, -1)]
    return " / ".join(ranks) + (" p2" if mover == 2 else "")


def _format_cell(code: int) -> str:
    """Return a card as a cell of the tag Setup: ``8H`` for Forehand's, ``8h`` for Rearhand's, ``--`` for code 0."""
    if not code:
        return "--"
    name = card_name(code)
    return name if code >> 6 == 1 else name[0] + name[1].lower()


# --- the board ---


def picture(state: State, seat: int | None) -> Picture:
    """Return the board as rows of text, with Forehand's side below; everybody sees the same.

    ``^`` marks Forehand's cards, ``v`` Rearhand's; squares of the palaces are in brackets.
    """
    files: Row = (Span("     " + "    ".join(FILES), "frame"),)
    edge: Row = (Span("   +" + "-" * 50 + "+", "frame"),)
    rows = [files, edge]
    for rank in range(9, -1, -1):
        cells: list[Span] = [Span(f" {rank} |", "frame")]
        for square in range(10 * rank, 10 * rank + 10):
            cells += _cell(state, square)
        rows.append((*cells, Span(f"| {rank}", "frame")))
        if rank == 5:
            rows.append((Span("   |" + "- " * 25 + "|", "frame"),))
    return (*rows, edge, files)


def _cell(state: State, square: int) -> tuple[Span, ...]:
    """Return the three spans of a square of the board with its card, in brackets inside a palace."""
    code = state.board[square]
    role = f"p{code >> 6}" if code else "empty"
    text = f"{'^' if code >> 6 == 1 else 'v'}{card_name(code)}" if code else " . "
    if (PALACE[1] | PALACE[2]) >> square & 1:
        return Span("[", "palace"), Span(text, role), Span("]", "palace")
    return Span(" "), Span(text, role), Span(" ")


_PALACES = dict.fromkeys(members(PALACE[1] | PALACE[2]), "palace")
OWNERS = ("", "▲", "▼")
"""By seat, which way its cards go."""
ITEMS = tuple(f"square {name}" for name in NAMES)
"""The ids of the squares on the drawing."""


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the board drawn, p2's side below for seat 2 and p1's side below for anybody else.

    Everybody sees all cards. A card's item has the card's name as id, so that it keeps it while it is on the board.
    """
    turned, cards = seat == 2, list[Item]()
    places = drawn_places(POINTS, turned, free_columns=1)
    for square, code in enumerate(state.board[:100]):
        if code:
            name, owner = card_name(code), code >> 6
            label = f"p{owner}'s {name} on {NAMES[square]}"
            symbol = name[:-1] + FRENCH[name[-1]]
            corner = OWNERS[3 - owner if turned else owner]
            cards.append(Item(name, symbol, places[square], f"p{owner}", label, "card", corner=corner))
    squares = board_squares(NAMES, POINTS, places, lambda square: _PALACES.get(square, ""), coordinates=False)
    return Drawing((11, 11), (*edge_names(10, 10, turned, lowest=0), *squares, *cards), (34, 34))


def things_to_touch(state: State, seat: int) -> TouchTargets:
    """Return a seat's cards on the board as the things, and every square as the places that may be touched.

    Whether a card may go to a square is not asked.
    """
    own = sorted(code for code in state.board[:100] if code >> 6 == seat)
    return TouchTargets(
        tuple(TouchTarget(_CARDS[code], ITEMS[state.board.index(code)]) for code in own),
        tuple(map(TouchTarget, NAMES, ITEMS)),
    )


def touch_path(move: Move, state: State) -> tuple[str, ...]:
    """Return the squares that a card leaves and reaches, as ids of the drawing, and ``=A`` if it becomes an Ace.

    The card must be on the board; the answer has two or three members.
    """
    return (ITEMS[state.board.index(move.code)], ITEMS[move.to], *(("=A",) if move.promotes else ()))


# --- the game ---

GAME = Game(
    about=About(
        key="cardmate",
        title="Cardmate",
        edition="cardmate-2000",
        seats=(2,),
        says="two seats, 52 cards on a board of ten by ten, suits that must be followed.",
        seat_tags=lambda seats: ("Forehand", "Rearhand"),
        variants=VARIANTS,
        options=OPTIONS,
        load_guide=guide_beside(__file__, tuple(rank + suit for rank in RANKS for suit in "CDHS")),
    ),
    rules=RULES,
    words=Words(
        read=read,
        write=write,
        picture=picture,
        drawing=drawing,
        touch=Touch(targets=things_to_touch, path=touch_path),
        bare=bare,
        spellings=spellings,
    ),
    turns=TURNS,
    sheet=SheetTags(names=("Setup",), read=read_sheet, write=write_sheet),
    place=PLACE,
    boards=Boards(
        tag="Setup",
        taken_up=resume_from_board,
        differ=differ,
        write=lambda state: format_layout(state.board, state.mover),
    ),
)
