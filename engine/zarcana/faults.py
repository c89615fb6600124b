"""What can be wrong with a word: a rule it breaks, or one it breaks with some of the cards that may lie there."""

from msgspec import Struct

from cartulary.engine.contract import Need


class Fault(Struct, frozen=True, gc=False):
    """The first rule a word breaks, by its key. blocks: nothing of the word can be applied."""

    key: str
    because: str
    blocks: bool


class Doubt(Struct, frozen=True, gc=False):
    """A rule the word may break. place: where the unknown card lies, None where it may be one of several.

    likes: the cards, as bits, with which the word is legal
    """

    key: str
    need: Need
    place: int | None
    likes: int


class BlockedError(Exception):
    """The word cannot have happened; what comes after that is not looked at."""
