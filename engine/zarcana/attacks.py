"""Swords and the powers that attack as they do: Emperor, Hierophant, Death, Assassin; and the Plague."""

from typing import TypeAlias

from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.minions import become, block_absent, destroy, has_piece, man_name, pick
from cartulary.engine.zarcana.moves import HitMinion, HitPlace
from cartulary.engine.zarcana.place_names import STEP, place_name
from cartulary.engine.zarcana.spaces import keep_target
from cartulary.engine.zarcana.territories import discarded

Attack: TypeAlias = HitMinion | HitPlace


def attack(draft: Draft, power: AnyClause, place: int, code: int, part: Attack) -> None:
    """Attack once: Swords, the Hierophant, the Assassin, and the Emperor, to whom another seat then owes cards."""
    victim_seat = _struck(draft, power, place, code, part)
    if power is clauses.EMPEROR and victim_seat not in (0, draft.seat):
        draft.owed += ((victim_seat, draft.seat),)


def death(draft: Draft, power: AnyClause, place: int, code: int, *parts: Attack) -> None:
    """Strike the user's target space once or twice, the user being the same both times."""
    for part in parts:
        _aims(draft, power, place, code, part)
    for part in parts:
        if code not in draft.men.get(place, b""):
            draft.block(clauses.NO_MINION, f"The minion on {place_name(place)} was gone before its second attack")
        _struck(draft, power, place, code, part)


def plague(draft: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Destroy all minions in the target space, then discard its top card."""
    keep_target(draft, power, place, code, part.place, "aims at")
    men = draft.men.get(part.place, b"")
    if not men and part.place not in draft.cards:
        draft.refuse(clauses.NO_EFFECT, f"There is nothing on {place_name(part.place)}")
    for victim in men:
        destroy(draft, part.place, victim)
    if part.place in draft.cards:
        discarded(draft, part)


def _struck(draft: Draft, power: AnyClause, place: int, code: int, part: Attack) -> int:
    """Do one attack; return whose minion was attacked, 0 for none."""
    where = _aims(draft, power, place, code, part)
    if isinstance(part, HitPlace):
        if power is clauses.EMPEROR:
            draft.refuse(power, f"The Emperor attacks a minion, never the card on {place_name(where)}")
        _razed(draft, power, place, code, part)
        return 0
    victim = pick(draft, part.ref)
    if where == place and victim == code and draft.men[where].count(code) == 1:
        draft.refuse(power, f"{man_name(draft, place, code)} cannot attack itself")
        return 0
    if victim < 0:
        block_absent(draft, part.ref)
    _hit(draft, power, where, victim, code)
    return victim // 15


def _aims(draft: Draft, power: AnyClause, place: int, code: int, part: Attack) -> int:
    """Return the space an attack is made on; refuse one that the attacker does not reach."""
    where = part.ref.place if isinstance(part, HitMinion) else part.place
    if power is not clauses.ASSASSIN:
        keep_target(draft, power, place, code, where, "aims at")
    elif where - place not in STEP:
        reached = f"{place_name(place)} and the spaces next to it"
        draft.refuse(power, f"{man_name(draft, place, code)} reaches {reached}, not {place_name(where)}")
    return where


def _hit(draft: Draft, power: AnyClause, where: int, victim: int, attacker: int) -> None:
    """Reduce a minion, destroy it, or convert it to the mover's, as the Hierophant does."""
    if attacker // 5 % 3 < victim // 5 % 3:
        if not has_piece(draft, victim - 5):
            could = f"no piece left that {man_name(draft, where, victim)} could become"
            draft.block(clauses.STASH, f"p{victim // 15} has {could}")
        become(draft, where, victim, victim - 5)
        return
    mine = draft.seat * 15 + victim % 15
    if power is clauses.HIEROPHANT and victim // 15 != draft.seat and has_piece(draft, mine):
        become(draft, where, victim, mine)
    else:
        destroy(draft, where, victim)


def _razed(draft: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Discard the top card of a space no minion defends."""
    where = part.place
    men = draft.men.get(where, b"")
    if len(men) > (where == place and code in men):
        draft.refuse(power, f"There are minions on {place_name(where)}, so one of them must be attacked")
    elif where == place and where in draft.cards:
        draft.refuse(power, f"{man_name(draft, place, code)} cannot attack the card it is on")
    discarded(draft, part)
