"""The text a record is read from, and how deep it may nest."""

import re
from bisect import bisect_right
from collections.abc import Mapping

from msgspec import Struct

from cartulary.engine.once import once_each

MAX_DEPTH = 100
"""How deep variations may nest."""


class Odd(Struct, frozen=True):
    """Tokens that a game reads in its own way.

    Attributes:
        numeric: Whether a token that looks like a result but can be none, such as ``11-15``, is a word.
        words: Tokens that are words although they look like results or numbers.
        idle: Tokens that say nothing and are left out.
        signs: Tokens written as words that mean a glyph, with the token to read instead; an empty comment for nothing.
    """

    numeric: bool = False
    words: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()
    signs: Mapping[str, str] = {}


NOTHING_ODD = Odd()


class Source(Struct, frozen=True, dict=True):
    """The text a record was read from, so that findings can name their place in it.

    Attributes:
        text: The text.
        line: The line of its first character in the file, from 1.
        body: The offset at which its moves begin.
        odd: The tokens that its game reads in its own way.
        format: The name of another format, empty for CGN.
        results: Whose result is named first, for formats whose files differ in that.
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
