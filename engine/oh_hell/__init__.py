"""Oh Hell: hands of ten cards down to one and up again, and everybody says how many tricks he will win."""

from collections.abc import Sequence

from cartulary.engine.tricks import Description, PlayedDeal, TrickGame, not_as_many_as_tricks, rules_from

SENTENCES = {
    "order": "Cards are dealt, the next one is turned up for trumps, every seat bids once, and tricks are played.",
    "bid": "A seat bids a number of tricks, and the last one not so that all bids come to the number of tricks.",
    "score": "Who wins as many tricks as he bid scores ten and one for each; most points win after the last deal.",
}


def longest(seats: int) -> int:
    """Return how many cards a seat has in the first deal: ten, or as many as leave one of 52 to be turned up."""
    return min(10, 51 // seats)


def score(deal: PlayedDeal) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return (points by place, ()): ten and one for each trick if a place has won as many as it bid, else 0."""
    return tuple(10 + bid if bid == won else 0 for bid, won in zip(deal.bids, deal.tricks, strict=True)), ()


def impossible(points: Sequence[int], deal: int, carry: tuple[int, ...]) -> str:
    """Return why the deal with this number cannot have brought these points by place, as a sentence; "" if it can."""
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
        barred_bid=not_as_many_as_tricks,
        ends=lambda points, deals, seats, target: deals >= 2 * longest(seats) - 1,
        impossible=impossible,
    )
)
