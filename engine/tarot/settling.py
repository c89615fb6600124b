"""What a whole deal of Tarot adds to the running scores."""

from collections.abc import Sequence
from fractions import Fraction
from operator import add

from msgspec.structs import replace

from cartulary.engine.cards.deck import DECK, set_of
from cartulary.engine.contract import Clause, worded
from cartulary.engine.tarot.piles import Piles, count, seat_at, trick_of
from cartulary.engine.tarot.playing import poignee_value
from cartulary.engine.tarot.score import BOUTS, Played, half_points, with_most
from cartulary.engine.tarot.scored import Scored, gains, worked_out
from cartulary.engine.tarot.sources import PAGE, parent, section
from cartulary.engine.tarot.state import BIDS, UNKNOWN, Bid, Maldonne, Move, PetitSec, Play, State
from cartulary.engine.tarot.tricks import winner
from cartulary.engine.tarot.unwritten import MOST_FILLED, filled

SETTLEMENT: Clause[State, Move] = worded(
    "tarot.settlement",
    {
        "dementlieu": "A deal is settled by the contract and by the pot; Score and Pot are running totals.",
        "fft": "A deal is settled by the contract and its premiums; Score is a running total.",
    },
    {
        "dementlieu": f"house ruling on {PAGE}; {parent('Le calcul des scores')}",
        "fft": section("Le calcul des scores; La marque en donnes libres"),
    },
)


def partner(state: State) -> int:
    """Return the seat that held the card called, 0 where the taker plays alone or nobody was seen with it yet."""
    king = state.round.called
    if king < 0:
        return 0
    holder = next((seat for seat in range(1, state.house.seats + 1) if state.sure[seat - 1] >> king & 1), 0)
    return 0 if holder == state.round.taker else holder


def piles(state: State) -> Piles:
    """Return the piles of a deal whose last trick is won; what nobody played lies aside."""
    house, start = state.house, state.round
    side = frozenset({start.taker, partner(state) or start.taker})
    aside = DECK & ~state.played
    return count(house.variant, house.seats, side, start.taker, state.tricks, aside, BIDS[start.bid] != "GardeContre")


def won_so_far(state: State) -> tuple[int, ...]:
    """Return the card points each seat has won in tricks, in half points, the fool where it fell.

    Without those of tricks with a card nobody wrote down.
    """
    seats = state.house.seats
    won = [0] * seats
    for trick in state.tricks:
        if not state.unnamed or min(trick.cards) >= 0:
            won[seat_at(trick, winner(trick.cards), seats) - 1] += half_points(state.house.variant, set_of(trick.cards))
    return tuple(won)


def settled(state: State) -> State:
    """Return a deal whose last card is played with the sums that all its unwritten cards may have been give alike."""
    sums, pot = _scored_alike(state) if state.unnamed else scored(state)
    if sums is not None and pot is not None:
        return replace(state, totals=sums, pot=pot)
    past = state.round.past
    past = replace(past, unscored=past.unscored + (sums is None), unshared=past.unshared or pot is None)
    return replace(state, totals=sums or state.totals, pot=pot or state.pot, round=replace(state.round, past=past))


def _scored_alike(state: State) -> tuple[tuple[int, ...] | None, tuple[Fraction, ...] | None]:
    """Return what ``scored`` does whatever the unwritten cards were, None where it differs."""
    totals, pots = set[tuple[int, ...] | None](), set[tuple[Fraction, ...] | None]()
    for tried, deal in enumerate(filled(state)):
        if deal is not None:
            gained = scored(deal)
            totals.add(gained[0])
            pots.add(gained[1])
        if (len(totals) > 1 and len(pots) > 1) or tried >= MOST_FILLED:
            return None, None
    return totals.pop() if len(totals) == 1 else None, pots.pop() if len(pots) == 1 else None


def scored(state: State) -> tuple[tuple[int, ...] | None, tuple[Fraction, ...] | None]:
    """Return the running scores and pots once the last trick is won, None where a stake nobody wrote decides them."""
    contract, pot = gains(state.house.variant, deal_of(state))
    totals = None if contract is None else tuple(map(add, state.totals, contract))
    if state.house.variant == "fft":
        return totals, state.pot
    return totals, None if pot is None else tuple(map(add, state.pot, pot))


def deal_of(state: State) -> Scored:
    """Return the deal whose last trick is won as its score is worked out."""
    house, start, won = state.house, state.round, piles(state)
    values = tuple(poignee_value(house.seats, cards.bit_count()) for _, cards in start.poignees)
    bid = BIDS[start.bid]
    bouts, halves = (won.side & BOUTS).bit_count(), half_points(house.variant, won.side)
    with_whom = partner(state)
    deal = Played(house.seats, start.taker, with_whom, bid, bouts, halves, won.petit, values, start.chelem, won.swept)
    if house.variant == "fft":
        return Scored(deal)
    stakes = [0] * house.seats
    for call in start.bids:
        if call.bid:
            stakes[call.seat - 1] = call.stake or 1
    known_stakes = None if UNKNOWN in stakes else tuple(stakes)
    return Scored(deal, stakes[start.taker - 1], known_stakes, with_most("dementlieu", won.own))


def with_last_card(state: State, move: Play) -> State:
    """Return the deal with its last trick won, as it is scored.

    Args:
        state: the state before the last card; all others are written down.
        move: the last card.
    """
    bit, place = 1 << move.card, move.seat - 1
    sure = tuple(cards | bit if at == place else cards for at, cards in enumerate(state.sure))
    trick = trick_of((*state.laid, move.card), (*state.by, move.seat))
    return replace(state, sure=sure, tricks=(*state.tricks, trick), played=state.played | bit)


def came_to(before: State, move: Move, after: State) -> str:
    """Return how the score of the deal that this word ended is worked out; empty where it ended none."""
    if after.round.since != after.ply or after.ply == before.ply:
        return ""
    if isinstance(move, (Maldonne, PetitSec)):
        return "the deal is void"
    if isinstance(move, Bid):
        return worked_out(before.house.variant, Scored(None))
    if not isinstance(move, Play) or before.unnamed or move.card < 0:
        return "the deal is over"
    return worked_out(before.house.variant, deal_of(with_last_card(before, move)))


def by_score(totals: Sequence[int | Fraction]) -> tuple[int, ...]:
    """Return the shares by the running score: the highest wins, ties share."""
    best = max(totals)
    return tuple(1 if points == best else 0 for points in totals)
