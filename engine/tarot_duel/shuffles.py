"""Shuffled decks: known again once the table tells them, unknown once anything else is said; opening hands off them."""

from msgspec.structs import replace

from cartulary.engine.slots import mixed
from cartulary.engine.tarot_duel.state import State, eighth, is_in
from cartulary.engine.tarot_duel.zones import sight, with_side, with_slots


def shuffled(state: State, seat: int, top: int = 0) -> State:
    """Shuffle a deck below its top cards; the table may tell how it lies now."""
    side = state.sides[seat - 1]
    if not side.deck:
        return state
    loose = tuple(sorted((*[entry for entry in state.loose if entry[0] != seat], (seat, top))))
    if len(side.tops) > top:
        state = with_side(state, seat, replace(side, tops=side.tops[:top]))
    return replace(state, loose=loose)


def untold(state: State) -> State:
    """Return the state with every deck unknown that was shuffled and not told, and the opening hands off fresh ones."""
    for seat, top in state.loose:
        state = dealt(unordered(state, seat, top), seat)
    return replace(state, loose=(), fresh=False)


def settle(state: State) -> State:
    """Return the state with the window closed unanswered, and decks unknown that were shuffled and not told."""
    now = state
    while now.then is not None:
        now = now.then
    return untold(now) if now.loose else now


def unordered(state: State, seat: int, top: int) -> State:
    """Return the state with the cards of a deck below its top ones alike to all."""
    side = state.sides[seat - 1]
    slots, below = mixed(state.unseen.slots, side.deck[top:])
    return with_slots(with_side(state, seat, replace(side, deck=side.deck[:top] + below)), slots)


def told(state: State, seat: int, cards: bytes) -> State | None:
    """Return the state with a shuffled deck as the table tells it; None where it contradicts what is known."""
    top = next(top for to, top in state.loose if to == seat)
    deck = state.sides[seat - 1].deck
    if len(cards) > len(deck):
        return None
    if not is_whole(deck, top, cards):
        state = unordered(state, seat, top)
        entries = bytearray(state.sides[seat - 1].deck)
        for at, card in enumerate(cards):
            found = sight(state, entries[at], card)
            if found is None:
                return None
            state, entries[at] = found
        cards = bytes(entries)
    side = state.sides[seat - 1]
    return with_side(state, seat, replace(side, deck=cards))


_whole: tuple[bytes, int, bytes] = (b"", 0, b"")


def is_whole(deck: bytes, top: int, cards: bytes) -> bool:
    """Say whether a word tells a known deck, every card of it; asked twice of a word, it is worked out once."""
    global _whole
    known, known_top, known_cards = _whole
    if cards is known_cards and deck is known and top == known_top:
        return True
    if len(cards) != len(deck) or deck[:top] != cards[:top] or sorted(deck) != sorted(cards):
        return False
    _whole = deck, top, cards
    return True


def dealt(state: State, seat: int) -> State:
    """Return the state with a seat's opening hand off its fresh deck, if decks are fresh."""
    if not state.fresh or not is_in(state, seat):
        return state
    side, size = state.sides[seat - 1], eighth(state, seat)
    hand = side.deck[:size]
    return with_side(state, seat, replace(side, deck=side.deck[size:], hand=hand, eyes=(0,) * len(hand)))
