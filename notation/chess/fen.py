"""FEN, in and out: the men, the turn, the rights to castle, the square en passant, two counters.

Laxer than the standard: fields after the first two may be missing, rights and squares that cannot be are dropped; each
is remarked. Rights are read as ``KQkq``, the outermost rook on that side, or by the rook's file.

Source: PGN standard 16.1; Shredder-FEN and X-FEN for chess960.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from cartulary.engine import Sheet
from cartulary.engine.chess.position import NO_SQUARE, Layout, State, en_passant_square
from cartulary.engine.chess.setups import ARRAY, CHESS960, SETUP, castles_from, may_have_gone_two
from cartulary.engine.chess.squares import FILES, FIRST_RANK, MEN, NAMES
from cartulary.notation.cgn.signs import count, cut

_CORNERS = bytes((0, 7, 56, 63))
_YEAR = re.compile(r"[0-9]{4}")
_SQUARES = {name: square for square, name in enumerate(NAMES)}
_SINCE = 2014
"""The first year of the rule of five times and of 75 moves (9.6)."""


Remark = tuple[str, str, str]

# --- in ---


def read_sheet(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[Layout]:
    """Return the sheet that the tags FEN, SetUp, Date and Options give; nothing raises.

    What is wrong with a position is a fault in the sheet, for the rules to refuse; what was read otherwise is a remark.
    Without a FEN it is the usual start. In a game before 2014 without Options, fivefold repetition and 75 moves do not
    end the game.
    """
    remarks: list[Remark] = []
    text, set_up = tags.get("FEN"), tags.get("SetUp", "")
    year = _YEAR.match(tags.get("Date", ""))
    claims_only = "Options" not in tags and year is not None and int(year[0]) < _SINCE
    if text is not None:
        layout = read_fen(text, variant == CHESS960, remarks)
        if set_up != "1":
            remarks.append(("FEN", SETUP.key, 'found a FEN without the tag SetUp "1", expected both; the FEN counts'))
    elif set_up == "1":
        layout = Layout(b"", fault='SetUp is "1", but there is no FEN; expected one, or SetUp left out')
    else:
        layout = Layout(ARRAY, rights=_CORNERS)
        if variant == CHESS960:
            remarks.append(
                (
                    "Variant",
                    SETUP.key,
                    "found no FEN in a game of chess960, expected one; the usual starting position is used",
                )
            )
    if claims_only:
        layout = replace(layout, claims_only=True)
    return Sheet(variant, options, seats, layout, tuple(remarks))


def read_fen(text: str, free: bool, remarks: list[Remark]) -> Layout:
    """Return the position that a FEN states, with a fault if it cannot be one.

    Args:
        text: The FEN.
        free: Whether the game is chess960, whose kings and rooks may begin elsewhere.
        remarks: A list to which remarks on what was read otherwise are added.
    """
    board, turn, *others = [*text.split(), "", ""][: max(2, len(text.split()))]
    men = _board(board)
    if odd := re.search(r"[^/]*[1-8]{2}[^/]*", board):
        because = f"found the rank {odd[0]}, expected one digit for empty squares side by side; read as their sum"
        remarks.append(("FEN", SETUP.key, because))
    if isinstance(men, str):
        return Layout(b"", fault=men, stated=True)
    mover = {"w": 1, "b": 2, "": 0}.get(turn, -1)
    if mover < 0:
        return Layout(men, fault=f"found {cut(turn)} for the side to move, expected w or b", stated=True)
    rights, passant, quiet, number = [*others, *[""] * 4][:4]
    if more := " ".join(others[4:]):
        remarks.append(("FEN", SETUP.key, f"found {cut(more)} after the FEN, which is left out"))
    return Layout(
        men,
        mover,
        bytes(sorted(set(_rights(men, rights, free, remarks)))),
        _passant(men, passant, mover, remarks),
        *_counts(quiet, number, remarks),
        stated=True,
    )


def _board(text: str) -> bytes | str:
    """Return the 64 men by square, a1 first, as bytes, a dot for none; or a sentence why the text states no board."""
    rows = text.split("/")
    if len(rows) != 8:
        excerpt = f"found {len(rows)} rank{'s' * (len(rows) != 1)} in the FEN"
        return f"{excerpt}, expected eight, from the eighth down, separated by /"
    board = []
    for rank, row in zip(range(8, 0, -1), rows, strict=True):
        strange = re.search(r"[^1-8KQRBNPkqrbnp]", row)
        if strange:
            return f"found {cut(strange[0])} on rank {rank}, expected a digit from 1 to 8 or one of KQRBNPkqrbnp"
        men = re.sub(r"[1-8]", lambda digit: "." * int(digit[0]), row)
        if len(men) != 8:
            return f"rank {rank} has {count(len(men), 'square')}, expected eight"
        board.append(men)
    return "".join(reversed(board)).encode()


def _rights(board: bytes, text: str, free: bool, remarks: list[Remark]) -> Iterator[int]:
    """Yield the squares of the rooks that may castle; a right that cannot be is left out with a remark.

    ``free`` says whether the game is chess960; remarks are added to ``remarks``.
    """
    if not text:
        remarks.append(
            (
                "FEN",
                SETUP.key,
                "found nothing in the FEN on who may castle, expected KQkq, part of it, or -; it is read as -",
            )
        )
    for letter in text if text != "-" else "":
        seat = 1 if letter.isupper() else 2
        rook = _rook(board, seat, letter.upper())
        if rook >= 0 and castles_from(board, seat, rook, free):
            yield rook
        else:
            remarks.append(
                (
                    "FEN",
                    SETUP.key,
                    f"the castling right {cut(letter)} is left out: its king or rook is not on its square",
                )
            )


def _rook(board: bytes, seat: int, letter: str) -> int:
    """Return the square of the rook that a letter of the rights names, in capitals; NO_SQUARE if there is none.

    ``K`` and ``Q`` name the outermost rook on that side of the king, ``A`` to ``H`` one on that file.
    """
    rank, king = FIRST_RANK[seat], board.find(MEN[seat][0])
    if letter in "KQ" and king in rank:
        beside = range(rank.stop - 1, king, -1) if letter == "K" else range(rank.start, king)
        return next((square for square in beside if board[square] == MEN[seat][2]), NO_SQUARE)
    file = FILES.upper().find(letter)
    return rank[file] if file >= 0 else NO_SQUARE


def _passant(board: bytes, text: str, mover: int, remarks: list[Remark]) -> int:
    """Return the square en passant, NO_SQUARE for none; one that no pawn has just passed over is left out.

    That is remarked in ``remarks``.
    """
    if text in ("-", ""):
        return NO_SQUARE
    square = _SQUARES.get(text, NO_SQUARE)
    if square >= 0 and mover and may_have_gone_two(board, square, mover):
        return square
    remarks.append(
        ("FEN", SETUP.key, f"the en passant square {cut(text)} is left out: no pawn has just passed over it")
    )
    return NO_SQUARE


def _counts(quiet: str, number: str, remarks: list[Remark]) -> tuple[int, int]:
    """Return the plies since a capture or a pawn's move, and the number of the move, which is at least 1.

    A text that is no such number is read as 0 or 1, with a remark.
    """
    numbers = [int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else -1 for text in (quiet, number)]
    if numbers[0] >= 0 and numbers[1] > 0:
        return numbers[0], numbers[1]
    excerpt = f"found {cut(f'{quiet} {number}')}" if quiet or number else "found nothing"
    read = max(numbers[0], 0), max(numbers[1], 1)
    because = f"{excerpt} for the two counters, expected numbers such as 0 1; read as {read[0]} {read[1]}"
    remarks.append(("FEN", SETUP.key, because))
    return read


# --- out ---


def write_sheet(sheet: Sheet[Layout]) -> dict[str, str]:
    """Return the tags FEN and SetUp of a sheet; empty if it states no position, or one that cannot be."""
    layout = sheet.own
    if layout is None or not layout.stated or layout.fault:
        return {}
    turn = (layout.mover, layout.rights, layout.passant)
    return {"FEN": _written(layout.board, *turn, layout.quiet, layout.round), "SetUp": "1"}


def write_fen(state: State) -> str:
    """Return a position as FEN, with a square en passant only if a capture there is legal."""
    passing = en_passant_square(state.board, state.mover, state.kings[state.mover - 1], state.passant)
    return _written(state.board, state.mover, state.rights, passing, state.quiet, state.round)


def _written(board: bytes, mover: int, rights: bytes, passant: int, quiet: int, number: int) -> str:
    """Return a FEN with these fields.

    Args:
        board: The men by square, a1 first.
        mover: The seat to move, 1 for White.
        rights: The squares of the rooks that may castle.
        passant: The square en passant; negative for none.
        quiet: The plies since a capture or a pawn's move.
        number: The number of the move.
    """
    men = board.decode()
    ranks = (men[start : start + 8] for start in range(56, -1, -8))
    text = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), rank) for rank in ranks)
    square = NAMES[passant] if passant >= 0 else "-"
    return f"{text} {'-wb'[mover]} {castling(board, rights)} {square} {quiet} {number}"


def castling(board: bytes, rights: bytes) -> str:
    """Return the castling rights as FEN has them, ``KQkq``; ``-`` for none.

    A rook that is not the outermost on its side is named by its file. ``rights`` has the squares of the rooks.
    """
    letters = []
    for seat in (1, 2):
        king = board.find(MEN[seat][0])
        for rook in sorted((right for right in rights if right in FIRST_RANK[seat]), reverse=True):
            side = "K" if rook > king else "Q"
            letter = side if _rook(board, seat, side) == rook else FILES[rook & 7].upper()
            letters.append(letter if seat == 1 else letter.lower())
    return "".join(letters) or "-"
