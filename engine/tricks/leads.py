"""What a card is played to: the suit led, the highest trump, whose trick it is; with cards that nobody wrote down."""

from collections.abc import Callable, Iterator, Sequence

from cartulary.engine.cards.deck import cards_of
from cartulary.engine.cards.tricks import Trick, higher_cards
from cartulary.engine.tricks.description import Lead

MOST_UNWRITTEN = 2
"""If more cards of a trick are unwritten than this, nobody is asked what he owes to it but to follow suit."""

Conditions = tuple[tuple[int, int], ...]
"""(number, cards) of cards that nobody wrote down, each of which must be one of its cards."""


def possible_leads(
    trick: Trick,
    suits: Sequence[int],
    trumps: int,
    ranks: Sequence[int] | None,
    number: int,
    partners: Callable[[int], bool],
    may: Callable[[int], int],
) -> Iterator[tuple[Lead, Conditions]]:
    """Yield what a card may be played to, with what the unwritten cards of the trick must be for it.

    With no such cards there is one lead, without conditions. Nothing is yielded if there are more than MOST_UNWRITTEN.

    Args:
        trick: The trick so far, (seat, card) as played; it may be empty.
        suits: The cards of each suit, as sets.
        trumps: The trumps, as a set.
        ranks: By card, how high it ranks in its suit; by default its number.
        number: The number of the trick.
        partners: Says whether a seat is a partner of the one that plays.
        may: Returns the cards that a card of the trick may be, as a set.
    """
    if not trick:
        yield Lead(0, trumps, number, trumps), ()
        return
    if sum(card < 0 for _, card in trick) > MOST_UNWRITTEN:
        return
    boxes: dict[tuple[Lead, Conditions, int], int] = {}
    for lead, conditions in _cases(trick, suits, trumps, ranks, number, partners, may):
        # Cases that differ in what the last unwritten card is are joined.
        *others, last = conditions or ((-1, 0),)
        box = (lead, tuple(others), last[0])
        boxes[box] = boxes.get(box, 0) | last[1]
    for (lead, before, at), cards in boxes.items():
        yield lead, (*before, (at, cards)) if at >= 0 else ()


def _cases(
    trick: Trick,
    suits: Sequence[int],
    trumps: int,
    ranks: Sequence[int] | None,
    number: int,
    partners: Callable[[int], bool],
    may: Callable[[int], int],
) -> Iterator[tuple[Lead, Conditions]]:
    """Yield the lead for each card that an unwritten one may be, as far as it matters; for the rest see above."""
    cases: list[tuple[int, int, int, Conditions]] = []
    leader, card = trick[0]
    for one in cards_of(may(card)):
        suit = next(cards for cards in suits if cards >> one & 1)
        cases.append((suit, one, leader, ((~card, 1 << one),) if card < 0 else ()))
    for seat, card in trick[1:]:
        further: list[tuple[int, int, int, Conditions]] = []
        for suit, best, holder, conditions in cases:
            cards = may(card)
            beats = higher_cards(trumps if trumps >> best & 1 else suit, best, ranks)
            beats |= 0 if trumps >> best & 1 else trumps
            further += (
                (suit, one, seat, (*conditions, (~card, 1 << one)) if card < 0 else conditions)
                for one in cards_of(cards & beats)
            )
            if cards & ~beats:
                rest = (*conditions, (~card, cards & ~beats)) if card < 0 else conditions
                further.append((suit, best, holder, rest))
        cases = further
    for suit, best, holder, conditions in cases:
        above = higher_cards(trumps, best, ranks) if trumps >> best & 1 else trumps
        yield Lead(suit, trumps, number, above, partners(holder)), conditions
