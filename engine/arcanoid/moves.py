"""Arcanoid's words as moves."""

from typing import Literal

from msgspec import Struct

DAEMON = 16
"""A daemon's number is its master's and DAEMON."""
ROW = 32
"""The number of the Justice row, where cards are drawn to."""

What = Literal[
    "table", "discard", "commit", "fool", "use", "stand", "add", "drop", "spend", "vote", "reveal", "pass"
]  # fmt: skip


class Move(Struct, frozen=True, gc=False):
    """A word of Arcanoid. On paper its prefix says whose it is, if it has one; ``play`` finds the rest.

    Attributes:
        seat: The seat that says it, 0 for the table; a daemon speaks through its master.
        what: The kind of word.
        who: The daemon or the seat that acts; where the table names cards, whose they are: 0 the deck, ROW the row.
        cards: The cards in the order of words, those the table names as they lie; a trump's own card is among them.
        new_cards: The draw of the mover, None where none is written.
        fields: The fields it concerns.
        target: The seat or daemon it is aimed at, 0 for none.
        calls: The cards called, in order; of the Hierophant the suit (0 to 3), trumps (4) or the Fool (5).
        displays: Pairs of a seat and the cards the Hierophant saw there.
        shows: Whether the word has any ``^``.
        extra: Whether it is said by leave of the Hermit.
        secret: Whether cards are committed face down; of a Fool, whether he is played in vain.
        yes: The vote.
        count: The number of a trump that is used.
        away: What the Wheel discards, None where it is not written.
        prefix: ``p2/`` or ``p2d/`` as it was written, after ``play`` as it is spelled; empty for none.
        lap: The lap of the table and whether the word is its first; None for what is nobody's turn.
    """

    seat: int
    what: What
    who: int = 0
    cards: bytes = b""
    new_cards: bytes | None = None
    fields: tuple[int, ...] = ()
    target: int = 0
    calls: bytes = b""
    displays: tuple[tuple[int, bytes], ...] = ()
    shows: bool = False
    extra: bool = False
    secret: bool = False
    yes: bool = False
    count: int = 0
    away: bytes | None = None
    prefix: str = ""
    lap: tuple[int, bool] | None = None
