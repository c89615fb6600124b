"""What the words of a chess record say, read by the table of the rulebook's reading forms."""

import re
from typing import NamedTuple

import chess

FIGURINES = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP", strict=True))
CALLS = ("Resign", "Draw", "Agree", "Timeout")
NULLS = ("--", "Z0", "@@@@", "0000", "null")
CASTLES = {"0-0": "O-O", "o-o": "O-O", "O-O": "O-O", "0-0-0": "O-O-O", "o-o-o": "O-O-O", "O-O-O": "O-O-O"}
MARKS = re.compile(r"(?:e\.p\.)?[+#]*(?:e\.p\.)?$")
MOVE = re.compile(
    r"(?P<kind>[KQRBNPqrkn](?=.*[a-h][1-8]))?(?P<file>[a-h])?(?P<rank>[1-8])?(?P<how>[-x:])?(?P<to>[a-h][1-8])"
    r"(?:=(?P<named>[KQRBNPkqrbnp])|\((?P<round>[QRBN])\)|/(?P<stroke>[QRBN])|(?P<bare>[KQRBNPkqrbnp]))?"
)
KINDS = {"P": chess.PAWN, "N": chess.KNIGHT, "B": chess.BISHOP, "R": chess.ROOK, "Q": chess.QUEEN, "K": chess.KING}


class Said(NamedTuple):
    """What a word says; seat 0 without a prefix, kind None where two squares alone are named."""

    seat: int = 0
    kind: int | None = None
    file: int | None = None
    rank: int | None = None
    to: int = -1
    becomes: int | None = None
    castles: str = ""
    null: bool = False
    claim: str = ""
    intended: str = ""
    call: str = ""

    @property
    def start(self) -> int | None:
        """The square of departure, None where it is not whole."""
        return None if self.file is None or self.rank is None else chess.square(self.file, self.rank)

    def fits(self, square: int) -> bool:
        """Say whether a square of departure is as far as named the one."""
        return self.file in (None, chess.square_file(square)) and self.rank in (None, chess.square_rank(square))


def read(word: str, board: chess.Board) -> Said:
    """Return what a word says on a board. Raises ValueError where it can be read in none of the ways."""
    seat = 0
    if re.match("p[1-9]/", word):
        seat, word = int(word[1]), word[3:]
    if word in CALLS:
        return Said(seat, call=word)
    claim = re.fullmatch("(Threefold|Fifty)(?:=(.+))?", word)
    if claim:
        return Said(seat, claim=claim[1], intended=claim[2] or "")
    if word in NULLS:
        return Said(seat, null=True)
    bare = MARKS.sub("", word)
    if bare in CASTLES:
        return Said(seat, castles=CASTLES[bare])
    return moved(seat, "".join(FIGURINES.get(sign, sign) for sign in bare), board)


def moved(seat: int, word: str, board: chess.Board) -> Said:
    """Return what a word of a piece says; a king's way to castling is castling."""
    found = MOVE.fullmatch(word)
    if not found:
        raise ValueError(f"{word} is no word of chess")
    letter = (found["kind"] or "").upper()
    file = ord(found["file"]) - 97 if found["file"] else None
    rank = int(found["rank"]) - 1 if found["rank"] else None
    to = chess.parse_square(found["to"])
    becomes = found["named"] or found["round"] or found["stroke"] or found["bare"]
    whole = file is not None and rank is not None
    kind = KINDS[letter] if letter else None if whole else chess.PAWN
    answer = Said(seat, kind, file, rank, to, KINDS[becomes.upper()] if becomes else None)
    if kind == chess.PAWN and file is None and found["how"] not in ("x", ":"):
        answer = answer._replace(file=chess.square_file(to))
    mover = (seat or 2 - board.turn) == 1
    return castling(answer, mover, board) if whole and kind in (None, chess.KING) else answer


def castling(said: Said, mover: chess.Color, board: chess.Board) -> Said:
    """Return castling where a king's move with its square of departure is that."""
    king, first = board.king(mover), 0 if mover == chess.WHITE else 7
    if said.start != king or king is None or {chess.square_rank(king), chess.square_rank(said.to)} != {first}:
        return said
    side = "O-O" if said.to > king else "O-O-O"
    if board.piece_at(said.to) == chess.Piece(chess.ROOK, mover):
        return Said(said.seat, castles=side)
    usual = chess.square_file(king) == 4 and chess.square_file(said.to) in (2, 6)
    return Said(said.seat, castles=side) if usual and not board.chess960 else said
