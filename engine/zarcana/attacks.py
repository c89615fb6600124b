"""Powers that attack minions and destroy or mark cards: swords and its kin, and what takes a top card off."""

from cartulary.engine.zarcana.cards import counted
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.moves import HitMinion, HitPlace, Play
from cartulary.engine.zarcana.parts import shaped
from cartulary.engine.zarcana.spaces import AROUND, STEP, place_name
from cartulary.engine.zarcana.state import CURSED


def target_of(place: int, code: int) -> int:
    """Return the space a minion points at; standing, its own."""
    return place + STEP[code % 5]


def struck(
    t: Draft,
    key: str,
    place: int,
    code: int,
    part: HitMinion | HitPlace,
    spaces: tuple[int, ...],
    *,
    converts: bool = False,
    cards: bool = True,
) -> int:
    """Do one attack on one of the spaces; return whose minion was attacked, 0 for none. cards: they may be attacked."""
    where = _aims(t, key, place, code, part, spaces)
    if isinstance(part, HitPlace):
        if not cards:
            t.refuse(key, f"It attacks a minion, never the card on {place_name(where)}")
        razed(t, key, place, code, part)
        return 0
    victim = t.pick(part.ref)
    own = where == place and victim == code
    if own and t.men[where].count(code) == 1:
        t.refuse(key, f"{t.man_name(place, code)} does not attack itself")
        return 0
    if victim < 0:
        t.refuse("no-minion", t.nobody(part.ref), blocks=True)
    hit(t, where, victim, code, converts)
    return victim // 15


def _aims(t: Draft, key: str, place: int, code: int, part: HitMinion | HitPlace, spaces: tuple[int, ...]) -> int:
    """Return the space an attack is made on; refuse one that the attacker does not reach."""
    where = part.ref.place if isinstance(part, HitMinion) else part.place
    if where not in spaces:
        more = " and the spaces next to it" if len(spaces) > 1 else ""
        aimed = f"{'reaches' if more else 'aims at'} {place_name(spaces[0])}{more}"
        t.refuse(key, f"{t.man_name(place, code)} {aimed}, not {'' if more else 'at '}{place_name(where)}")
    return where


def hit(t: Draft, where: int, victim: int, attacker: int, converts: bool) -> None:
    """Reduce a minion, destroy it, or convert it to the mover's."""
    if attacker // 5 % 3 < victim // 5 % 3:
        if not t.has_piece(victim - 5):
            of = f"p{victim // 15}"
            t.refuse("stash", f"{of} has no piece left that {t.man_name(where, victim)} could become", blocks=True)
        t.become(where, victim, victim - 5)
        return
    mine = t.seat * 15 + victim % 15
    if converts and victim // 15 != t.seat and t.has_piece(mine):
        t.become(where, victim, mine)
    else:
        t.destroy(where, victim)


def razed(t: Draft, key: str, place: int, code: int, part: HitPlace) -> None:
    """Discard the top card of a space no minion defends, as Swords do."""
    where = part.place
    here = t.men.get(where, b"")
    others = len(here) - (1 if where == place and code in here else 0)
    if others:
        t.refuse(key, f"There are minions on {place_name(where)}, so one of them is attacked")
    elif where == place and where in t.cards:
        t.refuse(key, f"{t.man_name(place, code)} is on {place_name(where)} itself")
    discarded(t, part)


def discarded(t: Draft, part: HitPlace) -> None:
    """Discard the top card of a space."""
    if part.place not in t.cards:
        t.refuse("no-effect", f"There is no card on {place_name(part.place)}")
        return
    lost = t.leave(part.place, part.shown)
    t.discard(lost)


# --- powers ---


def swords(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Strike the target space: a minion there, and its card only if nobody defends it."""
    if shaped(t, key, play, place, code, 1, (HitMinion, HitPlace)):
        part = play.parts[0]
        assert isinstance(part, (HitMinion, HitPlace))
        struck(t, key, place, code, part, (target_of(place, code),))


def hierophant(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Swords that make another seat's minion the mover's instead of destroying it."""
    if shaped(t, key, play, place, code, 1, (HitMinion, HitPlace)):
        part = play.parts[0]
        assert isinstance(part, (HitMinion, HitPlace))
        struck(t, key, place, code, part, (target_of(place, code),), converts=True)


def assassin(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Strike once: in the space where the user is, or in one that borders on it."""
    if shaped(t, key, play, place, code, 1, (HitMinion, HitPlace)):
        part = play.parts[0]
        assert isinstance(part, (HitMinion, HitPlace))
        struck(t, key, place, code, part, (place, *(place + step for step in AROUND)))


def emperor(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Attack a minion; another seat's owner then owes two cards."""
    if shaped(t, key, play, place, code, 1, (HitMinion, HitPlace)):
        part = play.parts[0]
        assert isinstance(part, (HitMinion, HitPlace))
        whose = struck(t, key, place, code, part, (target_of(place, code),), cards=False)
        if whose not in (0, t.seat):
            t.owed += ((whose, t.seat),)


def death(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Strike the user's target space once or twice, the user being the same both times."""
    if not shaped(t, key, play, place, code, 2, (HitMinion, HitPlace)):
        return
    for part in play.parts:
        assert isinstance(part, (HitMinion, HitPlace))
        _aims(t, key, place, code, part, (target_of(place, code),))
    for part in play.parts:
        if code not in t.men.get(place, b""):
            t.refuse("no-minion", f"The minion on {place_name(place)} is gone before its second attack", blocks=True)
        assert isinstance(part, (HitMinion, HitPlace))
        struck(t, key, place, code, part, (target_of(place, code),))


def tower(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Tear the top card off the target; whoever is there does not hinder it."""
    part = _of_target(t, key, play, place, code)
    if part is not None:
        discarded(t, part)


def hanged_man(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Discard the top card of the user's own space."""
    if not shaped(t, key, play, place, code, 1, (HitPlace,)):
        return
    part = play.parts[0]
    assert isinstance(part, HitPlace)
    if part.place != place:
        t.refuse(key, f"{t.man_name(place, code)} is on {place_name(place)}, not on {place_name(part.place)}")
    discarded(t, part)


def evil_eye(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Mark the card on top of the target, so that it is worth nothing there."""
    part = _of_target(t, key, play, place, code)
    if part is None:
        return
    stack = t.cards.get(part.place)
    if stack is None or stack[-1] & CURSED:
        marked = "counts 0 already" if stack else "is not there"
        t.refuse("no-effect", f"The card on {place_name(part.place)} {marked}")
    if stack is not None:
        cards = t.cards.copy()
        cards[part.place] = (*stack[:-1], stack[-1] | CURSED)
        t.cards = cards


def harvest(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Take the top card of a target without minions into the hand."""
    part = _of_target(t, key, play, place, code)
    if part is None:
        return
    where = part.place
    if where in t.men:
        t.refuse(key, f"There are minions on {place_name(where)}")
    if not t.room(t.seat):
        t.refuse("hand-limit", f"p{t.seat} holds {counted(len(t.hands[t.seat - 1]))}")
    if where not in t.cards:
        t.refuse("no-effect", f"There is no card on {place_name(where)}")
        return
    t.take_openly(t.seat, t.leave(where, part.shown))


def plague(t: Draft, key: str, play: Play, place: int, code: int) -> None:
    """Destroy all minions in the target space, then discard its top card."""
    part = _of_target(t, key, play, place, code)
    if part is None:
        return
    here = t.men.get(part.place, b"")
    if not here and part.place not in t.cards:
        t.refuse("no-effect", f"There is nothing on {place_name(part.place)}")
    for victim in here:
        t.destroy(part.place, victim)
    if part.place in t.cards:
        t.discard(t.leave(part.place, part.shown))


def _of_target(t: Draft, key: str, play: Play, place: int, code: int) -> HitPlace | None:
    """Return the part of a power that aims at its user's target space."""
    if not shaped(t, key, play, place, code, 1, (HitPlace,)):
        return None
    part, target = play.parts[0], target_of(place, code)
    assert isinstance(part, HitPlace)
    if part.place != target:
        aimed = f"{t.man_name(place, code)} aims at {place_name(target)}"
        t.refuse(key, f"{aimed}, not at {place_name(part.place)}")
    return part
