"""What a hand owes in trumps, with cards that nobody wrote down, held to every card that they may have been."""

from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest

from cartulary.engine.cards.deck import cards_of, deck_of
from cartulary.engine.contract import Legal, Refused, Sheet, Undecided
from cartulary.engine.tricks import (
    UNKNOWN,
    Deal,
    Description,
    Play,
    TrickGame,
    follow_suit,
    must_trump,
    overtrump,
    rank_letters,
    rules_from,
)

DECK = deck_of("CDH", "2345")
ORDER, TRUMP_ORDER = "2345", "2534"
SENTENCES = dict.fromkeys(("order", "must-trump", "overtrump", "score"), "A rule.")


def game(spares: bool) -> TrickGame:
    """Return a game of partners with twelve cards, in which hearts are trumps and rank otherwise."""
    return TrickGame(
        Description(
            key="twelve",
            rules=rules_from("none", SENTENCES),
            deck=DECK,
            hand=lambda seats, deal: 3,
            obligations=(follow_suit(DECK), must_trump(partner_spares=spares), overtrump(partner_spares=spares)),
            trumps=DECK.suits[2],
            rank=rank_letters(DECK, ORDER, TRUMP_ORDER),
            teams=lambda seats: (1, 2, 1, 2),
            score=lambda deal: (deal.tricks, ()),
        )
    )


def value(card: str, led: str) -> tuple[bool, bool, int]:
    """Return a value that is greater for a card that beats another one."""
    return card[1] == "H", card[1] == led[1], (TRUMP_ORDER if card[1] == "H" else ORDER).index(card[0])


def allowed(hand: list[str], trick: list[str], spares: bool) -> list[str]:
    """Return the cards that a hand may play to a trick that is written whole."""
    led, best = trick[0], max(trick, key=lambda card: value(card, trick[0]))
    suit = [card for card in hand if card[1] == led[1]]
    trumps = [card for card in hand if card[1] == "H"]
    higher = [card for card in trumps if best[1] != "H" or value(card, led) > value(best, led)]
    if led[1] == "H":
        return higher or trumps or hand
    if suit:
        return suit
    if spares and trick.index(best) == len(trick) - 2:
        return hand
    return higher or trumps or hand


def wholes(trick: list[str], hand: list[str]) -> Iterator[list[str]]:
    """Yield a trick with every card that its gaps may have been."""
    gaps = [at for at, card in enumerate(trick) if card == "~"]
    left = [name for name in DECK.names if name not in trick and name not in hand]
    for chosen in permutations(left, len(gaps)):
        yield [chosen[gaps.index(at)] if card == "~" else card for at, card in enumerate(trick)]


@pytest.mark.parametrize("spares", [True, False])
def test_a_card_is_refused_if_no_way_to_fill_the_trick_allows_it(spares: bool) -> None:
    rules, verdicts = game(spares), set[type]()
    for seed in range(250):
        random = Random(f"twelve {seed}")
        cards, before = random.sample(DECK.names, 6), random.choice((1, 2, 3))
        hand, trick = cards[:3], cards[3 : 3 + before]
        for at in random.sample(range(before), random.choice(range(min(before, 2) + 1))):
            trick[at] = "~"
        seat = before + 1
        state = rules.setup(Sheet("standard", {}, 4))
        assert not isinstance(state, Refused)
        state = rules.apply(state, Deal(0, seat, tuple(sorted(map(DECK.names.index, hand)))))
        for player, card in enumerate(trick, 1):
            state = rules.apply(state, Play(player, UNKNOWN if card == "~" else DECK.names.index(card)))
        ways = [allowed(hand, whole, spares) for whole in wholes(trick, hand)]
        for card in hand:
            legal = {card in way for way in ways}
            right = Undecided if len(legal) > 1 else Legal if legal == {True} else Refused
            verdict = rules.rules.play(state, Play(seat, DECK.names.index(card))).verdict
            assert isinstance(verdict, right), (seed, trick, hand, card, verdict)
            verdicts.add(right)
    assert verdicts == {Legal, Undecided, Refused}


def test_an_unwritten_card_of_a_hand_that_is_known_owes_what_its_cards_do() -> None:
    rules = game(spares=True)
    for seed in range(80):
        random = Random(f"own {seed}")
        cards, before = random.sample(DECK.names, 6), random.choice((1, 2, 3))
        hand, trick, seat = cards[:3], cards[3 : 3 + before], before + 1
        state = rules.setup(Sheet("standard", {}, 4))
        assert not isinstance(state, Refused)
        state = rules.apply(state, Deal(0, seat, tuple(sorted(map(DECK.names.index, hand)))))
        for player, card in enumerate(trick, 1):
            state = rules.apply(state, Play(player, DECK.names.index(card)))
        verdict = rules.rules.play(state, Play(seat, UNKNOWN)).verdict
        every = set(allowed(hand, trick, True)) == set(hand)
        assert isinstance(verdict, Legal if every else Undecided), (seed, trick, hand, verdict)
        assert set(cards_of(state.hands.sure[seat - 1])) == set(map(DECK.names.index, hand))
