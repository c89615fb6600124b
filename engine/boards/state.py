"""The moves and positions of board games for two seats; sets of places are ints, one bit a place."""

from msgspec import Struct

from cartulary.engine.boards.board import Board
from cartulary.engine.occurrences import Occurrences


class Move(Struct, frozen=True, gc=False):
    """A man is put on a place or goes along places, or the seat passes.

    Attributes:
        seat: The seat.
        path: The places in order: one for a man from the hand, several for a man on the board, none for a pass.
        takes: The men of the other seat that are taken off by choice, by their places in rising order.
    """

    seat: int
    path: tuple[int, ...]
    takes: tuple[int, ...] = ()


class State(Struct, frozen=True, gc=False):
    """A position of a board game.

    Attributes:
        men: For each seat the places of its men, as a set.
        kinds: For each kind of men after the first the places of such men of both seats, as a set.
        hands: For each seat how many men it has in hand.
        ids: By place a number that stays with the man there wherever it goes; 0 for a vacant place.
        mover: The seat to move.
        round: The number of its move.
        options: The options that are played, as ``key`` or ``key=value``.
        quiet: How many moves were made since a man was put on the board, taken or changed.
        passes: How many moves in a row were passes, up to this position.
        occurrences: The positions since then, by their marks; empty if the game does not count them.
        end_key: The key of the rule that has ended the game, empty while it goes on.
        shares: The result of an ended game, a number for each seat.
    """

    men: tuple[int, int]
    kinds: tuple[int, ...]
    hands: tuple[int, int]
    ids: tuple[int, ...]
    mover: int = 1
    round: int = 1
    options: tuple[str, ...] = ()
    quiet: int = 0
    passes: int = 0
    occurrences: Occurrences = ()
    end_key: str = ""
    shares: tuple[int, ...] = ()

    @property
    def occupancy(self) -> int:
        """Every place with a man, as a set."""
        return self.men[0] | self.men[1]

    def owner(self, place: int) -> int:
        """Return the seat whose man stands on a place; 0 if it is vacant."""
        return 1 if self.men[0] >> place & 1 else 2 * (self.men[1] >> place & 1)

    def kind(self, place: int) -> int:
        """Return the number of the kind of man that stands on a place; 0, the first kind, on a vacant place too."""
        return next((kind for kind, places in enumerate(self.kinds, 1) if places >> place & 1), 0)

    def men_left(self, seat: int) -> int:
        """Return how many men a seat has, on the board and in hand."""
        return self.men[seat - 1].bit_count() + self.hands[seat - 1]


class Layout(Struct, frozen=True):
    """A position as a sheet states it.

    Attributes:
        board: By place the seat whose man stands there and the number of its kind; (0, 0) for a vacant place.
        mover: The seat to move, 0 if the sheet does not say.
        hands: For each seat how many men it has in hand.
    """

    board: tuple[tuple[int, int], ...]
    mover: int
    hands: tuple[int, int]


def mark(state: State) -> bytes:
    """Return the position as bytes, to count how often it has occurred: men, kinds, hands and the seat to move."""
    sets = (*state.men, *state.kinds, *state.hands, state.mover)
    return b"".join(number.to_bytes(len(state.ids) // 8 + 1, "little") for number in sets)


def key(state: State) -> tuple[object, ...]:
    """Return what matters for how play can go on, for ``Place.key``: equal keys are equal positions."""
    return (*state.men, *state.kinds, *state.hands, state.mover, state.passes, state.options, state.end_key)


def names_in(board: Board, places: int) -> str:
    """Return the names of a set of places, in order and separated by commas: ``a1, d7``."""
    return ", ".join(name for place, name in enumerate(board.names) if places >> place & 1)
