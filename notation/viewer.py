"""Who looks at a record: somebody who sees everything, a seat, or a spectator; and how each of them is named.

A viewer is made where a person is met: an option, a link, a route. Below that, whatever shows a record takes the
viewer. Only the rules of a game take the bare number of a seat, in the innermost call:

    game.hidden.view(state, viewer.seat)
"""

from typing import TypeAlias

from msgspec import Struct

from cartulary.engine.numbers import seat_number


class Everything(Struct, frozen=True):
    """Whoever sees every card on record, such as an arbiter or a scribe who does not play.

    Attributes:
        quiet: Whether what the rules say of a quiet record is withheld.
    """

    quiet: bool = False

    @property
    def seat(self) -> None:
        """None, which the rules take for somebody who sees the whole state."""
        return None

    @property
    def muted(self) -> bool:
        """Always False: only from a spectator may what the rules say be withheld in every open game."""
        return False

    @property
    def name(self) -> str:
        """What this viewer is called in a sentence: ``everybody``."""
        return "everybody"


class Seat(Struct, frozen=True):
    """A player, who sees what this seat has seen. What the rules say of a quiet record is always withheld.

    Attributes:
        seat: The number of the seat, from 1.
        quiet: Whether the player's words are written quietly, even in a record that is not quiet.
    """

    seat: int
    quiet: bool = False

    @property
    def muted(self) -> bool:
        """Always False: only from a spectator may what the rules say be withheld in every open game."""
        return False

    @property
    def name(self) -> str:
        """What this viewer is called in a sentence: ``p2``."""
        return f"p{self.seat}"


class Spectator(Struct, frozen=True):
    """Whoever sees what everybody at the table has seen, and writes nothing.

    Attributes:
        quiet: Whether what the rules say of a quiet record is withheld; it always is from a spectator.
        muted: Whether what the rules say is withheld of every game until it is closed, as on a screen in the room.
    """

    quiet: bool = False
    muted: bool = False

    @property
    def seat(self) -> int:
        """The number by which the rules know a spectator: 0."""
        return 0

    @property
    def name(self) -> str:
        """What this viewer is called in a sentence: ``the rail``."""
        return "the rail"


Viewer: TypeAlias = Everything | Seat | Spectator
Writer: TypeAlias = Everything | Seat
"""Who may write: a spectator only watches."""
EVERYTHING = Everything()
SPECTATOR = Spectator()
RAIL = "rail"
"""A spectator on the command line, in addresses and in the roles of links."""


def read_viewer(text: str, *, quiet: bool = False) -> Viewer | None:
    """Return the viewer that a text names; this is the only reader of such names.

    Args:
        text: ``p2``, ``P2`` or ``p02`` for a seat, ``rail`` for a spectator, nothing for everything.
        quiet: Whether what the rules say of a quiet record is withheld.

    Returns:
        The viewer, or None if the text names none. The caller checks whether the game has such a seat.
    """
    if not text:
        return Everything(quiet)
    if text == RAIL:
        return Spectator(quiet)
    seat = seat_number(text)
    return Seat(seat, quiet) if seat else None


def viewer_of_seat(seat: int | None, *, quiet: bool = False) -> Viewer:
    """Return the viewer for a seat as the rules number it: 0 is a spectator, None sees everything.

    ``quiet`` says whether what the rules say of a quiet record is withheld.
    """
    if seat is None:
        return Everything(quiet)
    return Seat(seat, quiet) if seat else Spectator(quiet)
