"""What one seat of Tarot may see: its own cards, and what all have seen."""

from msgspec.structs import replace

from cartulary.engine.cards import DECK, TRUMPS, set_of
from cartulary.engine.tarot.knowledge import as_dealt, closed
from cartulary.engine.tarot.state import BIDS, UNKNOWN, Deal, Discard, Move, Round, State


def seen_discards(state: State, cards: tuple[int, ...], owner: int, seat: int) -> tuple[int, ...]:
    """Return the discards as the seat sees them: its own, and trumps fft has shown."""
    if seat == owner:
        return cards
    shown = [card for card in cards if card >= 0 and state.house.ecart and TRUMPS >> card & 1]
    return (*shown, *[UNKNOWN] * (len(cards) - len(shown)))


def view(state: State, seat: int) -> State:
    """Return what the seat may see; equal for two states the seat cannot tell apart. Seat 0 sees what all have seen."""
    start = state.round
    own = tuple(cards if place + 1 == seat else 0 for place, cards in enumerate(start.dealt))
    start = replace(start, dealt=own, told=(), discards=seen_discards(state, start.discards, start.taker, seat))
    can, sure = _masks(state, start)
    return replace(state, round=start, can=can, sure=sure, facts=(), questions=(), found=(), proved=())


def _masks(state: State, start: Round) -> tuple[tuple[int, ...], tuple[int, ...]]:
    house = state.house
    can_dealt, sure_dealt = as_dealt(house, start)
    if state.phase != "play":
        if state.phase == "deal":
            return (DECK,) * len(house.sizes), (0,) * len(house.sizes)
        return can_dealt, sure_dealt
    can, sure, taker, aside = list(can_dealt), list(sure_dealt), start.taker - 1, house.aside
    if BIDS[start.bid] in ("Prise", "Garde"):
        away = set_of(card for card in start.discards if card >= 0)
        pool, held = can[taker] | can[aside], sure[taker] | sure[aside]
        whole = len(start.discards) == house.chien and min(start.discards) >= 0
        can[taker], can[aside] = pool & ~away, away if whole else pool
        sure[taker], sure[aside] = held & ~away if whole else 0, away
    return _public(state, start, can, sure)


def _public(state: State, start: Round, can: list[int], sure: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the masks with what was played and shown before all."""
    seen = [0] * len(can)
    away = set_of(card for card in start.discards if card >= 0)
    for seat, shown in start.poignees:
        seen[seat - 1] |= shown & ~away
    for trick in state.tricks:
        for at, card in enumerate(trick.cards):
            seen[(trick.leader - 1 + at) % state.house.seats] |= 1 << card
    for seat, card in zip(state.by, state.laid, strict=True):
        seen[seat - 1] |= 1 << card
    everywhere = 0
    for cards in seen:
        everywhere |= cards
    for place, cards in enumerate(seen):
        can[place] = can[place] & ~everywhere | cards
        sure[place] |= cards
    return closed(can, sure, state.house.sizes)


def view_move(state: State, move: Move, seat: int) -> Move:
    """Return the word as the seat sees it: cards dealt to others and the taker's discards are unknown."""
    if isinstance(move, Deal) and (move.to != seat or not move.to):
        return replace(move, cards=(UNKNOWN,) * len(move.cards))
    if isinstance(move, Discard):
        return replace(move, cards=seen_discards(state, move.cards, move.seat, seat))
    return move
