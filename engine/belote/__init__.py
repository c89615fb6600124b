"""Belote for two partnerships: a taker names trumps by the card turned up or another suit, and must win more points."""

from collections.abc import Sequence

from cartulary.engine.cards.deck import deck_of
from cartulary.engine.tricks import (
    Announcement,
    Description,
    PlayedDeal,
    TrickGame,
    follow_suit,
    must_trump,
    overtrump,
    points_of,
    rank_letters,
    rules_from,
    trump_pair,
    turn_up_auction,
    turn_up_bids,
)

DECK = deck_of("CDHS", "789XJQKA")
VALUES, BELOTE = {"J": 2, "Q": 3, "K": 4, "X": 10, "A": 11}, trump_pair(DECK, "KQ")
TRUMP_VALUES, TIES = VALUES | {"J": 20, "9": 14}, ((0, 0), (0, 81), (0, 91))
SENTENCES = {
    "order": "Each seat is dealt five cards and one is turned up; bids go round until one takes, at most twice; "
    "the rest is dealt, and eight tricks are played.",
    "deal": "Each seat is dealt five cards, and three after the bidding; the taker gets the card turned up and two.",
    "bid": "In the first round a seat passes or takes the card turned up, whose suit is trumps; in the second it "
    "passes or names another suit.",
    "announce": "Who holds King and Queen of trumps may announce Belote with the first and Rebelote with the second.",
    "must-trump": "Who cannot follow suit plays a trump, unless a partner's card is the best of the trick.",
    "overtrump": "Who plays a trump plays one above the highest of the trick, if he can; unless trumps were led he "
    "need not while a partner's card is the best.",
    "score": "Takers with more points than the others score theirs, and the others theirs; with fewer the others score "
    "162, or 252 for all tricks; with as many, theirs wait for who wins the next deal. A belote is 20 points. Most "
    "points win from 1000.",
}
SECTIONS = {"order": "3 to 5", "deal": "3", "bid": "4; another suit: pagat.com", "turn": "4 and 5.1", "in-hand": "5.1"}
SECTIONS |= {"announce": "7", "follow-suit": "5.2", "must-trump": "5.2", "overtrump": "5.2"}
SECTIONS |= {"score": "6, 9 and 10; no rounding, and who wins a failed deal has the points that wait: house rulings"}


def score(deal: PlayedDeal) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return (points by place, (points that wait for the next deal,)): both partners have those of their side."""
    last, points, belote = 10 if all(map(int.__add__, deal.tricks[:2], deal.tricks[2:])) else 100, [0, 0], [0, 0]
    for place, cards in enumerate(deal.cards):
        side, said = place % 2, 20 * ("Rebelote" in deal.announcements[place])
        belote[side] += said
        points[side] += points_of(DECK, cards & deal.trumps, TRUMP_VALUES) + last * (place == deal.last)
        points[side] += points_of(DECK, cards & ~deal.trumps, VALUES) + said
    taker, other, waiting = deal.declarer % 2, 1 - deal.declarer % 2, deal.carry[0] if deal.carry else 0
    if points[taker] == points[other]:
        waiting, points[taker] = waiting + points[taker], 0
        return (*points, *points), (waiting,)
    if points[taker] < points[other]:
        points[taker], points[other], taker = belote[taker], 152 + last + belote[other], other
    points[taker] += waiting
    return (*points, *points), (0,)


def impossible(points: Sequence[int], deal: int, carry: tuple[int, ...]) -> str:
    """Return why a deal cannot have brought these points by place, as a sentence; "" if it can. ``deal`` does not
    matter.
    """
    least, most = sorted(points[:2])
    won = most - sum(carry)
    right = (won + least in (162, 182) and won > least) or (won, least) in ((252, 0), (272, 0), (252, 20))
    waits = f", and {sum(carry)} that wait" if sum(carry) else ""
    return "" if right or (least, most) in TIES else f"A deal brings 162 or 252 points, 20 for a belote{waits}"


TRICKS = TrickGame(
    Description(
        key="belote",
        rules=rules_from("FFB, Règles officielles de la Belote (27 January 2016)", SENTENCES, SECTIONS),
        deck=DECK,
        hand=lambda seats, deal: 5,
        obligations=(follow_suit(DECK), must_trump(partner_spares=True), overtrump(partner_spares=True)),
        score=score,
        counting_cards=sum(1 << card for card, name in enumerate(DECK.names) if name[0] not in "78"),
        rank=rank_letters(DECK, "789JQKXA", "78QKXA9J"),
        turns_up=True,
        bids=lambda hand: turn_up_bids(DECK),
        auction=turn_up_auction(DECK, hand=8),
        announcements=(Announcement("Belote", BELOTE), Announcement("Rebelote", BELOTE, "Belote")),
        ends=lambda points, deals, seats, target: bool(points) and max(points) >= target and points[0] != points[1],
        target=1000,
        teams=lambda seats: (1, 2, 1, 2),
        impossible=impossible,
        carries=lambda points, carry: (sum(carry) + sum(points[:2]),) if sum(points[:2]) < 162 else (0,),
    )
)
