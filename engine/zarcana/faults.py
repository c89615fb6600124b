"""What can be wrong with a word: a rule it breaks, or one it breaks with some of the cards that may lie there; and what
became of it."""

from msgspec import Struct

from cartulary.engine.contract import Need
from cartulary.engine.zarcana.spaces import Ref
from cartulary.engine.zarcana.state import State


class Fault(Struct, frozen=True, gc=False):
    """The first rule a word breaks, by its key. blocks: nothing of the word can be applied."""

    key: str
    because: str
    blocks: bool


class Doubt(Struct, frozen=True, gc=False):
    """A rule the word may break. codes: the slots the unknown cards have alone.

    likes: the cards, as bits, of which one must be one for the word to be legal
    owes: (giver, taker) of the demand made if it is an Emperor
    """

    key: str
    need: Need
    codes: bytes
    likes: int
    owes: tuple[int, int] | None = None


class Carried(Struct, frozen=True, gc=False):
    """What became of a word: the first rule it breaks, what it depends on, the state after it (before it if blocked).

    spelled: minions named otherwise than they should be, with the right names, None where none is needed
    unclear: the first that may be two
    """

    fault: Fault | None
    doubts: tuple[Doubt, ...]
    after: State
    spelled: tuple[tuple[Ref, Ref | None], ...] = ()
    unclear: Ref | None = None


class BlockedError(Exception):
    """The word cannot have happened; what comes after that is not looked at."""
