"""Cardmate: two seats, 52 cards on a board of ten by ten, suits that must be followed.

Rules: I. Derzhanski, Cardmate (2000).
State: the board as bytes, a0 first, rank by rank; an empty square is 0, a card its code. Which cards could take
which lower card of their suit if nothing stood between is carried along and updated by each move, because the
duty to capture is asked at every ply; ``worked_out`` computes the same anew.
Chance: none; a dealt set-up stands in the sheet.
"""

from collections.abc import Iterator

from msgspec import Struct

from cartulary.engine.contract import Clause, Open, Option, Outcome, Refused, Sheet, clause
from cartulary.engine.grid import BETWEEN, DIAGONAL, KNIGHT, NAMES, SQUARES, STRAIGHT, mask, members, ray

KEY = "cardmate"
TITLE = "Cardmate"
EDITION = "cardmate-2000"
SEATS = (2,)
VARIANTS = ("predefined", "suit-setup", "suit-content", "rank-setup", "rank-content")
OPTIONS = (Option("repetition", "Who brings back an earlier position loses.", ("loss",)),)

# --- types ---

RANKS = "123456789XJQKA"
SUITS = "CDHS"
ONE, KING, ACE = 0, 12, 13

Pair = tuple[int, int, int]
"""A card that could take a lower one of its suit: its square, the victim's, and the squares between."""


class State(Struct, frozen=True):
    """A position with the facts the clauses ask for.

    board: 100 codes, a0 b0 … j9; a code is seat << 6 | suit << 4 | rank, 0 for an empty square
    mover: the seat to move; round: the move number of its next move
    occupied: every square with a card; suits: the squares of each seat's suits, C D H S of p1, then of p2
    pairs: for each of these eight, the captures the suit order would demand on an empty board
    seen: the positions since the last capture or promotion, kept only under repetition=loss
    """

    board: bytes
    mover: int
    round: int
    occupied: int
    suits: tuple[int, ...]
    pairs: tuple[tuple[Pair, ...], ...]
    won: int = 0
    aim: str = ""
    seen: frozenset[tuple[bytes, int]] | None = None


class Move(Struct, frozen=True):
    """A card of ``seat`` goes to a square. card: suit << 4 | rank."""

    seat: int
    card: int
    to: int
    promotes: bool = False


class Layout(Struct, frozen=True):
    """A set-up as a sheet gives it: the board's codes and the seat to move."""

    board: bytes
    mover: int = 1


def card_name(card: int) -> str:
    """Return a card as the notation writes it; a code with its owner is read too."""
    return RANKS[card & 15] + SUITS[card >> 4 & 3]


# --- setup ---

HOME = (
    ("XS 8H 9C QH KC KH QD 9H 8D XC", "7C -- 6S JD 5H 5D JS 6D -- 7S", "1D 2S 3C 4H -- -- 1H 3S 2D 4C"),
    ("XD 8C 9S QC KS KD QS 9D 8S XH", "7H -- 6C JH 5C 5S JC 6H -- 7D", "4D 2C 3H 1S -- -- 4S 3D 2H 1C"),
)
"""Each seat's three nearest ranks in the predefined set-up, its own back rank first, files a to j."""

PALACE = (0, mask((4, 5)), mask((94, 95)))
"""The palace of each seat, by seat."""


def card_code(name: str) -> int:
    """Return suit << 4 | rank for a name such as ``8H``; raises ValueError for anything else."""
    if len(name) != 2:
        raise ValueError(name)
    return SUITS.index(name[1]) << 4 | RANKS.index(name[0])


def _predefined() -> bytes:
    board = bytearray(len(SQUARES))
    for seat, rows in enumerate(HOME, 1):
        for depth, row in enumerate(rows):
            start = 10 * (depth if seat == 1 else 9 - depth)
            for file, name in enumerate(row.split()):
                if name != "--":
                    board[start + file] = seat << 6 | card_code(name)
    return bytes(board)


PREDEFINED = _predefined()


def setup(sheet: Sheet[Layout]) -> State | Refused:
    """Return the first position, or the refusal of a Setup that breaks its variant (``cardmate.setup``)."""
    layout = sheet.own
    if layout is None:
        if sheet.variant != "predefined":
            return Refused(f"The variant {sheet.variant} needs a Setup tag, and there is none", True, SETUP)
        layout = Layout(PREDEFINED)
    fault = _pack_fault(layout.board) or _variant_fault(layout.board, sheet.variant)
    if fault:
        return Refused(fault, True, SETUP)
    occupied, suits, pairs = worked_out(layout.board)
    seen = frozenset({(layout.board, layout.mover)}) if "repetition" in sheet.options else None
    return State(layout.board, layout.mover, 1, occupied, suits, pairs, seen=seen)


def _pack_fault(board: bytes) -> str:
    """Say which card is there twice, missing or not of the pack; empty when all 52 are there once."""
    at: dict[int, int] = {}
    for square in SQUARES:
        if board[square]:
            card = board[square] & 63
            if card & 15 == ACE:
                return f"{card_name(card)} stands on {NAMES[square]}, and Aces start off the board"
            if card in at:
                return f"{card_name(card)} stands on {NAMES[at[card]]} and on {NAMES[square]}"
            at[card] = square
    missing = [card_name(s << 4 | r) for s in range(4) for r in range(ACE) if s << 4 | r not in at]
    return f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing" if missing else ""


def _variant_fault(board: bytes, variant: str) -> str:
    for square in SQUARES:
        code = board[square]
        if variant in VARIANTS[:3]:
            home = PREDEFINED[square]
            if (code >> 6, code & 15 if code else -1) != (home >> 6, home & 15 if home else -1):
                held = f"p{code >> 6}'s {card_name(code)}" if code else "nothing"
                due = f"one of p{home >> 6}'s cards of rank {RANKS[home & 15]}" if home else "an empty square"
                return f"{NAMES[square]} holds {held}, and {variant} has {due} there"
        if code and not (square // 10 <= 2 if code >> 6 == 1 else square // 10 >= 7):
            return f"p{code >> 6}'s {card_name(code)} stands on {NAMES[square]}, off its owner's three nearest ranks"
        if variant == "predefined" and code != PREDEFINED[square]:
            return f"{NAMES[square]} holds {card_name(code)} where the table has {card_name(PREDEFINED[square])}"
    for seat in (1, 2):
        fault = _side_fault(board, seat, variant)
        if fault:
            return fault
    return ""


def _side_fault(board: bytes, seat: int, variant: str) -> str:
    held = {code for code in board if code >> 6 == seat}
    if len(held) != 26:
        return f"p{seat} has {len(held)} cards, and each side has 26"
    kings = sum(1 for code in held if code & 15 == KING)
    if kings != 2:
        return f"p{seat} has {kings} King{'' if kings == 1 else 's'}, and each side has two"
    if variant in ("suit-setup", "rank-setup"):
        strange = held - set(PREDEFINED)
        if strange:
            return f"{card_name(min(strange))} is p{seat}'s, and in {variant} it belongs to p{3 - seat}"
    return ""


# --- reach ---


def _targets(seat: int, rank: int, square: int) -> tuple[int, int]:
    """Return the squares a rank captures on, and the one it may only retreat to, on an empty board."""
    ahead = 1 if seat == 1 else -1
    steps: list[tuple[int, int]] = []
    if rank in (0, 2, 4, 6):
        steps.append((0, ahead))
    if rank in (1, 2, 3, 4, 5, 6):
        steps += [(1, ahead), (-1, ahead)]
    if rank in (3, 4, 5, 6):
        steps += [(1, 0), (-1, 0)]
    if rank in (5, 6):
        steps += [(1, -ahead), (-1, -ahead)]
    found = [target for east, north in steps for target in ray(square, east, north, 1)]
    if rank in (7, 10, 13):
        found += [target for east, north in KNIGHT for target in ray(square, east, north, 1)]
    slides = {
        8: (DIAGONAL, 10),
        9: (STRAIGHT, 10),
        10: (STRAIGHT + DIAGONAL, 2),
        12: (STRAIGHT + DIAGONAL, 1),
    }
    directions, far = slides.get(rank, (STRAIGHT + DIAGONAL if rank in (11, 13) else (), 10))
    found += [target for east, north in directions for target in ray(square, east, north, far)]
    retreat = mask(ray(square, 0, -ahead, 1)) if rank <= 8 else 0
    return mask(tuple(found)), retreat


def _table(which: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    seats = [[[_targets(s, r, q)[which] for q in SQUARES] for r in range(14)] for s in (1, 2)]
    return ((), *(tuple(tuple(row) for row in ranks) for ranks in seats))


CAPTURES = _table(0)
"""CAPTURES[seat][rank][square]: where a card captures (and moves) when nothing stands in its way."""
RETREATS = _table(1)
"""RETREATS[seat][rank][square]: the square straight behind a card of rank 1–9, moved to only."""
AMAZON = CAPTURES[1][ACE]

HOW = (
    "a One goes straight forward, and without capture straight back",
    "a Two goes diagonally forward, and without capture straight back",
    "a Three goes forward, straight or diagonally, and without capture straight back",
    "a Four goes diagonally forward or sideways, and without capture straight back",
    "a Five goes forward, straight or diagonally, or sideways, and without capture straight back",
    "a Six goes diagonally or sideways, and without capture straight back",
    "a Seven goes diagonally, sideways or straight forward, and without capture straight back",
    "an Eight jumps as a chess knight, and without capture steps straight back",
    "a Nine slides as a chess bishop, and without capture steps straight back",
    "a Ten slides as a chess rook",
    "a Jack jumps as a chess knight, or goes one or two squares on a line",
    "a Queen slides as a chess queen",
    "a King goes one square in any direction",
    "an Ace goes as a chess knight or queen",
)


def worked_out(board: bytes) -> tuple[int, tuple[int, ...], tuple[tuple[Pair, ...], ...]]:
    """Return (occupied, suits, pairs) of a board from nothing else; pairs of one seat and suit in square order."""
    suits = [0] * 8
    for square, code in enumerate(board):
        if code:
            suits[(code >> 4) - 4] |= 1 << square
    pairs: list[tuple[Pair, ...]] = []
    for index in range(8):
        seat, prey = index // 4 + 1, suits[(index + 4) % 8]
        pairs.append(
            tuple(
                (square, victim, BETWEEN[square][victim])
                for square in members(suits[index])
                for victim in members(CAPTURES[seat][board[square] & 15][square] & prey)
                if board[victim] & 15 < board[square] & 15
            )
        )
    occupied = 0
    for bits in suits:
        occupied |= bits
    return occupied, tuple(suits), tuple(pairs)


def duties(state: State, seat: int) -> Iterator[tuple[int, int]]:
    """Yield (from, to) of every capture of a lower card of its own suit that the seat can make."""
    occupied = state.occupied
    for group in state.pairs[4 * seat - 4 : 4 * seat]:
        for square, victim, between in group:
            if not between & occupied:
                yield square, victim


def _has_duty(state: State, seat: int) -> bool:
    occupied = state.occupied
    pairs = state.pairs
    first = 4 * seat - 4
    for index in (first, first + 1, first + 2, first + 3):
        for pair in pairs[index]:
            if not pair[2] & occupied:
                return True
    return False


# --- legal moves ---


def candidates(state: State) -> Iterator[Move]:
    """Yield every move the ranks allow to the seat to move, by square from a0, then by target, plain first."""
    seat, board, occupied = state.mover, state.board, state.occupied
    if state.won:
        return
    for square in members(occupied):
        code = board[square]
        if code >> 6 != seat:
            continue
        between = BETWEEN[square]
        reach = CAPTURES[seat][code & 15][square] | RETREATS[seat][code & 15][square]
        for to in members(reach):
            if not between[to] & occupied:
                yield Move(seat, code & 63, to)
                if code & 15 == ONE and _enters(seat, square, to):
                    yield Move(seat, code & 63, to, True)


def COMPLETE(state: State) -> bool:
    """Say that candidates always hold every legal move."""
    return True


def _enters(seat: int, square: int, to: int) -> bool:
    """Say whether a move crosses the midline out of the seat's own half."""
    return square < 50 <= to if seat == 1 else square >= 50 > to


def _square_of(state: State, move: Move) -> int:
    """Return where the card stands, its mover's or not; -1 when it is off the board."""
    square = state.board.find(move.seat << 6 | move.card)
    return square if square >= 0 else state.board.find(3 - move.seat << 6 | move.card)


_MOVES = "I. Derzhanski, Cardmate (2000), Moves"
_CAPTURES = "I. Derzhanski, Cardmate (2000), Captures"
_VICTORY = "I. Derzhanski, Cardmate (2000), Victory"
_RULES = "I. Derzhanski, Cardmate (2000), Rules"


@clause("cardmate.over", "No move is made after the game has ended.", _VICTORY)
def over(state: State, move: Move) -> Refused | None:
    if state.won or not _can_move(state):
        ended = outcome(state)
        assert ended is not None
        return Refused(ended.because, blocks=True)
    return None


@clause("cardmate.turn", "Forehand leads, and the sides move in turn.", _RULES)
def turn(state: State, move: Move) -> Refused | None:
    if move.seat != state.mover:
        return Refused(f"It is p{state.mover}'s turn, not p{move.seat}'s")
    return None


@clause("cardmate.own-card", "A side moves a card of its own that stands on the board.", _MOVES)
def own_card(state: State, move: Move) -> Refused | None:
    if state.board.find(move.seat << 6 | move.card) >= 0:
        return None
    square = state.board.find(3 - move.seat << 6 | move.card)
    if square < 0:
        return Refused(f"{card_name(move.card)} is not on the board", blocks=True)
    return Refused(f"{card_name(move.card)} on {NAMES[square]} is p{3 - move.seat}'s, not p{move.seat}'s")


@clause("cardmate.reach", "A card goes only where its rank lets it go.", _MOVES)
def reach(state: State, move: Move) -> Refused | None:
    seat, rank, to = move.seat, move.card & 15, move.to
    square = state.board.find(seat << 6 | move.card)
    if CAPTURES[seat][rank][square] >> to & 1 or RETREATS[seat][rank][square] >> to & 1:
        return None
    if square == to:
        return Refused(f"{card_name(move.card)} stands on {NAMES[to]} already")
    return Refused(f"{card_name(move.card)} on {NAMES[square]} does not reach {NAMES[to]}: {HOW[rank]}")


@clause(
    "cardmate.path",
    "A card that slides stops at the first card in its way; a Jack's second step needs a vacant first.",
    _MOVES,
)
def path(state: State, move: Move) -> Refused | None:
    square = state.board.find(move.seat << 6 | move.card)
    inway = BETWEEN[square][move.to] & state.occupied
    if not inway:
        return None
    met = list(members(inway))
    first = met[0] if square < move.to else met[-1]
    return Refused(
        f"{card_name(state.board[first])} on {NAMES[first]} stands in the way of {card_name(move.card)}"
        f" from {NAMES[square]} to {NAMES[move.to]}"
    )


@clause("cardmate.own-square", "Nobody captures a card of his own.", _CAPTURES)
def own_square(state: State, move: Move) -> Refused | None:
    victim = state.board[move.to]
    if victim >> 6 == move.seat:
        return Refused(f"{NAMES[move.to]} holds p{move.seat}'s own {card_name(victim)}")
    return None


@clause("cardmate.quiet-retreat", "The straight step back of ranks 1 to 9 does not capture.", _MOVES)
def quiet_retreat(state: State, move: Move) -> Refused | None:
    victim = state.board[move.to]
    if victim:
        square = state.board.find(move.seat << 6 | move.card)
        if RETREATS[move.seat][move.card & 15][square] >> move.to & 1:
            return Refused(
                f"{card_name(move.card)} would capture {card_name(victim)} by its step back from"
                f" {NAMES[square]} to {NAMES[move.to]}"
            )
    return None


@clause("cardmate.suit-order", "A lower card never captures a higher one of its own suit.", _CAPTURES)
def suit_order(state: State, move: Move) -> Refused | None:
    victim, card = state.board[move.to], move.card
    if victim and not (victim ^ card) & 48 and victim & 15 > card & 15:
        return Refused(f"{card_name(card)} is lower than {card_name(victim)} on {NAMES[move.to]}, of its own suit")
    return None


@clause(
    "cardmate.follow-suit",
    "Who can capture a lower card of the capturing card's own suit makes such a capture before any other move.",
    _CAPTURES,
)
def follow_suit(state: State, move: Move) -> Refused | None:
    victim, card = state.board[move.to], move.card
    if victim and not (victim ^ card) & 48 and victim & 15 < card & 15:
        return None
    if not _has_duty(state, move.seat):
        return None
    owed = [f"{card_name(state.board[a])}:{NAMES[b]}" for a, b in sorted(duties(state, move.seat))]
    return Refused(f"p{move.seat} must capture a lower card of the same suit: {' or '.join(owed)}")


@clause(
    "cardmate.promotion",
    "Only a One may become the Ace of its suit, and only on a move from its own half into the other.",
    _MOVES,
)
def promotion(state: State, move: Move) -> Refused | None:
    if not move.promotes:
        return None
    ace = f"A{SUITS[move.card >> 4]}"
    if move.card & 15 != ONE:
        taken = _square_of(state, Move(move.seat, move.card & ~15 | ACE, move.to)) >= 0
        return Refused(f"{card_name(move.card)} is no One and becomes no Ace", blocks=taken)
    square = state.board.find(move.seat << 6 | move.card)
    if not _enters(move.seat, square, move.to):
        return Refused(
            f"{card_name(move.card)} does not cross the midline from {NAMES[square]} to {NAMES[move.to]},"
            f" so it does not become {ace}"
        )
    return None


SETUP: Clause[State, Move] = Clause(
    "cardmate.setup",
    "The set-up has all 52 cards once and is one that its variant allows.",
    "I. Derzhanski, Cardmate (2000), Setup",
)
BOTH_KINGS: Clause[State, Move] = Clause(
    "cardmate.both-kings", "Who captures both Kings of the other side wins.", _VICTORY
)
PALACE_ENTRY: Clause[State, Move] = Clause(
    "cardmate.palace", "A side wins when its King enters the other side's palace.", _VICTORY
)
NO_MOVE: Clause[State, Move] = Clause(
    "cardmate.no-move", "The game is drawn when the side to move has no legal move.", "house ruling"
)
REPETITION: Clause[State, Move] = Clause(
    "cardmate.repetition",
    "With repetition=loss, the side that brings back an earlier position loses.",
    _VICTORY + " (optional)",
)
OVER = over
CLAUSES: tuple[Clause[State, Move], ...] = (
    over,
    turn,
    own_card,
    reach,
    path,
    own_square,
    quiet_retreat,
    suit_order,
    follow_suit,
    promotion,
    SETUP,
    BOTH_KINGS,
    PALACE_ENTRY,
    NO_MOVE,
    REPETITION,
)

# --- apply ---


def apply(state: State, move: Move, opens: tuple[Open, ...] = ()) -> State:
    """Return the position after the move; the turn passes to the other seat than the mover's."""
    square, to, seat = _square_of(state, move), move.to, move.seat
    before = state.board
    code, victim = before[square], before[to] if to != square else 0
    board = bytearray(before)
    board[square] = 0
    placed = code & ~15 | ACE if move.promotes else code
    board[to] = placed
    after = bytes(board)
    suits, pairs = _carry(state, after, square, to, victim)
    occupied = state.occupied & ~(1 << square) | 1 << to
    won, aim = 0, ""
    if placed & 15 == KING and PALACE[3 - (placed >> 6)] >> to & 1:
        won, aim = placed >> 6, PALACE_ENTRY.key
    if victim & 15 == KING and victim and not _has_king(after, victim >> 6):
        won, aim = 3 - (victim >> 6), BOTH_KINGS.key
    seen = state.seen
    if seen is not None:
        position = (after, 3 - seat)
        if not won and position in seen:
            won, aim = 3 - seat, REPETITION.key
        seen = frozenset({position}) if victim or move.promotes else seen | {position}
    return State(after, 3 - seat, state.round + seat - 1, occupied, suits, pairs, won, aim, seen)


def _has_king(board: bytes, seat: int) -> bool:
    return any(board.find(seat << 6 | suit << 4 | KING) >= 0 for suit in range(4))


def _carry(
    state: State, board: bytes, square: int, to: int, victim: int
) -> tuple[tuple[int, ...], tuple[tuple[Pair, ...], ...]]:
    """Return suits and pairs after the card on ``square`` went to ``to``; ``board`` is the one after."""
    suits, pairs = list(state.suits), list(state.pairs)
    code = board[to]
    seat, rank = code >> 6, code & 15
    mine = (code >> 4) - 4
    theirs = (mine + 4) & 7
    if victim:
        lost = (victim >> 4) - 4
        suits[lost] &= ~(1 << to)
        for index in (lost, (lost + 4) & 7):
            if pairs[index]:
                pairs[index] = tuple([p for p in pairs[index] if p[0] != to and p[1] != to])
    suits[mine] = suits[mine] & ~(1 << square) | 1 << to
    if pairs[mine]:
        pairs[mine] = tuple([p for p in pairs[mine] if p[0] != square])
    if pairs[theirs]:
        pairs[theirs] = tuple([p for p in pairs[theirs] if p[1] != square])
    near = AMAZON[to] & suits[theirs]
    while near:
        other = near.bit_length() - 1
        near ^= 1 << other
        its = board[other] & 15
        if its < rank:
            if CAPTURES[seat][rank][to] >> other & 1:
                pairs[mine] += ((to, other, BETWEEN[to][other]),)
        elif CAPTURES[3 - seat][its][other] >> to & 1:
            pairs[theirs] += ((other, to, BETWEEN[other][to]),)
    return tuple(suits), tuple(pairs)


# --- aftermath ---


def breaches(before: State, after: State) -> tuple[()]:
    """Return nothing: no card is hidden, so no move is proved illegal later."""
    return ()


# --- turn ---


def actors(state: State) -> tuple[int, ...]:
    """Return the seat to move, nobody after the end."""
    return () if outcome(state) else (state.mover,)


def settle(state: State) -> State:
    """Return the state: nothing is left unwritten."""
    return state


# --- end ---


def _can_move(state: State) -> bool:
    """Say whether the seat to move has a legal move. A duty is one; so is a free step when there is none."""
    seat, board, occupied = state.mover, state.board, state.occupied
    reach = CAPTURES[seat]
    a, b, c, d = state.suits[4 * seat - 4 : 4 * seat]
    own = a | b | c | d
    while own:
        square = own.bit_length() - 1 if seat == 1 else (own & -own).bit_length() - 1
        own ^= 1 << square
        for to in members(reach[board[square] & 15][square] & ~occupied):
            if not BETWEEN[square][to] & occupied:
                return True
    return any(
        all(rule.check is None or rule is over or rule.check(state, move) is None for rule in CLAUSES)
        for move in candidates(state)
    )


def outcome(state: State) -> Outcome | None:
    """Return who won and by which rule, a draw where the seat to move has no legal move, else None."""
    if state.won:
        loser = 3 - state.won
        because = {
            BOTH_KINGS.key: f"p{loser} has lost both Kings",
            PALACE_ENTRY.key: f"p{state.won}'s King has entered p{loser}'s palace",
            REPETITION.key: f"p{loser} brought back an earlier position",
        }[state.aim]
        return Outcome((int(state.won == 1), int(state.won == 2)), state.aim, because)
    if _can_move(state):
        return None
    return Outcome((1, 1), NO_MOVE.key, f"p{state.mover} has no legal move")


def score(state: State) -> None:
    """Return nothing: Cardmate is not played for points."""


# --- view ---


def view(state: State, seat: int) -> State:
    """Return the state: every card lies open."""
    return state


def view_move(state: State, move: Move, seat: int) -> Move:
    """Return the move: nothing in it is hidden."""
    return move
