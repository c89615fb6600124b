"""Deck and discards, done on a draft: drawn from, shuffled, and told by the table."""

from cartulary.engine.cards.deck import set_of
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import NO_SLOTS, UNKNOWN, Kind, Slots, all_left, is_slot, mixed
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import name_of
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.moves import Deal
from cartulary.engine.zarcana.questions import loosen


def available(draft: Draft) -> int:
    """Return how many cards can be drawn."""
    return len(draft.deck) + len(draft.pile)


def off_deck(draft: Draft, cards: bytes) -> bytes:
    """Take as many cards off the deck as the word has, and return their codes; there are as many."""
    count = len(cards)
    top = draft.deck[:count]
    draft.deck = draft.deck[count:]
    if len(top) < count:
        _reshuffle(draft)
        missing = count - len(top)
        top, draft.deck = top + draft.deck[:missing], draft.deck[missing:]
    if top == cards or (count > 1 and bytes(sorted(top)) == cards):
        return top
    if cards[0] == UNKNOWN:
        return top
    where = "among the next cards of the deck" if count > 1 else "the next card of the deck"
    return draft.matched(top, cards, clauses.DECK_ORDER, where)


def _reshuffle(draft: Draft) -> None:
    """Make the discards the deck."""
    draft.unseen = loosen(draft.unseen, draft.pile)
    slots = draft.slots
    if not any(kind.size for kind in slots.kinds):
        # No card is hidden, so the discards become the one kind there is.
        draft.slots, draft.deck = mixed(NO_SLOTS if len(draft.pile) > 1 else slots, draft.pile)
    else:
        trimmed = tuple(Kind(kind.pool, kind.mask & set_of(slots.pools[kind.pool]), kind.size) for kind in slots.kinds)
        draft.slots, draft.deck = mixed(Slots(trimmed, slots.pools), draft.pile)
    draft.pile, draft.shuffled = b"", True


def discard(draft: Draft, code: int) -> None:
    """Put a card on the discards."""
    draft.pile += bytes((code,))


# --- what the table tells ---


def tell_deck(draft: Draft, move: Deal) -> None:
    """Let the deck lie as the table tells it, as far as it does."""
    count = len(move.cards)
    if count > len(draft.deck):
        rule = clauses.DECK_ORDER if draft.course.deck_due else clauses.SETUP
        draft.block(rule, f"The deck has {how_many(len(draft.deck))}, not {count}")
    draft.deck = lay_as_dealt(draft, draft.deck[:count], move.cards) + draft.deck[count:]


def lay_as_dealt(draft: Draft, zone: bytes, cards: bytes) -> bytes:
    """Return a zone as the table tells it, in the order in which its cards lie."""
    alike = all_left(draft.slots, zone, cards) if not draft.unseen.either else None
    if alike is not None and len(zone) == len(cards):
        draft.slots = alike
        return cards
    strange = next((card for card in cards if card != UNKNOWN and card not in draft.state.house.every), None)
    if strange is not None:
        draft.block(clauses.SETUP, f"{name_of(strange)} is not in the deck of this game")
    after = bytearray(zone)
    for at, card in enumerate(cards):
        if card == UNKNOWN or zone[at] == card:
            continue
        if card in cards[:at]:
            draft.block(clauses.CARD_TWICE, f"{name_of(card)} is given twice")
        if not is_slot(zone[at]):
            draft.block(clauses.DECK_ORDER, f"{name_of(zone[at])} lies there, not {name_of(card)}")
        after[at] = draft.matched(bytes((zone[at],)), bytes((card,)), clauses.DECK_ORDER, "where the word has it")[0]
    return bytes(after)
