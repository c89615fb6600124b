"""Where Tarot's cards lie when a deal is over: who won each trick, and whose pile the fool ends in.

A side is a set of seats, the taker's or the others'. A pile is a set of cards.
"""

from collections.abc import Sequence

from msgspec import Struct

from cartulary.engine.cards.deck import FOOL, cards_of, set_of
from cartulary.engine.tarot.score import HALVES
from cartulary.engine.tarot.tricks import winner

PETIT = FOOL + 1


class Trick(Struct, frozen=True, gc=False):
    """A whole trick: who led it, and the cards in the order played."""

    leader: int
    cards: tuple[int, ...]


_ORDERS = {
    seats: tuple(tuple((first - 1 + at) % seats + 1 for at in range(seats)) for first in range(seats + 1))
    for seats in (3, 4, 5)
}
"""By number of seats and leader, the seats as they play to a trick."""


def trick_of(laid: tuple[int, ...], by: tuple[int, ...]) -> Trick:
    """Return a whole trick, its cards in the order of the seats whoever played first."""
    order = _ORDERS[len(by)][by[0]]
    if order != by:
        lay = dict(zip(by, laid, strict=True))
        laid = tuple(lay[seat] for seat in order)
    return Trick(by[0], laid)


class Piles(Struct, frozen=True):
    """The piles when a deal is over.

    Attributes:
        winners: the seat that won each trick.
        own: by seat, its own pile.
        side: the pile of the taker's side.
        others: the pile of the defence.
        petit: as in ``score.Played``.
        swept: as in ``score.Played``.
    """

    winners: tuple[int, ...]
    own: tuple[int, ...]
    side: int
    others: int
    petit: int
    swept: int


def seat_at(trick: Trick, at: int, seats: int) -> int:
    """Return the seat that played the card at a place of the trick, from 0."""
    return (trick.leader - 1 + at) % seats + 1


def count(
    variant: str, seats: int, side: frozenset[int], taker: int, tricks: Sequence[Trick], aside: int, to_taker: bool
) -> Piles:
    """Return the piles of a deal.

    Args:
        variant: the variant.
        seats: how many seats play.
        side: the taker and the partner.
        taker: the taker.
        tricks: the tricks of the deal.
        aside: the discards or the chien, as a set.
        to_taker: True if these count for the taker. Otherwise they count for nobody in dementlieu, and for the defence
            in fft.
    """
    winners = _winners(variant, seats, side, tricks)
    own = [0] * seats
    for trick, seat in zip(tricks, winners, strict=True):
        own[seat - 1] |= set_of(trick.cards)
    if to_taker:
        own[taker - 1] |= aside
    ours = theirs = 0
    for seat, pile in enumerate(own, 1):
        if seat in side:
            ours |= pile
        else:
            theirs |= pile
    if variant == "fft":
        ours, theirs = _fool_home(seats, side, tricks, winners, ours, theirs | (0 if to_taker else aside))
    won = [seat in side for seat in winners]
    swept = 1 if all(won) else 0 if any(won) else -1
    return Piles(winners, tuple(own), ours, theirs, _petit(side, tricks, winners), swept)


def _winners(variant: str, seats: int, side: frozenset[int], tricks: Sequence[Trick]) -> tuple[int, ...]:
    """Return who won each trick, the fool led to the last one minded."""
    won = [seat_at(trick, winner(trick.cards), seats) for trick in tricks]
    last = tricks[-1]
    if last.cards[0] == FOOL and (
        variant == "dementlieu" or all((seat in side) == (last.leader in side) for seat in won[:-1])
    ):
        won[-1] = last.leader
    return tuple(won)


def _fool_home(
    seats: int, side: frozenset[int], tricks: Sequence[Trick], winners: Sequence[int], ours: int, theirs: int
) -> tuple[int, int]:
    """Return both piles once the fool lies where fft has it, a half-point card given for it if there is one."""
    fool = 1 << FOOL
    at = next((n for n, trick in enumerate(tricks) if FOOL in trick.cards), -1)
    if at < 0:
        return ours, theirs
    player = seat_at(tricks[at], tricks[at].cards.index(FOOL), seats)
    last = at == len(tricks) - 1
    if last and tricks[at].cards[0] == FOOL and winners[-1] == player:
        return ours, theirs
    home_is_ours = (player in side) != last
    home, away = (ours, theirs) if home_is_ours else (theirs, ours)
    if not home & fool:
        small = 0 if last else next((1 << card for card in cards_of(home) if HALVES["fft"][card] == 1), 0)
        home, away = home & ~small | fool, away & ~fool | small
    return (home, away) if home_is_ours else (away, home)


def _petit(side: frozenset[int], tricks: Sequence[Trick], winners: Sequence[int]) -> int:
    """Return whose the petit au bout is; before a fool that wins the last trick it counts in the trick before too."""
    last = tricks[-1]
    late = set(last.cards)
    if last.cards[0] == FOOL and winners[-1] == last.leader and len(tricks) > 1:
        late |= set(tricks[-2].cards)
    if PETIT not in late:
        return 0
    return 1 if winners[-1] in side else -1
