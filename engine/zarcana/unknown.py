"""A face-up card nobody on record saw: used or named, it may be one of several."""

from collections.abc import Callable

from msgspec.structs import replace

from cartulary.engine.cards.deck import set_of
from cartulary.engine.contract import Need
from cartulary.engine.slots import SLOT, UNKNOWN, Kind, Slots, fits, seen
from cartulary.engine.zarcana.asks import apart, asked, asked_either, settled, with_slots
from cartulary.engine.zarcana.cards import EMPEROR
from cartulary.engine.zarcana.faults import Carried, Doubt, Fault
from cartulary.engine.zarcana.moves import HitPlace, Play
from cartulary.engine.zarcana.spaces import place_name
from cartulary.engine.zarcana.state import CODE, Ask, Either, State, Unseen, everybody_knows

USED = "zarcana.use-territory"


def used_unknown(state: State, play: Play, carry: Callable[[State], Carried]) -> Carried:
    """Return what becomes of a word that uses an unknown card, tried with every card it may be.

    Where some make it legal and some do not, the word depends on it; what stands is what the first of them does.
    """
    assert play.user is not None
    place = play.user.place
    slot = state.cards[place][-1] & CODE
    base, own = apart(state.unseen, slot)
    worlds = _worlds(state, base, own, place)
    tried = {card: carry(trial) for card, trial in worlds.items()}
    likes = [card for card, done in tried.items() if done.fault is None]
    card = next(iter(likes or [card for card, done in tried.items() if not _blocks(done)] or tried))
    done = tried[card]
    certain = len(likes) in (0, len(tried))
    if done.after.unseen is worlds[card].unseen:
        after = _again(done.after, card, slot if certain else own, state, state.unseen if certain else base)
    else:
        after = _again(done.after, card, own, state, _loose(done.after, card, own, base))
    if certain:
        fault = None if likes else _common(tried, place)
        return replace(done, fault=fault, after=state if fault is not None and fault.blocks else after)
    emperor = tried[EMPEROR].after.course.owed if EMPEROR in likes else ()
    need = Need(place_name(place), (slot,), state.ply + 1)
    doubt = Doubt(USED, need, bytes((own,)), set_of(likes), emperor[0] if emperor and len(likes) > 1 else None)
    return replace(done, doubts=(doubt,), after=narrowed(after, (doubt,)))


def _worlds(state: State, base: Unseen, own: int, place: int) -> dict[int, State]:
    """Return, by card, the states in which the unknown card of a space is that one."""
    kinds = base.slots.kinds
    kind, worlds = kinds[own - SLOT], {}
    pool, fit = base.slots.pools[kind.pool], dict[int, bool]()
    for card in pool:
        if kind.mask >> card & 1:
            trial = assumed(state, base, own, place, card)
            # Cards that may lie in the same slots are alike here.
            alike = sum(1 << at for at, other in enumerate(kinds) if other.mask >> card & 1)
            if alike not in fit:
                fit[alike] = fits(trial.unseen.slots, kind.pool)
            if fit[alike]:
                worlds[card] = trial
    # Where what was let stand fits no deal, any card of the pool may lie there.
    return worlds or {card: assumed(state, base, own, place, card) for card in pool}


def _blocks(done: Carried) -> bool:
    return done.fault is not None and done.fault.blocks


def _common(tried: dict[int, Carried], place: int) -> Fault | None:
    """Return the fault of a word that no card makes legal."""
    faults = [done.fault for done in tried.values() if done.fault is not None]
    blocks = all(fault.blocks for fault in faults)
    if len({fault.key for fault in faults}) > 1:
        return Fault(USED, f"No card that may lie on {place_name(place)} is used so", blocks)
    return Fault(faults[0].key, faults[0].because, blocks)


def assumed(state: State, unseen: Unseen, own: int, place: int, card: int) -> State:
    """Return the state in which the unknown card of a space is this one, and no other card is."""
    kinds = list(unseen.slots.kinds)
    kind = kinds[own - SLOT]
    slots = unseen.slots
    if kind.size == 1:
        kinds[own - SLOT] = Kind(kind.pool, 1 << card, 1)
        slots = Slots(tuple(kinds), slots.pools)
    asks = tuple(ask for ask in unseen.asks if ask.code != own)
    cards = state.cards.copy()
    entry = cards[place][-1]
    cards[place] = (*cards[place][:-1], card | entry & ~CODE)
    return replace(state, cards=cards, unseen=replace(unseen, slots=slots, asks=asks))


def _again(after: State, card: int, code: int, before: State, unseen: Unseen) -> State:
    """Return the state in which a card that was only assumed is unknown again, wherever it went."""
    bits = everybody_knows(card)
    known = after.known & ~bits | before.known & bits
    return replace(_swapped(after, card, code), known=known, unseen=unseen)


def _swapped(state: State, old: int, new: int) -> State:
    """Return the state in which another code stands for a card of the board, the discards or a hand."""
    cards = {
        place: tuple(new | entry & ~CODE if entry & CODE == old else entry for entry in stack)
        for place, stack in state.cards.items()
    }
    codes = bytes((old,)), bytes((new,))
    hands = tuple(hand.replace(*codes) for hand in state.hands)
    return replace(state, cards=cards, pile=state.pile.replace(*codes), hands=hands)


def _loose(after: State, card: int, own: int, base: Unseen) -> Unseen:
    """Return what is known after a trial, the card's own slot as wide as before, its questions asked again.

    Where the card went into a shuffle, what was its own slot's is the deck's, and its questions stay open for ever.
    """
    unseen, mask = after.unseen, base.slots.kinds[own - SLOT].mask
    kinds, pools = list(unseen.slots.kinds), list(unseen.slots.pools)
    kind, mine = kinds[own - SLOT], tuple(ask for ask in base.asks if ask.code == own)
    lies = card in after.pile or any(card in hand for hand in after.hands)
    if lies or any(entry & CODE == card for stack in after.cards.values() for entry in stack):
        kinds[own - SLOT] = Kind(kind.pool, mask, kind.size)
        asks = tuple(sorted((*unseen.asks, *mine), key=lambda ask: ask.ply))
        return replace(unseen, slots=Slots(tuple(kinds), tuple(pools)), asks=asks)
    pools[kind.pool] = pools[kind.pool].replace(bytes((card,)), b"", 1)
    kinds = [Kind(one.pool, one.mask | mask, one.size) if one.mask >> card & 1 else one for one in kinds]
    kinds[own - SLOT] = Kind(kind.pool, mask, 0)
    lost = unseen.lost + tuple((ask.ply, ask.key) for ask in mine)
    return replace(unseen, slots=Slots(tuple(kinds), tuple(pools)), lost=lost)


def narrowed(state: State, doubts: tuple[Doubt, ...]) -> State:
    """Return the state that remembers what unknown cards must be for the last ply to have been legal."""
    unseen = state.unseen
    for doubt in doubts:
        ply, key, codes = doubt.need.ply, doubt.key, doubt.codes
        if len(codes) == 1:
            unseen = asked(unseen, Ask(ply, key, codes[0], 0, doubt.likes, doubt.owes))
        else:
            unseen = asked_either(unseen, Either(ply, key, codes, doubt.likes.bit_length() - 1))
    return replace(state, unseen=unseen)


def demanded(state: State, giver: int, taker: int) -> State:
    """Return the state before a gift: if the last ply may have been an Emperor's, the gift says that it was."""
    for ask in state.unseen.asks:
        if ask.ply != state.ply or ask.owes != (giver, taker):
            continue
        got = seen(state.unseen.slots, ask.code, 1 << EMPEROR)
        if got is not None:
            course = state.course
            course = replace(course, owed=((giver, taker),), left=course.left + 1 if course.final else 0)
            number = state.round - (state.turn == 1)
            after = _swapped(state, ask.code, EMPEROR)
            unseen = settled(with_slots(after.unseen, got[0]), ask.code, EMPEROR, state.ply + 1)
            return replace(after, unseen=unseen, course=course, turn=taker, round=number)
    return state


# --- an unknown card that is shown as it leaves ---


def shown_of(play: Play) -> int:
    """Return the card that a word shows to have lain under its user, -1 for none."""
    for part in play.parts:
        if type(part) is HitPlace and play.user is not None and part.place == play.user.place:
            return part.shown if part.shown < UNKNOWN else -1
    return -1


def unshown(play: Play) -> Play:
    """Return a play that does not show the card under its user."""
    bare = tuple(
        HitPlace(part.place)
        if type(part) is HitPlace and play.user is not None and part.place == play.user.place
        else part
        for part in play.parts
    )
    return replace(play, parts=bare)
