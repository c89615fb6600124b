"""The rules of long whist: those of any trick game, and its own of trumps and score."""

from cartulary.engine.tricks import Description, PlayedDeal, TrickGame, rules_from

SENTENCES = {
    "order": "The hands are dealt, the dealer's last card is turned up, tricks are played.",
    "score": "Partners score a point for each trick above six, and ten points win.",
}


def score(deal: PlayedDeal) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the tricks above six of each place's side; nothing is carried over."""
    odd = deal.tricks[0] + deal.tricks[2]
    return (max(odd - 6, 0), max(7 - odd, 0)) * 2, ()


TRICKS = TrickGame(
    Description(
        key="long-whist",
        rules=rules_from("E. Hoyle, A Short Treatise on the Game of Whist (1742)", SENTENCES),
        teams=lambda seats: (1, 2, 1, 2),
        score=score,
        turns_up=True,
        target=10,
    )
)
