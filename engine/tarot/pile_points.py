"""Which card points the taker's side can have at the end of a deal, worked out from the cards.

A pile is some tricks of as many cards as there are seats, and what lay aside: the chien, or what the taker put away for
it. From how many cards it has, and how many bouts are among them, follow the points it can have: what so many of the
other 75 cards can come to.

Example: Prise at four seats, no bout, no trick won: the six cards put away, 3 to 19 points in steps of one.

Source: house ruling (``tarot.settlement``); the cards and the fool are those of the rules.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from cartulary.engine.cards.deck import CARDS
from cartulary.engine.sets import members
from cartulary.engine.tarot.score import BOUTS, HALVES

BOUT = {"dementlieu": 2, "fft": 9}
"""What a bout counts, in halves."""
_KING = 9


class Contract(NamedTuple):
    """The facts of a deal that decide how many cards a pile has, and which.

    ``restricted`` says that no king and no bout may be put away.
    """

    variant: str
    seats: int
    bid: str
    restricted: bool

    @property
    def aside(self) -> int:
        """How many cards lie aside."""
        return 3 if self.seats == 5 else 6

    @property
    def tricks(self) -> int:
        """How many tricks are played."""
        return (len(CARDS) - self.aside) // self.seats

    @property
    def whole(self) -> int:
        """All card points, in halves."""
        return sum(HALVES[self.variant])


@cache
def possible_points(contract: Contract, bouts: int, swept: int | None, petit: int) -> frozenset[int]:
    """Return the card points that the taker's side can have, in halves; empty where there is no such deal.

    Args:
        contract: the bid and the table.
        bouts: how many bouts the side has.
        swept: +1 if the side won every trick, -1 if the defence did, 0 if neither, None if nobody says.
        petit: +1 if the petit won the last trick for the side, -1 for the defence, 0 for neither.
    """
    if contract.variant == "dementlieu":
        return _halves(_dementlieu(contract, bouts))
    points: frozenset[int] = frozenset()
    if swept in (0, None):
        points |= _halves(_shared_tricks(contract, bouts, petit))
    if swept in (-1, None) and petit <= 0:
        points |= _halves(_without_a_trick(contract, bouts, petit, -1))
    if swept in (1, None) and petit >= 0:
        points |= {contract.whole - halves for halves in _halves(_without_a_trick(contract, 3 - bouts, petit, 1))}
    return points


def _halves(piles: Iterator[int]) -> frozenset[int]:
    return frozenset(halves for pile in piles for halves in members(pile))


@cache
def _sums(variant: str, kings: bool) -> tuple[int, ...]:
    """Return, by the number of cards that are no bouts, the set of half points that they can have together.

    Args:
        variant: the variant.
        kings: True if there may be kings among them.
    """
    halves = [HALVES[variant][card] for card in CARDS if not BOUTS >> card & 1]
    sums = [1] + [0] * len(halves)
    for value in halves:
        if kings or value < _KING:
            for cards in range(len(halves), 0, -1):
                sums[cards] |= sums[cards - 1] << value
    return tuple(sums)


def _pile(variant: str, cards: int, bouts: int, *, kings: bool = True) -> int:
    """Return the set of half points that a pile of some cards, bouts among them, can have."""
    sums, plain = _sums(variant, kings), cards - bouts
    return sums[plain] << BOUT[variant] * bouts if 0 <= plain < len(sums) else 0


def _shared_tricks(contract: Contract, bouts: int, petit: int) -> Iterator[int]:
    """Yield the sets of half points that the side can have in fft if each side has won a trick.

    The fool stays with its side, a small card is given for it, and a pile keeps its number of cards. In the last trick
    it goes to the other side: a side that wins that trick with its own fool in it has a card less, the other one more.
    """
    if (petit > 0 and not bouts) or (petit < 0 and bouts == 3):
        return
    own = 0 if contract.bid == "GardeContre" else contract.aside
    may_hide = contract.bid in ("GardeSans", "GardeContre")
    for won in range(1, contract.tricks):
        cards = won * contract.seats + own
        yield _pile("fft", cards, bouts)
        # The trick in which a side loses its fool is the last. If it has won no other, the petit can be in its pile
        # only from there, as petit au bout, or from the chien.
        petit_elsewhere = won > 1 or (may_hide and own) or petit > 0
        if petit >= 0 and bouts <= (2 if petit_elsewhere else 1):
            yield _pile("fft", cards - 1, bouts)
        petit_elsewhere = won < contract.tricks - 1 or (may_hide and not own) or petit < 0
        if petit <= 0 and 3 - bouts <= (2 if petit_elsewhere else 1):
            yield _pile("fft", cards + 1, bouts)


def _without_a_trick(contract: Contract, bouts: int, petit: int, winner: int) -> Iterator[int]:
    """Yield the sets of half points that a side without a trick can have in fft.

    Its fool stays with it, paid for with a card that lies aside if there is one. The fool of the others goes to it if
    it falls in the last trick.

    Args:
        contract: the bid and the table.
        bouts: how many bouts the side has.
        petit: +1 if the petit won the last trick for the taker's side, -1 for the defence, 0 for neither.
        winner: +1 if the taker's side wins all tricks, -1 if the defence does.
    """
    if petit and bouts == 3:
        return  # the winner has the petit
    theirs = (contract.bid == "GardeContre") == (winner > 0)
    if not theirs:
        if bouts < 2:
            yield _pile("fft", bouts, bouts)
        return
    taken_up = contract.bid in ("Prise", "Garde")
    if taken_up and bouts > 1:
        return
    yield _pile("fft", contract.aside, bouts, kings=not taken_up)
    if bouts:
        yield _pile("fft", contract.aside + 1, bouts, kings=not taken_up)


def _dementlieu(contract: Contract, bouts: int) -> Iterator[int]:
    """Yield the sets of half points that the side can have in dementlieu, where the fool goes with its trick.

    Of a GardeContre nobody counts the chien, which may hold bouts.
    """
    own = 0 if contract.bid == "GardeContre" else contract.aside
    for won in range(contract.tricks + 1):
        cards, defenders = won * contract.seats + own, (contract.tricks - won) * contract.seats
        if 3 - bouts > defenders + contract.aside - own:
            continue
        if won or not contract.restricted or contract.bid not in ("Prise", "Garde"):
            yield _pile("dementlieu", cards, bouts)
        elif not bouts:
            yield _pile("dementlieu", cards, bouts, kings=False)
