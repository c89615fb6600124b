"""The plainest uses of powers: one part each, nothing hidden, nobody left without land."""

from collections.abc import Callable

from cartulary.engine.slots import SLOT, UNKNOWN
from cartulary.engine.zarcana.cards import TITLES
from cartulary.engine.zarcana.moves import Build, Clone, Go, Grow, HitMinion, HitPlace, Part
from cartulary.engine.zarcana.spaces import AROUND, STEP, Ref
from cartulary.engine.zarcana.state import CURSED, POPULATION, State

ONE = tuple(bytes((code,)) for code in range(256))
"""One byte, by its value."""

Board = tuple[dict[int, tuple[int, ...]], dict[int, bytes], bytes, bytes, bytes]
"""Cards, minions, deck, discards, stash."""


def alone(here: bytes, ref: Ref) -> int:
    """Return the minion a word names as it should, -1 where it does not or there is none."""
    group, point = ref.group, ref.point
    if len(here) == 1:
        code = here[0]
        return code if point < 0 and code // 5 == group else -1
    like = {code for code in here if code // 5 == group}
    if len(like) == 1:
        return like.pop() if point < 0 else -1
    code = group * 5 + point
    return code if point >= 0 and code in like else -1


def put(men: dict[int, bytes], place: int, code: int) -> None:
    """Add a minion to a board that is being made."""
    here = men.get(place)
    men[place] = ONE[code] if here is None else bytes(sorted((*here, code)))


def take(men: dict[int, bytes], place: int, code: int) -> None:
    """Take a minion off a board that is being made."""
    here = men[place]
    if len(here) == 1:
        del men[place]
    else:
        at = here.index(code)
        men[place] = here[:at] + here[at + 1 :]


def _swords(state: State, part: Part, place: int, code: int, power: int) -> Board | None:
    target = place + STEP[code % 5]
    there = state.men.get(target)
    if type(part) is HitMinion:
        if part.ref.place != target or there is None:
            return None
        victim = alone(there, part.ref)
        if victim < 0 or (target == place and victim == code):
            return None
        return _hit(state, target, victim, code)
    return None if there is not None else _tower(state, part, place, code, power)


def _tower(state: State, part: Part, place: int, code: int, power: int) -> Board | None:
    target = place if power == _HANGED_MAN else place + STEP[code % 5]
    stack, men = state.cards.get(target), state.men
    if type(part) is not HitPlace or part.place != target or part.shown >= 0 or stack is None:
        return None
    top, cards = stack[-1] & ~CURSED, state.cards.copy()
    if top >= SLOT:
        return None
    if len(stack) > 1:
        cards[target] = stack[:-1]
    else:
        if target in men or any(target + step in men and target + step not in cards for step in AROUND):
            return None
        del cards[target]
    return cards, men, state.deck, state.pile + ONE[top], state.stash


def _hit(state: State, target: int, victim: int, attacker: int) -> Board | None:
    men, stash, at = state.men.copy(), bytearray(state.stash), victim // 5 - 3
    stash[at] += 1
    take(men, target, victim)
    if attacker // 5 % 3 < victim // 5 % 3:
        if not stash[at - 1]:
            return None
        stash[at - 1] -= 1
        put(men, target, victim - 5)
    return state.cards, men, state.deck, state.pile, bytes(stash)


def _wands(state: State, part: Part, place: int, code: int, power: int) -> Board | None:
    target, cards = place + STEP[code % 5], state.cards
    if type(part) is not Go or target == place or part.place != target:
        return None
    if power != _HERMIT and len(state.men.get(target, b"")) >= POPULATION:
        return None
    if target not in cards and not any(target + step in cards for step in AROUND):
        return None
    men = state.men.copy()
    take(men, place, code)
    put(men, target, code - code % 5)
    return cards, men, state.deck, state.pile, state.stash


def _cups(state: State, part: Part, place: int, code: int, power: int) -> Board | None:
    if code % 5 or place not in state.cards:
        return None
    size, stash, men = code // 5 % 3, bytearray(state.stash), state.men.copy()
    if type(part) is Grow:
        man = code + 5
        if part.size != size + 1:
            return None
        stash[code // 5 - 3] += 1
        take(men, place, code)
    elif type(part) is Clone:
        man = part.man
        if man // 5 % 3 > size or (power != _EMPRESS and len(men[place]) >= POPULATION):
            return None
    else:
        return None
    if not stash[man // 5 - 3]:
        return None
    stash[man // 5 - 3] -= 1
    put(men, place, man)
    return state.cards, men, state.deck, state.pile, bytes(stash)


def _discs(state: State, part: Part, place: int, code: int, power: int) -> Board | None:
    target, deck = place + STEP[code % 5], state.deck
    if type(part) is not Build or part.place != target or not deck or place not in state.cards:
        return None
    if deck[0] != part.card and (part.card != UNKNOWN or deck[0] < SLOT):
        return None
    if power != _TEMPERANCE and any(man // 15 != code // 15 for man in state.men.get(target, b"")):
        return None
    cards = state.cards.copy()
    cards[target] = (*cards.get(target, ()), deck[0])
    return cards, state.men, deck[1:], state.pile, state.stash


_Power = Callable[[State, Part, int, int, int], Board | None]
_ACTS: dict[str, _Power] = {
    "swords": _swords,
    "wands": _wands,
    "cups": _cups,
    "discs": _discs,
    "empress": _cups,
    "hermit": _wands,
    "hanged-man": _tower,
    "temperance": _discs,
    "tower": _tower,
}
POWERS = tuple(_ACTS.get(title) for title in TITLES)
_EMPRESS, _HERMIT, _HANGED_MAN = (TITLES.index(title) for title in ("empress", "hermit", "hanged-man"))
_TEMPERANCE = TITLES.index("temperance")
