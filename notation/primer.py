"""What a beginner reads about a game before its rules: how it is played, words to play along with, and the variants."""

from collections.abc import Mapping

from msgspec import Struct

from cartulary.notation.teaching import Example, TableRow


class FirstGame(Struct, frozen=True):
    """A first game to play along, legal from its first word to its last.

    Attributes:
        words: The words, each with a sentence on what happens: ``("4Ci3", "The Four …")``.
        shows: A sentence on what the drawing after the last word shows.
        tags: The tags of its sheet without ``Game``.
    """

    words: tuple[TableRow, ...]
    shows: str
    tags: Mapping[str, str] = {}

    def example(self) -> Example:
        """Return the game as an example of its last word."""
        *before, last = (word for word, _ in self.words)
        return Example(last, self.shows, " ".join(before), self.tags)


class Primer(Struct, frozen=True):
    """The page that teaches a game; every part may be empty.

    Attributes:
        course: How the game is played, one paragraph each.
        first_game: A first game to play along.
        words: Rows of a word as it is written and its meaning.
        variants: Rows of a variant and what differs in it.
        sample: The name of the sample game to begin with.
        sources: The works from which the rules come, as the rules name them.
        seats: When a number of seats is allowed, if that depends.
    """

    course: tuple[str, ...] = ()
    first_game: FirstGame | None = None
    words: tuple[TableRow, ...] = ()
    variants: tuple[TableRow, ...] = ()
    sample: str = ""
    sources: tuple[str, ...] = ()
    seats: str = ""
