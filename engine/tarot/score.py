"""Tarot's scores: card points, the contract, what each seat gets for a deal, and which card points are possible.

Card points are counted in halves, so that they stay whole numbers: 180 in dementlieu, 182 in fft.

A pile is some tricks of as many cards as there are seats, and what lay aside: the chien, or what the taker put away for
it. From how many cards it has, and how many bouts are among them, follow the points it can have: what so many of the
other 75 cards can come to. Example: Prise at four seats, no bout, no trick won: the six cards put away, 3 to 19 points
in steps of one.

Source: house ruling (``tarot.settlement``); the cards and the fool are those of the rules.
"""

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from msgspec import Struct

from cartulary.engine.cards.deck import CARDS, FOOL, is_trump, set_of
from cartulary.engine.sets import members

# --- what a deal comes to ---


BOUTS = 1 << FOOL | 1 << FOOL + 1 | 1 << FOOL + 21
POINTS_NEEDED = (56, 51, 41, 36)
"""By the number of bouts, the card points that the contract needs.

Source: French Tarot, FFT.
"""

MULTIPLIERS = {"Prise": 1, "Garde": 2, "GardeSans": 4, "GardeContre": 6}
_COURTS = {13: 9, 12: 7, 11: 5, 10: 3}


def _worth(variant: str, card: int) -> int:
    """Return what a card counts in a variant (``dementlieu`` or ``fft``), in half points."""
    if is_trump(card) or card == FOOL:
        if variant == "dementlieu":
            return 2
        return 9 if BOUTS >> card & 1 else 1
    return _COURTS.get(card % 14, 1)


HALVES = {variant: tuple(_worth(variant, card) for card in CARDS) for variant in ("dementlieu", "fft")}
"""What each card counts, in half points."""


_WORTH = {
    variant: tuple((value, set_of(card for card in CARDS if halves[card] == value)) for value in sorted(set(halves)))
    for variant, halves in HALVES.items()
}


def half_points(variant: str, pile: int) -> int:
    """Return the card points of a pile (a set of cards as bits), in half points: 180 for all cards in dementlieu, 182
    in fft.
    """
    return sum(value * (pile & cards).bit_count() for value, cards in _WORTH[variant])


def in_points(halves: int) -> str:
    """Return half points as people write them: ``91 -> "45½"``, ``90 -> "45"``, ``1 -> "½"``. They must not be
    negative.
    """
    return ("½" if halves == 1 else f"{halves // 2}½") if halves % 2 else str(halves // 2)


class PlayedDeal(Struct, frozen=True):
    """A deal played to its end, as far as the score needs it.

    Attributes:
        seats: how many seats play.
        taker: the seat that took.
        partner: the seat of the partner, 0 if the taker plays alone.
        bid: the name of the bid.
        bouts: how many bouts the taker's side has at the end.
        halves: how many half points it has.
        petit: +1 if the petit won the last trick for the taker's side, -1 for the defence, 0 for neither.
        poignees: the value of each poignée, 20, 30 or 40.
        announced: True if a chelem was announced.
        swept: +1 if the taker's side won every trick, -1 if the defence did, 0 if neither.
    """

    seats: int
    taker: int
    partner: int
    bid: str
    bouts: int
    halves: int
    petit: int = 0
    poignees: tuple[int, ...] = ()
    announced: bool = False
    swept: int = 0

    @property
    def margin(self) -> int:
        """By how many half points the contract is made; 0 is just made, a negative number missed."""
        return self.halves - 2 * POINTS_NEEDED[self.bouts]


def lines_fft(deal: PlayedDeal) -> Iterator[tuple[str, int]]:
    """Yield (reason, amount) of what each defender pays the taker's side, item by item.

    A negative amount is what he receives; the sum of all is what is paid. Example: ``("petit au bout 10 × 2", 20)``.

    Source: French Tarot, FFT (``tarot.settlement``).
    """
    sign, times = 1 if deal.margin >= 0 else -1, MULTIPLIERS[deal.bid]
    minus = "" if deal.margin >= 0 else "-"
    difference = (abs(deal.margin) + 1) // 2
    yield f"{minus}(25 + {difference}) × {times}", sign * (25 + difference) * times
    if deal.petit:
        yield f"petit au bout {10 * deal.petit} × {times}", 10 * times * deal.petit
    for value in deal.poignees:
        yield "poignée", sign * value
    if deal.swept > 0:
        yield "chelem announced and made" if deal.announced else "chelem made", 400 if deal.announced else 200
        return
    if deal.announced:
        yield "chelem announced and missed", -200
    if deal.swept < 0:
        yield "chelem of the defenders", -200


def settle_fft(deal: PlayedDeal) -> tuple[int, ...]:
    """Return what each seat gets for a deal, in whole points in the order of seats; the sum is zero.

    A partner gets what one defender pays, the taker all the rest.

    Source: French Tarot, FFT (``tarot.settlement``).
    """
    amount_each = sum(amount for _, amount in lines_fft(deal))
    side = {deal.taker} | ({deal.partner} if deal.partner else set())
    defenders = deal.seats - len(side)
    gains = [0] * deal.seats
    for seat in range(1, deal.seats + 1):
        if seat not in side:
            gains[seat - 1] = -amount_each
    if deal.partner:
        gains[deal.partner - 1] = amount_each
    gains[deal.taker - 1] = amount_each * (defenders - (1 if deal.partner else 0))
    return tuple(gains)


def settle_dementlieu(
    deal: PlayedDeal, stakes: Sequence[int], best: Collection[int]
) -> tuple[tuple[int, ...], tuple[Fraction, ...]]:
    """Return by seat the gains from the contract and from the pot; both add up to zero.

    Args:
        deal: the deal.
        stakes: by seat, the stake that its bid put into the pot: 1 if the bid named none, 0 if the seat passed.
        best: the seats whose own piles have the most card points.

    Source: house ruling (``tarot.settlement``) on a text that says two things.
    """
    due = stakes[deal.taker - 1] * MULTIPLIERS[deal.bid] * (1 if deal.margin >= 0 else -1)
    contract = tuple(due * (deal.seats - 1) if seat == deal.taker else -due for seat in range(1, deal.seats + 1))
    share = Fraction(sum(stakes), len(best))
    pot = tuple((share if seat in best else Fraction(0)) - stakes[seat - 1] for seat in range(1, deal.seats + 1))
    return contract, pot


def seats_with_most(variant: str, piles: Sequence[int]) -> tuple[int, ...]:
    """Return the seats whose piles have the most card points; several if they are equal.

    ``piles`` are sets of cards in the order of seats.
    """
    points = [half_points(variant, pile) for pile in piles]
    return tuple(seat for seat, count in enumerate(points, 1) if count == max(points))


# --- which card points are possible ---


BOUT = {"dementlieu": 2, "fft": 9}
"""What a bout counts, in halves."""
_KING = 9


class Contract(NamedTuple):
    """The facts of a deal that decide how many cards a pile has, and which.

    Attributes:
        variant: the variant, whose rules count the cards.
        seats: how many seats play.
        bid: the name of the bid.
        restricted: True if no king and no bout may be put away.
    """

    variant: str
    seats: int
    bid: str
    restricted: bool

    @property
    def aside(self) -> int:
        """How many cards lie aside: 3 with five seats, else 6."""
        return 3 if self.seats == 5 else 6

    @property
    def tricks(self) -> int:
        """How many tricks are played, which is how many cards a hand has."""
        return (len(CARDS) - self.aside) // self.seats

    @property
    def all_points(self) -> int:
        """All card points of the variant, in halves: 180 or 182."""
        return sum(HALVES[self.variant])


@cache
def possible_points(contract: Contract, bouts: int, swept: int | None, petit: int) -> frozenset[int]:
    """Return the card points that the taker's side can have, in halves; empty where there is no such deal.

    Args:
        contract: the bid and the table.
        bouts: how many bouts the side has.
        swept: +1 if the side won every trick, -1 if the defence did, 0 if neither, None if nobody says; of no account
            in dementlieu.
        petit: +1 if the petit won the last trick for the side, -1 for the defence, 0 for neither; of no account in
            dementlieu.
    """
    if contract.variant == "dementlieu":
        return _halves(_dementlieu(contract, bouts))
    points: frozenset[int] = frozenset()
    if swept in (0, None):
        points |= _halves(_shared_tricks(contract, bouts, petit))
    if swept in (-1, None) and petit <= 0:
        points |= _halves(_without_a_trick(contract, bouts, petit, -1))
    if swept in (1, None) and petit >= 0:
        points |= {contract.all_points - halves for halves in _halves(_without_a_trick(contract, 3 - bouts, petit, 1))}
    return points


def _halves(piles: Iterator[int]) -> frozenset[int]:
    """Return all values of some sets of half points; each set is an int in which bit 6 stands for 6 halves."""
    return frozenset(halves for pile in piles for halves in members(pile))


@cache
def _sums(variant: str, kings: bool) -> tuple[int, ...]:
    """Return, by the number of cards that are no bouts, the half points that they can have together, one bit a value.

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
    """Return the half points that a pile can have, one bit a value; 0 if there is no such pile.

    Args:
        variant: the variant.
        cards: how many cards it has, bouts among them.
        bouts: how many bouts.
        kings: False if no king may be in it.
    """
    sums, plain = _sums(variant, kings), cards - bouts
    return sums[plain] << BOUT[variant] * bouts if 0 <= plain < len(sums) else 0


def _shared_tricks(contract: Contract, bouts: int, petit: int) -> Iterator[int]:
    """Yield sets of half points, one bit a value, that the side can have in fft if each side has won a trick.

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
    """Yield sets of half points, one bit a value, that a side without a trick can have in fft.

    Its fool stays with it, paid for with a card that lies aside if there is one. The fool of the others goes to it if
    it falls in the last trick.

    Args:
        contract: the bid and the table.
        bouts: how many bouts the side without a trick has.
        petit: +1 if the petit won the last trick for the taker's side, -1 for the defence, 0 for neither.
        winner: the other side, which wins all tricks: +1 for the taker's, -1 for the defence.
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
    """Yield sets of half points, one bit a value, that the side can have in dementlieu; there the fool goes with its
    trick.

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
