"""What a card can be used for: a sample that has a legal use whenever there is one, so that it can prove there is none.

Of uses that only differ in how a new minion points, in which of many cards are taken, or in how several minions turn,
a few are named.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from cartulary.engine.cards.deck import cards_of, set_of
from cartulary.engine.slots import UNKNOWN, holds, is_slot
from cartulary.engine.zarcana.cards import (
    DOPPELGANGER,
    MAGICIAN,
    POWER_OF,
    SUIT_NAME,
    TITLES,
    TRUMP,
    WORLD,
    is_royal,
    is_trump,
)
from cartulary.engine.zarcana.moves import (
    BOARD,
    DECK,
    Away,
    Build,
    BuildFrom,
    Clone,
    Create,
    Drawn,
    Flip,
    Go,
    Grow,
    HitMinion,
    HitPlace,
    Part,
    Play,
    Raised,
    Toward,
    Turn,
)
from cartulary.engine.zarcana.spaces import AROUND, STEP, found, name_for
from cartulary.engine.zarcana.state import CODE, DOWN, HAND_LIMIT, State

Parts: TypeAlias = tuple[Part, ...]
FREE: dict[str, type] = {
    "fool": Flip,
    "high-priestess": Drawn,
    "lovers": Create,
    "justice": Toward,
    "star": Drawn,
    "judgement": Raised,
    "miser": Away,
}
"""Powers that need no particular minion, by title, and what their parts are."""


def uses(
    state: State, seat: int, card: int, origin: int, place: int = 0, code: int = -1, *, unseen: bool = False
) -> Iterator[Play]:
    """Yield plays of a card, legal or not, among them a legal one if there is any.

    place, code: the minion that uses it; -1 for each of the seat's in turn
    unseen: what cards nobody on record saw may be is named too
    """
    shown = -1 if origin == BOARD else card
    users = [(place, code)] if code >= 0 else minions_of(state, seat)
    for names, power in namings(state, card, origin != BOARD, unseen):
        title = TITLES[power]
        if title in FREE and origin != BOARD:
            for parts in OPERANDS[title](state, seat, 0, -1):
                yield Play(origin, shown, names, None, parts)
            continue
        for at, man in users:
            user = name_for(state.men[at], at, man)
            for parts in OPERANDS[title](state, seat, at, man):
                yield Play(origin, shown, names, user, parts)


def minions_of(state: State, seat: int) -> list[tuple[int, int]]:
    """Return the seat's minions, (place, code), those alike once, by place."""
    return [(at, man) for at in sorted(state.men) for man in sorted(set(state.men[at])) if man // 15 == seat]


def namings(state: State, card: int, wild: bool, unseen: bool = False) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield every way a card can be named, with the power it then has. wild: royalty is any suit; unseen: as above."""
    if card == MAGICIAN or (wild and is_royal(card)):
        own = card // 14 if card < TRUMP else -1
        yield from (((SUIT_NAME + suit,) if suit != own else (), suit) for suit in range(4))
    elif card == WORLD:
        for other in [*top_trumps(state), *(_unseen_trumps(state) if unseen else ())]:
            yield from (((other, *names), power) for names, power in namings(state, other, wild, unseen))
    elif card == DOPPELGANGER:
        top = state.pile[-1:]
        for other in holds(state.unseen.slots, top[0]) if unseen and top and is_slot(top[0]) else top:
            if not is_slot(other) and other != DOPPELGANGER:
                yield from (((other, *names), power) for names, power in namings(state, other, wild, unseen))
    else:
        yield (), POWER_OF[card]


def top_trumps(state: State) -> list[int]:
    """Return the trumps but for the World that surely lie face up on top of a space, in order."""
    tops = {cards.bit_length() - 1 for cards in _tops(state) if not cards & cards - 1}
    return sorted(card for card in tops if is_trump(card) and card != WORLD)


def _unseen_trumps(state: State) -> list[int]:
    """Return the trumps but for the World that a card nobody on record saw may be, face up on top of a space."""
    may = {card for cards in _tops(state) if cards & cards - 1 for card in cards_of(cards)}
    return sorted(card for card in may if is_trump(card) and card != WORLD)


def _tops(state: State) -> Iterator[int]:
    """Yield what may lie face up on top of every space, as bits."""
    for stack in state.cards.values():
        code = stack[-1] & CODE
        if not stack[-1] & DOWN:
            yield set_of(holds(state.unseen.slots, code)) if is_slot(code) else 1 << code


# --- operands, by power ---


def _attacks(state: State, place: int, code: int, target: int) -> Iterator[HitMinion | HitPlace]:
    here = state.men.get(target, b"")
    for man in sorted(set(here)):
        if target != place or man != code or here.count(man) > 1:
            yield HitMinion(name_for(here, target, man))
    if not here:
        yield _at_place(state, target)


def _at_place(state: State, place: int) -> HitPlace:
    """Return the space as an aim, with the face-down card that leaves if the record knows it."""
    top = state.cards.get(place, (0,))[-1]
    return HitPlace(place, top & CODE if top & DOWN and not is_slot(top & CODE) else -1)


def _target(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    yield (_at_place(state, place + STEP[code % 5]),)


def _marked(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    yield (HitPlace(place + STEP[code % 5]),)


def _own_space(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    yield (_at_place(state, place),)


def _swords(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    yield from ((attack,) for attack in _attacks(state, place, code, place + STEP[code % 5]))


def _assassin(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    for step in STEP:
        yield from ((attack,) for attack in _attacks(state, place, code, place + step))


def _death(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    target = place + STEP[code % 5]
    first = list(_attacks(state, place, code, target))
    yield from ((attack,) for attack in first)
    here, first_hit = state.men.get(target, b""), first[0] if first else None
    if isinstance(first_hit, HitMinion):
        victim = found(here, first_hit.ref)
        reduced = (victim - 5,) if code // 5 % 3 < victim // 5 % 3 else ()
        left = bytes(sorted((*here.replace(bytes((victim,)), b"", 1), *reduced)))
        others = [man for man in left if target != place or man != code]
        if others:
            yield first_hit, HitMinion(name_for(left, target, others[-1]))
    elif len(state.cards.get(target, ())) > 1:
        yield _at_place(state, target), HitPlace(target)


def _wands(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    yield (Go(place + STEP[code % 5]),)


def _chariot(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    for step in AROUND:
        yield (Go(place + step),)
        yield Go(place + step), Go(place + 2 * step)


def _gateway(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    yield from ((Go(to),) for to in sorted({*state.cards, *wasteland(state)}) if to != place)


def _moon(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    yield from ((Go(to),) for to in wasteland(state) if to not in state.men)


def wasteland(state: State) -> list[int]:
    """Return the empty spaces that touch a card, in order."""
    cards = state.cards
    return sorted({place + step for place in cards for step in AROUND} - set(cards))


def _cups(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    size = code // 5 % 3
    if size < 2:
        yield (Grow(size + 1),)
    yield from ((Clone(seat * 15 + small * 5),) for small in range(size + 1))
    yield from ((Clone(seat * 15 + size * 5 + point),) for point in range(1, 5))


def _strength(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    size, standing = code // 5 % 3, seat * 15
    yield from ((parts[0],) for parts in _cups(state, seat, place, code))
    if size < 2:
        yield Grow(size + 1), Clone(standing + 5 * (size + 1))
    if not size:
        yield Grow(1), Grow(2)
    yield Clone(standing), Clone(standing)


def _build(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    yield (Build(place + STEP[code % 5], next_cards(state, 1)[0]),)


def next_cards(state: State, count: int) -> bytes:
    """Return the next cards of the deck as a word lists them, unknown ones last."""
    top = sorted(code for code in state.deck[:count] if not is_slot(code))
    return bytes(top) + bytes((UNKNOWN,)) * (count - len(top))


def _sun(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    yield from ((BuildFrom(place + STEP[code % 5], card),) for card in _held(state, seat))


def _held(state: State, seat: int) -> list[int]:
    """Return the cards of a hand, UNKNOWN for those nobody on record saw."""
    hand = state.hands[seat - 1]
    known = sorted(code for code in hand if not is_slot(code))
    return known + [UNKNOWN] * (len(known) < len(hand))


def _lovers(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    yield from ((Create(seat * 15, to),) for to in wasteland(state))


def _devil(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    for step in STEP:
        here = state.men.get(place + step, b"")
        for man in sorted(set(here)):
            ref = name_for(here, place + step, man)
            yield from ((Turn(ref, point),) for point in range(5) if point != man % 5)


def _draw(state: State, seat: int, place: int, code: int, most: int = 2) -> Iterator[Parts]:
    room = most if most == 4 else max(HAND_LIMIT - len(state.hands[seat - 1]), 0)
    count = min(most, len(state.deck) + len(state.pile), room)
    yield (Drawn(next_cards(state, count)),) if count else ()
    # Played from the hand it leaves room for itself.
    if count < min(most, len(state.deck) + len(state.pile)):
        yield (Drawn(next_cards(state, count + 1)),)


def _star(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    yield from _draw(state, seat, place, code, 4)


def _justice(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    yield from ((Toward(other),) for other in range(1, state.house.seats + 1) if other != seat)


def _judgement(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    known = [card for card in state.pile if not is_slot(card)]
    yield from ((Raised(bytes((card,))),) for card in known[-4:])
    if len(known) > 1:
        yield (Raised(bytes(sorted(known[-3:]))),)
    if not known and state.pile:
        yield (Raised(bytes((UNKNOWN,))),)


def _miser(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    held = _held(state, seat)
    yield from ((Away(bytes((card,))),) for card in held)
    if len(held) > 1 and UNKNOWN not in held:
        yield (Away(bytes(held)),)


def _fool(state: State, seat: int, place: int, code: int) -> Iterator[Parts]:
    """Yield the cards turned up and left; what they are used for depends on the first, so that is found elsewhere."""
    count = min(2, len(state.deck) + len(state.pile))
    cards = [code if not is_slot(code) else UNKNOWN for code in state.deck[:count]]
    cards += [UNKNOWN] * (count - len(cards))
    yield tuple(Flip(Play(DECK, card)) for card in cards)


OPERANDS: dict[str, Callable[[State, int, int, int], Iterator[Parts]]] = {
    "swords": _swords,
    "wands": _wands,
    "cups": _cups,
    "discs": _build,
    "fool": _fool,
    "high-priestess": _draw,
    "empress": _cups,
    "emperor": _swords,
    "hierophant": _swords,
    "lovers": _lovers,
    "chariot": _chariot,
    "strength": _strength,
    "hermit": _wands,
    "wheel": _build,
    "justice": _justice,
    "hanged-man": _own_space,
    "death": _death,
    "temperance": _build,
    "devil": _devil,
    "tower": _target,
    "star": _star,
    "moon": _moon,
    "sun": _sun,
    "judgement": _judgement,
    "gateway": _gateway,
    "assassin": _assassin,
    "evil-eye": _marked,
    "harvest": _target,
    "miser": _miser,
    "plague": _target,
    "holy-grail": _cups,
}
