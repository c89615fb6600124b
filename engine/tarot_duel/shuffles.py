"""Shuffled decks: known again once the table tells them, unknown once anything else is said; opening hands off them."""

from cartulary.engine.cards.deck import how_many, unjoined
from cartulary.engine.slots import BLANKS, UNKNOWN, is_slot, mixed, seen
from cartulary.engine.tarot_duel.cards import NAMES, blank
from cartulary.engine.tarot_duel.clauses import EFFECT, OPENING_HAND
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.moves import Order
from cartulary.engine.tarot_duel.state import State


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
        _deal(draft, seat)
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


def _deal(draft: Draft, seat: int) -> None:
    """Take a seat's opening hand off its fresh deck, if decks are fresh."""
    if draft.fresh and draft.marks.is_in(seat):
        side, size = draft.side(seat), draft.house.eighth(seat)
        side.hand, side.deck = side.deck[:size], side.deck[size:]
        side.eyes = (0,) * len(side.hand)


# --- the table's word ---


def order(draft: Draft, move: Order, top: int) -> None:
    """Carry out the word that tells how a deck lies that was shuffled and not told; top: what lies in order still."""
    seat, cards = move.to, move.cards
    if draft.fresh:
        if draft.unseen.doubt >> seat & 1:
            _borrow(draft, seat, len(cards))
        hand = min(draft.house.eighth(seat), len(draft.side(seat).deck))
        if draft.marks.is_in(seat) and len(cards) < hand:
            because = f"p{seat}'s opening hand has {how_many(hand)}, and the word tells {len(cards)}"
            draft.refuse(OPENING_HAND, because + unjoined(len(cards)))
    _tell(draft, seat, top, cards)
    while draft.loose[0][0] != seat:
        other, top = draft.loose[0]
        _mix(draft, other, top)
        _deal(draft, other)
        draft.loose = draft.loose[1:]
    _deal(draft, seat)
    draft.loose = draft.loose[1:]
    draft.fresh = draft.fresh and bool(draft.loose)


def _tell(draft: Draft, seat: int, top: int, cards: bytes) -> None:
    """Let a shuffled deck lie as the table tells it; block where it cannot."""
    side = draft.side(seat)
    deck = side.deck
    if len(cards) > len(deck):
        draft.block(EFFECT, f"p{seat}'s deck has {how_many(len(deck))}, and the word tells {len(cards)}")
    if len(cards) != len(deck) or deck[:top] != cards[:top] or sorted(deck) != sorted(cards):
        before = draft.slots, draft.unseen
        _mix(draft, seat, top)
        entries = bytearray(side.deck)
        for at, card in enumerate(cards):
            code = draft.sight(entries[at], card)
            if code is None:
                side.deck, (draft.slots, draft.unseen) = deck, before
                draft.block(EFFECT, _contradicted(draft, seat, cards))
            entries[at] = code
        cards = bytes(entries)
    side.deck = cards


def _contradicted(draft: Draft, seat: int, cards: bytes) -> str:
    """Say why a deck cannot lie as a word tells it: a card that is not in it, or the wrong order."""
    for card in sorted(cards.replace(bytes((UNKNOWN,)), b"")):
        if draft.take_deck(seat, card) is None:
            return f"{NAMES[card]} is not in p{seat}'s deck, or not as often as the word tells it"
    return f"p{seat}'s deck does not lie as the word tells it"


# --- whose deck a card out of play came from, where hidden exchanges leave it open until a fresh deck is told ---


def _borrow(draft: Draft, seat: int, count: int) -> None:
    """Take a card out of play from another deck, where a fresh one that is in doubt is told one card longer."""
    side, gone, doubt = draft.side(seat), [*draft.marks.gone], draft.unseen.doubt
    mine = gone[seat - 1]
    if count != len(side.deck) + 1 or not mine:
        return
    for other in range(1, draft.house.seats + 1):
        if other != seat and doubt >> other & 1 and mine[-1] not in gone[other - 1] and _shorten(draft, other):
            gone[seat - 1], gone[other - 1] = mine[:-1], gone[other - 1] + mine[-1:]
            draft.mark(gone=tuple(gone))
            side.deck += bytes((blank(seat),))
            return


def _shorten(draft: Draft, seat: int) -> bool:
    """Take one unknown card off a deck; say no where it has none to spare."""
    side = draft.side(seat)
    if any(to == seat for to, _ in draft.loose):
        at = side.deck.find(blank(seat))
        side.deck = side.deck[:at] + side.deck[at + 1 :] if at >= 0 else side.deck
        return at >= 0
    found = seen(draft.slots, side.deck[-1], BLANKS) if side.deck and is_slot(side.deck[-1]) else None
    if found is not None:
        draft.slots, side.deck = found[0], side.deck[:-1]
    return found is not None
