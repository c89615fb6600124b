"""Oh Hell: hands of ten cards down to one and up again, and everybody says how many tricks he will win."""

from collections.abc import Sequence

from cartulary.engine.tricks import Description, PlayedDeal, TrickGame, rules_from

SENTENCES = {
    "seats": "Three to seven players play.",
    "order": "Cards are dealt, the next one is turned up for trumps, every seat bids once, and tricks are played.",
    "bid": "A seat bids a number of tricks, and the last one not so that all bids come to the number of tricks.",
    "turn": "The seat after the dealer bids and leads first, then each trick's winner; the rest follow.",
    "score": "Who wins as many tricks as he bid scores ten and one for each; most points win after the last deal.",
}


def longest(seats: int) -> int:
    """Return how many cards a seat has in the first deal: ten, or as many as leave one of 52 to be turned up."""
    return min(10, 51 // seats)


def score(deal: PlayedDeal) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return (points by place, ()): ten and one for each trick if a place has won as many as it bid, else 0.

    Nothing is carried over.
    """
    return tuple(10 + bid if bid == won else 0 for bid, won in zip(deal.bids, deal.tricks, strict=True)), ()


def barred_bid(bids: Sequence[int], seats: int, hand: int) -> int:
    """Return the bid that the last seat to bid may not make: it would make all bids come to the number of tricks.

    It is -1 for any seat but the last, and may be a negative number if no bid is barred. ``bids`` are those before.
    """
    return hand - sum(bids) if len(bids) == seats - 1 else -1


def impossible(points: Sequence[int], deal: int, carry: tuple[int, ...]) -> str:
    """Return why a deal cannot have brought these points by place, as a sentence; "" if it can. ``carry``
    does not matter.
    """
    tricks, size = [count - 10 for count in points if count], abs(longest(len(points)) - deal) + 1
    right = min(tricks, default=0) >= 0 and sum(tricks) <= size and len(tricks) < len(points)
    return "" if right else f"A seat scores 0, or 10 and its tricks of {size}; not all can be right"


TRICKS = TrickGame(
    Description(
        key="oh-hell",
        rules=rules_from("Oh Hell!, as pagat.com describes it", SENTENCES),
        seats=(4, 3, 5, 6, 7),
        hand=lambda seats, deal: abs(longest(seats) - deal) + 1,
        score=score,
        turns_up=True,
        bids=lambda hand: tuple(map(str, range(hand + 1))),
        barred_bid=barred_bid,
        ends=lambda points, deals, seats, target: deals >= 2 * longest(seats) - 1,
        impossible=impossible,
    )
)
