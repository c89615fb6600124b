"""Swords and the powers that attack as they do: Emperor, Hierophant, Death, Assassin."""

from typing import TypeAlias

from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.minions import become, block_absent, destroy, has_piece, man_name, pick
from cartulary.engine.zarcana.moves import HitMinion, HitPlace
from cartulary.engine.zarcana.places import AROUND, place_name, target_of
from cartulary.engine.zarcana.territories import discarded

Attack: TypeAlias = HitMinion | HitPlace


def swords(t: Draft, power: AnyClause, place: int, code: int, part: Attack) -> None:
    """Strike the target space: a minion there, and its card only if nobody defends it."""
    struck(t, power, place, code, part, (target_of(place, code),))


def hierophant(t: Draft, power: AnyClause, place: int, code: int, part: Attack) -> None:
    """Swords that make another seat's minion the mover's instead of destroying it."""
    struck(t, power, place, code, part, (target_of(place, code),), converts=True)


def assassin(t: Draft, power: AnyClause, place: int, code: int, part: Attack) -> None:
    """Strike once: in the space where the user is, or in one that borders on it."""
    struck(t, power, place, code, part, (place, *(place + step for step in AROUND)))


def emperor(t: Draft, power: AnyClause, place: int, code: int, part: Attack) -> None:
    """Attack a minion; another seat's owner then owes two cards."""
    whose = struck(t, power, place, code, part, (target_of(place, code),), cards=False)
    if whose not in (0, t.seat):
        t.owed += ((whose, t.seat),)


def death(t: Draft, power: AnyClause, place: int, code: int, *parts: Attack) -> None:
    """Strike the user's target space once or twice, the user being the same both times."""
    for part in parts:
        _aims(t, power, place, code, part, (target_of(place, code),))
    for part in parts:
        if code not in t.men.get(place, b""):
            t.block(clauses.NO_MINION, f"The minion on {place_name(place)} is gone before its second attack")
        struck(t, power, place, code, part, (target_of(place, code),))


def struck(
    t: Draft,
    power: AnyClause,
    place: int,
    code: int,
    part: Attack,
    spaces: tuple[int, ...],
    *,
    converts: bool = False,
    cards: bool = True,
) -> int:
    """Do one attack on one of the spaces; return whose minion was attacked, 0 for none. cards: they may be attacked."""
    where = _aims(t, power, place, code, part, spaces)
    if isinstance(part, HitPlace):
        if not cards:
            t.refuse(power, f"It attacks a minion, never the card on {place_name(where)}")
        _razed(t, power, place, code, part)
        return 0
    victim = pick(t, part.ref)
    if where == place and victim == code and t.men[where].count(code) == 1:
        t.refuse(power, f"{man_name(t, place, code)} does not attack itself")
        return 0
    if victim < 0:
        block_absent(t, part.ref)
    _hit(t, where, victim, code, converts)
    return victim // 15


def _aims(t: Draft, power: AnyClause, place: int, code: int, part: Attack, spaces: tuple[int, ...]) -> int:
    """Return the space an attack is made on; refuse one that the attacker does not reach."""
    where = part.ref.place if isinstance(part, HitMinion) else part.place
    if where not in spaces:
        more = " and the spaces next to it" if len(spaces) > 1 else ""
        aimed = f"{'reaches' if more else 'aims at'} {place_name(spaces[0])}{more}"
        t.refuse(power, f"{man_name(t, place, code)} {aimed}, not {'' if more else 'at '}{place_name(where)}")
    return where


def _hit(t: Draft, where: int, victim: int, attacker: int, converts: bool) -> None:
    """Reduce a minion, destroy it, or convert it to the mover's."""
    if attacker // 5 % 3 < victim // 5 % 3:
        if not has_piece(t, victim - 5):
            could = f"no piece left that {man_name(t, where, victim)} could become"
            t.block(clauses.STASH, f"p{victim // 15} has {could}")
        become(t, where, victim, victim - 5)
        return
    mine = t.seat * 15 + victim % 15
    if converts and victim // 15 != t.seat and has_piece(t, mine):
        become(t, where, victim, mine)
    else:
        destroy(t, where, victim)


def _razed(t: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Discard the top card of a space no minion defends."""
    where = part.place
    here = t.men.get(where, b"")
    if len(here) > (where == place and code in here):
        t.refuse(power, f"There are minions on {place_name(where)}, so one of them is attacked")
    elif where == place and where in t.cards:
        t.refuse(power, f"{man_name(t, place, code)} is on {place_name(where)} itself")
    discarded(t, part)
