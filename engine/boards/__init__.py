"""Board games for two seats: the rules they share, made from the ``Description`` of a game."""

from cartulary.engine.boards.board import Board, board_of, grid
from cartulary.engine.boards.description import Choice, Description, Man, Removal, mills, rules_from
from cartulary.engine.boards.rules import BoardGame
from cartulary.engine.boards.state import Layout, Move, State
from cartulary.engine.grid import EVERY_WAY, Way

__all__ = [
    "EVERY_WAY",
    "Board",
    "BoardGame",
    "Choice",
    "Description",
    "Layout",
    "Man",
    "Move",
    "Removal",
    "State",
    "Way",
    "board_of",
    "grid",
    "mills",
    "rules_from",
]
