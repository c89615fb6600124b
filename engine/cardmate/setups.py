"""Cardmate's set-ups: the predefined table, what each variant allows, and boards to go on from."""

from msgspec.structs import replace

from cartulary.engine.cardmate.position import (
    ACE,
    KING,
    ONE,
    PALACE,
    RANKS,
    Layout,
    Move,
    State,
    card_code,
    card_name,
    mark,
    with_squares,
    worked_out,
)
from cartulary.engine.contract import Clause, Refused, Sheet
from cartulary.engine.grid import NAMES, SQUARES
from cartulary.engine.numbers import how_many

VARIANTS = ("predefined", "suit-setup", "suit-content", "rank-setup", "rank-content", "composed")

SETUP: Clause[State, Move] = Clause(
    "cardmate.setup",
    "The set-up is one that its variant allows, with no card twice and, except in a composed one, none missing.",
    "I. Derzhanski, Cardmate (2000), Setup",
)

_ROWS = (
    ("XS 8H 9C QH KC KH QD 9H 8D XC", "7C -- 6S JD 5H 5D JS 6D -- 7S", "1D 2S 3C 4H -- -- 1H 3S 2D 4C"),
    ("XD 8C 9S QC KS KD QS 9D 8S XH", "7H -- 6C JH 5C 5S JC 6H -- 7D", "4D 2C 3H 1S -- -- 4S 3D 2H 1C"),
)
"""Each seat's three nearest ranks, its own back rank first, files a to j."""


def _predefined() -> bytes:
    board = bytearray(len(SQUARES))
    for seat, rows in enumerate(_ROWS, 1):
        for depth, row in enumerate(rows):
            start = 10 * (depth if seat == 1 else 9 - depth)
            for file, name in enumerate(row.split()):
                if name != "--":
                    board[start + file] = seat << 6 | card_code(name)
    return bytes(board)


PREDEFINED = _predefined()
_HOME = with_squares(PREDEFINED), *worked_out(PREDEFINED)


def setup(sheet: Sheet[Layout]) -> State | Refused:
    """Return the first position, or the refusal of a Setup that breaks its variant (``cardmate.setup``)."""
    layout = sheet.own
    if layout is None:
        if sheet.variant != "predefined":
            return Refused(f"The variant {sheet.variant} needs a Setup tag, but there is none", True, SETUP)
        layout = Layout(PREDEFINED)
    if layout.board != PREDEFINED:
        fault = _fault(layout.board, sheet.variant)
        if fault:
            return Refused(fault, True, SETUP)
    home = layout.board == PREDEFINED
    board, occupied, suits, pairs = _HOME if home else (with_squares(layout.board), *worked_out(layout.board))
    mover = layout.mover or 1
    occurrences = (mark(board, mover),) if "repetition" in sheet.options else None
    return State(board, mover, 1, occupied, suits, pairs, seen=occurrences)


def taken_up(sheet: Sheet[Layout], mover: int, number: int) -> State | Refused:
    """Return the position a stated board leaves, judged as ``composed`` whatever the variant.

    Args:
        sheet: the sheet with the board.
        mover: whose turn it is if the board does not say.
        number: the number of that seat's move.
    """
    assert sheet.own is not None
    layout = Layout(sheet.own.board, sheet.own.mover or mover)
    state = setup(Sheet("composed", sheet.options, sheet.seats, layout))
    return state if isinstance(state, Refused) else replace(state, round=number)


def differ(state: State, sheet: Sheet[Layout]) -> tuple[tuple[str, str, str], ...]:
    """Return every square where a stated board is not that of the position, with what lies there and here."""
    layout = sheet.own
    assert layout is not None
    pairs = zip(NAMES, layout.board, state.board, strict=False)
    squares = [
        (name, _card_text(expected_code), _card_text(found_code))
        for name, expected_code, found_code in pairs
        if expected_code != found_code
    ]
    if layout.mover not in (0, state.mover):
        squares.append(("the turn", f"p{layout.mover}", f"p{state.mover}"))
    return tuple(squares)


def _twice(board: bytes) -> str:
    """Say which card stands on two squares; empty when none does."""
    at: dict[int, int] = {}
    for square, code in enumerate(board):
        if code and code & 63 in at:
            return f"{card_name(code)} stands on {NAMES[at[code & 63]]} and on {NAMES[square]}"
        if code:
            at[code & 63] = square
    return ""


def _fault(board: bytes, variant: str) -> str:
    """Say why a board is none of the variant; empty when it is."""
    anywhere = _twice(board) or _composed_fault(board)
    if variant == "composed":
        return anywhere
    fault = _twice(board) or _whole_fault(board, variant)
    return f"{fault}; the variant composed allows this position" if fault and not anywhere else fault


def _composed_fault(board: bytes) -> str:
    """Say why a board on which no card stands twice cannot be reached in play; empty when it may be.

    Source: house ruling: endings, problems and games taken up again
    """
    at = {code & 63: square for square, code in enumerate(board) if code}
    for suit in range(4):
        one, ace = suit << 4 | ONE, suit << 4 | ACE
        if one in at and ace in at:
            where = f"{NAMES[at[ace]]}, but the One that becomes it, {card_name(one)}, is on {NAMES[at[one]]}"
            return f"{card_name(ace)} is on {where}"
    for seat in (1, 2):
        kings = [square for square, code in enumerate(board) if code >> 6 == seat and code & 15 == KING]
        if not 1 <= len(kings) <= 2:
            kings_text = how_many(len(kings), "King") if kings else "no King"
            return f"p{seat} has {kings_text}, but a side has one or two"
        entered = next((square for square in kings if PALACE[3 - seat] >> square & 1), None)
        if entered is not None:
            return f"{_card_text(board[entered])} stands on {NAMES[entered]}, in the enemy's palace: the game is over"
    return ""


def _whole_fault(board: bytes, variant: str) -> str:
    """Say which card is missing, is an Ace, or breaks the variant; empty when all 52 are there as they should."""
    cards = {code & 63: square for square, code in enumerate(board) if code}
    ace = next((card for card in cards if card & 15 == ACE), None)
    if ace is not None:
        return f"{card_name(ace)} stands on {NAMES[cards[ace]]}, but Aces start off the board"
    missing = [card_name(s << 4 | r) for s in range(4) for r in range(ACE) if s << 4 | r not in cards]
    if missing:
        return f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    return _variant_fault(board, variant)


def _variant_fault(board: bytes, variant: str) -> str:
    """Say where a board of all 52 cards breaks its variant; empty when it does not."""
    if variant == "predefined":
        square = next(square for square in SQUARES if board[square] != PREDEFINED[square])
        found_card, due = _card_text(board[square]), _card_text(PREDEFINED[square])
        return f"{NAMES[square]} holds {found_card}, but the predefined set-up has {due} there"
    if variant in ("suit-setup", "suit-content"):
        for square in SQUARES:
            code, home = board[square], PREDEFINED[square]
            if (code >> 6, code & 15) != (home >> 6, home & 15) or bool(code) != bool(home):
                due = f"one of p{home >> 6}'s cards of rank {RANKS[home & 15]}" if home else "an empty square"
                return f"{NAMES[square]} holds {_card_text(code)}, but {variant} has {due} there"
    for square in SQUARES:
        code = board[square]
        if code and not (square < 30 if code >> 6 == 1 else square >= 70):
            return f"{_card_text(code)} stands on {NAMES[square]}, not on one of its owner's three nearest ranks"
    return _side_fault(board, 1, variant) or _side_fault(board, 2, variant)


def _card_text(code: int) -> str:
    return f"p{code >> 6}'s {card_name(code)}" if code else "nothing"


def _side_fault(board: bytes, seat: int, variant: str) -> str:
    codes = {code for code in board if code >> 6 == seat}
    if len(codes) != 26:
        return f"p{seat} has {how_many(len(codes))}, but each side has 26"
    kings = sum(1 for code in codes if code & 15 == KING)
    if kings != 2:
        return f"p{seat} has {how_many(kings, 'King')}, but each side has two"
    if variant in ("suit-setup", "rank-setup"):
        strange = codes - set(PREDEFINED)
        if strange:
            return f"{card_name(min(strange))} is p{seat}'s, but in {variant} it belongs to p{3 - seat}"
    return ""
