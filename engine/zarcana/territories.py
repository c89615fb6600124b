"""Territories that leave, move or count nothing: Hanged Man, Tower, Moon, Evil Eye, Harvest, Plague."""

from cartulary.engine.cards.deck import how_many
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.deck import discard
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.hands import room, take_openly
from cartulary.engine.zarcana.minions import destroy, man_name
from cartulary.engine.zarcana.moves import Go, HitPlace
from cartulary.engine.zarcana.places import AROUND, place_name, target_of
from cartulary.engine.zarcana.spaces import leave, wither
from cartulary.engine.zarcana.state import CURSED


def discarded(t: Draft, part: HitPlace) -> None:
    """Discard the top card of a space."""
    if part.place not in t.cards:
        t.refuse(clauses.NO_EFFECT, f"There is no card on {place_name(part.place)}")
        return
    lost = leave(t, part.place, part.shown)
    discard(t, lost)


def hanged_man(t: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Discard the top card of the user's own space."""
    if part.place != place:
        own = f"{man_name(t, place, code)} is on {place_name(place)}"
        t.refuse(power, f"{own}, not on {place_name(part.place)}")
    discarded(t, part)


def tower(t: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Tear the top card off the target; whoever is there does not hinder it."""
    _aims(t, power, place, code, part)
    discarded(t, part)


def evil_eye(t: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Mark the card on top of the target, so that it is worth nothing there."""
    _aims(t, power, place, code, part)
    stack = t.cards.get(part.place)
    if stack is None or stack[-1] & CURSED:
        marked = "counts 0 already" if stack else "is not there"
        t.refuse(clauses.NO_EFFECT, f"The card on {place_name(part.place)} {marked}")
    if stack is not None:
        t.cards = {**t.cards, part.place: (*stack[:-1], stack[-1] | CURSED)}


def harvest(t: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Take the top card of a target without minions into the hand."""
    _aims(t, power, place, code, part)
    where = part.place
    if where in t.men:
        t.refuse(power, f"There are minions on {place_name(where)}")
    if not room(t, t.seat):
        t.refuse(clauses.HAND_LIMIT, f"p{t.seat} holds {how_many(len(t.hands[t.seat - 1]))}")
    if where in t.cards:
        take_openly(t, t.seat, leave(t, where, part.shown))
    else:
        t.refuse(clauses.NO_EFFECT, f"There is no card on {place_name(where)}")


def plague(t: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Destroy all minions in the target space, then discard its top card."""
    _aims(t, power, place, code, part)
    here = t.men.get(part.place, b"")
    if not here and part.place not in t.cards:
        t.refuse(clauses.NO_EFFECT, f"There is nothing on {place_name(part.place)}")
    for victim in here:
        destroy(t, part.place, victim)
    if part.place in t.cards:
        discard(t, leave(t, part.place, part.shown))


def moon(t: Draft, power: AnyClause, place: int, code: int, part: Go) -> None:
    """Take the whole space, cards and minions, elsewhere."""
    to = part.place
    if to in t.cards or to in t.men:
        t.refuse(power, f"{place_name(to)} is not empty")
    elif not any(to + step in t.cards and to + step != place for step in AROUND):
        t.refuse(power, f"No card touches {place_name(to)} once {place_name(place)} is empty")
    if to == place or place not in t.cards:
        return
    cards, men = t.cards.copy(), t.men.copy()
    cards[to] = cards.get(to, ()) + cards.pop(place)
    men[to] = bytes(sorted(men.get(to, b"") + men.pop(place, b"")))
    t.cards, t.men = cards, men
    for step in AROUND:
        wither(t, place + step)


def _aims(t: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Refuse an aim that is not the user's target space."""
    target = target_of(place, code)
    if part.place != target:
        aimed = f"{man_name(t, place, code)} aims at {place_name(target)}"
        t.refuse(power, f"{aimed}, not at {place_name(part.place)}")
