"""Spades for two partnerships: everybody bids how many tricks to win, spades are trumps, and 500 points win."""

from cartulary.engine.tricks import CARDS_52 as DECK
from cartulary.engine.tricks import Description, PlayedDeal, TrickGame, follow_suit, not_led_before, rules_from

SPADES, BIDS = DECK.suits[3], ("Nil", *map(str, range(1, 14)), "BlindNil")
WORTH = {0: 100, 14: 200}
SENTENCES = {
    "order": "Cards are dealt, every seat bids once, and then tricks are played.",
    "bid": "A seat bids a number of tricks from 1 to 13, Nil for none, or BlindNil before it has seen its hand.",
    "break": "Who has another card leads no spade before one was played in the deal.",
    "score": "Partners who win the tricks they bid score ten for each and one for each more, else they lose ten for "
    "each; a Nil brings or costs 100, a BlindNil 200, and its tricks count as more. Ten more cost 100. Most points win "
    "from 500.",
}


def score(deal: PlayedDeal) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return (points by place, bags by place): both partners have those of their side.

    Bags are the tricks beyond its bids that a side has won since its last penalty; ten of them cost 100 points. A bid
    made brings 10 for each trick and 1 for each bag, a bid missed costs as much. A nil brings or costs 100, a blind one
    200.
    """
    points, bags = [], []
    for place in (0, 1):
        partners = (place, place + 2)
        worth = {partner: WORTH[deal.bids[partner]] for partner in partners if deal.bids[partner] in WORTH}
        bid = sum(deal.bids[partner] for partner in partners if partner not in worth)
        won = sum(deal.tricks[partner] for partner in partners if partner not in worth)
        by_nils = sum(deal.tricks[partner] for partner in worth)
        nils = sum(-count if deal.tricks[partner] else count for partner, count in worth.items())
        over = max(won - bid, 0) + by_nils
        count = (deal.carry[place] if deal.carry else 0) + over
        points.append((10 * bid if won >= bid else -10 * bid) + over + nils - 100 * (count // 10))
        bags.append(count % 10)
    return (*points, *points), (*bags, *bags)


TRICKS = TrickGame(
    Description(
        key="spades",
        rules=rules_from("Spades, as pagat.com describes it", SENTENCES),
        obligations=(follow_suit(DECK), not_led_before(DECK, SPADES, "a spade")),
        teams=lambda seats: (1, 2, 1, 2),
        score=score,
        trumps=SPADES,
        bids=lambda hand: BIDS,
        breaks_ties=True,
        target=500,
    )
)
