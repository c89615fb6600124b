"""What a beginner reads about a game before its rules: how it is played, words to play along with, and the variants."""

from collections.abc import Mapping

from msgspec import Struct

from cartulary.notation.teaching import Example, TableRow


class FirstGame(Struct, frozen=True):
    """A first game to play along, legal from its first word to its last.

    words: each with a sentence on what happens, as ``("4Ci3", "The Four …")``
    shows: what the drawing after the last word is of, a sentence; tags: those of its sheet but for ``Game``
    """

    words: tuple[TableRow, ...]
    shows: str
    tags: Mapping[str, str] = {}

    def example(self) -> Example:
        """Return it as an example of its last word."""
        *before, last = (word for word, _ in self.words)
        return Example(last, self.shows, " ".join(before), self.tags)


class Primer(Struct, frozen=True):
    """How a game is taught on its page. Every part may be empty.

    course: how it is played, a paragraph each
    words: as they are written, each with what it means
    variants: each with what differs there
    sample: the name of the sample game to begin with
    sources: the works its rules come from, as the rules name them
    seats: when a number of seats is allowed that is not always
    """

    course: tuple[str, ...] = ()
    first_game: FirstGame | None = None
    words: tuple[TableRow, ...] = ()
    variants: tuple[TableRow, ...] = ()
    sample: str = ""
    sources: tuple[str, ...] = ()
    seats: str = ""
