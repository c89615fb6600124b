"""What one seat of Tarot may see: its own cards, and what all have seen."""

from msgspec.structs import replace

from cartulary.engine.cards.deck import TRUMPS, set_of
from cartulary.engine.cards.hands import seen_by
from cartulary.engine.tarot.knowledge import after_discards, as_dealt, pooled
from cartulary.engine.tarot.state import UNKNOWN, Deal, Discard, Move, Round, State


def seen_discards(state: State, cards: tuple[int, ...], owner: int, seat: int) -> tuple[int, ...]:
    """Return the discards as the seat sees them: its own, and trumps fft has shown."""
    if seat == owner:
        return cards
    trumps = [card for card in cards if card >= 0 and state.house.ecart and TRUMPS >> card & 1]
    return (*trumps, *[UNKNOWN] * (len(cards) - len(trumps)))


def view(state: State, seat: int) -> State:
    """Return what the seat may see; equal for two states the seat cannot tell apart. Seat 0 sees what all have seen."""
    start = state.round
    own = tuple(cards if place + 1 == seat else 0 for place, cards in enumerate(start.dealt))
    start = replace(start, dealt=own, told=(), discards=seen_discards(state, start.discards, start.taker, seat))
    can, sure = as_dealt(state, start) if state.phase != "deal" else (state.can, state.sure)
    if state.phase == "play":
        state = pooled(seen_by(state, *after_discards(state.house, start, can, sure), _visible_cards(state, start)))
    else:
        state = replace(state, can=can, sure=sure, facts=(), questions=(), found=())
    return replace(state, round=start, sec=(), proved=())


def _visible_cards(state: State, start: Round) -> list[int]:
    """Return by place the cards that were played or shown before all."""
    visible = [0] * len(state.places.sizes)
    away = set_of(card for card in start.discards if card >= 0)
    for seat, trumps in start.poignees:
        visible[seat - 1] |= trumps & ~away
    seats = state.house.seats
    for trick in state.tricks:
        place = trick.leader - 1
        for card in trick.cards:
            visible[place] |= 1 << card if card >= 0 else 0
            place = place + 1 if place + 1 < seats else 0
    for seat, card in zip(state.by, state.laid, strict=True):
        visible[seat - 1] |= 1 << card if card >= 0 else 0
    return visible


def view_move(state: State, move: Move, seat: int) -> Move:
    """Return the word as the seat sees it: cards dealt to others and the taker's discards are unknown."""
    if isinstance(move, Deal) and (move.to != seat or not move.to):
        return replace(move, cards=(UNKNOWN,) * len(move.cards))
    if isinstance(move, Discard):
        return replace(move, cards=seen_discards(state, move.cards, move.seat, seat))
    return move
