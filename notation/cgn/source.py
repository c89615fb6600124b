"""The text a record is read from, and how deep it may nest."""

import re
from bisect import bisect_right
from collections.abc import Mapping

from msgspec import Struct

from cartulary.engine.once import once_each

MAX_DEPTH = 100
"""How deep variations may nest."""


class Odd(Struct, frozen=True):
    """What some tokens are in a game that are something else elsewhere.

    numeric: what looks like a result and can be none, such as 11-15, is a word
    words: those that are words though they look like a result or a number; idle: those that say nothing, left out
    signs: what is written as a word and means a glyph, by the token that stands for it; an empty comment for nothing
    """

    numeric: bool = False
    words: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()
    signs: Mapping[str, str] = {}


NOTHING_ODD = Odd()


class Source(Struct, frozen=True, dict=True):
    """The text a record was read from; ``line`` is that of its first character, ``body`` where its moves begin.

    format: what other format it is in, empty for CGN
    results: whose result it names first, for formats whose files differ in that
    """

    text: str
    line: int = 1
    body: int = 0
    odd: Odd = NOTHING_ODD
    format: str = ""
    results: str = ""

    @once_each
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset into the text."""
        row = bisect_right(self._starts, offset)
        return self.line + row - 1, offset - self._starts[row - 1] + 1
