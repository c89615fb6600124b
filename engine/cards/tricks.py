"""Tricks in which the highest trump wins, else the highest card of the suit led; with cards that nobody wrote down.

A trick is (seat, card) as played, ``~n`` the unnamed card n of ``Hands``. In a suit a higher number is a higher card,
unless ``ranks`` says otherwise. A *debt* is a set of cards: who holds one of them ought to have played it.
"""

from collections.abc import Sequence

from cartulary.engine.cards.deck import cards_of, set_of
from cartulary.engine.cards.hands import H, Hands, may_hold, play, play_unnamed, tell

Trick = tuple[tuple[int, int], ...]


def playable(hands: Hands, place: int) -> int:
    """Return the cards that may be played from a place, as bits: those that may lie in the hand and were not played.

    Whether the rules allow them is not looked at. The answer is exact with up to MOST_UNNAMED unnamed cards; with more
    there may be too many cards.
    """
    return may_hold(hands, place) if hands.unnamed_cards else hands.can[place] & ~hands.played_cards


def lay(hands: H, place: int, card: int, ply: int) -> tuple[H, int]:
    """Play a card, and return the hands and the card as the trick has it.

    Args:
        hands: the hands before.
        place: the hand from which the card comes.
        card: the card, -1 for one that nobody wrote down.
        ply: the ply of the card.
    """
    if card >= 0:
        return play(hands, place, card, ply), card
    return play_unnamed(hands, place, ply), ~len(hands.unnamed_cards)


def winners(trick: Trick, suits: Sequence[int], trumps: int = 0, ranks: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return the seats that may have won a trick, in the order played; one seat if no unnamed card may have won.

    What is known of the unnamed cards does not count here, so there may be too many seats.

    Args:
        trick: the trick.
        suits: the cards of each suit, as sets.
        trumps: the cards of the trump suit, as a set.
        ranks: by card, how high it ranks in its suit; by default its number.
    """
    best, beats = _best(trick, suits, trumps, ranks)
    return tuple(seat for seat, card in trick if best in (card, -1) or (card < 0 and beats))


def narrow_by_winner(
    hands: H,
    trick: Trick,
    seat: int,
    suits: Sequence[int],
    trumps: int,
    ply: int,
    ranks: Sequence[int] | None = None,
) -> H:
    """Return the hands once it is seen who won a trick, which limits what its unnamed cards may be.

    Args:
        hands: the hands before.
        trick: the trick.
        seat: the seat that has won it, one of ``winners``, as seen from who leads to the next trick.
        suits: the cards of each suit, as sets.
        trumps: the cards of the trump suit, as a set.
        ply: the ply that shows the winner.
        ranks: by card, how high it ranks in its suit; by default its number.
    """
    best, beats = _best(trick, suits, trumps, ranks)
    has_name = (seat, best) in trick
    for player, card in trick:
        if card < 0 <= best and (has_name or player == seat):
            hands = tell(hands, ~card, hands.places.cards & ~beats if has_name else beats, ply)
    return hands


def _best(trick: Trick, suits: Sequence[int], trumps: int, ranks: Sequence[int] | None) -> tuple[int, int]:
    """Return the best card of a trick that was written down, and the cards that beat it, as a set.

    The card is -1 if nobody knows the suit led.
    """
    lead, names = trick[0][1], [card for _, card in trick if card >= 0]
    ruffs = [card for card in names if trumps >> card & 1]
    if lead < 0 and not ruffs:
        return -1, 0
    suit = trumps if ruffs else next(cards for cards in suits if cards >> lead & 1)
    rivals = ruffs or [card for card in names if suit >> card & 1]
    best = max(rivals) if ranks is None else max(rivals, key=ranks.__getitem__)
    return best, higher_cards(suit, best, ranks) | (0 if ruffs else trumps)


def higher_cards(suit: int, card: int, ranks: Sequence[int] | None = None) -> int:
    """Return the cards of a suit (bits) that rank above one of its cards.

    ``ranks`` says by card how high it ranks in its suit; by default that is its number.
    """
    if ranks is None:
        return suit >> card + 1 << card + 1
    return set_of(other for other in cards_of(suit) if ranks[other] > ranks[card])


# --- what trumps oblige to ---


def ruff_debt(suit: int, trumps: int, card: int) -> int:
    """Return all trumps if a card is neither of the suit led nor a trump, else 0: who has none of the suit must trump.

    ``suit`` and ``trumps`` are sets of cards. That the suit must be followed first is another debt.
    """
    return 0 if (suit | trumps) >> card & 1 else trumps


def overtrump_debt(trumps: int, above: int, card: int) -> int:
    """Return the trumps above the highest in the trick if a card is a lower trump, else 0: it must overtrump.

    ``above`` is the set of the higher trumps; it is all of ``trumps`` if none lies in the trick.
    """
    return above if trumps >> card & 1 and not above >> card & 1 else 0
