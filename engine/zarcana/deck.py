"""Deck and discards, done on a draft: drawn from, shuffled, and told by the table."""

from cartulary.engine.cards.deck import set_of
from cartulary.engine.slots import NO_SLOTS, SLOT, UNKNOWN, Kind, Slots, mixed
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.questions import loosened


def available(t: Draft) -> int:
    """Return how many cards can be drawn."""
    return len(t.deck) + len(t.pile)


def off_deck(t: Draft, cards: bytes) -> bytes:
    """Take as many cards off the deck as the word has, and return their codes; there are as many."""
    count = len(cards)
    top = t.deck[:count]
    t.deck = t.deck[count:]
    if len(top) < count:
        _reshuffle(t)
        missing = count - len(top)
        top, t.deck = top + t.deck[:missing], t.deck[missing:]
    if top == cards or (count > 1 and bytes(sorted(top)) == cards):
        return top
    if cards[0] == UNKNOWN:
        return top
    where = "among the next of the deck" if count > 1 else "next in the deck"
    return t.matched(top, cards, clauses.DECK_ORDER, where)


def _reshuffle(t: Draft) -> None:
    """Make the discards the deck."""
    t.unseen = loosened(t.unseen, t.pile)
    slots = t.slots
    if not any(kind.size for kind in slots.kinds):
        # No card is hidden, so the discards become the one kind there is.
        cards = bytes(sorted(t.pile))
        if len(cards) > 1:
            t.slots = Slots((Kind(0, set_of(cards), len(cards)),), (cards,))
        t.deck = bytes((SLOT,)) * len(cards) if len(cards) > 1 else cards
        t.pile, t.shuffled = b"", True
        return
    trimmed = tuple(
        Kind(kind.pool, kind.mask & sum(1 << card for card in slots.pools[kind.pool]), kind.size)
        for kind in slots.kinds
    )
    slots, t.deck = mixed(Slots(trimmed, slots.pools) if trimmed else NO_SLOTS, t.pile)
    t.slots, t.pile, t.shuffled = slots, b"", True


def discard(t: Draft, code: int) -> None:
    """Put a card on the discards."""
    t.pile += bytes((code,))
