"""What the rules of Arcanoid may look at: seats, daemons, fields, deck and pile, and the words that are due."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from cartulary.engine.arcanoid.ledgers import Ledger
from cartulary.engine.arcanoid.moves import DAEMON
from cartulary.engine.contract import Breach, Outcome
from cartulary.engine.slots import NO_SLOTS, Slots

VARIANTS = ("dresden", "nassau", "koblenz", "mainz", "malta", "worms")
OPEN_FIELDS = (None, None, None, None)
HAND = 6
UNSEEN = -1
"""The kind of what lies face down and nobody on record saw."""


class House(Struct, frozen=True, gc=False):
    """What holds for the whole record. seats: with the USA, if it plays, last; rounds: how many at least."""

    variant: str
    seats: int
    usa: int = 0
    rounds: int = 5
    first: int = 1
    tie: str = ""

    @property
    def real(self) -> int:
        """How many seats there are besides the USA."""
        return self.seats - (1 if self.usa else 0)


class Commitment(Struct, frozen=True, gc=False):
    """What stands on a field.

    cards: as words list them, unknown ones as slots; kind: of ``forms``, -1 where it lies face down and is not known
    time: when it was committed; ply: by which word; both: another field a couple stands on, -1 none
    completed: an ace that has been completed; tried: by which word a Fool looked at it, 0 none
    owner: who it was taken from, 0 nobody; eye: who looked at it in vain, 0 nobody
    """

    kind: int
    cards: bytes = b""
    time: int = 0
    ply: int = 0
    both: int = -1
    secret: bool = False
    completed: bool = False
    tried: int = 0
    owner: int = 0
    eye: int = 0


class Side(Struct, frozen=True, gc=False):
    """What a seat or a daemon has.

    hand: as drawn; open: Strength's visible cards; size: of the hand; wide: how many lie open when filled
    reserve: the Chariot's, None where there is no Chariot; fields: what it has committed, in order
    hermit: extra moves left; spent: whether the face-down commitment of the round was used; plays: false before the
    Devil, and for a seat that has finished
    shown: the cards of the hand, as bits, that all know to be there; looked: (seat, cards) of who else knows more
    """

    hand: bytes = b""
    open: bytes = b""
    size: int = HAND
    wide: int = 0
    reserve: bytes | None = None
    fields: tuple[Commitment | None, ...] = OPEN_FIELDS
    hermit: int = 0
    spent: bool = False
    plays: bool = True
    shown: int = 0
    looked: tuple[tuple[int, int], ...] = ()


class Seat(Struct, gc=False):
    """A seat or daemon while a word is carried out; the fields are those of ``Side``."""

    hand: bytes
    open: bytes
    size: int
    wide: int
    reserve: bytes | None
    fields: tuple[Commitment | None, ...]
    hermit: int
    spent: bool
    plays: bool
    shown: int
    looked: tuple[tuple[int, int], ...]


Kind = Literal[
    "settle", "fill", "reveal", "take", "away", "vote", "deck",
    "hermit", "stay", "next", "again", "deal", "turned", "score",
]  # fmt: skip


class Due(Struct, frozen=True, gc=False):
    """Something that comes before the next move.

    what: settle (what a commitment brings, once no Fool came), fill (a hand is drawn full), reveal (open cards),
    take (cards drawn beyond the hand's size), away (the Wheel's discard), vote, deck (a new one is told), hermit, stay
    (the turn passes if its seat has finished), next (it passes), again (the mover plays on), deal (a new round), turned
    (face-down cards are turned up), score (the fields are counted)
    who: whose; count: cards, or the seats still to vote, as bits
    field, was: of a settled commitment, what stood there before
    """

    what: Kind
    who: int = 0
    count: int = 0
    field: int = -1
    was: Commitment | None = None


class State(Struct, frozen=True, gc=False):
    """A record so far.

    sides: the seats, then the daemons by master; gone: (master, what stands of it) of earlier daemons
    row: the Justice row, None before Justice; aside: cards laid aside; devil: the master, 0 none
    temper: (whose, field) of Temperance, None; touched: fields, as bits, where the Tower undid something
    dead: the deck stays empty; turn: whose regular move is next; mover: who plays on, 0 nobody; extra: by the Hermit
    deal: the cards the table has named of a new round or deck so far, by seat, the deck last; None once they lie
    round: from 1; lap: rounds of the table; begun: whether the lap has had a move; clock: commitments so far
    wins: who won each field of the rounds so far, four a round
    doubts: what was said of hands nobody saw in this round; unread: (ply, key) of what no card can answer any more, the
    plies since a reading was lost in front
    lent: whose hand lost a card, since the deck is empty, that the row may have lost as well, once for each card
    skipped: the vote, or the discard of the Wheel, in whose place the last move came
    others: what the state is on other readings of where named cards came from (``readings``)
    """

    house: House
    sides: tuple[Side, ...]
    deck: bytes = b""
    pile: bytes = b""
    row: bytes | None = None
    aside: bytes = b""
    gone: tuple[tuple[int, tuple[Commitment | None, ...]], ...] = ()
    devil: int = 0
    temper: tuple[int, int] | None = None
    touched: int = 0
    dead: bool = False
    turn: int = 1
    mover: int = 0
    extra: bool = False
    dues: tuple[Due, ...] = ()
    deal: tuple[bytes | None, ...] | None = None
    round: int = 1
    lap: int = 1
    begun: bool = False
    clock: int = 0
    ply: int = 0
    wins: tuple[int, ...] = ()
    slots: Slots = NO_SLOTS
    doubts: tuple[Ledger, ...] = ()
    proved: tuple[Breach, ...] = ()
    ended: Outcome | None = None
    unread: tuple[tuple[int, str], ...] = ()
    lent: tuple[int, ...] = ()
    skipped: tuple[Due, ...] = ()
    others: tuple["State", ...] = ()


PLACES = tuple(
    tuple(who - 1 if who < DAEMON else seats + who - DAEMON - 1 for who in range(2 * DAEMON)) for seats in range(DAEMON)
)
"""By how many seats there are: where the side of each seat and daemon lies among all."""


def side_of(state: State, who: int) -> Side:
    """Return the side of a seat or daemon."""
    return state.sides[PLACES[state.house.seats][who]]


def everybody(sides: Sequence[Side | Seat]) -> list[int]:
    """Return the numbers of all sides, seats first, then the daemons that play or have played."""
    seats = len(sides) // 2
    daemons = enumerate(sides[seats:], DAEMON + 1)
    return [*range(1, seats + 1), *(who for who, side in daemons if side.plays or any(side.fields))]


def who_name(who: int) -> str:
    """Return a seat or daemon as words name it."""
    return f"p{who}" if who < DAEMON else f"p{who - DAEMON}d"


def is_of_mainz(house: House) -> bool:
    """Say whether the variant is MAINZ or follows it: the Fool takes aces, and knave and knight stand alone."""
    return house.variant in ("mainz", "malta", "worms")


def round_first(house: House, number: int) -> int:
    """Return the seat that begins the round of this number."""
    return (house.first + number - 2) % house.real + 1


@lru_cache(maxsize=1000)
def order_after(house: House, number: int, last: int) -> tuple[tuple[int, int, bool], ...]:
    """Return seats and daemons in the order in which they move behind one of them in the round of this number.

    Each has its place, and whether a round of the table begins with it.
    """
    first, real = round_first(house, number), house.real
    seats = [(first - 1 + step) % real + 1 for step in range(real)] + [house.usa] * bool(house.usa)
    order = [who for seat in seats for who in (DAEMON + seat, seat)]
    at = order.index(last) + 1
    return tuple((who, PLACES[house.seats][who], who == order[0]) for who in order[at:] + order[:at])
