"""Territories: used, taken off, worth nothing; Hanged Man, Tower, Evil Eye, Harvest."""

from cartulary.engine.numbers import how_many
from cartulary.engine.slots import is_slot
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.deck import discard
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.hands import room, take_openly
from cartulary.engine.zarcana.minions import man_name
from cartulary.engine.zarcana.moves import BOARD, HitPlace, Play
from cartulary.engine.zarcana.place_names import place_name
from cartulary.engine.zarcana.spaces import keep_target, leave
from cartulary.engine.zarcana.state import CODE, CURSED
from cartulary.engine.zarcana.wheel import turn_as_said

# --- a territory that is used ---


def territory(draft: Draft, play: Play, place: int) -> int:
    """Return the card under the user whose power it uses, -1 where there is none; turn it up if the word does."""
    if play.user is None:
        draft.block(clauses.NO_MINION, "No minion is named to use the card it is on")
    if place not in draft.cards:
        because = f"There is no card on {place_name(place)}"
        draft.refuse(clauses.USE_TERRITORY if play.origin == BOARD else clauses.WHEEL, because)
        return play.card
    if not turn_as_said(draft, play, place):
        return -1
    code = draft.cards[place][-1] & CODE
    return draft.taken if is_slot(code) else code


# --- powers ---


def discarded(draft: Draft, part: HitPlace) -> None:
    """Discard the top card of a space."""
    if part.place not in draft.cards:
        draft.refuse(clauses.NO_EFFECT, f"There is no card on {place_name(part.place)}")
        return
    discard(draft, leave(draft, part.place, part.shown))


def hanged_man(draft: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Discard the top card of the user's own space."""
    if part.place != place:
        own = f"{man_name(draft, place, code)} is on {place_name(place)}"
        draft.refuse(power, f"{own}, not on {place_name(part.place)}")
    discarded(draft, part)


def tower(draft: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Tear the top card off the target; whoever is there does not hinder it."""
    keep_target(draft, power, place, code, part.place, "aims at")
    discarded(draft, part)


def evil_eye(draft: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Mark the card on top of the target, so that it is worth nothing there."""
    keep_target(draft, power, place, code, part.place, "aims at")
    stack = draft.cards.get(part.place)
    where = place_name(part.place)
    if stack is None:
        draft.refuse(clauses.NO_EFFECT, f"There is no card on {where}")
    elif stack[-1] & CURSED:
        draft.refuse(clauses.NO_EFFECT, f"The card on {where} counts 0 already")
    if stack is not None:
        draft.cards = {**draft.cards, part.place: (*stack[:-1], stack[-1] | CURSED)}


def harvest(draft: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Take the top card of a target without minions into the hand."""
    keep_target(draft, power, place, code, part.place, "aims at")
    where = part.place
    if where in draft.men:
        draft.refuse(power, f"There are minions on {place_name(where)}")
    if not room(draft, draft.seat):
        draft.refuse(clauses.HAND_LIMIT, f"p{draft.seat} holds {how_many(len(draft.hands[draft.seat - 1]))}")
    if where in draft.cards:
        take_openly(draft, draft.seat, leave(draft, where, part.shown))
    else:
        draft.refuse(clauses.NO_EFFECT, f"There is no card on {place_name(where)}")
