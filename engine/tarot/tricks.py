"""Tarot's tricks: which rules bind a card, who wins, and the piles at the end.

A *debt* is a rule and a set of cards: the card played is legal under the rule if the hand holds none of them. So a rule
can be checked alike for a known hand and for a hidden one. A trick is the cards played to it, in order; a card that
nobody wrote down is below 0 in it, and what it may be is a set of cards.

A side is a set of seats, the taker's or the others'. A pile is a set of cards.
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from cartulary.engine.cards.deck import FOOL, SUIT, TRUMPS, cards_of, higher_trumps, is_trump, set_of, suit_of
from cartulary.engine.cards.tricks import overtrump_debt, ruff_debt
from cartulary.engine.tarot.score import HALVES

# --- a card played ---


Debt = tuple[str, int]
"""The key of a rule, and the cards of which the hand must hold none."""

MOST_OVER = 2
"""If more cards of a trick are unwritten than this, nobody is asked whether they could overtrump."""

Conditions = dict[int, int]
"""For each card that nobody wrote down, the cards of which it must be one."""

_LED = (*SUIT, TRUMPS)
DEBTS = ("tarot.follow-suit", "tarot.must-trump", "tarot.trump-led", "tarot.overtrump")
"""The rules that ask what the hand holds of a card played, in their order."""


def suit_led(trick: Sequence[int]) -> int | None:
    """Return the suit led, 0 to 3 for CDHS and 4 for trumps; None if there is none yet.

    ``trick`` has the cards in the order played. The fool leads no suit; the next card does. If the card that leads was
    not written down (below 0), the result is a negative number.
    """
    return next((suit_of(card) for card in trick if card != FOOL), None)


def highest_trump(trick: Sequence[int]) -> int | None:
    """Return the highest trump among some cards, None if there is none; the fool is no trump, nor is an
    unwritten card.
    """
    return max((card for card in trick if is_trump(card)), default=None)


def debts(variant: str, trick: Sequence[int], card: int) -> tuple[Debt, ...]:
    """Return (rule, cards) for each rule that a card may break: it does if the hand holds any of the cards.

    They are in the order in which the rules are checked.

    Args:
        variant: the variant.
        trick: the cards before it.
        card: the card.

    Source: ``tarot.follow-suit``, ``tarot.must-trump``, ``tarot.trump-led``, ``tarot.overtrump``.
    """
    led_suit = suit_led(trick)
    if card == FOOL or led_suit is None:
        return ()
    dues: list[Debt] = []
    if led_suit == 4:
        if not is_trump(card):
            return (("tarot.trump-led", TRUMPS),)
    elif suit_of(card) == led_suit:
        return ()
    elif not is_trump(card):
        dues.append(("tarot.follow-suit", SUIT[led_suit]))
        if variant == "fft":
            dues.append(("tarot.must-trump", ruff_debt(SUIT[led_suit], TRUMPS, card)))
        return tuple(dues)
    elif variant == "dementlieu":
        return ()
    else:
        dues.append(("tarot.follow-suit", SUIT[led_suit]))
    highest = highest_trump(trick)
    if highest is not None and card < highest:
        dues.append(("tarot.overtrump", overtrump_debt(TRUMPS, higher_trumps(highest), card)))
    return tuple(dues)


def winner(trick: Sequence[int]) -> int:
    """Return the index of the card that wins a trick: the highest trump, else the highest card of the suit led.

    The fool never wins here; in a trick of fools alone the first card does. ``_winners`` knows the last trick's rule.
    """
    best = max(trick)
    if best <= FOOL:
        best, above = -1, 0
        for card in trick:
            if best < card < above:
                best = card
            elif not above and 0 <= card < FOOL:
                best, above = card, card - card % 14 + 14
    return trick.index(best) if best >= 0 else 0


# --- with cards nobody wrote down ---


def conditional_debts(
    variant: str, trick: Sequence[int], card: int, may: Callable[[int], int]
) -> Iterator[tuple[str, int, Conditions]]:
    """Yield (rule, cards, conditions) for each rule that a card may break, if some cards are not written down.

    The rule is broken if the hand holds any of the cards and the conditions hold. Those of one rule stand together, and
    the rules are in their order.

    Args:
        variant: the variant.
        trick: the cards before it; one that nobody wrote down is below 0.
        card: the card; it may be such a card itself.
        may: returns the cards that a card of the trick may be.
    """
    debts_owed = [
        (*debt, dict(conditions))
        for debt in _debts_by_case(variant, trick, card, may)
        for conditions in _merge_conditions(debt[2], may)
    ]
    debts_owed.sort(key=lambda debt: DEBTS.index(debt[0]))
    yield from ((key, cards, conditions) for key, cards, _, conditions in debts_owed)


def _merge_conditions(conditions: Sequence[tuple[int, int]], may: Callable[[int], int]) -> Iterator[Conditions]:
    """Yield one dictionary {unwritten card of the trick: cards of which it must be one}, or nothing if one cannot hold.

    ``conditions`` are pairs (card of the trick, cards of which it must be one), perhaps several for a card; those on
    known cards are left out. ``may`` returns the cards that a card may be.
    """
    merged: Conditions = {}
    for card, cards in conditions:
        merged[card] = merged.get(card, may(card)) & cards
    if all(merged.values()):
        yield {card: cards for card, cards in merged.items() if card < 0}


def _debts_by_case(
    variant: str, trick: Sequence[int], card: int, may: Callable[[int], int]
) -> Iterator[tuple[str, int, list[tuple[int, int]]]]:
    """Yield (rule, cards, conditions) for each suit that may have been led, and each trump that may be the highest.

    The rule is broken if the hand holds any of the cards while every condition, (card of the trick, cards of which it
    must be one), holds. Conditions may name known cards too, and may contradict each other.
    """
    suit_cards = sum(SUIT)
    for led_suit, conditions in _possible_leads(trick, may):
        if led_suit == TRUMPS:
            yield "tarot.trump-led", TRUMPS, [*conditions, (card, suit_cards)]
        else:
            yield "tarot.follow-suit", led_suit, [*conditions, (card, suit_cards & ~led_suit)]
        if variant == "fft" and led_suit != TRUMPS:
            yield "tarot.must-trump", TRUMPS, [*conditions, (card, suit_cards & ~led_suit)]
            yield "tarot.follow-suit", led_suit, [*conditions, (card, TRUMPS)]
        if variant == "dementlieu" and led_suit == TRUMPS:
            yield from _overtrump(trick, card, may, conditions)
    if variant == "fft":
        yield from _overtrump(trick, card, may, [])


def _overtrump(
    trick: Sequence[int], card: int, may: Callable[[int], int], conditions: Sequence[tuple[int, int]]
) -> Iterator[tuple[str, int, list[tuple[int, int]]]]:
    """Yield (rule, cards that the hand must not hold, conditions) for each trump that may be the highest of the trick.

    Nothing is yielded if too many cards are unwritten.
    """
    if sum(played_card < 0 for played_card in (*trick, card)) > MOST_OVER:
        return
    for highest, top in _possible_highest(trick, may):
        above = higher_trumps(highest)
        yield "tarot.overtrump", above, [*conditions, *top, (card, TRUMPS & ~above & ~(1 << highest))]


def _possible_leads(trick: Sequence[int], may: Callable[[int], int]) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yield (suit as a set, conditions) for each suit that may have been led; after a fool the next card leads.

    A condition is (card of the trick, cards of which it must be one).
    """
    fools: list[tuple[int, int]] = []
    for card in trick:
        for suit in _LED:
            if may(card) & suit:
                yield suit, [*fools, (card, suit)]
        if not may(card) >> FOOL & 1:
            return
        fools.append((card, 1 << FOOL))


def _possible_highest(trick: Sequence[int], may: Callable[[int], int]) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yield (trump, conditions) for each trump that may be the highest of the trick, and each card that may be it.

    A condition is (card of the trick, cards of which it must be one).
    """
    for top in cards_of(TRUMPS):
        above = higher_trumps(top)
        for card in trick:
            if may(card) >> top & 1:
                yield top, [(card, 1 << top), *((rival, ~above) for rival in trick if rival != card)]


def possible_winners(trick: Sequence[int], may: Callable[[int], int]) -> tuple[int, ...]:
    """Return the indices (from 0) of the cards that may win a whole trick; just one if no unwritten card may win it.

    ``may`` returns the cards, as bits, that an unwritten card may be. There may be too many indices, because two
    unwritten cards are not compared with each other.
    """
    return tuple(at for at in range(len(trick)) if any(cards_if_won(trick, at, may)))


def cards_if_won(trick: Sequence[int], at: int, may: Callable[[int], int]) -> tuple[int, ...]:
    """Return for each card of a trick the cards (bits) that it may be if the one at index ``at`` wins.

    It is 0 for every card if that one cannot win. ``may`` returns the cards that a card may be.
    """
    unions = [0] * len(trick)
    for card in cards_of(may(trick[at]) & ~(1 << FOOL)):
        for lies in _cards_below(len(trick), at, card):
            allowed = [may(played_card) & cards for played_card, cards in zip(trick, lies, strict=True)]
            if all(allowed):
                unions = [cards | options for cards, options in zip(unions, allowed, strict=True)]
    return tuple(unions)


def _cards_below(count: int, at: int, card: int) -> Iterator[list[int]]:
    """Yield, for each way in which a card can win a trick, the cards that each card of the trick may be.

    Args:
        count: how many cards the trick has.
        at: the index of the winning card.
        card: the winning card. The suit led is its own, or it is a trump.
    """
    suit = _LED[suit_of(card)]
    lower = suit & ~(-1 << card)
    rest = ~higher_trumps(card) & ~(1 << card) if suit == TRUMPS else ~TRUMPS & ~(suit & ~lower)
    lies = [rest] * count
    lies[at] = 1 << card
    if at == 0 or suit == TRUMPS:
        yield lies
        return
    yield [lower, *lies[1:]]
    lies[0] = 1 << FOOL
    if at > 1:
        lies[1] = lower
    yield lies


# --- piles ---


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


def trick_of(cards: tuple[int, ...], seats: tuple[int, ...]) -> Trick:
    """Return a whole trick, given its cards and who played them, both in the order played.

    The seat that played first is the leader; cards played out of turn are put in the order of seats from there.
    """
    order = _ORDERS[len(seats)][seats[0]]
    if order != seats:
        card_of = dict(zip(seats, cards, strict=True))
        cards = tuple(card_of[seat] for seat in order)
    return Trick(seats[0], cards)


class Piles(Struct, frozen=True):
    """The piles when a deal is over.

    Attributes:
        winners: the seat that won each trick.
        own: by seat, its own pile.
        side: the pile of the taker's side.
        others: the pile of the defence.
        petit: +1 if the petit won the last trick for the taker's side, -1 for the defence, 0 for neither.
        swept: +1 if the taker's side won every trick, -1 if the defence did, 0 if neither.
    """

    winners: tuple[int, ...]
    own: tuple[int, ...]
    side: int
    others: int
    petit: int
    swept: int


def seat_at(trick: Trick, at: int, seats: int) -> int:
    """Return the seat that played the card with an index, from 0, in a trick; ``seats`` is how many seats play."""
    return (trick.leader - 1 + at) % seats + 1


def count_piles(
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
        ours, theirs = _return_fool(seats, side, tricks, winners, ours, theirs | (0 if to_taker else aside))
    won = [seat in side for seat in winners]
    swept = 1 if all(won) else 0 if any(won) else -1
    return Piles(winners, tuple(own), ours, theirs, _petit_au_bout(side, tricks, winners), swept)


def _winners(variant: str, seats: int, side: frozenset[int], tricks: Sequence[Trick]) -> tuple[int, ...]:
    """Return the seat that won each trick. A fool led to the last trick may win it.

    In dementlieu it always does, in fft only for a side that has won all tricks before.
    """
    won = [seat_at(trick, winner(trick.cards), seats) for trick in tricks]
    last = tricks[-1]
    if last.cards[0] == FOOL and (
        variant == "dementlieu" or all((seat in side) == (last.leader in side) for seat in won[:-1])
    ):
        won[-1] = last.leader
    return tuple(won)


def _return_fool(
    seats: int, side: frozenset[int], tricks: Sequence[Trick], winners: Sequence[int], ours: int, theirs: int
) -> tuple[int, int]:
    """Return the piles of both sides, (taker's side, defence), with the fool where fft's rules put it.

    It stays with the side that played it, which gives a card of half a point for it if it has one. Played to the last
    trick, it goes to the other side for nothing, unless it was led and won that trick.
    """
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


def _petit_au_bout(side: frozenset[int], tricks: Sequence[Trick], winners: Sequence[int]) -> int:
    """Return +1 if the taker's side won the petit (T01) in the last trick, -1 if the defence did, 0 if neither.

    If a fool wins the last trick, the petit in the trick before it counts too. ``side`` has the seats of the taker's
    side, ``winners`` the seat that won each trick.
    """
    last = tricks[-1]
    late = set(last.cards)
    if last.cards[0] == FOOL and winners[-1] == last.leader and len(tricks) > 1:
        late |= set(tricks[-2].cards)
    if PETIT not in late:
        return 0
    return 1 if winners[-1] in side else -1
