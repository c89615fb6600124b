"""Spaces, done on a draft: what is land, how many minions it has room for, and the cards that lie on it."""

from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.minions import destroy, man_name
from cartulary.engine.zarcana.place_names import AROUND, STEP, place_name, target_of
from cartulary.engine.zarcana.state import CODE, POPULATION
from cartulary.engine.zarcana.wheel import turn_up


def keep_population(draft: Draft, place: int, clause: AnyClause = clauses.POPULATION) -> None:
    """Refuse one more minion in a space that holds as many as it may."""
    count = len(draft.men.get(place, b""))
    if count >= POPULATION:
        draft.refuse(clause, f"There are {count} minions on {place_name(place)}")


def keep_to_land(draft: Draft, place: int) -> bool:
    """Say whether a minion may be in a space; refuse one that has no card and touches none."""
    land = is_land(draft, place)
    if not land:
        draft.refuse(clauses.WASTELAND, f"No card touches {place_name(place)}")
    return land


def is_land(draft: Draft, place: int) -> bool:
    """Say whether a minion may be in a space: it has a card, or is edge to edge with one."""
    cards = draft.cards
    return place in cards or any(place + step in cards for step in AROUND)


def wither(draft: Draft, place: int) -> None:
    """Destroy the minions of a space that is no land any more."""
    if place in draft.men and not is_land(draft, place):
        for code in draft.men[place]:
            destroy(draft, place, code)


def keep_target(draft: Draft, power: AnyClause, place: int, code: int, to: int, how: str = "points at") -> None:
    """Refuse a space that is not the one the user points at."""
    target = target_of(place, code)
    if to != target:
        draft.refuse(power, f"{man_name(draft, place, code)} {how} {place_name(target)}, not at {place_name(to)}")


def lay(draft: Draft, place: int, entry: int) -> None:
    """Lay a card on a space."""
    cards = draft.cards.copy()
    cards[place] = (*cards.get(place, ()), entry)
    draft.cards = cards


def leave(draft: Draft, place: int, shown: int = -1) -> int:
    """Take the top card off a space and return its code, a face-down one as the word shows it.

    Whoever then stands off the allowed spaces is destroyed.
    """
    if shown >= 0:
        turn_up(draft, place, shown)
    cards = draft.cards = draft.cards.copy()
    *rest, top = cards[place]
    if rest:
        cards[place] = tuple(rest)
    else:
        del cards[place]
        for step in STEP:
            wither(draft, place + step)
    return top & CODE
