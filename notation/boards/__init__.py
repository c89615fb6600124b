"""The words of board games: a ``Description`` and an ``About`` make a game."""

from cartulary.notation.boards.words import board_game

__all__ = ["board_game"]
