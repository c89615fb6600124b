"""Spaces and territories, done on a draft: what is land, what lies there, and the powers that attack it.

Those powers are Swords, Emperor, Hierophant, Death, Assassin, Plague, Hanged Man, Tower, Evil Eye and Harvest.
"""

from typing import TypeAlias

from cartulary.engine.numbers import how_many
from cartulary.engine.slots import is_slot
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.fool import turn_up, turn_up_if_written
from cartulary.engine.zarcana.hands import discard, hand_room, take_openly
from cartulary.engine.zarcana.minions import block_absent, destroy, find_named, has_piece, man_name, replace_minion
from cartulary.engine.zarcana.moves import AROUND, BOARD, STEP, HitMinion, HitPlace, Play, place_name, target_of
from cartulary.engine.zarcana.state import CODE, CURSED, POPULATION

# --- spaces ---


def check_population(draft: Draft, place: int, clause: AnyClause = clauses.POPULATION) -> None:
    """Note the refusal of one more minion in a space that holds as many as it may; the word may stand.

    ``clause`` is the rule that it breaks. Nothing is noted if there is room.
    """
    count = len(draft.men.get(place, b""))
    if count >= POPULATION:
        draft.refuse(clause, f"There are {count} minions on {place_name(place)}")


def check_land(draft: Draft, place: int) -> bool:
    """Say whether a minion may be in a space: it has a card, or touches one that has.

    If not, the refusal is noted on the draft; the word may stand.
    """
    land = is_land(draft, place)
    if not land:
        draft.refuse(clauses.WASTELAND, f"No card touches {place_name(place)}")
    return land


def is_land(draft: Draft, place: int) -> bool:
    """Say whether a minion may be in a space: it has a card, or is edge to edge with a space that has one."""
    cards = draft.cards
    return place in cards or any(place + step in cards for step in AROUND)


def wither(draft: Draft, place: int) -> None:
    """Destroy the minions of a space if neither it nor a space next to it has a card any more; otherwise nothing
    changes.
    """
    if place in draft.men and not is_land(draft, place):
        for code in draft.men[place]:
            destroy(draft, place, code)


def check_target(draft: Draft, power: AnyClause, place: int, code: int, to: int, how: str = "points at") -> None:
    """Note the refusal of a space that is not the one the user points at.

    Args:
        draft: The draft.
        power: The rule of the power.
        place: The user's space.
        code: The user.
        to: The space the word names.
        how: What the user does, in the refusal: ``points at`` or ``aims at``.
    """
    target = target_of(place, code)
    if to != target:
        draft.refuse(power, f"{man_name(draft, place, code)} {how} {place_name(target)}, not at {place_name(to)}")


def lay_card(draft: Draft, place: int, entry: int) -> None:
    """Lay a card on top of a space, which need not have one. ``entry`` is its code, with flags such as that it lies
    face down.
    """
    cards = draft.cards.copy()
    cards[place] = (*cards.get(place, ()), entry)
    draft.cards = cards


def take_top_card(draft: Draft, place: int, shown_card: int = -1) -> int:
    """Take the top card off a space and return its code; minions that then touch no card are destroyed.

    Args:
        draft: The draft, which changes.
        place: The space.
        shown_card: The face-down card that the word shows there, -1 for none.

    Raises:
        BlockedError: The card shown cannot lie there.
    """
    if shown_card >= 0:
        turn_up(draft, place, shown_card)
    cards = draft.cards = draft.cards.copy()
    *rest, top = cards[place]
    if rest:
        cards[place] = tuple(rest)
    else:
        del cards[place]
        for step in STEP:
            wither(draft, place + step)
    return top & CODE


# --- a territory that is used ---


def used_territory(draft: Draft, play: Play, place: int) -> int:
    """Return the card under the user whose power a play uses, after turning it up if the word does.

    A space without a card, and a face-down card that is not turned up, are noted as refusals.

    Returns:
        The card; -1 if it is not known or still lies face down. On a space without a card it is the card of the word.

    Raises:
        BlockedError: No user is named.
    """
    if play.user is None:
        draft.block(clauses.NO_MINION, "No minion is named to use the card it is on")
    if place not in draft.cards:
        because = f"There is no card on {place_name(place)}"
        draft.refuse(clauses.USE_TERRITORY if play.origin == BOARD else clauses.WHEEL, because)
        return play.card
    if not turn_up_if_written(draft, play, place):
        return -1
    code = draft.cards[place][-1] & CODE
    return draft.assumed_card if is_slot(code) else code


# --- powers ---


def discard_territory(draft: Draft, part: HitPlace) -> None:
    """Discard the top card of a space; minions that then touch no card are destroyed. Without a card a refusal is
    noted.
    """
    if part.place not in draft.cards:
        draft.refuse(clauses.NO_EFFECT, f"There is no card on {place_name(part.place)}")
        return
    discard(draft, take_top_card(draft, part.place, part.shown_card))


def hanged_man(draft: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Discard the top card of the user's own space.

    Another space, or one without a card, is noted as a refusal. ``place`` is the user's space, and ``code`` the user.
    """
    if part.place != place:
        own = f"{man_name(draft, place, code)} is on {place_name(place)}"
        draft.refuse(power, f"{own}, not on {place_name(part.place)}")
    discard_territory(draft, part)


def tower(draft: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Discard the top card of the target, whoever is there.

    A space that the user does not point at, or one without a card, is noted as a refusal. ``place`` and ``code`` are
    those of the user.
    """
    check_target(draft, power, place, code, part.place, "aims at")
    discard_territory(draft, part)


def evil_eye(draft: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Mark the top card of the target as cursed, so that it counts 0 as long as it lies there.

    A space that the user does not point at, and one without a card that still counts, are noted as refusals.
    """
    check_target(draft, power, place, code, part.place, "aims at")
    stack = draft.cards.get(part.place)
    where = place_name(part.place)
    if stack is None:
        draft.refuse(clauses.NO_EFFECT, f"There is no card on {where}")
    elif stack[-1] & CURSED:
        draft.refuse(clauses.NO_EFFECT, f"The card on {where} counts 0 already")
    if stack is not None:
        draft.cards = {**draft.cards, part.place: (*stack[:-1], stack[-1] | CURSED)}


def harvest(draft: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Take the top card of a target without minions into the hand, seen by all.

    A space that the user does not point at, one with minions, and a full hand are noted as refusals, and the card is
    taken all the same. A space without a card is a refusal too.
    """
    check_target(draft, power, place, code, part.place, "aims at")
    where = part.place
    if where in draft.men:
        draft.refuse(power, f"There are minions on {place_name(where)}")
    if not hand_room(draft, draft.seat):
        draft.refuse(clauses.HAND_LIMIT, f"p{draft.seat} holds {how_many(len(draft.hands[draft.seat - 1]))}")
    if where in draft.cards:
        take_openly(draft, draft.seat, take_top_card(draft, where, part.shown_card))
    else:
        draft.refuse(clauses.NO_EFFECT, f"There is no card on {place_name(where)}")


# --- attacks ---


Attack: TypeAlias = HitMinion | HitPlace


def attack(draft: Draft, power: AnyClause, place: int, code: int, part: Attack) -> None:
    """Carry out one attack of Swords, Hierophant, Assassin or Emperor; the Emperor's victim then owes cards.

    Wrong targets are noted as refusals. ``place`` and ``code`` are those of the attacker.

    Raises:
        BlockedError: The minion attacked is not there, or has no smaller piece left.
    """
    victim_seat = _strike(draft, power, place, code, part)
    if power is clauses.EMPEROR and victim_seat not in (0, draft.seat):
        draft.new_demands += ((victim_seat, draft.seat),)


def death(draft: Draft, power: AnyClause, place: int, code: int, *parts: Attack) -> None:
    """Carry out one or two attacks on the user's target space; wrong targets are noted as refusals.

    Raises:
        BlockedError: The user did not survive its first attack, or a minion attacked is not there.
    """
    for part in parts:
        _aim(draft, power, place, code, part)
    for part in parts:
        if code not in draft.men.get(place, b""):
            draft.block(clauses.NO_MINION, f"The minion on {place_name(place)} was gone before its second attack")
        _strike(draft, power, place, code, part)


def plague(draft: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Destroy all minions in the target space, and discard its top card.

    A space that the user does not point at, and one with neither, are noted as refusals.
    """
    check_target(draft, power, place, code, part.place, "aims at")
    men = draft.men.get(part.place, b"")
    if not men and part.place not in draft.cards:
        draft.refuse(clauses.NO_EFFECT, f"There is nothing on {place_name(part.place)}")
    for victim in men:
        destroy(draft, part.place, victim)
    if part.place in draft.cards:
        discard_territory(draft, part)


def _strike(draft: Draft, power: AnyClause, place: int, code: int, part: Attack) -> int:
    """Carry out one attack.

    Args:
        draft: The draft, which changes.
        power: The rule of the power.
        place: The attacker's space.
        code: The attacker.
        part: What it attacks.

    Returns:
        The seat whose minion was attacked; 0 if a card was, and for an attack on itself, which is refused.
    """
    where = _aim(draft, power, place, code, part)
    if isinstance(part, HitPlace):
        if power is clauses.EMPEROR:
            draft.refuse(power, f"The Emperor attacks a minion, never the card on {place_name(where)}")
        _raze(draft, power, place, code, part)
        return 0
    victim = find_named(draft, part.ref)
    if where == place and victim == code and draft.men[where].count(code) == 1:
        draft.refuse(power, f"{man_name(draft, place, code)} cannot attack itself")
        return 0
    if victim < 0:
        block_absent(draft, part.ref)
    _hit(draft, power, where, victim, code)
    return victim // 15


def _aim(draft: Draft, power: AnyClause, place: int, code: int, part: Attack) -> int:
    """Return the place that an attack is made on; one that the attacker does not reach is noted as a refusal.

    The Assassin reaches his own space and those next to it, all others only the space they point at.
    """
    where = part.ref.place if isinstance(part, HitMinion) else part.place
    if power is not clauses.ASSASSIN:
        check_target(draft, power, place, code, where, "aims at")
    elif where - place not in STEP:
        reached = f"{place_name(place)} and the spaces next to it"
        draft.refuse(power, f"{man_name(draft, place, code)} reaches {reached}, not {place_name(where)}")
    return where


def _hit(draft: Draft, power: AnyClause, where: int, victim: int, attacker: int) -> None:
    """Reduce a larger minion by one size, and destroy another one or, with the Hierophant, make it the mover's.

    Args:
        draft: The draft, which changes.
        power: The rule of the power.
        where: The space of the victim.
        victim: The code of the minion attacked.
        attacker: The code of the attacker.

    Raises:
        BlockedError: The victim's seat has no smaller piece left.
    """
    if attacker // 5 % 3 < victim // 5 % 3:
        if not has_piece(draft, victim - 5):
            could = f"no piece left that {man_name(draft, where, victim)} could become"
            draft.block(clauses.STASH, f"p{victim // 15} has {could}")
        replace_minion(draft, where, victim, victim - 5)
        return
    mine = draft.seat * 15 + victim % 15
    if power is clauses.HIEROPHANT and victim // 15 != draft.seat and has_piece(draft, mine):
        replace_minion(draft, where, victim, mine)
    else:
        destroy(draft, where, victim)


def _raze(draft: Draft, power: AnyClause, place: int, code: int, part: HitPlace) -> None:
    """Discard the top card of the space attacked; note a refusal if minions defend that space.

    Args:
        draft: The draft, which changes.
        power: The rule of the power.
        place: The attacker's space.
        code: The attacker.
        part: The space that is attacked.
    """
    where = part.place
    men = draft.men.get(where, b"")
    if len(men) > (where == place and code in men):
        draft.refuse(power, f"There are minions on {place_name(where)}, so one of them must be attacked")
    elif where == place and where in draft.cards:
        draft.refuse(power, f"{man_name(draft, place, code)} cannot attack the card it is on")
    discard_territory(draft, part)
