"""Tarot's scores: card points, the contract, and what each seat gets for a deal.

Card points are counted in halves, so that they stay whole numbers: 180 in dementlieu, 182 in fft.
"""

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from cartulary.engine.cards.deck import CARDS, FOOL, is_trump, set_of

BOUTS = 1 << FOOL | 1 << FOOL + 1 | 1 << FOOL + 21
NEEDED = (56, 51, 41, 36)
"""Card points the contract needs with no, one, two and three bouts. Source: French Tarot, FFT."""

MULTIPLIERS = {"Prise": 1, "Garde": 2, "GardeSans": 4, "GardeContre": 6}
_COURTS = {13: 9, 12: 7, 11: 5, 10: 3}


def _halves(variant: str, card: int) -> int:
    if is_trump(card) or card == FOOL:
        if variant == "dementlieu":
            return 2
        return 9 if BOUTS >> card & 1 else 1
    return _COURTS.get(card % 14, 1)


HALVES = {variant: tuple(_halves(variant, card) for card in CARDS) for variant in ("dementlieu", "fft")}
"""What each card counts, in half points."""


_WORTH = {
    variant: tuple((value, set_of(card for card in CARDS if halves[card] == value)) for value in sorted(set(halves)))
    for variant, halves in HALVES.items()
}


def half_points(variant: str, pile: int) -> int:
    """Return the card points of a pile, in halves."""
    return sum(value * (pile & cards).bit_count() for value, cards in _WORTH[variant])


def in_points(halves: int) -> str:
    """Return half points as people say them."""
    return ("½" if halves == 1 else f"{halves // 2}½") if halves % 2 else str(halves // 2)


class Played(Struct, frozen=True):
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
    def over(self) -> int:
        """By how many half points the contract is made; negative by how many it is missed."""
        return self.halves - 2 * NEEDED[self.bouts]


def lines_fft(deal: Played) -> Iterator[tuple[str, int]]:
    """Yield what each defender pays, part by part: what for, and how much; negative where he gains.

    Source: French Tarot, FFT (``tarot.settlement``).
    """
    sign, times = 1 if deal.over >= 0 else -1, MULTIPLIERS[deal.bid]
    minus = "" if deal.over >= 0 else "-"
    difference = (abs(deal.over) + 1) // 2
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


def settle_fft(deal: Played) -> tuple[int, ...]:
    """Return what each seat gets, adding up to zero. Source: French Tarot, FFT (``tarot.settlement``)."""
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
    deal: Played, stakes: Sequence[int], best: Collection[int]
) -> tuple[tuple[int, ...], tuple[Fraction, ...]]:
    """Return by seat the gains from the contract and from the pot; both add up to zero.

    Args:
        deal: the deal.
        stakes: by seat, the stake that its bid put into the pot: 1 if the bid named none, 0 if the seat passed.
        best: the seats whose own piles have the most card points.

    Source: house ruling (``tarot.settlement``) on a text that says two things.
    """
    due = stakes[deal.taker - 1] * MULTIPLIERS[deal.bid] * (1 if deal.over >= 0 else -1)
    contract = tuple(due * (deal.seats - 1) if seat == deal.taker else -due for seat in range(1, deal.seats + 1))
    share = Fraction(sum(stakes), len(best))
    pot = tuple((share if seat in best else Fraction(0)) - stakes[seat - 1] for seat in range(1, deal.seats + 1))
    return contract, pot


def with_most(variant: str, piles: Sequence[int]) -> tuple[int, ...]:
    """Return the seats whose piles have the most card points, given the piles by seat."""
    points = [half_points(variant, pile) for pile in piles]
    return tuple(seat for seat, count in enumerate(points, 1) if count == max(points))
