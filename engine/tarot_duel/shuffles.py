"""Shuffled decks: known again once the table tells them, unknown once anything else is said."""

from cartulary.engine.numbers import how_many
from cartulary.engine.slots import UNKNOWN, mixed
from cartulary.engine.tarot_duel.cards import NAMES
from cartulary.engine.tarot_duel.clauses import EFFECT
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.moves import Order
from cartulary.engine.tarot_duel.opening_hand import deal_hand, refuse_short
from cartulary.engine.tarot_duel.state import State
from cartulary.engine.tarot_duel.world import borrow


def shuffle(draft: Draft, seat: int, top: int = 0) -> None:
    """Shuffle a deck below its top cards; the table may tell how it lies now."""
    side = draft.side(seat)
    if not side.deck:
        return
    draft.loose = tuple(sorted((*[entry for entry in draft.loose if entry[0] != seat], (seat, top))))
    side.tops = side.tops[:top]


def leave_untold(draft: Draft) -> None:
    """Let every deck be unknown that was shuffled and not told, and take the opening hands off fresh ones."""
    for seat, top in draft.loose:
        _mix(draft, seat, top)
        deal_hand(draft, seat)
    draft.loose, draft.fresh = (), False


def settle(state: State) -> State:
    """Return the state with the window closed unanswered, and decks unknown that were shuffled and not told."""
    while state.then is not None:
        state = state.then
    if not state.loose:
        return state
    draft = Draft(state)
    leave_untold(draft)
    return draft.frozen()


def _mix(draft: Draft, seat: int, top: int) -> None:
    """Make the cards of a deck below its top ones alike to all."""
    side = draft.side(seat)
    draft.slots, below = mixed(draft.slots, side.deck[top:])
    side.deck = side.deck[:top] + below


# --- the table's word ---


def order(draft: Draft, move: Order, top: int) -> None:
    """Carry out the word that tells how a shuffled deck lies, whose ``top`` cards still lie in order."""
    seat, cards = move.to, move.cards
    if draft.fresh:
        if draft.unseen.doubt >> seat & 1:
            borrow(draft, seat, len(cards))
        refuse_short(draft, seat, cards)
    _tell(draft, seat, top, cards)
    while draft.loose[0][0] != seat:
        owner, top = draft.loose[0]
        _mix(draft, owner, top)
        deal_hand(draft, owner)
        draft.loose = draft.loose[1:]
    deal_hand(draft, seat)
    draft.loose = draft.loose[1:]
    draft.fresh = draft.fresh and bool(draft.loose)


def _tell(draft: Draft, seat: int, top: int, cards: bytes) -> None:
    """Let a shuffled deck lie as the table tells it; block where it cannot."""
    side = draft.side(seat)
    deck = side.deck
    if len(cards) > len(deck):
        draft.block(EFFECT, f"p{seat}'s deck has {how_many(len(deck))}, but the word gives {len(cards)}")
    if len(cards) != len(deck) or deck[:top] != cards[:top] or sorted(deck) != sorted(cards):
        before = draft.slots, draft.unseen
        _mix(draft, seat, top)
        entries = draft.as_told(side.deck, cards)
        if isinstance(entries, int):
            side.deck, (draft.slots, draft.unseen) = deck, before
            draft.block(EFFECT, _contradicted(draft, seat, cards))
        cards = entries
    side.deck = cards


def _contradicted(draft: Draft, seat: int, cards: bytes) -> str:
    """Say why a deck cannot lie as a word tells it: a card that is not in it, or the wrong order."""
    for card in sorted(cards.replace(bytes((UNKNOWN,)), b"")):
        if draft.take_deck(seat, card) is None:
            return f"{NAMES[card]} is not in p{seat}'s deck, or not as often as the word gives it"
    return f"p{seat}'s deck is not in the order that the word gives"
