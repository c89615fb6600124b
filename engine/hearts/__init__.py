"""Hearts for four: hearts and the Queen of Spades cost points, and who has fewest when somebody has 100 wins."""

from collections.abc import Sequence

from cartulary.engine.tricks import CARDS_52 as DECK
from cartulary.engine.tricks import (
    Description,
    PlayedDeal,
    TrickGame,
    follow_suit,
    not_led_before,
    not_to_first_trick,
    rules_from,
)

HEARTS, QUEEN = DECK.suits[2], DECK.names.index("QS")
COSTLY = HEARTS | 1 << QUEEN
SENTENCES = {
    "order": "Cards are dealt, three are passed except in every fourth deal, and then tricks are played.",
    "pass": "Each seat passes three cards of its hand: to the left, then in the next deal to the right, then across.",
    "turn": "The holder of the Two of Clubs leads, then each trick's winner; the rest follow in turn.",
    "lead": "The Two of Clubs is led to the first trick.",
    "first-trick": "Who has another card plays no heart and not the Queen of Spades to the first trick.",
    "break": "Who has another card leads no heart before one was played in the deal.",
    "score": "Each heart won costs a point and the Queen of Spades 13; who wins them all gives 26 to each other seat. "
    "Fewest points win once somebody has 100.",
}


def score(deal: PlayedDeal) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return (what a deal costs by place, ()): a heart 1, the Queen of Spades 13; all 26 cost the others 26 each."""
    costs = tuple((cards & HEARTS).bit_count() + 13 * (cards >> QUEEN & 1) for cards in deal.cards)
    return tuple(26 - cost for cost in costs) if 26 in costs else costs, ()


def impossible(points: Sequence[int], deal: int, carry: tuple[int, ...]) -> str:
    """Return why no deal can have brought these points by place, as a sentence; "" if one can (any, after any)."""
    right = (sum(points) == 26 and min(points) >= 0 and max(points) < 26) or sorted(points) == [0, 26, 26, 26]
    return "" if right else f"A deal costs 26 points in all, or 26 each to three seats, not {sum(points)}"


TRICKS = TrickGame(
    Description(
        key="hearts",
        rules=rules_from("Hearts, as pagat.com describes it", SENTENCES),
        obligations=(
            follow_suit(DECK),
            not_to_first_trick(DECK, COSTLY, "card that costs points"),
            not_led_before(DECK, HEARTS, "a heart"),
        ),
        score=score,
        counting_cards=COSTLY,
        first_card=DECK.names.index("2C"),
        passes=lambda seats, deal: ((0, 1, 3, 2)[deal % 4], 3 if deal % 4 else 0),
        breaks_ties=True,
        target=100,
        fewest=True,
        impossible=impossible,
        won_text="{seats} had the fewest points, {points}",
    )
)
