"""Minions that move: Wands, Hermit, Chariot, Gateway, and the Moon with a whole space."""

from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.minions import man_name, move_to
from cartulary.engine.zarcana.moves import Go
from cartulary.engine.zarcana.place_names import AROUND, place_name
from cartulary.engine.zarcana.spaces import keep_population, keep_target, keep_to_land, wither


def wands(draft: Draft, power: AnyClause, place: int, code: int, part: Go) -> None:
    """Move into the target space, within the population limit but for the Hermit."""
    keep_target(draft, power, place, code, part.place)
    _gone(draft, place, code, part.place, power is not clauses.HERMIT)


def chariot(draft: Draft, power: AnyClause, place: int, code: int, *parts: Go) -> None:
    """Turn and move one space, once or twice."""
    before = place
    for part in parts:
        if part.place - before not in AROUND:
            draft.refuse(power, f"{place_name(part.place)} is not one space from {place_name(before)}")
        before = part.place
    for part in parts:
        if code >= 0:
            code = _gone(draft, place, code, part.place)
            place = part.place


def gateway(draft: Draft, power: AnyClause, place: int, code: int, part: Go) -> None:
    """Take the user wherever a minion may be, near or far, and set it upright there."""
    if part.place == place:
        draft.refuse(power, f"{man_name(draft, place, code)} is on {place_name(place)} already")
    _gone(draft, place, code, part.place)


def moon(draft: Draft, power: AnyClause, place: int, code: int, part: Go) -> None:
    """Take the whole space, cards and minions, elsewhere."""
    to = part.place
    if to in draft.cards or to in draft.men:
        draft.refuse(power, f"{place_name(to)} is not empty")
    elif not any(to + step in draft.cards and to + step != place for step in AROUND):
        draft.refuse(power, f"No card touches {place_name(to)} once {place_name(place)} is empty")
    if to == place or place not in draft.cards:
        return
    cards, men = draft.cards.copy(), draft.men.copy()
    cards[to] = cards.get(to, ()) + cards.pop(place)
    men[to] = bytes(sorted(men.get(to, b"") + men.pop(place, b"")))
    draft.cards, draft.men = cards, men
    for step in AROUND:
        wither(draft, place + step)


def _gone(draft: Draft, place: int, code: int, to: int, limit: bool = True) -> int:
    """Move a minion, which arrives standing; return its code then, -1 where it could not live.

    limit: the population limit holds
    """
    land = keep_to_land(draft, to)
    if limit:
        keep_population(draft, to)
    standing = code - code % 5
    move_to(draft, place, code, to, standing)
    if land:
        return standing
    wither(draft, to)
    return -1
