"""Auctions that several games have: the card turned up is taken for trumps, or in a second round another suit is named.

The bids are those of ``turn_up_bids``.
"""

from cartulary.engine.cards.deck import Deck
from cartulary.engine.tricks.description import Auction, Bidding, Contract

PASS, TAKE, SUITS = 0, 1, 2
"""The numbers of a pass, of taking, and of naming the first suit of the deck."""


def turn_up_bids(deck: Deck) -> tuple[str, ...]:
    """Return ``("Pass", "Take")`` and the letter of each suit of a deck, for ``Description.bids``."""
    return ("Pass", "Take", *dict.fromkeys(name[-1] for name in deck.names))


def turn_up_auction(deck: Deck, hand: int = 0) -> Auction:
    """Return the auction of two rounds, at whose first bid that is no pass a contract is made.

    In the first round each seat may take the card turned up, whose suit is trumps, and in the second name another
    suit. Whoever does either has the card turned up if more cards are dealt after the auction.

    Args:
        deck: The deck.
        hand: How many cards each seat has once the rest is dealt; 0 if no more are dealt.
    """

    def bids_now(bidding: Bidding) -> tuple[int, ...]:
        """Return the bids of the round; none once one was no pass, or all have passed twice."""
        if any(bidding.bids) or len(bidding.bids) == 2 * bidding.seats:
            return ()
        if len(bidding.bids) < bidding.seats:
            return PASS, TAKE
        return (PASS, *(SUITS + suit for suit in range(len(deck.suits)) if suit != bidding.turned_suit))

    def contract(bidding: Bidding) -> Contract | None:
        """Return what the last bid has made trumps; None for a pass."""
        bid, last = bidding.bids[-1], len(bidding.bids) - 1
        return Contract(last, deck.suits[bidding.turned_suit if bid == TAKE else bid - SUITS]) if bid else None

    return Auction(bids_now, contract, hand, takes_card=hand > 0)
