"""The text a record is read from, and how deep it may nest."""

import re
from bisect import bisect_right
from functools import cached_property

from msgspec import Struct

MAX_DEPTH = 100
"""How deep variations may nest."""


class Source(Struct, frozen=True, dict=True):
    """The text a record was read from; ``line`` is that of its first character, ``body`` where its moves begin.

    numeric: whether 11-15, which no result can be, is a word in it
    """

    text: str
    line: int = 1
    body: int = 0
    numeric: bool = False

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset into the text."""
        row = bisect_right(self._starts, offset)
        return self.line + row - 1, offset - self._starts[row - 1] + 1
