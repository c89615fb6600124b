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
    board_facts,
    card_code,
    card_name,
    mark,
    with_squares,
)
from cartulary.engine.cardmate.reach import NAMES, SQUARES
from cartulary.engine.contract import Clause, Refused, Sheet
from cartulary.engine.grid import differences
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
    """Return the board of the predefined set-up: 100 codes, a0 first, 0 for an empty square."""
    board = bytearray(len(SQUARES))
    for seat, rows in enumerate(_ROWS, 1):
        for depth, row in enumerate(rows):
            start = 10 * (depth if seat == 1 else 9 - depth)
            for file, name in enumerate(row.split()):
                if name != "--":
                    board[start + file] = seat << 6 | card_code(name)
    return bytes(board)


PREDEFINED_BOARD = _predefined()
_HOME = with_squares(PREDEFINED_BOARD), *board_facts(PREDEFINED_BOARD)


def setup(sheet: Sheet[Layout]) -> State | Refused:
    """Return the first position, or the refusal, which blocks, of a Setup tag that its variant does not allow.

    Without a tag it is the predefined position; other variants refuse that. p1 moves first unless the tag says so.
    """
    layout = sheet.own
    if layout is None:
        if sheet.variant != "predefined":
            return Refused(f"The variant {sheet.variant} needs a Setup tag, but there is none", True, SETUP)
        layout = Layout(PREDEFINED_BOARD)
    if layout.board != PREDEFINED_BOARD:
        fault = _fault(layout.board, sheet.variant)
        if fault:
            return Refused(fault, True, SETUP)
    home = layout.board == PREDEFINED_BOARD
    board, occupancy, suits, pairs = _HOME if home else (with_squares(layout.board), *board_facts(layout.board))
    mover = layout.mover or 1
    occurrences = (mark(board, mover),) if "repetition" in sheet.options else None
    return State(board, mover, 1, occupancy, suits, pairs, occurrences=occurrences)


def resume_from_board(sheet: Sheet[Layout], mover: int, number: int) -> State | Refused:
    """Return the position of a board that a sheet states in the middle of a record.

    It is judged as a ``composed`` set-up, whatever the variant.

    Args:
        sheet: the sheet with the board.
        mover: the seat to move if the sheet does not say.
        number: the number of that seat's move.
    """
    assert sheet.own is not None
    layout = Layout(sheet.own.board, sheet.own.mover or mover)
    state = setup(Sheet("composed", sheet.options, sheet.seats, layout))
    return state if isinstance(state, Refused) else replace(state, round=number)


def differ(state: State, sheet: Sheet[Layout]) -> tuple[tuple[str, str, str], ...]:
    """Return where a stated board and a position differ.

    Each difference is (square, what the sheet says, what the position has); (``the turn``, seat, seat) comes last.
    """
    layout = sheet.own
    assert layout is not None
    return differences(NAMES, layout.board, state.board, _card_text, (layout.mover, state.mover))


def _twice(board: bytes) -> str:
    """Return in a sentence which card, of either owner, stands on two squares: ``8H stands on a0 and on b1``; "" if
    none does.
    """
    at: dict[int, int] = {}
    for square, code in enumerate(board):
        if code and code & 63 in at:
            return f"{card_name(code)} stands on {NAMES[at[code & 63]]} and on {NAMES[square]}"
        if code:
            at[code & 63] = square
    return ""


def _fault(board: bytes, variant: str) -> str:
    """Return why a variant does not allow a board, in a sentence; "" if it does.

    It adds that the variant ``composed`` allows the position, if it does.
    """
    anywhere = _twice(board) or _composed_fault(board)
    if variant == "composed":
        return anywhere
    fault = _twice(board) or _whole_fault(board, variant)
    return f"{fault}; the variant composed allows this position" if fault and not anywhere else fault


def _composed_fault(board: bytes) -> str:
    """Return why a board cannot arise in play, in a sentence; empty if it can. It is asked only of boards on which no
    card stands twice.

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
    """Return why a board is no whole set-up of 52 cards, in a sentence; "" if it is one.

    An Ace may not stand on it, no card may be missing, and each side must have what the variant gives it.
    """
    cards = {code & 63: square for square, code in enumerate(board) if code}
    ace = next((card for card in cards if card & 15 == ACE), None)
    if ace is not None:
        return f"{card_name(ace)} stands on {NAMES[cards[ace]]}, but Aces start off the board"
    missing = [card_name(s << 4 | r) for s in range(4) for r in range(ACE) if s << 4 | r not in cards]
    if missing:
        return f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    return _variant_fault(board, variant)


def _variant_fault(board: bytes, variant: str) -> str:
    """Return where a board of 52 cards breaks its variant, in a sentence; empty if it does not.

    ``board`` must not be the predefined one if that is the variant.
    """
    if variant == "predefined":
        square = next(square for square in SQUARES if board[square] != PREDEFINED_BOARD[square])
        found_card, due = _card_text(board[square]), _card_text(PREDEFINED_BOARD[square])
        return f"{NAMES[square]} holds {found_card}, but the predefined set-up has {due} there"
    if variant in ("suit-setup", "suit-content"):
        for square in SQUARES:
            code, home = board[square], PREDEFINED_BOARD[square]
            if (code >> 6, code & 15) != (home >> 6, home & 15) or bool(code) != bool(home):
                due = f"one of p{home >> 6}'s cards of rank {RANKS[home & 15]}" if home else "an empty square"
                return f"{NAMES[square]} holds {_card_text(code)}, but {variant} has {due} there"
    for square in SQUARES:
        code = board[square]
        if code and not (square < 30 if code >> 6 == 1 else square >= 70):
            return f"{_card_text(code)} stands on {NAMES[square]}, not on one of its owner's three nearest ranks"
    return _side_fault(board, 1, variant) or _side_fault(board, 2, variant)


def _card_text(code: int) -> str:
    """Return the card of a code with its owner: ``p1's 8H``; ``nothing`` for 0, an empty square."""
    return f"p{code >> 6}'s {card_name(code)}" if code else "nothing"


def _side_fault(board: bytes, seat: int, variant: str) -> str:
    """Return why a seat does not have the cards that its variant gives it, in a sentence; "" if it has.

    It must have 26 cards, two Kings among them, and in ``suit-setup`` and ``rank-setup`` those of the predefined board.
    """
    codes = {code for code in board if code >> 6 == seat}
    if len(codes) != 26:
        return f"p{seat} has {how_many(len(codes))}, but each side has 26"
    kings = sum(1 for code in codes if code & 15 == KING)
    if kings != 2:
        return f"p{seat} has {how_many(kings, 'King')}, but each side has two"
    if variant in ("suit-setup", "rank-setup"):
        strange = codes - set(PREDEFINED_BOARD)
        if strange:
            return f"{card_name(min(strange))} is p{seat}'s, but in {variant} it belongs to p{3 - seat}"
    return ""
