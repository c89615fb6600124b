"""What is wrong with a word: the first rule it breaks, and that it cannot have happened."""

from msgspec import Struct

IMPOSSIBLE = "record.impossible"


class Fault(Struct, frozen=True, gc=False):
    """The first rule a word breaks, without the game's name; blocks: nothing can be applied."""

    key: str
    because: str
    blocks: bool = False


class Blocked(Exception):
    """What a word says cannot have happened."""
