"""Chess games for python-chess, and its leanest documented way to read them: a visitor that keeps no tree."""

import random

import chess
import chess.pgn
from corpora import PLIES, SEED


def chess_games(numbers: range) -> str:
    """Return random legal chess games of these numbers as PGN, 80 plies each, each followed by a blank line."""
    return "".join(map(_game, numbers))


def _game(number: int) -> str:
    """Return a random chess game as PGN."""
    drawn = random.Random(f"chess {SEED} {number}")
    words = _words(drawn)
    while len(words) < PLIES:
        words = _words(drawn)
    numbered = [f"{ply // 2 + 1}. {word}" if ply % 2 == 0 else word for ply, word in enumerate(words)]
    tags = {
        "Event": f"Benchmark {number // 100 + 1}",
        "Site": f"Table {number % 100 + 1}",
        "Date": f"2026.{number % 12 + 1:02}.{number % 28 + 1:02}",
        "Round": str(number + 1),
        "White": f"Player {drawn.randrange(1000)}",
        "Black": f"Player {drawn.randrange(1000)}",
        "Result": "*",
        "EventDate": "2026.01.01",
        "Source": "drawn at random",
        "Mode": "OTB",
    }
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    lines = (" ".join(numbered[at : at + 12]) for at in range(0, PLIES, 12))
    return head + "\n" + "\n".join(lines) + " *\n\n"


def annotated_games(numbers: range) -> str:
    """Return random legal chess games of these numbers as PGN, annotated as servers and people do it."""
    return "".join(f"{_annotated(number)}\n\n" for number in numbers)


def _annotated(number: int) -> chess.pgn.Game:
    """Return a random chess game of at most ``PLIES`` plies with clocks, comments, glyphs and variations."""
    drawn = random.Random(f"annotated {SEED} {number}")
    game = chess.pgn.Game({"Event": f"Benchmark {number}", "White": "A", "Black": "B", "Result": "*"})
    node: chess.pgn.GameNode = game
    for ply in range(PLIES):
        moves = list(node.board().legal_moves)
        if not moves:
            break
        main = drawn.choice(moves)
        if drawn.random() < 0.1:
            beside = node.add_variation(drawn.choice(moves))
            beside.comment = "worth a look"
        node = node.variation(main) if node.has_variation(main) else node.add_variation(main)
        node.parent.promote_to_main(main)
        node.comment = f"[%clk 0:{59 - ply // 2:02}:{ply % 60:02}]" + (" a comment" if ply % 7 == 0 else "")
        if ply % 9 == 0:
            node.nags.add(drawn.choice((1, 2, 5, 6)))
    return game


def _words(drawn: random.Random) -> list[str]:
    """Return the moves of a random chess game in SAN, at most ``PLIES``."""
    board = chess.Board()
    words: list[str] = []
    while len(words) < PLIES and (moves := list(board.legal_moves)):
        move = drawn.choice(moves)
        words.append(board.san(move))
        board.push(move)
    return words


class Counter(chess.pgn.BaseVisitor[int]):
    """Count the moves of a main line and keep nothing else; a move that cannot be read is raised."""

    def __init__(self) -> None:
        self.plies = 0

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        """Count a move."""
        self.plies += 1

    def result(self) -> int:
        """Return how many moves the game has."""
        return self.plies


def plies_of(path: str) -> int:
    """Return the number of plies in a file, every one read, judged legal and applied."""
    plies = 0
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file, Visitor=Counter)) is not None:
            plies += game
    return plies
