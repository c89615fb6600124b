"""Tarot's tricks: what a card played owes to the cards before it, and who wins.

A *debt* is a set of cards that must not be in the hand for a card to be legal, with the key of the rule. Said so, a
rule is asked alike of a known hand and of one nobody saw. A trick is the cards played to it, in order.
"""

from collections.abc import Sequence

from cartulary.engine.cards.deck import FOOL, SUIT, TRUMPS, higher_trumps, is_trump, suit_of

Debt = tuple[str, int]
"""The key of a rule, and the cards of which the hand must hold none."""


def led_by(trick: Sequence[int]) -> int | None:
    """Return the suit led, 4 for trumps; a fool leads nothing, so the card behind it does. None while nothing is."""
    return next((suit_of(card) for card in trick if card != FOOL), None)


def highest_trump(trick: Sequence[int]) -> int | None:
    """Return the highest trump in the trick, None if there is none."""
    return max((card for card in trick if is_trump(card)), default=None)


def debts(variant: str, trick: Sequence[int], card: int) -> tuple[Debt, ...]:
    """Return what the hand must not hold for the card to be legal here, in the order the rules are asked.

    Source: ``tarot.follow-suit``, ``tarot.must-trump``, ``tarot.trump-led``, ``tarot.overtrump``.
    """
    led = led_by(trick)
    if card == FOOL or led is None:
        return ()
    owed: list[Debt] = []
    if led == 4:
        if not is_trump(card):
            return (("tarot.trump-led", TRUMPS),)
    elif suit_of(card) == led:
        return ()
    elif not is_trump(card):
        owed.append(("tarot.follow-suit", SUIT[led]))
        if variant == "fft":
            owed.append(("tarot.must-trump", TRUMPS))
        return tuple(owed)
    elif variant == "dementlieu":
        return ()
    else:
        owed.append(("tarot.follow-suit", SUIT[led]))
    highest = highest_trump(trick)
    if highest is not None and card < highest:
        owed.append(("tarot.overtrump", higher_trumps(highest)))
    return tuple(owed)


def winner(trick: Sequence[int]) -> int:
    """Return which card of the trick wins, from 0: the highest trump, else the highest of the suit led.

    The fool wins nothing here; a trick of fools alone there is none. What the last trick adds is not this function's
    to know.
    """
    best, at, led = -1, 0, -1
    for place, card in enumerate(trick):
        if card == FOOL:
            continue
        suit = card // 14
        if led < 0:
            led = suit
        if card > best and (card > FOOL or suit == led):
            best, at = card, place
    return at
