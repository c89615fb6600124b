"""Games and words of chess made by chance, by python-chess alone: what the engine is held against."""

from collections.abc import Iterator
from random import Random

import chess

from tests.referees.chess.play import Table

STARTS = (
    "",
    "",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/1ppppp2/8/8/8/8/1PPPPPP1/4K3 w - - 0 1",
    "4k2r/8/8/8/8/8/8/R3K3 w Qk - 130 90",
    "4k1nb/8/8/8/8/8/8/N1B1K3 w - - 140 90",
    "8/5k2/8/8/1b6/3p4/2K5/8 w - - 90 70",
)
"""The array, positions full of castling, promotions and pins, and endings in which counts run out."""
WEIGHT = 6
"""How much likelier a check, a promotion, castling and en passant are than another move."""


def start(rng: Random, number: int) -> dict[str, str]:
    """Return the tags of a game: every third is chess960 from any of its arrays."""
    if number % 3 == 2:
        fen = chess.Board.from_chess960_pos(rng.randrange(960)).fen(shredder=rng.random() < 0.5)
        return {"Variant": "Chess960", "SetUp": "1", "FEN": fen}
    fen = STARTS[number % len(STARTS)]
    return {"SetUp": "1", "FEN": fen} if fen else {}


def chosen(rng: Random, board: chess.Board, before: chess.Move | None) -> chess.Move:
    """Return a legal move, rather a rare one; at times the piece that came goes back, so that positions return."""
    legal = list(board.legal_moves)
    if before is not None and rng.random() < 0.3:
        back = chess.Move(before.to_square, before.from_square)
        if back in legal:
            return back
    rare = [
        board.is_castling(move) or board.is_en_passant(move) or move.promotion or board.gives_check(move)
        for move in legal
    ]
    return rng.choices(legal, [WEIGHT if each else 1 for each in rare])[0]


def games(name: str, count: int, plies: int, first: int = 0) -> Iterator[tuple[Table, dict[str, str], Iterator[str]]]:
    """Yield each game's table and tags, and the words it is played with; the table goes on as they are taken."""
    for number in range(first, first + count):
        rng = Random(f"{name} {number}")
        tags = start(rng, number)
        table = Table(tags)
        yield table, tags, played(rng, table, plies)


def played(rng: Random, table: Table, plies: int) -> Iterator[str]:
    """Yield legal words of a table by chance, playing each, to the end of the game."""
    own: list[chess.Move | None] = [None, None]
    for _ in range(plies):
        if table.end:
            return
        move = chosen(rng, table.board, own[0])
        word, mover = table.board.san(move), table.board.turn
        own = [own[1], move]
        table.went_on(table.pushed(move), mover, "")
        yield word


def stray(rng: Random, board: chess.Board) -> str:
    """Return a word that may well be illegal, unclear or no word at all, often one that nearly is legal."""
    how = rng.random()
    square, other = (chess.square_name(rng.randrange(64)) for _ in range(2))
    if how < 0.25:
        return (
            f"{rng.choice('KQRBN')}{rng.choice(['', '', square[0], square[1], square])}{rng.choice(['', 'x'])}{other}"
        )
    if how < 0.40:
        return f"{square[0]}{rng.choice(['', 'x'])}{other}{rng.choice(['', '', '=Q', '=N', '=K'])}"
    if how < 0.50:
        return square + rng.choice(["", "", "=Q", "=R", "Q"])
    if how < 0.65:
        man = rng.choice(list(board.pieces(rng.choice(range(1, 7)), board.turn)) or [0])
        return chess.square_name(man) + rng.choice(["", "-", "x"]) + other + rng.choice(["", "", "", "q"])
    if how < 0.70:
        return rng.choice(["O-O", "O-O-O", "0-0", "o-o-o", "e1g1", "e8c8", "Ke1-h1", "--", "0000", "O-O+", "O-O-O-O"])
    return mangled(rng, board.san(rng.choice(list(board.legal_moves))), other)


def mangled(rng: Random, word: str, other: str) -> str:
    """Return a legal word with a slip, or as somebody else would write it."""
    how = rng.random()
    if how < 0.3:
        return word.replace("x", rng.choice(["", ":", "x"])).rstrip("+#") + rng.choice(["", "+", "#", "++"])
    if how < 0.5 and word[0] in "KQRBN":
        return word[0] + rng.choice([word[1:].lstrip("abcdefgh12345678")[-2:] or other, other[0] + word[1:]])
    if how < 0.6:
        return word.replace("=", "").replace("N", "n", 1).replace("Q", "q", 1).replace("R", "r", 1)
    if how < 0.7:
        return rng.choice(["p1/", "p2/"]) + word
    at = rng.randrange(len(word))
    return word[:at] + rng.choice("abcdefgh12345678KQRBNx=+-") + word[at + 1 :]
