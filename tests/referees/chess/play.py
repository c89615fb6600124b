"""A second referee for chess: python-chess moves and finds what is legal, the rulebook's clauses are asked here.

It shares nothing with the package. Squares are python-chess's numbers, seats its colours: p1 is White.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import date

import chess

from tests.referees.chess.words import Said, read

SEATS = {1: chess.WHITE, 2: chess.BLACK}
ORDER = [
    "turn",
    "null-move",
    "own-piece",
    "reach",
    "path",
    "own-square",
    "king-captured",
    "pawn-blocked",
    "en-passant",
    "promotion",
    "castling-rights",
    "castling-path",
    "castling-check",
    "king-attacked",
    "intended-move",
]
"""The clauses a move may break, in the order in which they are asked."""


def laid(tags: dict[str, str]) -> chess.Board:
    """Return the board that a record's tags set up; what the set-up table drops is dropped."""
    variant = "".join(sign for sign in tags.get("Variant", "").lower() if sign not in " -")
    free = variant in ("chess960", "fischerandom", "fischerrandom", "freestyle")
    fields = tags.get("FEN", chess.STARTING_FEN).split()
    board = chess.Board(" ".join([*fields[:2], "-", "-", "0", "1"]), chess960=free)
    if len(fields) > 2 and fields[2] != "-":
        board.set_castling_fen(fields[2])
    numbers = [int(each) if each.isdigit() else None for each in fields[4:6]]
    board.halfmove_clock = (numbers[0] if numbers else None) or 0
    board.fullmove_number = (numbers[1] if len(numbers) > 1 else None) or 1
    if len(fields) > 3 and fields[3] != "-":
        board.ep_square = passed(board, chess.parse_square(fields[3]))
    board.castling_rights = board.clean_castling_rights()
    return board


def passed(board: chess.Board, square: int) -> int | None:
    """Return the square if the side not to move may just have gone two squares over it."""
    ahead = 8 if board.turn == chess.WHITE else -8
    rank = 5 if board.turn == chess.WHITE else 2
    pawn = board.piece_at(square - ahead)
    vacant = board.piece_at(square) is None and chess.square_rank(square) == rank
    came = vacant and board.piece_at(square + ahead) is None
    return square if came and pawn == chess.Piece(chess.PAWN, not board.turn) else None


def same(board: chess.Board) -> tuple[object, ...]:
    """Return what makes two positions the same: FIDE 9.2.3."""
    passant = board.ep_square if board.has_legal_en_passant() else None
    return board.board_fen(), board.turn, board.clean_castling_rights(), passant


def men(board: chess.Board, side: chess.Color) -> Counter[int]:
    """Return how many of each kind a side has, its king left out."""
    return Counter(
        piece.piece_type
        for piece in board.piece_map().values()
        if piece.color == side and piece.piece_type != chess.KING
    )


def bishops_alike(board: chess.Board) -> bool:
    """Say whether all bishops stand on squares of one colour."""
    on = board.bishops
    return not (on & chess.BB_LIGHT_SQUARES and on & chess.BB_DARK_SQUARES)


def dead(board: chess.Board) -> bool:
    """Say whether the position is one of the rulebook's dead ones."""
    both = men(board, chess.WHITE) + men(board, chess.BLACK)
    if set(both) <= {chess.BISHOP}:
        return bishops_alike(board)
    return both == Counter({chess.KNIGHT: 1})


def cannot_win(board: chess.Board, side: chess.Color) -> bool:
    """Say whether a side can mate by no moves, by the rulebook's table."""
    own, other = men(board, side), men(board, not side)
    if not own:
        return True
    if own == Counter({chess.KNIGHT: 1}):
        return set(other) <= {chess.QUEEN}
    return set(own) == {chess.BISHOP} and bishops_alike(board) and not {chess.PAWN, chess.KNIGHT} & set(other)


class Table:
    """A game as it stands: board, how often each position was there, what is owed, offered and ended."""

    def __init__(self, tags: dict[str, str]) -> None:
        self.board = laid(tags)
        year = tags.get("Date", "")[:4]
        old = year.isdigit() and date(int(year), 1, 1) < date(2014, 1, 1) and "Options" not in tags
        self.claims_only = old or "claims-only" in tags.get("Options", "").split()
        self.seen = Counter([same(self.board)])
        self.owed: chess.Move | None = None
        self.offered: chess.Color | None = None
        self.moved: set[chess.Color] = set()
        self.end = self.looked()
        self.result = self.told()

    def looked(self) -> str:
        """Return the key of the end on the board, "" for none."""
        board = self.board
        if not any(board.legal_moves):
            return "chess.checkmate" if board.is_check() else "chess.stalemate"
        return "chess.dead-position" if dead(board) else self.counted()

    def counted(self) -> str:
        """Return the key of an end that is counted, "" for none."""
        if self.claims_only:
            return ""
        if self.seen[same(self.board)] >= 5:
            return "chess.fivefold"
        return "chess.seventy-five" if self.board.halfmove_clock >= 150 else ""

    def told(self) -> str:
        """Return the result of the end on the board."""
        if self.end == "chess.checkmate":
            return "0-1" if self.board.turn == chess.WHITE else "1-0"
        return "1/2-1/2" if self.end else "*"

    def words(self) -> list[str]:
        """Return every legal move in SAN, none after the end."""
        return [] if self.end else sorted(map(self.board.san, self.board.legal_moves))

    # --- what a word means, and which clause it breaks

    def meant(self, word: str) -> tuple[str, list[chess.Move]]:
        """Return the first clause a word breaks, "" for none, and the moves it may mean.

        None stands where nothing was named; several where nobody knows which.
        """
        answer = read(word, self.board)
        mover = SEATS[answer.seat] if answer.seat else self.board.turn
        if answer.call:
            return self.called(answer, mover), []
        if self.end:
            return self.end if self.end.startswith("chess.") and self.end not in CLAIMED else "chess.over", []
        if mover != self.board.turn and (answer.null or answer.castles or answer.claim):
            return "chess.turn", self.castled(answer, mover)[1] if answer.castles else []
        if answer.null:
            return "chess.null-move", []
        if answer.claim:
            return self.claimed(answer), []
        if answer.castles:
            return self.castled(answer, mover)
        return self.moved_by(answer, mover)

    def moved_by(self, said: Said, mover: chess.Color) -> tuple[str, list[chess.Move]]:
        """Return what a word of a piece's move breaks, and the moves it may mean."""
        kind = said.kind
        if kind is None:
            found = self.board.piece_at(said.start) if said.start is not None else None
            kind = found.piece_type if found else chess.PAWN
        candidates = [
            chess.Move(square, said.to, said.becomes) for square in self.board.pieces(kind, mover) if said.fits(square)
        ]
        if not candidates:
            return "chess.own-piece", []
        broken = {move: self.broken(move, mover) for move in candidates}
        legal = [move for move in candidates if not broken[move]]
        if legal:
            return "" if len(legal) == 1 else "cgn.ambiguous", legal
        furthest = max(ORDER.index(key[6:]) for key in broken.values())
        return f"chess.{ORDER[furthest]}", [move for move in candidates if broken[move][6:] == ORDER[furthest]]

    def broken(self, move: chess.Move, mover: chess.Color) -> str:
        """Return the key of the first clause a move of a piece breaks, "" for none."""
        return next((f"chess.{key}" for key, refused in self.asked(move, mover) if refused), "")

    def asked(self, move: chess.Move, mover: chess.Color) -> Iterator[tuple[str, bool]]:
        """Yield each clause in its order, and whether it refuses the move."""
        board, piece = self.board, self.board.piece_at(move.from_square)
        assert piece is not None
        there = board.piece_at(move.to_square)
        pawn = piece.piece_type == chess.PAWN
        yield "turn", mover != board.turn
        yield "reach", not reaches(piece, move)
        yield "path", bool(chess.between(move.from_square, move.to_square) & board.occupied)
        slants = chess.square_file(move.from_square) != chess.square_file(move.to_square)
        yield "own-square", there is not None and there.color == mover
        yield "king-captured", there is not None and there.piece_type == chess.KING
        yield "pawn-blocked", pawn and not slants and there is not None
        yield "en-passant", pawn and slants and there is None and move.to_square != board.ep_square
        last = pawn and chess.square_rank(move.to_square) == (7 if mover == chess.WHITE else 0)
        proper = move.promotion in (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)
        yield "promotion", not proper if last else move.promotion is not None
        after = self.after(move, mover)
        king = after.king(mover)
        yield "king-attacked", king is None or after.is_attacked_by(not mover, king)
        yield "intended-move", self.owed is not None and self.owed != move

    def castled(self, said: Said, mover: chess.Color) -> tuple[str, list[chess.Move]]:
        """Return what a castling word breaks, and the move of the king to the rook if there is one."""
        board = self.board
        king = board.king(mover)
        assert king is not None
        rook = self.rook_of(said, mover)
        move = chess.Move(king, rook) if rook is not None else None
        moves = [move] if move else []
        if rook is None or not board.clean_castling_rights() & chess.BB_SQUARES[rook]:
            return "chess.castling-rights", moves
        row = king // 8 * 8
        short = chess.square_file(rook) > chess.square_file(king)
        goals = (row + 6, row + 5) if short else (row + 2, row + 3)
        crossed = chess.between(king, rook) | span(king, goals[0]) | span(rook, goals[1])
        own = chess.BB_SQUARES[king] | chess.BB_SQUARES[rook]
        if crossed & board.occupied & ~own:
            return "chess.castling-path", moves
        lifted = board.copy(stack=False)
        lifted.remove_piece_at(king)
        way = span(king, goals[0]) & ~chess.BB_SQUARES[goals[0]] | chess.BB_SQUARES[king]
        attacked = any(lifted.is_attacked_by(not mover, at) for at in chess.SquareSet(way))
        lifted.remove_piece_at(rook)
        lifted.set_piece_at(goals[0], chess.Piece(chess.KING, mover))
        lifted.set_piece_at(goals[1], chess.Piece(chess.ROOK, mover))
        if attacked or lifted.is_attacked_by(not mover, goals[0]):
            return "chess.castling-check", moves
        assert move is not None
        if mover != board.turn:
            return "", moves
        legal = board.parse_san("O-O" if short else "O-O-O")
        owes = self.owed is not None and self.owed != legal
        return "chess.intended-move" if owes else "", [legal]

    def rook_of(self, said: Said, mover: chess.Color) -> int | None:
        """Return the rook a castling word means: the one with the right, else the nearest."""
        board, king = self.board, self.board.king(mover)
        assert king is not None
        first = 0 if mover == chess.WHITE else 7
        if chess.square_rank(king) != first:
            return None
        short = said.castles == "O-O"
        side = [
            square
            for square in board.pieces(chess.ROOK, mover)
            if chess.square_rank(square) == first and (square > king) == short
        ]
        righted = [square for square in side if board.clean_castling_rights() & chess.BB_SQUARES[square]]
        return min(righted or side, key=lambda square: abs(square - king), default=None)

    # --- claims and calls

    def claimed(self, said: Said) -> str:
        """Return the key a claim breaks, "" where it is correct."""
        key = f"chess.{said.claim.lower()}"
        if not said.intended:
            times, plies = self.seen[same(self.board)], self.board.halfmove_clock
            return "" if (times >= 3 if said.claim == "Threefold" else plies >= 100) else key
        move = self.intended(said)
        if move is None:
            return key
        after = self.board.copy(stack=False)
        after.push(move)
        if said.claim == "Fifty":
            return "" if after.halfmove_clock >= 100 else key
        return "" if self.seen[same(after)] + 1 >= 3 else key

    def intended(self, said: Said) -> chess.Move | None:
        """Return the legal move a claim names, None for none."""
        key, moves = self.meant(said.intended)
        return moves[0] if not key and moves else None

    def called(self, said: Said, seat: chess.Color) -> str:
        """Return the key a call breaks, "" for none."""
        if said.call != "Agree":
            return ""
        if self.offered is None or self.offered == seat:
            return "call.no-offer"
        return "" if len(self.moved) == 2 else "chess.agreement"

    # --- playing on

    def after(self, move: chess.Move, mover: chess.Color) -> chess.Board:
        """Return the board after a piece's move, let stand: nothing is asked."""
        board = self.board.copy(stack=False)
        piece = board.piece_at(move.from_square)
        assert piece is not None
        pawn = piece.piece_type == chess.PAWN
        taken = move.from_square != move.to_square and board.piece_at(move.to_square) is not None
        ahead = 8 if mover == chess.WHITE else -8

        beside = board.piece_at(move.to_square - ahead) if 0 <= move.to_square - ahead < 64 else None
        passing = abs(move.to_square - move.from_square) in (7, 9) and move.to_square - move.from_square in (
            ahead - 1,
            ahead + 1,
        )
        near = abs(chess.square_file(move.from_square) - chess.square_file(move.to_square)) == 1
        if pawn and near and passing and not taken and beside == chess.Piece(chess.PAWN, not mover):
            board.remove_piece_at(move.to_square - ahead)
        board.remove_piece_at(move.from_square)
        last = chess.square_rank(move.to_square) == (7 if mover == chess.WHITE else 0)
        kinds = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)
        becomes = (move.promotion if move.promotion in kinds else chess.QUEEN) if pawn and last else piece.piece_type
        board.set_piece_at(move.to_square, chess.Piece(becomes, mover))
        far = pawn and move.to_square - move.from_square == 2 * ahead
        board.ep_square = move.from_square + ahead if far and chess.square_rank(move.from_square) in (1, 6) else None
        board.halfmove_clock = 0 if pawn or taken else board.halfmove_clock + 1
        return turned(board, mover, move, piece.piece_type == chess.KING)

    def let_stand(self, word: str) -> None:
        """Play a word, whatever it breaks. Raises AssertionError where it cannot be."""
        answer = read(word, self.board)
        mover = SEATS[answer.seat] if answer.seat else self.board.turn
        key, moves = self.meant(word)
        if answer.call:
            self.let_call(answer, mover, key)
        elif answer.claim:
            self.let_claim(answer, mover, key)
        else:
            if answer.null:
                board = self.board.copy(stack=False)
                board.push(chess.Move.null())
            elif answer.castles and moves:
                board = self.castle(moves[0], mover) if key else self.pushed(moves[0])
            else:
                assert len(moves) == 1, f"{word} blocks: {key}"
                assert not self.takes_king(moves[0]), f"{word} blocks: {key}"
                board = self.after(moves[0], mover) if key else self.pushed(moves[0])
            self.went_on(board, mover, key)

    def takes_king(self, move: chess.Move) -> bool:
        """Say whether a king stands where a piece arrives; no ply takes it from the board."""
        return move.from_square != move.to_square and bool(self.board.kings & chess.BB_SQUARES[move.to_square])

    def pushed(self, move: chess.Move) -> chess.Board:
        """Return the board after a legal move, as python-chess plays it."""
        board = self.board.copy(stack=False)
        board.push(move)
        return board

    def went_on(self, board: chess.Board, mover: chess.Color, key: str) -> None:
        """Take the board after a ply, and look for ends."""
        self.board, self.owed = board, None
        self.moved.add(mover)
        if self.offered not in (None, mover):
            self.offered = None
        self.seen[same(board)] += 1
        self.end = self.counted() if key else self.looked()
        self.result = self.told()

    def castle(self, move: chess.Move, mover: chess.Color) -> chess.Board:
        """Return the board after castling that was refused, let stand."""
        board = self.board.copy(stack=False)
        king, rook = move.from_square, move.to_square
        row = king // 8 * 8
        goals = (row + 6, row + 5) if rook > king else (row + 2, row + 3)
        board.remove_piece_at(king)
        board.remove_piece_at(rook)
        assert board.king(not mover) not in goals, "a king stands there"
        taken = any(board.piece_at(goal) for goal in goals)
        board.set_piece_at(goals[0], chess.Piece(chess.KING, mover))
        board.set_piece_at(goals[1], chess.Piece(chess.ROOK, mover))
        board.ep_square = None
        board.halfmove_clock = 0 if taken else board.halfmove_clock + 1
        return turned(board, mover, move, True)

    def let_claim(self, said: Said, mover: chess.Color, key: str) -> None:
        if not key:
            self.end, self.result = f"chess.{said.claim.lower()}", "1/2-1/2"
            return
        assert key != "chess.turn", "a claim out of turn is not applied"
        self.owed = self.intended(said) if said.intended else None
        self.offered = mover

    def let_call(self, said: Said, seat: chess.Color, key: str) -> None:
        if said.call == "Draw":
            self.offered = seat
        elif said.call == "Agree" and not key:
            self.end, self.result = "call.agree", "1/2-1/2"
        elif said.call in ("Resign", "Timeout"):
            lost = not cannot_win(self.board, not seat)
            self.end = f"call.{said.call.lower()}" if lost else "chess.cannot-win"
            self.result = ("0-1" if seat == chess.WHITE else "1-0") if lost else "1/2-1/2"


CLAIMED = ("chess.threefold", "chess.fifty", "chess.cannot-win")
"""Ends by a claim or a call: a word after them breaks chess.over."""


def span(one: int, other: int) -> int:
    """Return the squares of a rank from one to the other, both in."""
    return chess.between(one, other) | chess.BB_SQUARES[one] | chess.BB_SQUARES[other]


def turned(board: chess.Board, mover: chess.Color, move: chess.Move, king: bool) -> chess.Board:
    """Return the board with the rights a ply leaves, and the other side to move."""
    board.castling_rights &= ~(chess.BB_SQUARES[move.from_square] | chess.BB_SQUARES[move.to_square])
    if king:
        board.castling_rights &= ~(chess.BB_RANK_1 if mover == chess.WHITE else chess.BB_RANK_8)
    board.fullmove_number += mover == chess.BLACK
    board.turn = not mover
    return board


def reaches(piece: chess.Piece, move: chess.Move) -> bool:
    """Say whether the piece's way of moving leads there on an empty board."""
    if piece.piece_type != chess.PAWN:
        empty = chess.Board(None)
        empty.set_piece_at(move.from_square, piece)
        return move.to_square in empty.attacks(move.from_square)
    ahead = 8 if piece.color == chess.WHITE else -8
    way = move.to_square - move.from_square
    second = chess.square_rank(move.from_square) == (1 if piece.color == chess.WHITE else 6)
    beside = abs(chess.square_file(move.from_square) - chess.square_file(move.to_square)) == 1
    return way == ahead or (way == 2 * ahead and second) or (way in (ahead - 1, ahead + 1) and beside)


def diagram(board: chess.Board) -> tuple[str, ...]:
    """Return the board as the rulebook draws it for White, with the line below it."""
    rows = []
    for rank in range(7, -1, -1):
        there = (board.piece_at(chess.square(file, rank)) for file in range(8))
        rows.append(f"{rank + 1}  {' '.join(piece.symbol() if piece else '.' for piece in there)}")
    passant = chess.square_name(board.ep_square) if board.ep_square and board.has_legal_en_passant() else "-"
    mover = 1 if board.turn == chess.WHITE else 2
    text = f"p{mover} to move  {board.castling_xfen()}  {passant}  {board.halfmove_clock} {board.fullmove_number}"
    return (*rows, f"   a b c d e f g h     {text}")
