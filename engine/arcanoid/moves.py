"""Arcanoid's words as moves."""

from typing import Literal

from msgspec import Struct

DAEMON = 16
"""A daemon's number is its master's and DAEMON."""
ROW = 32
"""The number of the Justice row, where cards are drawn to."""

What = Literal[
    "told", "discard", "commit", "fool", "use", "stand", "add", "drop", "spend", "vote", "reveal", "pass"
]  # fmt: skip


class Move(Struct, frozen=True, gc=False):
    """A word. On paper its prefix says whose it is, if it has one; ``play`` finds the rest.

    seat: who says it, a daemon's master for the daemon
    who: the daemon or the seat; where the table tells cards, whose they are: 0 the deck, ROW the Justice row
    cards: as words list them, those told as they lie; a trump's own card is among them
    drawn: the mover's draw, None where none is written
    fields: those it is about; target: the seat or daemon, 0 none
    calls: the cards called in order, or the suit (0 to 3), trumps (4), Fool (5) of the Hierophant
    shown: (seat, cards) the Hierophant saw; shows: whether any ^ is there
    extra: said by leave of the Hermit; secret: face down, in vain for a Fool; yes: the vote
    count: the number of a trump that is used; away: what the Wheel discards, None where it is not written
    prefix: ``p2/`` or ``p2d/`` as it is written, after ``play`` as it is to be spelled; empty for none
    lap: the round of the table, a turn each, and whether it is the first word there; None for what is nobody's turn
    """

    seat: int
    what: What
    who: int = 0
    cards: bytes = b""
    drawn: bytes | None = None
    fields: tuple[int, ...] = ()
    target: int = 0
    calls: bytes = b""
    shown: tuple[tuple[int, bytes], ...] = ()
    shows: bool = False
    extra: bool = False
    secret: bool = False
    yes: bool = False
    count: int = 0
    away: bytes | None = None
    prefix: str = ""
    lap: tuple[int, bool] | None = None
