"""Tarot from the first call to the first card: bids, the called king, the chien and the discards."""

from cartulary.engine.cards.deck import FOOL, SUIT, TRUMPS, cards_of, set_of
from cartulary.engine.contract import Need, Open, Refused, clause
from cartulary.engine.numbers import how_many
from cartulary.engine.tarot.knowledge import owes_call, owes_discards, question
from cartulary.engine.tarot.score import BOUTS
from cartulary.engine.tarot.state import (
    ATOUTS,
    BIDS,
    NAMES,
    Bid,
    CallKing,
    Discard,
    Move,
    Round,
    State,
    list_cards,
    of_fft,
    off_page,
    on_page,
    parent,
    place_name,
    seat_after,
    section,
)

_ECART = "Le Chien et l'Ecart"
_PUT_AWAY = "no king or bout is put away, and trumps only when nothing else is left, each of them named"
"""The end of the sentence of ``ecart_cards``."""
COURTS = {rank: sum(1 << 14 * suit + rank for suit in range(4)) for rank in (13, 12, 11, 10)}
FREE = sum(SUIT) & ~COURTS[13]
"""The cards that must be discarded before any trump, by fft's rules: those of the suits without the kings."""


def next_bidder(state: State, bids: tuple[Bid, ...]) -> int:
    """Return the next seat that may bid, from the one after the dealer; 0 if every seat that has a bid has made it.

    ``bids`` are those made so far. A dealer who deals again after a maldonne has no bid.
    """
    callers = {bid.seat for bid in bids}
    seat = state.round.dealer
    for _ in range(state.options.seats - state.round.again):
        seat = seat_after(state.options, seat)
        if seat not in callers:
            return seat
    return 0


def best_bid(start: Round) -> Bid | None:
    """Return the highest bid of a deal so far, the first of equal ones; None if nobody has bid, or all have passed."""
    best = max(start.bids, key=lambda bid: bid.bid, default=None)
    return best if best and best.bid else None


@clause(
    "tarot.bid-turn",
    {
        "dementlieu": "Every seat calls once, the one after the dealer first, and the others in turn.",
        "fft": (
            "Every seat calls once, the one after the dealer first; a dealer who deals again after a maldonne"
            " has no call."
        ),
    },
    off_page("Les enchères"),
)
def bid_turn(state: State, move: Move) -> Refused | None:
    """Return the refusal of a bid out of turn, a second bid, or one by a dealer who deals again; None for any other
    word.
    """
    if not isinstance(move, Bid) or state.phase not in ("deal", "bid") or move.seat == state.turn:
        return None
    if state.round.again and move.seat == state.round.dealer:
        return Refused(f"p{move.seat} deals again after a maldonne and so has no call; it is p{state.turn}'s turn")
    if any(bid.seat == move.seat for bid in state.round.bids):
        return Refused(f"p{move.seat} has already called, and it is p{state.turn}'s turn")
    return Refused(f"It is p{state.turn}'s turn to call, not p{move.seat}'s")


@clause(
    "tarot.bid-higher",
    "Each bid is higher than the last: Prise, Garde, GardeSans, GardeContre.",
    on_page("Les enchères"),
)
def bid_higher(state: State, move: Move) -> Refused | None:
    """Return the refusal of a bid that is not above the highest so far; None for a higher one, a pass or any other
    word.
    """
    if not isinstance(move, Bid) or state.phase not in ("deal", "bid") or not move.bid:
        return None
    best = best_bid(state.round)
    if best is None or move.bid > best.bid:
        return None
    return Refused(f"p{best.seat} has bid {BIDS[best.bid]}, and {BIDS[move.bid]} is not higher")


@clause(
    "tarot.call",
    {
        "fft": (
            "With five seats the taker names a king; he may name a queen, a knight or a jack only with every higher"
            " court card in his hand."
        ),
    },
    of_fft("Le jeu à 5"),
)
def call(state: State, move: Move) -> Refused | Open | None:
    """Judge a card that the taker calls, where one is owed.

    Returns:
        A refusal, which may stand, for a card that is no court card, or is below a king while the taker lacks a higher
        court card. An Open if unknown cards decide whether he has them all. None if the call is right, none is owed, or
        another seat makes it.
    """
    if not isinstance(move, CallKing) or not owes_call(state) or move.seat != state.round.taker:
        return None
    rank = move.card % 14
    if move.card >= FOOL or rank < 10:
        return Refused(f"{NAMES[move.card]} is called, expected a king, queen, knight or jack")
    required = sum(cards for court, cards in COURTS.items() if court > rank)
    taker = move.seat - 1
    missing = required & ~state.can[taker]
    if missing:
        return Refused(f"{NAMES[move.card]} is called, but p{move.seat} does not hold {list_cards(missing)}")
    if not required & ~state.sure[taker]:
        return None
    if (required | state.sure[taker]).bit_count() > state.options.hand:
        unsure = list_cards(required & ~state.sure[taker])
        return Refused(f"{NAMES[move.card]} is called, but p{move.seat}'s hand has no room for {unsure}")
    unknown = tuple(cards_of(required & ~state.sure[taker]))
    places = [place for place in range(state.options.seats + 1) if place != taker]
    return Open(tuple(Need(place_name(state.options, place), unknown, state.ply + 1) for place in places))


@clause("tarot.ecart-size", "The taker puts away as many cards as the chien had.", on_page(_ECART))
def ecart_size(state: State, move: Move) -> Refused | None:
    """Return the refusal of discards of another number than the chien had cards; None for the right number or another
    word.
    """
    if not isinstance(move, Discard):
        return None
    count, chien = len(move.cards), state.options.chien
    return None if count == chien else Refused(f"{how_many(count, 'card is', 'cards are')} put away, expected {chien}")


@clause(
    "tarot.ecart-cards",
    {
        "dementlieu": f"With the option ecart=fft {_PUT_AWAY}.",
        "fft": f"{_PUT_AWAY.capitalize()}.",
    },
    {
        "dementlieu": f"option ecart=fft: {parent(_ECART)}",
        "fft": section(_ECART),
    },
)
def ecart_cards(state: State, move: Move) -> Refused | Open | None:
    """Judge discards by the limits of the FFT, if they hold here: no kings and bouts, and trumps only if nothing else
    is left.

    Returns:
        A refusal, which may stand, for such cards, or for unnamed ones if too few others are left for them. An Open if
        unknown cards decide it. None if the discards are right, the limits do not hold, or no discards are owed.
    """
    if not isinstance(move, Discard) or not state.options.ecart or not owes_discards(state):
        return None
    options, taker = state.options, move.seat - 1
    away = set_of(card for card in move.cards if card >= 0)
    barred = away & (COURTS[13] | BOUTS)
    if barred:
        return Refused(f"{list_cards(barred)} may not be put away")
    trumps = away & TRUMPS
    suit_cards = (state.sure[taker] | state.sure[options.aside]) & FREE & ~away
    unnamed = sum(card < 0 for card in move.cards)
    if trumps and suit_cards.bit_count() > unnamed:
        return Refused(f"{list_cards(trumps)} may not be put away while {list_cards(suit_cards)} can be")
    pool = (state.can[taker] | state.can[options.aside]) & ~away
    if (pool & FREE).bit_count() < unnamed:
        remainder = f"{list_cards(pool & FREE)} and trumps or kings" if pool & FREE else "trumps and kings"
        unseen = how_many(unnamed, "card is", "cards are")
        return Refused(f"{unseen} put away unnamed, but only {remainder} are left")
    opens: tuple[Need, ...] = ()
    if trumps and pool & FREE:
        opens += question(state, taker, pool & FREE).needs
    if unnamed and pool & (COURTS[13] | ATOUTS):
        opens += question(state, options.aside, pool & (COURTS[13] | ATOUTS)).needs
    return Open(opens) if opens else None
