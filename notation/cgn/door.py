"""A door: how text that is no CGN comes to CGN's own reader."""

from collections.abc import Callable

from msgspec import Struct


def _never(word: str) -> bool:
    return False


class Door(Struct, frozen=True):
    """How strictly a file is read.

    lenient: text of other programs: odd tag lines, words before the first tag, games that run on, and results and
        glyphs in words are read as they are meant, each with a remark
    is_move: whether a word may be a move; asked where words stand before the first tag
    """

    lenient: bool = False
    is_move: Callable[[str], bool] = _never


OWN = Door()
"""The door of CGN itself."""
