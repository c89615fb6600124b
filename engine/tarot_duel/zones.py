"""Cards on their way: taken from one place and put in another, seen or unseen.

What takes a card returns the state without it, its code and who else knows it; None where no reading of the hidden
cards has it there.
"""

from collections.abc import Iterator
from typing import TypeAlias

from msgspec.structs import replace

from cartulary.engine.contract import Breach
from cartulary.engine.slots import (
    BLANK,
    SLOT,
    UNKNOWN,
    Slots,
    has_slots,
    holds,
    is_slot,
    least,
    left,
    recoded,
    seen,
    some_left,
)
from cartulary.engine.tarot_duel.cards import (
    COPIES,
    COUNTS_AS,
    ITSELF,
    MAJOR,
    NAMES,
    WORTH,
    blank,
    likes,
    points,
    standing,
)
from cartulary.engine.tarot_duel.decks import faults, known_deck
from cartulary.engine.tarot_duel.moves import Spot
from cartulary.engine.tarot_duel.state import EVERYBODY, SEATS, Eyes, Side, State

Taken: TypeAlias = tuple[State, int, int]

# --- sides ---


def with_side(state: State, seat: int, side: Side) -> State:
    """Return the state with one seat's side changed."""
    sides = state.sides
    return replace(state, sides=(*sides[: seat - 1], side, *sides[seat:]))


def with_slots(state: State, slots: Slots) -> State:
    """Return the state with what is known of hidden cards changed."""
    return state if slots is state.unseen.slots else replace(state, unseen=replace(state.unseen, slots=slots))


def counted(state: State, side: Side) -> Side:
    """Return the side with the points of its area as it now lies."""
    worth = points(side.area) + points(side.row)
    if has_slots(side.area) or has_slots(side.row):
        worth += least(state.unseen.slots, side.area + side.row, WORTH)
    return replace(side, points=worth)


# --- seeing ---


def _fitting(state: State, card: int) -> Iterator[int]:
    """Yield the codes a card may lie under: first without blank cards of a deck it would make faulty."""
    wanted = likes(card)
    full = 0
    for seat, found in enumerate(state.unseen.found, 1):
        if found:
            deck = known_deck(state.house, found, seat)
            full |= 1 << blank(seat) if deck.count(card) >= (1 if card >= MAJOR else 5) else 0
    if full:
        yield wanted & ~full
    yield wanted


def _identified(state: State, slots: Slots, code: int, card: int) -> State:
    """Return the state once a slot was seen to hold a card that lay under ``code``."""
    if code < BLANK:
        return with_slots(state, slots)
    unseen, seat = state.unseen, code - BLANK + 1
    for pool in unseen.slots.pools:
        if code in pool and any(other >= BLANK and other != code for other in pool):
            owners = {other - BLANK + 1 for other in pool if other >= BLANK}
            unseen = replace(unseen, doubt=unseen.doubt | sum(1 << owner for owner in owners))
    before = known_deck(state.house, unseen.found[seat - 1], seat)
    found = (*unseen.found[: seat - 1], unseen.found[seat - 1] + bytes((card,)), *unseen.found[seat:])
    after = known_deck(state.house, found[seat - 1], seat)
    proved = unseen.proved
    if not unseen.doubt >> seat & 1:
        known = {clause.key for clause, _ in faults(before)}
        proved += tuple(
            Breach((0,), clause.key, f"Deck{seat} {because}", state.ply)
            for clause, because in faults(after)
            if clause.key not in known
        )
        if blank(seat) not in after:
            proved += tuple(_misnamed(state, seat, after))
    return replace(state, unseen=replace(unseen, slots=slots, found=found, proved=proved))


def _misnamed(state: State, seat: int, deck: bytes) -> Iterator[Breach]:
    for ply, owner, card in state.unseen.named:
        if owner == seat and card not in deck:
            because = f"Deck{seat} has no {NAMES[card]}, and a copy stood for one"
            yield Breach((ply,), "tarot-duel.effect", because, state.ply)


def sight(state: State, code: int, card: int) -> tuple[State, int] | None:
    """Return the state once an entry is seen to be a card, and the entry's code then; None where it cannot be."""
    if not is_slot(code):
        return (state, code) if card in (ITSELF[code], UNKNOWN) else None
    if card == UNKNOWN:
        return state, code
    for wanted in _fitting(state, card):
        found = seen(state.unseen.slots, code, wanted)
        if found is not None:
            slots, lay = found
            return _identified(state, slots, lay, card), card if lay >= BLANK else lay
    return None


def told_apart(state: State, code: int) -> tuple[State, int]:
    """Return the state with an entry named that can be only one card, and its code then."""
    may = holds(state.unseen.slots, code)
    found = sight(state, code, ITSELF[may[0]]) if len(may) == 1 and may[0] < BLANK else None
    return found or (state, code)


def _search(state: State, zone: bytes, card: int) -> tuple[State, bytes, int, int] | None:
    """Return the state, the zone, the place in it and the code of a card that leaves it, UNKNOWN for any of them."""
    if card == UNKNOWN:
        if not zone:
            return None
        slots, zone = some_left(state.unseen.slots, zone)
        return with_slots(state, slots), zone, 0, zone[0]
    at = zone.find(card)
    if at < 0 and card in COPIES:
        at = zone.translate(ITSELF).find(card)
    if at >= 0:
        return state, zone, at, zone[at]
    if has_slots(zone):
        for wanted in _fitting(state, card):
            found = left(state.unseen.slots, zone, wanted)
            if found is not None:
                slots, zone, at, lay = found
                return _identified(state, slots, lay, card), zone, at, card if lay >= BLANK else lay
    return None


# --- taking ---


def take_hand(state: State, seat: int, card: int) -> Taken | None:
    """Take a card from a hand, UNKNOWN for one nobody on record saw."""
    side = state.sides[seat - 1]
    found = _search(state, side.hand, card)
    if found is None:
        return None
    state, hand, at, code = found
    eyes = side.eyes if card != UNKNOWN else (0,) * len(side.eyes)
    known, eyes = _forgotten(hand, eyes, at)
    hand = hand[:at] + hand[at + 1 :]
    return with_side(state, seat, replace(side, hand=hand, eyes=eyes)), ITSELF[code], known


def _forgotten(zone: bytes, eyes: Eyes, at: int) -> tuple[int, Eyes]:
    """Return who knew the entry that leaves, and the knowledge of the others.

    Of two cards alike, who knew of one cannot tell which of them went, and knows of none that is left.
    """
    code = zone[at]
    if zone.count(code) == 1:
        return eyes[at], eyes[:at] + eyes[at + 1 :]
    alike = [place for place, entry in enumerate(zone) if entry == code]
    knew = {seat: sum(eyes[place] >> seat & 1 for place in alike) for seat in range(1, max(SEATS) + 1)}
    after = list(eyes)
    for nth, place in enumerate(place for place in alike if place != at):
        after[place] = sum(1 << seat for seat in knew if knew[seat] - 1 > nth)
    known = sum(1 << seat for seat in knew if knew[seat] == len(alike))
    return known, (*after[:at], *after[at + 1 :])


def take_all(state: State, seat: int, cards: bytes) -> State | None:
    """Take cards from a hand, named ones first."""
    for card in sorted(cards):
        taken = take_hand(state, seat, card)
        if taken is None:
            return None
        state = taken[0]
    return state


def take_pile(state: State, seat: int, card: int) -> Taken | None:
    """Take a card from a discard pile, the uppermost of its name."""
    side = state.sides[seat - 1]
    at = side.pile.rfind(card)
    if at >= 0 and card != UNKNOWN:
        return with_side(state, seat, replace(side, pile=side.pile[:at] + side.pile[at + 1 :])), card, EVERYBODY
    found = _search(state, side.pile, card)
    if found is None:
        return None
    state, pile, at, code = found
    return with_side(state, seat, replace(side, pile=pile[:at] + pile[at + 1 :])), code, EVERYBODY


def take_deck(state: State, seat: int, card: int) -> Taken | None:
    """Take a card from anywhere in a deck, which is then to be shuffled."""
    side = state.sides[seat - 1]
    found = _search(state, side.deck, card)
    if found is None:
        return None
    state, deck, at, code = found
    return with_side(state, seat, replace(side, deck=deck[:at] + deck[at + 1 :], tops=())), code, 0


def take_area(state: State, seat: int, spot: Spot) -> Taken | None:
    """Take a card from an area: a face-up one by its name, a face-down one by its place."""
    side = state.sides[seat - 1]
    if spot.at:
        if spot.at > len(side.row):
            return None
        at = spot.at - 1
        row, peeps = side.row[:at] + side.row[at + 1 :], side.peeps[:at] + side.peeps[at + 1 :]
        known = side.peeps[at] | 1 << seat
        total = side.total & (side.peeps[at] | 1 << seat) if row else EVERYBODY
        after = counted(state, replace(side, row=row, peeps=peeps, total=total))
        return with_side(state, seat, after), side.row[at], known
    found = _search(state, side.area, spot.card)
    if found is None or spot.card == UNKNOWN:
        return None
    state, area, at, code = found
    side = _worth(state, side, area[:at] + area[at + 1 :], -WORTH[code])
    return with_side(state, seat, side), code, EVERYBODY


def take(state: State, seat: int, spot: Spot) -> Taken | None:
    """Take a card from where a word says it lies."""
    if spot.place == "a":
        return take_area(state, seat, spot)
    return _TAKE[spot.place](state, seat, spot.card)


_TAKE = {"h": take_hand, "x": take_pile, "d": take_deck}

# --- putting ---


def give(state: State, seat: int, code: int, eyes: int) -> State:
    """Put a card in a hand; eyes: the seats, as bits, that know it."""
    side = state.sides[seat - 1]
    hand, known = side.hand + bytes((ITSELF[code],)), (*side.eyes, eyes & EVERYBODY)
    return with_side(state, seat, replace(side, hand=hand, eyes=known))


def spotted(state: State, seat: int, cards: bytes, by: int) -> State:
    """Return the state once a seat has seen cards of a hand, which stay in it."""
    for card in sorted(set(cards) - {UNKNOWN}):
        while state.sides[seat - 1].hand.count(card) < cards.count(card):
            found = None
            for wanted in _fitting(state, card):
                found = found or left(state.unseen.slots, state.sides[seat - 1].hand, wanted)
            assert found is not None
            slots, hand, at, lay = found
            state = _identified(state, slots, lay, card)
            hand = hand[:at] + bytes((card,)) + hand[at + 1 :]
            state = with_side(state, seat, replace(state.sides[seat - 1], hand=hand))
        side = state.sides[seat - 1]
        alike = [at for at, entry in enumerate(side.hand) if entry == card]
        eyes = list(side.eyes)
        known = sum(eyes[at] >> by & 1 for at in alike)
        for at in alike:
            if known < cards.count(card) and not eyes[at] >> by & 1:
                eyes[at] |= 1 << by
                known += 1
        state = with_side(state, seat, replace(side, eyes=tuple(eyes)))
    return state


def discarded(state: State, seat: int, cards: bytes) -> State:
    """Put cards on a discard pile, the last on top."""
    side = state.sides[seat - 1]
    return with_side(state, seat, replace(side, pile=side.pile + cards.translate(ITSELF)))


def laid(state: State, seat: int, cards: bytes) -> State:
    """Put cards face up in an area, behind the others."""
    side = state.sides[seat - 1]
    return with_side(state, seat, _worth(state, side, side.area + cards, points(cards)))


def _worth(state: State, side: Side, area: bytes, more: int) -> Side:
    """Return the side with another area, worth so much more where every card is known."""
    if state.unseen.slots.pools:
        return counted(state, replace(side, area=area))
    return replace(side, area=area, points=side.points + more)


def renamed(state: State, seat: int, card: int, name: int) -> tuple[int, State] | None:
    """Return what a copy in an area stood for and the state once it stands for ``name``; None where none lies there.

    Of several one that stood for something else is renamed, a face-up one first.
    """
    side, slots, code = state.sides[seat - 1], state.unseen.slots, standing(card, name)
    found: list[tuple[int, State]] = []
    for at, old in enumerate(side.area):
        if ITSELF[old] == card:
            area = side.area[:at] + bytes((code,)) + side.area[at + 1 :]
            found.append((COUNTS_AS[old], with_side(state, seat, counted(state, replace(side, area=area)))))
    for at, old in enumerate(side.row):
        if ITSELF[old] == card:
            row = side.row[:at] + bytes((code,)) + side.row[at + 1 :]
            found.append((COUNTS_AS[old], with_side(state, seat, counted(state, replace(side, row=row)))))
    for slot in sorted(set(side.row)):
        for old in (old for old in holds(slots, slot) if ITSELF[old] == card):
            after = with_slots(state, recoded(slots, slots.kinds[slot - SLOT].pool, old, code))
            found.append((COUNTS_AS[old], with_side(after, seat, counted(after, side))))
    return next((one for one in found if one[0] != name), found[0] if found else None)


def lies_in_area(state: State, seat: int, spot: Spot) -> bool:
    """Say whether a card may lie where a word says it does."""
    side = state.sides[seat - 1]
    if spot.at:
        return spot.at <= len(side.row)
    return spot.card in side.area or take_area(state, seat, spot) is not None


def drawn(state: State, seat: int, cards: bytes) -> tuple[State, bytes, Eyes] | None:
    """Take as many cards off a deck as a word has, which names them in any order: the state, codes, who knows each."""
    side = state.sides[seat - 1]
    count = len(cards)
    if count > len(side.deck):
        return None
    top, eyes = side.deck[:count], (side.tops + (0,) * count)[:count]
    after = replace(side, deck=side.deck[count:], tops=side.tops[count:])
    if sorted(top) == sorted(cards):
        return with_side(state, seat, after), top, eyes
    lying, knowing, got = top, eyes, bytearray()
    known: list[int] = []
    for card in sorted(set(cards) - {UNKNOWN}):
        for _ in range(cards.count(card)):
            found = _search(state, lying, card)
            if found is None:
                return None
            state, lying, at, code = found
            got.append(code)
            known.append(knowing[at])
            lying, knowing = lying[:at] + lying[at + 1 :], knowing[:at] + knowing[at + 1 :]
    return with_side(state, seat, after), bytes(got) + lying, (*known, *knowing)


def draw(state: State, seat: int, cards: bytes) -> State | None:
    """Draw cards from a seat's deck into its hand; None where they contradict the deck."""
    found = drawn(state, seat, cards)
    if found is None:
        return None
    state, codes, eyes = found
    side = state.sides[seat - 1]
    return with_side(state, seat, replace(side, hand=side.hand + codes, eyes=side.eyes + eyes))


def mill(state: State, seat: int, cards: bytes) -> State | None:
    """Put the top cards of a seat's deck on its discard pile; None where they contradict the deck."""
    found = drawn(state, seat, cards)
    return found and discarded(found[0], seat, found[1])
