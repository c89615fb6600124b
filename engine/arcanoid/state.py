"""What the rules of Arcanoid may look at: seats, daemons, fields, deck and pile, and the words that are due."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct, field

from cartulary.engine.arcanoid.ledgers import Ledger
from cartulary.engine.arcanoid.moves import DAEMON
from cartulary.engine.contract import Breach, Outcome
from cartulary.engine.slots import NO_SLOTS, Slots

VARIANTS = ("dresden", "nassau", "koblenz", "mainz", "malta", "worms")
OPEN_FIELDS = (None, None, None, None)
HAND = 6
UNSEEN = -1
"""The kind of what lies face down and nobody on record saw."""


class Options(Struct, frozen=True, gc=False):
    """What holds for the whole record.

    Attributes:
        variant: One of ``VARIANTS``.
        seats: How many seats there are; the USA, if it plays, is the last of them.
        usa: The number of that seat, 0 where it does not play.
        rounds: How many rounds are played at least.
        first: The seat that begins the first round.
        tie: The option ``tie``, empty for the highest single cards.
    """

    variant: str
    seats: int
    usa: int = 0
    rounds: int = 5
    first: int = 1
    tie: str = ""

    @property
    def real(self) -> int:
        """How many seats there are besides the USA, which is not counted if it plays."""
        return self.seats - (1 if self.usa else 0)


class Commitment(Struct, frozen=True, gc=False):
    """What stands on a field.

    Attributes:
        kind: Its kind, ABDICATED to JUDGED of ``cards``; ``UNSEEN`` where it lies face down and nobody on record saw
            it.
        cards: Its cards in the order of words, unknown ones as slots.
        time: When it was committed, as ``State.clock`` counts.
        ply: The word that committed it.
        both: The other field a couple stands on, -1 for none.
        secret: Whether it lies face down.
        completed: Whether it is an ace that has been completed.
        fool_ply: The word by which a Fool looked at it, 0 for none.
        owner: The seat or daemon it was taken from, 0 for nobody.
        eye: The seat or daemon that looked at it in vain, 0 for nobody.
    """

    kind: int
    cards: bytes = b""
    time: int = 0
    ply: int = 0
    both: int = -1
    secret: bool = False
    completed: bool = False
    fool_ply: int = field(default=0, name="tried")
    owner: int = 0
    eye: int = 0


class Side(Struct, frozen=True, gc=False):
    """What a seat or a daemon has.

    Attributes:
        hand: Its cards in the order in which they were drawn.
        open: The visible cards that Strength gave it.
        size: How many cards the hand is filled to.
        wide: How many cards lie open when they are filled.
        reserve: The reserve of the Chariot, None where there is no Chariot.
        fields: Its commitments, in the order of the fields.
        hermit: How many extra moves of the Hermit are left.
        spent: Whether the one face-down commitment of the round was made.
        plays: Whether it takes part. A daemon does not before the Devil, nor a seat that has finished.
        public_cards: The cards of the hand, as bits, that everybody knows to be there.
        seat_knowledge: Pairs of a seat and further cards, as bits, that it knows to be there.
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
    public_cards: int = field(default=0, name="shown")
    seat_knowledge: tuple[tuple[int, int], ...] = field(default=(), name="looked")


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
    public_cards: int
    seat_knowledge: tuple[tuple[int, int], ...]


Kind = Literal[
    "settle", "fill", "reveal", "take", "away", "vote", "deck",
    "hermit", "stay", "next", "again", "deal", "turned", "score",
]  # fmt: skip


class Due(Struct, frozen=True, gc=False):
    """Something that comes before the next move::

        settle              what a commitment brings, once no Fool came
        fill, reveal, take  a hand is filled, open cards are drawn, cards beyond its size are drawn
        away                the discard of the Wheel
        vote, deck          the vote on a new deck, and the cards of the new deck
        hermit, stay        an extra move ends; the turn passes if its seat has finished
        next, again         the turn passes; the mover plays on
        deal, turned        a new round is dealt; face-down cards are turned up
        score               fields are counted

    Attributes:
        what: Its key in this list.
        who: The seat or daemon it concerns, or ``ROW``.
        count: How many cards, or the seats still to vote, as bits; of ``away`` and ``again``, whether the Hermit gave
            the move.
        field: The field of a commitment that is settled.
        was: What stood on that field before.
    """

    what: Kind
    who: int = 0
    count: int = 0
    field: int = -1
    was: Commitment | None = None


class State(Struct, frozen=True, gc=False):
    """A record so far, on one reading of the cards nobody on record saw.

    Attributes:
        sides: The seats, then the daemons by master.
        deck: The cards left to draw, the top one first.
        pile: The discards.
        row: The Justice row, None before Justice.
        aside: The cards laid aside.
        past_daemons: Pairs of a master and what stands of an earlier daemon of his.
        devil: The master of the daemon, 0 for none.
        temper: Whose Temperance lies on which field, None for none.
        undone_fields: The fields, as bits, where the Tower undid something.
        dead: Whether the deck stays empty.
        turn: Who makes the next regular move.
        mover: Who plays on, 0 for nobody.
        extra: Whether that is by leave of the Hermit.
        dues: What comes before the next move, in order.
        deal: The cards the table has named of a new round so far, by seat, the deck last; None once it is dealt.
        round: The number of the round, from 1.
        lap: How often the turn has gone round the table.
        lap_begun: Whether the lap has had a move.
        clock: How many commitments there have been.
        wins: Who won each field of the rounds so far, four a round.
        doubts: What was said in this round of hands nobody saw.
        breaches: Breaches of earlier plies that later words have proved.
        unread: Pairs of a ply and a key: what no card can answer any more, first the plies since a reading was dropped.
        lenders: Whose hand lost a card, since the deck is empty, that the row may have lost; once for each card.
        skipped_dues: The vote and the discard of the Wheel in whose place the last move came.
        others: The state on other readings of where named cards came from; see ``readings``.
    """

    options: Options
    sides: tuple[Side, ...]
    deck: bytes = b""
    pile: bytes = b""
    row: bytes | None = None
    aside: bytes = b""
    past_daemons: tuple[tuple[int, tuple[Commitment | None, ...]], ...] = ()
    devil: int = 0
    temper: tuple[int, int] | None = None
    undone_fields: int = 0
    dead: bool = False
    turn: int = 1
    mover: int = 0
    extra: bool = False
    dues: tuple[Due, ...] = ()
    deal: tuple[bytes | None, ...] | None = None
    round: int = 1
    lap: int = 1
    lap_begun: bool = False
    clock: int = 0
    ply: int = 0
    wins: tuple[int, ...] = ()
    slots: Slots = NO_SLOTS
    doubts: tuple[Ledger, ...] = ()
    breaches: tuple[Breach, ...] = ()
    outcome: Outcome | None = None
    unread: tuple[tuple[int, str], ...] = ()
    lenders: tuple[int, ...] = ()
    skipped_dues: tuple[Due, ...] = ()
    others: tuple["State", ...] = ()


PLACES = tuple(
    tuple(who - 1 if who < DAEMON else seats + who - DAEMON - 1 for who in range(2 * DAEMON)) for seats in range(DAEMON)
)
"""By how many seats there are: where the side of each seat and daemon lies among all."""


def side_of(state: State, who: int) -> Side:
    """Return what a seat or daemon has; ``who`` is its number, that of a daemon DAEMON plus its master's seat."""
    return state.sides[PLACES[state.options.seats][who]]


def everybody(sides: Sequence[Side | Seat]) -> list[int]:
    """Return the numbers of all seats, then those of the daemons that play or have a commitment on a field.

    ``sides`` are those of the seats, then those of the daemons, as many.
    """
    seats = len(sides) // 2
    daemons = enumerate(sides[seats:], DAEMON + 1)
    return [*range(1, seats + 1), *(who for who, side in daemons if side.plays or any(side.fields))]


def who_name(who: int) -> str:
    """Return a seat or daemon as words name it: ``p2``, and ``p2d`` for the daemon of p2."""
    return f"p{who}" if who < DAEMON else f"p{who - DAEMON}d"


def is_of_mainz(options: Options) -> bool:
    """Say whether the variant is MAINZ or follows it: the Fool takes aces, and knave and knight stand alone."""
    return options.variant in ("mainz", "malta", "worms")


def round_first(options: Options, number: int) -> int:
    """Return the seat that begins the round of this number, from 1: the first one of the record, and then each next
    seat.

    The USA never begins.
    """
    return (options.first + number - 2) % options.real + 1


@lru_cache(maxsize=1000)
def order_after(options: Options, number: int, last: int) -> tuple[tuple[int, int, bool], ...]:
    """Return seats and daemons in the order in which they move after one of them.

    Args:
        options: What holds for the whole record.
        number: The number of the round, from 1.
        last: Who moved last.

    Returns:
        For each its number, its index among the sides of the state, and whether a lap of the table begins with it.
    """
    first, real = round_first(options, number), options.real
    seats = [(first - 1 + step) % real + 1 for step in range(real)] + [options.usa] * bool(options.usa)
    order = [who for seat in seats for who in (DAEMON + seat, seat)]
    at = order.index(last) + 1
    return tuple((who, PLACES[options.seats][who], who == order[0]) for who in order[at:] + order[:at])
