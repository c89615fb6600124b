"""The words of trick games: a ``Description`` and an ``About`` make a game."""

from cartulary.notation.tricks.words import trick_game

__all__ = ["trick_game"]
