"""What a card is played to: the suit led, the highest trump, whose trick it is; with cards that nobody wrote down."""

from collections.abc import Callable, Iterator
from functools import cache

from msgspec import Struct

from cartulary.engine.cards.deck import cards_of
from cartulary.engine.cards.tricks import Trick, higher_cards
from cartulary.engine.tricks.description import Description, Lead, by_number

MOST_UNWRITTEN = 2
"""If more cards of a trick are unwritten than this, nobody is asked what he owes to it but to follow suit."""

Conditions = tuple[tuple[int, int], ...]
"""(number, cards) of cards that nobody wrote down, each of which must be one of its cards."""


class Order(Struct, frozen=True, eq=False):
    """How cards rank where some are trumps.

    Attributes:
        trumps: The trumps, as a set.
        suits: The cards of each suit, as sets; all trumps are one suit.
        ranks: By card, how high it ranks in its suit; None if that is its number.
        suit_of: By card, the cards of its suit.
        beats: By card, the cards that beat it if it is the best of a trick and led, or a trump.
    """

    trumps: int
    suits: tuple[int, ...]
    ranks: tuple[int, ...] | None
    suit_of: tuple[int, ...]
    beats: tuple[int, ...]


@cache
def order_of(game: Description, trumps: int) -> Order:
    """Return how the cards of a game rank where some, as a set, are trumps; worked out once for each set."""
    deck, rank, cards = game.deck, game.rank, range(len(game.deck.names))
    suits = deck.suits
    if trumps not in (0, *suits):
        suits = (*(suit & ~trumps for suit in suits if suit & ~trumps), trumps)
    ranks = None if rank is by_number else tuple(rank(card, trumps) for card in cards)
    suit_of = tuple(next(suit for suit in suits if suit >> card & 1) for card in cards)
    beats = (higher_cards(suit_of[card], card, ranks) | (0 if trumps >> card & 1 else trumps) for card in cards)
    return Order(trumps, suits, ranks, suit_of, tuple(beats))


def possible_leads(
    trick: Trick, order: Order, number: int, partners: Callable[[int], bool], may: Callable[[int], int]
) -> Iterator[tuple[Lead, Conditions]]:
    """Yield what a card may be played to, with what the unwritten cards of the trick must be for it.

    With no such cards there is one lead, without conditions. Nothing is yielded if there are more than MOST_UNWRITTEN.

    Args:
        trick: The trick so far, (seat, card) as played; it may be empty.
        order: How the cards rank.
        number: The number of the trick.
        partners: Says whether a seat is a partner of the one that plays.
        may: Returns the cards that a card of the trick may be, as a set.
    """
    if not trick:
        yield Lead(0, order.trumps, number, order.trumps), ()
        return
    unwritten = sum(card < 0 for _, card in trick)
    if not unwritten:
        holder, best = trick[0]
        for seat, card in trick:
            if order.beats[best] >> card & 1:
                holder, best = seat, card
        yield _lead(order, number, trick[0][1], best, partners(holder)), ()
    if not 0 < unwritten <= MOST_UNWRITTEN:
        return
    boxes: dict[tuple[Lead, Conditions, int], int] = {}
    for first, best, holder, conditions in _cases(trick, order, may):
        # Cases that differ in what the last unwritten card is are joined.
        *others, last = conditions
        box = (_lead(order, number, first, best, partners(holder)), tuple(others), last[0])
        boxes[box] = boxes.get(box, 0) | last[1]
    for (lead, before, at), cards in boxes.items():
        yield lead, (*before, (at, cards))


def _lead(order: Order, number: int, first: int, best: int, with_partner: bool) -> Lead:
    """Return the lead of a trick by its first card, its best one, and whether a partner played that."""
    above = order.beats[best] if order.trumps >> best & 1 else order.trumps
    return Lead(order.suit_of[first], order.trumps, number, above, with_partner)


def _cases(trick: Trick, order: Order, may: Callable[[int], int]) -> Iterator[tuple[int, int, int, Conditions]]:
    """Yield (first card, best card, who played that, conditions) for all that the unwritten cards of a trick may be.

    What an unwritten card is that beats nothing is left open. ``may`` returns the cards that a card of it may be.
    """
    leader, card = trick[0]
    cases: list[tuple[int, int, int, Conditions]] = [
        (one, one, leader, ((~card, 1 << one),) if card < 0 else ()) for one in cards_of(may(card))
    ]
    for seat, card in trick[1:]:
        further: list[tuple[int, int, int, Conditions]] = []
        for first, best, holder, conditions in cases:
            cards, beats = may(card), order.beats[best]
            further += (
                (first, one, seat, (*conditions, (~card, 1 << one)) if card < 0 else conditions)
                for one in cards_of(cards & beats)
            )
            if cards & ~beats:
                rest = (*conditions, (~card, cards & ~beats)) if card < 0 else conditions
                further.append((first, best, holder, rest))
        cases = further
    yield from cases
