"""Little Hearts: Hearts with the twenty highest cards, five each and one to pass, for laws to be tried on quickly."""

from collections.abc import Sequence

from cartulary.engine.cards.deck import deck_of
from cartulary.engine.tricks import Description, PlayedDeal, TrickGame, follow_suit, not_led_before, rules_from
from cartulary.notation.tricks import trick_game

DECK = deck_of("CDHS", "XJQKA")
HEARTS = DECK.suits[2]
SENTENCES = {
    "order": "Cards are dealt, one is passed to the left except in every second deal, and then tricks are played.",
    "pass": "Each seat passes a card of its hand to the left.",
    "turn": "The holder of the Ten of Clubs leads, then each trick's winner; the rest follow in turn.",
    "lead": "The Ten of Clubs is led to the first trick.",
    "break": "Who has another card leads no heart before one was played in the deal.",
    "score": "Each heart won costs a point. Fewest points win once somebody has 12.",
}


def score(deal: PlayedDeal) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple((cards & HEARTS).bit_count() for cards in deal.cards), ()


def impossible(points: Sequence[int], deal: int, carry: tuple[int, ...]) -> str:
    return "" if sum(points) == 5 and min(points) >= 0 else f"A deal costs 5 points in all, not {sum(points)}"


DESCRIPTION = Description(
    key="little-hearts",
    rules=rules_from("house ruling", SENTENCES),
    deck=DECK,
    hand=lambda seats, deal: 5,
    obligations=(follow_suit(DECK), not_led_before(DECK, HEARTS, "a heart")),
    score=score,
    counting_cards=HEARTS,
    first_card=DECK.names.index("XC"),
    passes=lambda seats, deal: (1, 1) if deal % 2 else (0, 0),
    ends=lambda points, deals, seats, target: max(points, default=0) >= target,
    target=12,
    fewest=True,
    impossible=impossible,
    won_text="{seats} had the fewest points, {points}",
)
TRICKS = TrickGame(DESCRIPTION)
GAME = trick_game(TRICKS, __file__, "Little Hearts", "little-hearts-1", __doc__)
