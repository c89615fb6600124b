"""A face-up card nobody on record saw: used or named, it may be one of several."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from cartulary.engine.cards import cards_of, set_of
from cartulary.engine.contract import Need
from cartulary.engine.slots import SLOT
from cartulary.engine.zarcana.asks import asked
from cartulary.engine.zarcana.faults import Doubt
from cartulary.engine.zarcana.moves import Play
from cartulary.engine.zarcana.spaces import place_name
from cartulary.engine.zarcana.state import CODE, State, Unseen

if TYPE_CHECKING:
    from cartulary.engine.zarcana.words import Carried

USED = "zarcana.use-territory"


def used_unknown(state: State, play: Play, carry: "Callable[[State], Carried]") -> "Carried":
    """Return what becomes of a word that uses an unknown card, tried with every card it may be.

    Where some make it legal and some do not, the word depends on it; what stands is what the first of them does.
    """
    assert play.user is not None
    place = play.user.place
    stack = state.cards[place]
    slot = stack[-1] & CODE
    kind = state.unseen.slots.kinds[slot - SLOT]
    possible = kind.mask & set_of(state.unseen.slots.pools[kind.pool])
    tried = {card: carry(_with(state, place, card)) for card in cards_of(possible)}
    likes = [card for card, done in tried.items() if done.fault is None]
    card = (likes or list(tried))[0]
    done = tried[card]
    after = _without(done.after, card, slot, state)
    if done.fault is not None and not likes:
        return replace(done, after=after)
    if len(likes) == len(tried):
        return replace(done, after=after)
    need = Need(place_name(place), (slot,), state.ply + 1)
    doubt = Doubt(USED, need, place, set_of(likes))
    return replace(done, doubts=(doubt,), after=narrowed(after, (doubt,)))


def _with(state: State, place: int, card: int) -> State:
    """Return the state in which the unknown card of a space is this one."""
    cards = state.cards.copy()
    entry = cards[place][-1]
    cards[place] = (*cards[place][:-1], card | entry & ~CODE)
    return replace(state, cards=cards)


def _without(after: State, card: int, slot: int, before: State) -> State:
    """Return the state in which a card that was only assumed is unknown again, wherever it went."""
    cards = {
        place: tuple(slot | entry & ~CODE if entry & CODE == card else entry for entry in stack)
        for place, stack in after.cards.items()
    }
    swapped = bytes((card,)), bytes((slot,))
    hands = tuple(hand.replace(*swapped) for hand in after.hands)
    unseen = after.unseen if after.unseen.slots is not before.unseen.slots else before.unseen
    return replace(after, cards=cards, pile=after.pile.replace(*swapped), hands=hands, unseen=unseen)


def narrowed(state: State, doubts: tuple[Doubt, ...]) -> State:
    """Return the state that remembers what unknown cards must be for the last ply to have been legal."""
    for doubt in doubts:
        stack = state.cards.get(doubt.place) if doubt.place is not None else None
        code = doubt.need.slots[0]
        unseen = state.unseen
        if doubt.place is None or stack is None or stack[-1] & CODE != code:
            lost = (*unseen.lost, (doubt.need.ply, doubt.key))
            state = replace(state, unseen=Unseen(unseen.slots, unseen.asks, lost, unseen.proved))
            continue
        unseen, own = asked(unseen, code, doubt.likes, doubt.need.ply, doubt.key)
        cards = state.cards.copy()
        cards[doubt.place] = (*stack[:-1], own | stack[-1] & ~CODE)
        state = replace(state, unseen=unseen, cards=cards)
    return state
