"""English whist: two partnerships, thirteen cards each, and the dealer's last card turned up for trumps."""

from cartulary.engine.tricks import Description, PlayedDeal, TrickGame, rules_from

SENTENCES = {
    "order": "The hands are dealt, the dealer's last card is turned up, tricks are played.",
    "score": "Who wins more tricks wins, and scores a point for each above six.",
}


def score(deal: PlayedDeal) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return (points by place, ()): both partners have the tricks above six of their side; nothing is carried over."""
    odd = deal.tricks[0] + deal.tricks[2]
    return (max(odd - 6, 0), max(7 - odd, 0)) * 2, ()


TRICKS = TrickGame(
    Description(
        key="whist",
        rules=rules_from("Laws of Short Whist (1864)", SENTENCES),
        teams=lambda seats: (1, 2, 1, 2),
        score=score,
        turns_up=True,
        won_text="{seats} won with {points} tricks above six",
    )
)
